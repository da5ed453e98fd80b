#!/usr/bin/env bash
# All checks: formatting, lints, tests, report pages in a browser, the engine's values against an independent reference,
# and one bench count over all component combinations. Two lanes of steps go side by side: few steps keep two cores busy
# all the time. A step's output comes when it ends; at the end there is a table of the seconds of every step. After a
# failure no further step begins, and the exit code is 1.
set -euo pipefail
cd "$(dirname "$0")/.."

notes=$(mktemp -d)
lanes=()
trap 'rm -rf "$notes"' EXIT

# Ends the lanes with all that they started, and says how far they came.
give_up() {
    local lane output
    for lane in "${lanes[@]}"; do kill -- "-$lane" 2>/dev/null || true; done
    for output in "$notes"/output.*; do
        [ ! -s "$output" ] || { printf '\n== not ended\n' && cat "$output"; }
    done
    exit 130
}
trap give_up INT TERM

# One check, `step NAME COMMAND...`: a single command, because its exit code decides.
step() {
    local name=$1 code=0 output=$notes/output.$BASHPID times=$notes/time.$BASHPID
    shift
    [ ! -e "$notes/failed" ] || return 1
    printf '== %s: begun\n' "$name"
    { time "$@" >"$output" 2>&1 </dev/null || code=$?; } 2>"$times"
    # The whole of one step, then that of another.
    {
        flock 9
        printf '\n== %s\n' "$name"
        cat "$output"
        rm "$output"
        [ "$code" = 0 ] || { printf '== %s: FAILED with exit code %s\n' "$name" "$code" && touch "$notes/failed"; }
        printf '%s %s\n' "$(cat "$times")" "$name" >>"$notes/times"
    } 9>>"$notes/lock"
    return "$code"
}

# What is not the engine.
lab() {
    step "lints" cargo clippy --workspace --all-targets --locked -- -D warnings || return
    step "tests of all but the engine" cargo test --workspace --exclude engine --locked || return
    step "benchmarks of all but the engine, every one once" \
        cargo test --workspace --exclude engine --benches --locked || return
    step "pages of reports in a browser" ./scripts/check_report.sh || return
}

# The engine, in one lane: every build of it replaces target/debug/engine, which its tests start.
engine() {
    step "tests of the engine" cargo test -p engine --locked || return
    step "benchmarks of the engine, every one once" cargo test -p engine --benches --locked || return
    step "the reference in Python" "$python" scripts/test_nnue_reference.py || return
    step "values against the reference" env PROFILE=dev ./scripts/check_values.sh 2000 || return
    step "that a value that differs is noticed" env PROFILE=dev "$python" scripts/test_check_values.py || return
    step "tests of the engine without its components" cargo test -p engine --no-default-features --locked || return
    step "tests of the engine with what the lab is shown to be true by" \
        cargo test -p engine --features lab-handicap,lab-null --test uci --locked || return
    step "tests of the engine that compares its own values" \
        cargo test -p engine --features lab-handicap,lab-null,verify-eval --lib --locked || return
    step "values of a search, each recomputed" env PROFILE=dev WIDTH=832 ./scripts/verify_eval.sh 5000 || return
    step "one tree over all component combinations" ./scripts/check_combinations.sh || return
    step "lints of the engine without its components" \
        cargo clippy -p engine --no-default-features --all-targets --locked -- -D warnings || return
    step "lints of the engine with all features" \
        cargo clippy -p engine --features lab-handicap,lab-null,verify-eval --all-targets --locked -- -D warnings ||
        return
}

TIMEFORMAT='%R %U %S'
step "formatting" cargo fmt --all --check || exit 1
python=$(scripts/find_numpy.sh)

# Each lane in a process group of its own.
set -m
lab &
lanes+=($!)
engine &
lanes+=($!)
set +m
failed=0
for lane in "${lanes[@]}"; do wait "$lane" || failed=1; done
lanes=()

printf '\n%8s %10s  step\n' seconds processor
while read -r real user system name; do
    printf '%8.0f %10.0f  %s\n' "$real" "$(awk "BEGIN { print $user + $system }")" "$name"
done <"$notes/times"
printf '%8d %10s  all, two lanes side by side\n' "$SECONDS" ""
[ "$failed" = 0 ] && [ ! -e "$notes/failed" ] || { echo "test.sh: a step failed, see FAILED above" >&2; exit 1; }
