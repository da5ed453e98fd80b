#!/usr/bin/env bash
# Draws the pages of trials that were never run and looks at them in a headless browser; arguments go to check_report.py
# (`--shots DIR` keeps pictures).
set -euo pipefail
cd "$(dirname "$0")/.."
pages=$(mktemp -d)
trap 'rm -rf "$pages"' EXIT
for kind in mixed proven limited two-builds locked overlapping; do
    cargo run -q -p reports --locked --example sample -- "$kind" >"$pages/$kind.html" 2>/dev/null
done
python3 scripts/check_report.py "$pages"/*.html "$@"
