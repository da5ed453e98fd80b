#!/usr/bin/env bash
# All checks: formatting, lints, tests, the engine's values against an independent reference, and one bench count over
# all component combinations.
set -euo pipefail
cd "$(dirname "$0")/.."

step() { printf '\n== %s\n' "$*"; }

step "formatting"
cargo fmt --all --check

step "lints"
cargo clippy --workspace --all-targets --locked -- -D warnings
cargo clippy -p engine --no-default-features --all-targets --locked -- -D warnings
cargo clippy -p engine --features lab-handicap,lab-null,verify-eval --all-targets --locked -- -D warnings

step "tests"
cargo test --workspace --locked

step "values against the reference in Python"
"$(scripts/find_numpy.sh)" scripts/test_nnue_reference.py
PROFILE=dev "$(scripts/find_numpy.sh)" scripts/test_check_values.py
PROFILE=dev ./scripts/check_values.sh 2000

step "tests of the engine without its components"
cargo test -p engine --no-default-features --locked

step "tests of the engine with what the lab is shown to be true by"
cargo test -p engine --features lab-handicap,lab-null --test uci --locked

step "tests of the engine that compares its own values, and values of a search"
cargo test -p engine --features lab-handicap,lab-null,verify-eval --lib --locked
PROFILE=dev WIDTH=832 ./scripts/verify_eval.sh 5000

step "benchmarks of the engine, every one once"
cargo test -p engine --benches --locked

step "one tree over all component combinations"
./scripts/check_combinations.sh
