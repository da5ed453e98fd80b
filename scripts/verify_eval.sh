#!/usr/bin/env bash
# Searches the bench positions with a build that recomputes every value from nothing (feature verify-eval) and ends at the
# first that differs: the main net, the teacher and a HalfKP net, on every SIMD path that the processor has.
#
# usage: scripts/verify_eval.sh [NODES]     default: 50000 nodes for each net and path
#
# PROFILE=dev builds with another profile than release, dev checks for overflow. WIDTH=832 makes a teacher of so many
# neurons instead of 1536. The nets, 307 MB with the whole teacher, lie in a temporary folder.
set -euo pipefail
cd "$(dirname "$0")/.."

nodes=${1:-50000}
profile=${PROFILE:-release}
target=${CARGO_TARGET_DIR:-target}/verify-eval
folder=$profile
[ "$profile" = dev ] && folder=debug
engine=$target/$folder/engine

[[ $nodes =~ ^[1-9][0-9]{0,9}$ ]] || { echo "verify_eval: found '$nodes', expected a number of nodes" >&2; exit 2; }
# The limit of bench is for each of its 50 positions.
each=$(((nodes + 49) / 50))

cargo build --quiet --package engine --bin engine --locked --profile "$profile" --target-dir "$target" \
    --features verify-eval
nets=$(mktemp -d)
trap 'rm -rf "$nets"' EXIT
"$engine" nets widen engine/nets/main.net --arch t1536 --width "${WIDTH:-1536}" --seed 1 -o "$nets/teacher.net"
"$engine" nets synth --arch halfkp --seed 1 -o "$nets/halfkp.nnue"

check() {
    local name=$1 file=$2 simd=$3 output
    if ! output=$("$engine" "setoption name SIMD value $simd" "setoption name EvalFile value $file" "bench nodes $each" 2>&1); then
        case $output in
        *"expected a path that this processor has"*) return 0 ;;
        *) echo "verify_eval: $name: ${output##*$'\n'}" >&2 && return 1 ;;
        esac
    fi
    local searched verified
    searched=$(sed -n 's/^Nodes searched *: //p' <<<"$output")
    verified=$(sed -n 's/^Values verified *: //p' <<<"$output")
    [ "${verified:-0}" -gt 0 ] || { echo "verify_eval: $name, $simd: found no verified values, expected some" >&2; return 1; }
    printf '%-8s %-8s %10s nodes %10s values, all as recomputed\n' "$name" "$simd" "$searched" "$verified"
}

for simd in scalar avx2 avx512; do
    check main "<embedded>" $simd
    check teacher "$nets/teacher.net" $simd
    check halfkp "$nets/halfkp.nnue" $simd
done
