#!/usr/bin/env bash
# A component that does nothing (engine feature lab-null): what whole benches, hyperfine and the lab say about it, each
# REPEATS times. The machine must be quiet. Results go to results/truth/null, in small steps: what is there is not repeated.
#
#     scripts/truth_null.sh [bench|hyperfine|trials]...       default: all three
#
# With the defaults on two cores: bench and hyperfine 17 minutes each, trials 45 minutes. Everything at a small size, to try
# the script:  REPEATS=1 RUNS=2 LIMIT="depth 5" OUT=target/small scripts/truth_null.sh
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-results/truth}
repeats=${REPEATS:-20}
runs=${RUNS:-10}
limit=${LIMIT:-depth 10}
core=${CORE:-1}
bundle=${BUNDLE:-bundles/truth/null.toml}
target=${CARGO_TARGET_DIR:-target}
[ $# -gt 0 ] || set -- bench hyperfine trials

mkdir -p "$out/null"

# The two builds of the engine as anybody would make them.
build() {
    cargo build --quiet --profile lab -p engine --features "$2" --target-dir "$target/truth/$1"
    echo "$target/truth/$1/lab/engine"
}
build_both() {
    plain=$(build plain "")
    null=$(build null lab-null)
}

# Whole benches, one after the other, A then B.
bench() {
    build_both
    local csv=$out/null/bench.csv
    [ -e "$csv" ] || echo "repeat,number,arm,nodes,nps" >"$csv"
    local done
    done=$(tail -n +2 "$csv" | cut -d , -f 1 | sort -n | tail -n 1)
    for ((repeat = ${done:-0} + 1; repeat <= repeats; repeat++)); do
        local lines=
        for ((number = 1; number <= runs; number++)); do
            for arm in plain null; do
                # The last line: `<n> nodes <nps> nps`.
                read -r nodes _ nps _ < <(taskset -c "$core" "${!arm}" "bench $limit" | tail -n 1)
                lines+="$repeat,$number,$arm,$nodes,$nps"$'\n'
            done
        done
        printf %s "$lines" >>"$csv"
        echo "bench: repeat $repeat of $repeats"
    done
}

hyperfine() {
    command -v hyperfine >/dev/null || { echo "truth_null: needs hyperfine: apt-get install hyperfine" >&2; exit 1; }
    build_both
    mkdir -p "$out/null/hyperfine"
    for ((repeat = 1; repeat <= repeats; repeat++)); do
        local file
        file=$out/null/hyperfine/$(printf %02d "$repeat").json
        [ -e "$file" ] && continue
        taskset -c "$core" hyperfine --shell none --warmup 1 --runs "$runs" --style none --export-json "$file.part" \
            --command-name plain "$plain 'bench $limit'" --command-name null "$null 'bench $limit'"
        mv "$file.part" "$file"
        echo "hyperfine: repeat $repeat of $repeats"
    done
}

# Trials of the lab. The component fails in nearly all of them, as it should; each is an attempt of its own.
trials() {
    cargo build --quiet --release -p bench-lab
    mkdir -p "$out/null/trials"
    for ((repeat = 1; repeat <= repeats; repeat++)); do
        local folder
        folder=$out/null/trials/$(printf %02d "$repeat")
        [ -e "$folder/verdict.json" ] && continue
        rm -rf "$folder"
        scripts/truth_trial.sh "$bundle" "$folder"
        echo "trials: repeat $repeat of $repeats"
    done
}

for part in "$@"; do
    case $part in
    bench | hyperfine | trials) "$part" ;;
    *) echo "truth_null: no part \`$part\`; expected bench, hyperfine or trials" >&2 && exit 2 ;;
    esac
done
cargo run --quiet --release -p bench-lab --example truth -- summary "$out"
