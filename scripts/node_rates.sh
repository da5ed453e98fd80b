#!/usr/bin/env bash
# Node rates of whole searches, by paired and interleaved runs of `engine bench nodes N`: every round runs all subjects,
# every second round backwards, and rates are compared within a round.
#
#   scripts/node_rates.sh TEACHER.net              builds the engine with all components and with none; runs the first on
#                                                  the teacher and on the main net, the other on the teacher
#   scripts/node_rates.sh NAME=ENGINE[:NET] ...    any builds and nets; the later ones are compared with the first
#
# ROUNDS=15  NODES=20000 (on each of the 50 positions)  CORE=N (run there only)
set -euo pipefail
usage() { sed -n '2,9s/^# \{0,1\}//p' "$0" >&2; exit 2; }
[ $# -ge 1 ] || usage

rounds=${ROUNDS:-15}
nodes=${NODES:-20000}
pin=()
[ -z "${CORE:-}" ] || pin=(taskset -c "$CORE")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

names=() engines=() nets=()
subject() { names+=("$1") engines+=("$2") nets+=("$3"); }
# Pairs as "over under least": a least of 0 says that nothing is wanted.
pairs=()

if [[ $1 != *=* ]]; then
    [ $# -eq 1 ] || usage
    teacher=$(realpath "$1")
    cd "$(dirname "$0")/.."
    build() {
        cargo build --quiet --locked --profile lab --package engine --bin engine "${@:2}"
        cp "${CARGO_TARGET_DIR:-target}/lab/engine" "$work/$1"
    }
    build bare --no-default-features
    build full
    subject full-teacher "$work/full" "$teacher"
    subject bare-teacher "$work/bare" "$teacher"
    subject full-main "$work/full" ""
    pairs=("full-teacher bare-teacher 1.60" "full-teacher full-main 0.55")
else
    [ $# -ge 2 ] || usage
    for argument in "$@"; do
        [[ $argument == *=* ]] || usage
        path=${argument#*=}
        net=
        [[ $path != *:* ]] || net=$(realpath "${path#*:}")
        subject "${argument%%=*}" "$(realpath "${path%%:*}")" "$net"
    done
    for name in "${names[@]:1}"; do pairs+=("$name ${names[0]} 0"); done
fi

# Nodes a second of one run.
run() {
    local commands=("bench nodes $nodes")
    [ -z "${nets[$1]}" ] || commands=("setoption name EvalFile value ${nets[$1]}" "${commands[@]}")
    "${pin[@]}" "${engines[$1]}" "${commands[@]}" | awk 'END { if ($2 != "nodes" || $4 != "nps") exit 1; print $3 }'
}

for ((round = 1; round <= rounds; round++)); do
    for ((turn = 0; turn < ${#names[@]}; turn++)); do
        at=$((round % 2 ? turn : ${#names[@]} - 1 - turn))
        rate=$(run "$at") || {
            echo "node_rates: ${names[$at]}: its bench did not end with '<n> nodes <nps> nps', as that of this engine does" >&2
            exit 1
        }
        echo "$rate" >>"$work/${names[$at]}.rates"
    done
    [ ! -t 2 ] || printf '\rround %d of %d ' "$round" "$rounds" >&2
done
[ ! -t 2 ] || echo >&2

# Smallest, lower quartile, median, upper quartile, largest of the numbers on standard input.
spread() {
    sort -g | awk '
        { value[NR] = $1 }
        function quantile(part,    place, below) {
            place = part * (NR - 1) + 1
            below = int(place)
            return value[below] + (place - below) * (value[below < NR ? below + 1 : NR] - value[below])
        }
        END { for (i = 0; i <= 4; i++) printf "%.6g%s", quantile(i / 4), i < 4 ? " " : "\n" }'
}

echo "$rounds rounds of \`bench nodes $nodes\`, in turn."
echo
echo "| nodes a second | smallest | lower quartile | median | upper quartile | largest |"
echo "|---|---:|---:|---:|---:|---:|"
for name in "${names[@]}"; do
    spread <"$work/$name.rates" | awk -v name="$name" '{ printf "| %s | %.0f | %.0f | %.0f | %.0f | %.0f |\n", name, $1, $2, $3, $4, $5 }'
done
echo
echo "| ratio within a round | smallest | lower quartile | median | upper quartile | largest | wanted |"
echo "|---|---:|---:|---:|---:|---:|---|"
for pair in "${pairs[@]}"; do
    read -r over under least <<<"$pair"
    paste "$work/$over.rates" "$work/$under.rates" | awk '{ print $1 / $2 }' | spread |
        awk -v name="$over / $under" -v least="$least" '{
            wanted = least == 0 ? "–" : sprintf("%.2f or more: %s", least, $3 >= least ? "reached" : "not reached")
            printf "| %s | %.3f | %.3f | %.3f | %.3f | %.3f | %s |\n", name, $1, $2, $3, $4, $5, wanted
        }'
done
