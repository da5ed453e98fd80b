#!/usr/bin/env bash
# Planted slow-downs of 0.25, 0.5, 1 and 2 % (engine feature lab-handicap): what each is worth without the lab, and what the lab
# measures; and the whole handicap of 100 % in the lab's slots. The machine must be quiet. Results go to results/truth/handicap; what is there is not repeated.
#
# Needs valgrind (apt-get install valgrind). With the defaults on two cores: calibration 5 minutes, trials 28 minutes. At a small
# size, to try the script:  PAIRS=2 NODES=2000 COUNTED=200 SIZES=200 BUNDLES=... OUT=target/small scripts/truth_handicap.sh
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-results/truth}
core=${CORE:-1}
target=${CARGO_TARGET_DIR:-target}
bundles=${BUNDLES:-bundles/truth}

mkdir -p "$out/handicap/trials"
cargo build --quiet --release -p bench-lab --bin bench-lab --example truth
if [ ! -e "$out/handicap/calibration.json" ]; then
    command -v valgrind >/dev/null || { echo "truth_handicap: needs valgrind: apt-get install valgrind" >&2; exit 1; }
    cargo build --quiet --profile lab -p engine --features lab-handicap --target-dir "$target/truth/handicap"
    # Workload and options of the bundles.
    taskset -c "$core" "$target/release/examples/truth" handicap "$target/truth/handicap/lab/engine" \
        --positions bundles/workloads/quick.epd --nodes "${NODES:-100000}" --counted-nodes "${COUNTED:-100000}" \
        --option SIMD=avx2 --option Hash=4 --pairs "${PAIRS:-40}" --out "$out/handicap/calibration.json"
fi
for size in ${SIZES:-025 050 100 200 whole}; do
    folder=$out/handicap/trials/$size
    [ -e "$folder/verdict.json" ] && continue
    rm -rf "$folder"
    scripts/truth_trial.sh "$bundles/handicap-$size.toml" "$folder"
done
"$target/release/examples/truth" summary "$out"
