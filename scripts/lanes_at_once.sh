#!/usr/bin/env bash
# What measuring two lanes at once costs on this machine: A/A phases of an engine on two cores, in turn and at once, both
# several times, so that the machine's moods meet both. With a second engine the mean is what the first gains over it.
#
#   scripts/lanes_at_once.sh ENGINE [OTHER]        CORES=0,1 ROUNDS=5 NODES=40000 PHASES=12 SLICE=5000
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,5s/^# \{0,1\}//p' "$0"; exit 2; }
mapfile -t engines < <(realpath "$@")
cd "$(dirname "$0")/.."
cargo build -q --release -p bench-lab --example aa
for ((round = 1; round <= ${ROUNDS:-5}; round++)); do
    for scheme in "" "--at-once"; do
        echo "round $round, ${scheme:-in turn}"
        # shellcheck disable=SC2086 # a word or none
        "${CARGO_TARGET_DIR:-target}"/release/examples/aa "${engines[@]}" $scheme --cores "${CORES:-0,1}" --slices "${SLICE:-5000}" \
            --nodes "${NODES:-40000}" --phases "${PHASES:-12}"
    done
done
