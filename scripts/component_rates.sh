#!/usr/bin/env bash
# What each component is worth in whole searches: builds the engine with all components, with each one left out and
# with none, and compares their node rates in pairs (scripts/node_rates.sh) on the main net and on a teacher.
# A quarter of an hour, most of it builds; leave the machine alone.
#
#   scripts/component_rates.sh TEACHER.net
#
# ROUNDS=25  NODES=3000 (on each of the 50 positions)  CORE=N (run there only)
set -euo pipefail
[ $# -eq 1 ] || { sed -n '2,8s/^# \{0,1\}//p' "$0" >&2; exit 2; }
teacher=$(realpath "$1")
cd "$(dirname "$0")/.."
export ROUNDS=${ROUNDS:-25} NODES=${NODES:-3000}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# Builds an engine and keeps it by a name.
build() {
    cargo build --quiet --locked --profile lab --package engine --bin engine "${@:2}"
    cp "${CARGO_TARGET_DIR:-target}/lab/engine" "$work/$1"
}

build full
mapfile -t components < <("$work/full" components | awk '/^[^ ]/ { print $1 }')
names=(full "${components[@]}" none)
for name in "${components[@]}" none; do
    features=()
    for component in "${components[@]}"; do
        [ "$name" = none ] || [ "$component" = "$name" ] || features+=("$component")
    done
    build "$name" --no-default-features --features "$(IFS=,; echo "${features[*]:-}")"
done

rates() {
    local net=$1 subjects=()
    for name in "${names[@]}"; do subjects+=("$name=$work/$name${net:+:$net}"); done
    scripts/node_rates.sh "${subjects[@]}"
}
printf 'The main net:\n\n'
rates ""
printf '\nThe teacher:\n\n'
rates "$teacher"
