#!/usr/bin/env bash
# Does sharing a core every few milliseconds shrink or inflate a gain that lives on caches? threats-i8 and prefetch, with the
# teacher's net, in slots of 2, 10 and 50 ms and alone. The machine must be quiet. Results go to results/truth/slices.
#
# With the defaults on two cores: 15 minutes a component. At a small size, to try the script:
#     PHASES=2 NODES=500 OUT=target/small scripts/truth_slices.sh
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-results/truth}
target=${CARGO_TARGET_DIR:-target}
net=${NET:-nets/t1536.net}

mkdir -p "$out/slices"
cargo build --quiet --release -p bench-lab --example truth
build() {
    cargo build --quiet --profile lab -p engine --target-dir "$target/truth/$1" "${@:2}"
}
build all
names=$("$target/truth/all/lab/engine" components | grep -v '^ ' | cut -d ' ' -f 1)
if [ ! -e "$net" ]; then
    mkdir -p "$(dirname "$net")"
    engine=$target/truth/all/lab/engine
    "$engine" nets synth --arch main --seed 1 -o "$(dirname "$net")/main.net"
    "$engine" nets widen "$(dirname "$net")/main.net" --arch t1536 --seed 1 -o "$net"
fi
for component in ${COMPONENTS:-threats-i8 prefetch}; do
    [ -e "$out/slices/$component.csv" ] && continue
    others=$(grep -vxE "$component(-tt|-rows)?" <<<"$names" | paste -sd ,)
    build "without-$component" --no-default-features --features "$others"
    "$target/release/examples/truth" slices --full "$target/truth/all/lab/engine" \
        --without "$target/truth/without-$component/lab/engine" --positions bundles/workloads/full.epd \
        --nodes "${NODES:-20000}" --option Hash=64 --option "EvalFile=$(realpath "$net")" --phases "${PHASES:-30}" \
        --core "${CORE:-1}" --out "$out/slices/$component.csv"
done
"$target/release/examples/truth" summary "$out"
