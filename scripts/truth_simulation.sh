#!/usr/bin/env bash
# The simulation of docs/truth.md: 100,000 trials of every sort, its plot for the docs and its figures for results/truth.
# The same seed gives the same bytes everywhere. About a minute on two cores.
set -euo pipefail
cd "$(dirname "$0")/.."
out=${OUT:-results/truth}

mkdir -p "$out"
cargo run --quiet --release -p bench-lab -- simulate --seed 1 --trials "${TRIALS:-100000}" \
    --plot "${PLOT:-docs/images/power.svg}" --json >"$out/simulation.json"
cargo run --quiet --release -p bench-lab --example truth -- summary "$out"
