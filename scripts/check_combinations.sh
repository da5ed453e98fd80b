#!/usr/bin/env bash
# Builds the engine with many combinations of its components and checks that all of them search the same tree:
# the same `bench` count, on every SIMD path that the processor has, with the embedded net and with a small one that
# has threat rows. The combinations: all; none; each component alone and all but it, so that every two components meet in
# all four ways. CROSSED=1 adds every combination of the four names whose mechanisms meet most, with the others on. All
# combinations would be too many to build.
#
# usage: scripts/check_combinations.sh [BENCH ARGUMENTS]     default: depth 4
# PROFILE=release builds with another profile than dev; dev is set to build fast and to check for overflow.
# JOBS=N builds and searches so many combinations at once, each job in a folder of its own; default: one a core.
set -euo pipefail
cd "$(dirname "$0")/.."

bench="bench ${*:-depth 4}"
profile=${PROFILE:-dev}
target=${CARGO_TARGET_DIR:-target}/combinations
folder=$profile
[ "$profile" = dev ] && folder=debug
jobs=${JOBS:-$(nproc)}
crossed=(threats-i8 eval-cache prefetch acc512)

# One unit is compiled with a quarter less work than many; the jobs keep the cores busy.
export CARGO_PROFILE_DEV_OPT_LEVEL=1 CARGO_PROFILE_DEV_DEBUG=none CARGO_PROFILE_DEV_CODEGEN_UNITS=1 CARGO_INCREMENTAL=0

# Builds the engine in a job's folder.
build() {
    local job=$1 && shift
    cargo build --quiet --package engine --bin engine --profile "$profile" --target-dir "$target/$job" "$@"
}

# The count of a job's engine on one path with one net, embedded unless named; empty when the processor lacks the path.
count() {
    local engine=$target/$1/$folder/engine output
    shift
    if ! output=$("$engine" "setoption name SIMD value $1" ${2:+"setoption name EvalFile value $2"} "$bench" 2>&1); then
        case $output in
        *"expected a path that this processor has"*) return 0 ;;
        *) echo "$output" >&2 && return 1 ;;
        esac
    fi
    echo "$output" | tail -n 1 | cut -d ' ' -f 1
}

build 0
# The crates that the engine uses are the same in every job.
for ((job = 1; job < jobs; job++)); do
    [ -d "$target/$job" ] || cp -a "$target/0" "$target/$job"
done
engine=$target/0/$folder/engine
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

combinations=("$(joined "${names[@]}")" "")
read -ra others <<<"$(all_but "${crossed[@]}")"
masks=0
[ -z "${CROSSED:-}" ] || masks=$((1 << ${#crossed[@]}))
for ((mask = 0; mask < masks; mask++)); do
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

# What all have to search, by the build with all components.
declare -A expected
for net in "" "$threats"; do expected[net$net]=$(count 0 auto "$net"); done

# Every `jobs`-th combination from the job's own number on.
check() {
    local job=$1 i features net simd nodes wanted
    for ((i = job; i < ${#combinations[@]}; i += jobs)); do
        features=${combinations[i]}
        build "$job" --no-default-features --features "$features"
        for net in "" "$threats"; do
            wanted=${expected[net$net]}
            for simd in scalar avx2 avx512; do
                nodes=$(count "$job" $simd "$net")
                [ -n "$nodes" ] || continue
                echo "$nodes  $simd  ${net:+threats  }${features:-no components}"
                if [ "$nodes" != "$wanted" ]; then
                    echo "check_combinations: found $nodes nodes, expected $wanted ($simd, ${net:-embedded net}, ${features:-no components})" >&2
                    exit 1
                fi
            done
        done
    done
}

running=()
for ((job = 0; job < jobs; job++)); do
    check "$job" &
    running+=($!)
done
failed=0
for process in "${running[@]}"; do wait "$process" || failed=1; done
[ "$failed" = 0 ] || { echo "check_combinations: failed, see above" >&2; exit 1; }
echo "${#combinations[@]} combinations: ${expected[net]} nodes, ${expected[net$threats]} with threat rows"
