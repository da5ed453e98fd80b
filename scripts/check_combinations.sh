#!/usr/bin/env bash
# Builds the engine with many combinations of its components and checks that all of them search the same tree:
# the same `bench` count, on every SIMD path that the processor has, with the embedded net and with a small one that
# has threat rows. The combinations: all; none; every one of the four names whose mechanisms meet most, with the
# others on; each component alone and all but it. All combinations would be too many to build.
#
# usage: scripts/check_combinations.sh [BENCH ARGUMENTS]     default: depth 4
# PROFILE=release builds with another profile than dev; dev is set to build fast and to check for overflow.
set -euo pipefail
cd "$(dirname "$0")/.."

bench="bench ${*:-depth 4}"
profile=${PROFILE:-dev}
target=${CARGO_TARGET_DIR:-target}/combinations
folder=$profile
[ "$profile" = dev ] && folder=debug
engine=$target/$folder/engine
crossed=(threats-i8 eval-cache prefetch acc512)

export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=none CARGO_INCREMENTAL=0

build() {
    cargo build --quiet --package engine --bin engine --profile "$profile" --target-dir "$target" "$@"
}

# The count on one path with one net, embedded unless named; empty when the processor lacks the path.
count() {
    if ! output=$("$engine" "setoption name SIMD value $1" ${2:+"setoption name EvalFile value $2"} "$bench" 2>&1); then
        case $output in
        *"expected a path that this processor has"*) return 0 ;;
        *) echo "$output" >&2 && return 1 ;;
        esac
    fi
    echo "$output" | tail -n 1 | cut -d ' ' -f 1
}

build
mapfile -t names < <("$engine" components | grep -v '^ ' | cut -d ' ' -f 1)
threats=$target/threats.net
"$engine" nets synth --arch main --width 128 --seed 1 -o "$target/small.net"
"$engine" nets widen "$target/small.net" --arch t1536 --width 192 --seed 1 -o "$threats"

# The words with commas between.
joined() { local IFS=, && echo "$*"; }

# All components but those that the words name.
all_but() {
    local left=() name word
    for name in "${names[@]}"; do
        for word in "$@"; do
            case $name in "$word" | "$word"-tt | "$word"-rows) continue 2 ;; esac
        done
        left+=("$name")
    done
    echo "${left[@]}"
}

combinations=()
read -ra others <<<"$(all_but "${crossed[@]}")"
for ((mask = (1 << ${#crossed[@]}) - 1; mask >= 0; mask--)); do
    chosen=()
    for i in "${!crossed[@]}"; do
        if ((mask >> i & 1)); then chosen+=("${crossed[i]}"); fi
    done
    combinations+=("$(joined "${chosen[@]}" "${others[@]}")")
done
for name in "${names[@]}"; do
    read -ra left <<<"$(all_but "$name")"
    combinations+=("$(joined "${left[@]}")" "$name")
done
combinations+=("")

declare -A expected
for features in "${combinations[@]}"; do
    build --no-default-features --features "$features"
    for net in "" "$threats"; do
        for simd in scalar avx2 avx512; do
            nodes=$(count $simd "$net")
            [ -n "$nodes" ] || continue
            wanted=${expected[net$net]:=$nodes}
            echo "$nodes  $simd  ${net:+threats  }${features:-no components}"
            if [ "$nodes" != "$wanted" ]; then
                echo "check_combinations: found $nodes nodes, expected $wanted ($simd, ${net:-embedded net}, ${features:-no components})" >&2
                exit 1
            fi
        done
    done
done
echo "${#combinations[@]} combinations: ${expected[net]} nodes, ${expected[net$threats]} with threat rows"
