#!/usr/bin/env bash
# Draws the pages of trials that were never run and looks at them in a headless browser; arguments go to check_report.py
# (`--shots DIR` keeps pictures).
set -euo pipefail
cd "$(dirname "$0")/.."
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
# Chosen like this the crates have the features that they have in the tests: nothing is compiled a second time.
cargo build -q --workspace --exclude engine --example sample --locked
for kind in mixed proven limited two-builds locked overlapping; do
    "${CARGO_TARGET_DIR:-target}/debug/examples/sample" "$kind" >"$pages/$kind.html"
done
python3 scripts/check_report.py "$pages"/*.html "$@"
