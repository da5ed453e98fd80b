#!/usr/bin/env bash
# Compares what the engine's `eval` says with scripts/nnue_reference.py, an integer reference that shares nothing with
# the engine: on N positions of random games and on the targeted ones of engine/tests/targeted, for every net and on
# every SIMD path that the processor has. Prints the counts and, when values differ, the first position; then the exit
# code is 1.
#
# usage: scripts/check_values.sh N [NET...]
#
# NET is a file or one of these, of which all are taken when none is named:
#   main            the net inside the executable
#   teacher         the wide net with threat rows that `engine nets widen` makes of it
#   random          a narrow net with threat rows and random weights, to which every feature matters
#   halfkp          the HalfKP net that `engine nets synth` makes
#   random-halfkp   one of random weights
#
# Variables: PROFILE (default release; dev checks for overflow), SEED of the games (1), JOBS of the reference (all
# processors), PYTHON (one with numpy; found by itself where possible).
set -euo pipefail
cd "$(dirname "$0")/.."

usage() {
    echo "usage: scripts/check_values.sh N [NET...]; see the first lines of the script" >&2
    exit 2
}

[[ ${1:-} =~ ^[0-9]+$ ]] || usage
count=$1
shift
[ $# -gt 0 ] || set -- main teacher random halfkp random-halfkp

profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}/$profile
[ "$profile" != dev ] || target=${CARGO_TARGET_DIR:-target}/debug
engine=$target/engine
python=$(scripts/find_numpy.sh)
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

cargo build --quiet --locked --package engine --profile "$profile" --bin engine --example positions --example random_net

# The file of a net and what the engine needs to know to take it, in $file and $option.
find_net() {
    file=$folder/$1.net
    option="setoption name EvalFile value $file"
    case $1 in
    main)
        file=engine/nets/main.net
        option="setoption name EvalFile value <embedded>"
        ;;
    teacher) "$engine" nets widen engine/nets/main.net --arch t1536 --seed 1 -o "$file" ;;
    random) "$target/examples/random_net" threats 2 "$file" ;;
    halfkp) "$engine" nets synth --arch halfkp --seed 1 -o "$file" ;;
    random-halfkp) "$target/examples/random_net" halfkp 2 "$file" ;;
    *)
        file=$1
        option="setoption name EvalFile value $file"
        ;;
    esac
}

# Compares the values of one path, in $folder/found, with those of the reference.
compare() {
    paste "$folder/fens" "$folder/expected" "$folder/found" | awk -F '\t' -v what="$1" '
        { values[$2] }
        $2 != $3 && !different++ { first = sprintf("%s\n  engine     %s\n  reference  %s", $1, $3, $2) }
        END {
            printf "%s: %d positions with %d values, %d differ\n", what, NR, length(values), different
            if (different) print "first: " first
            exit different > 0
        }'
}

{
    "$target/examples/positions" targeted
    "$target/examples/positions" games "$count" "${SEED:-1}"
} >"$folder/fens"
echo "$count positions of random games and $(($(wc -l <"$folder/fens") - count)) targeted ones"

failed=0
for net in "$@"; do
    find_net "$net"
    SECONDS=0
    "$python" scripts/nnue_reference.py "$file" "$folder/fens" --jobs "${JOBS:-$(nproc)}" |
        sed 's/^/eval /' >"$folder/expected"
    echo "$net: reference computed in $SECONDS s"
    for simd in scalar avx2 avx512; do
        path="setoption name SIMD value $simd"
        # Tried first: within a session the engine only notes what it cannot do.
        if ! output=$("$engine" "$option" "$path" isready 2>&1); then
            case $output in
            *"expected a path that this processor has"*)
                echo "$net $simd: skipped, this processor lacks it"
                continue
                ;;
            *)
                echo "$output" >&2
                exit 1
                ;;
            esac
        fi
        SECONDS=0
        {
            printf '%s\n' "$option" "$path"
            sed 's/.*/position fen &\neval/' "$folder/fens"
        } | "$engine" | grep -v '^info string ' >"$folder/found"
        compare "$net $simd ($SECONDS s)" || failed=1
    done
    case $file in "$folder"/*) rm "$file" ;; esac
done
exit $failed
