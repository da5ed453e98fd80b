#!/usr/bin/env bash
# One trial for the results of docs/truth.md: runs a bundle and keeps plan, records and verdict. A verdict of either kind is a
# result, all else is an error. The page can be drawn again with `bench-lab report`.
#
# Every trial has a register of its own, beside its folder: in a common one a component that failed once would be refused, and here
# the failures are what is counted. That the attempts are many is said where they are counted. A start that the calibration refuses
# for noise (exit code 6) has measured nothing: it is made again, up to five times in all.
#
#     scripts/truth_trial.sh BUNDLE FOLDER
set -euo pipefail
cd "$(dirname "$0")/.."
lab=${LAB:-${CARGO_TARGET_DIR:-target}/release/bench-lab}

rm -f "$2.register.jsonl"
for _ in 1 2 3 4 5; do
    code=0
    "$lab" run "$1" --out "$2" --register "$2.register.jsonl" || code=$?
    [ "$code" = 6 ] || break
    rm -rf "$2" "$2.register.jsonl"
done
[ "$code" = 0 ] || [ "$code" = 3 ] || { echo "truth_trial: $1 ended with $code" >&2; exit 1; }
rm -f "$2/report.html" "$2.register.jsonl.lock"
