#!/usr/bin/env bash
# Builds the engine with many combinations of its components and checks that all of them search the same tree:
# the same `bench` count, on every SIMD path that the processor has. The combinations: every one of the first four
# components, whose mechanisms meet in the same places, with the others on; each of the others alone and all but it;
# none. All of them would be too many to build.
#
# usage: scripts/check_combinations.sh [BENCH ARGUMENTS]     default: depth 4
# PROFILE=release builds with another profile than dev; dev is set to build fast and to check for overflow.
set -euo pipefail
cd "$(dirname "$0")/.."

bench="bench ${*:-depth 4}"
profile=${PROFILE:-dev}
folder=$profile
[ "$profile" = dev ] && folder=debug
engine=${CARGO_TARGET_DIR:-target}/combinations/$folder/engine

export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=none CARGO_INCREMENTAL=0

build() {
    cargo build --quiet --package engine --bin engine --profile "$profile" \
        --target-dir "${CARGO_TARGET_DIR:-target}/combinations" "$@"
}

# The count of one path; empty when the processor lacks it.
count() {
    if ! output=$("$engine" "setoption name SIMD value $1" "$bench" 2>&1); then
        case $output in
        *"expected a path that this processor has"*) return 0 ;;
        *) echo "$output" >&2 && return 1 ;;
        esac
    fi
    echo "$output" | tail -n 1 | cut -d ' ' -f 1
}

build
mapfile -t names < <("$engine" components | grep -v '^ ' | cut -d ' ' -f 1)
crossed=("${names[@]:0:4}")
others=("${names[@]:4}")

# Names with commas between.
joined() { local IFS=, && echo "$*"; }

# All names but one.
all_but() {
    local left=()
    for name in "${names[@]}"; do
        [ "$name" = "$1" ] || left+=("$name")
    done
    joined "${left[@]}"
}

combinations=()
for ((mask = (1 << ${#crossed[@]}) - 1; mask >= 0; mask--)); do
    chosen=()
    for i in "${!crossed[@]}"; do
        if ((mask >> i & 1)); then chosen+=("${crossed[i]}"); fi
    done
    combinations+=("$(joined "${chosen[@]}" "${others[@]}")")
done
for name in "${others[@]}"; do
    combinations+=("$(all_but "$name")" "$name")
done
combinations+=("")

expected=
for features in "${combinations[@]}"; do
    build --no-default-features --features "$features"
    for simd in scalar avx2 avx512; do
        nodes=$(count $simd)
        [ -n "$nodes" ] || continue
        expected=${expected:-$nodes}
        echo "$nodes  $simd  ${features:-no components}"
        if [ "$nodes" != "$expected" ]; then
            echo "check_combinations: found $nodes nodes, expected $expected ($simd, ${features:-no components})" >&2
            exit 1
        fi
    done
done
echo "${#combinations[@]} combinations: $expected nodes"
