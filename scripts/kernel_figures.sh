#!/usr/bin/env bash
# Runs the benchmarks of the engine that take time and writes their figures into docs/kernels.md. Some ten minutes; leave the machine alone.
#
#   scripts/kernel_figures.sh TEACHER.net [floor|kernels|rates]...     all three if none is named
#
# QUICK=1 (short runs, which show that the script works and whose figures are worth little)  PAGE=docs/kernels.md
set -euo pipefail
[ $# -ge 1 ] || { sed -n '2,6s/^# \{0,1\}//p' "$0" >&2; exit 2; }
TEACHER=$(realpath "$1")
export TEACHER
shift
[ -z "${PAGE:-}" ] || page=$(realpath "$PAGE")
cd "$(dirname "$0")/.."
page=${page:-docs/kernels.md}
quick=()
if [ -n "${QUICK:-}" ]; then
    quick=(--quick)
    export ROUNDS=${ROUNDS:-3} NODES=${NODES:-2000}
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Where criterion keeps what it measures.
export CRITERION_HOME=$work/criterion

# Puts the figures between the marks of that name.
write() {
    awk -v name="$1" -v figures="$work/figures" '
        $0 == "<!-- /" name " -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " -->" {
            print ""
            while ((getline line < figures) > 0) print line
            print ""
            inside = 1
        }' "$page" >"$work/page"
    cat "$work/page" >"$page"
}

# One number of an estimate that criterion has kept.
estimate() { sed "s/.*\"$1\":{\"confidence_interval\":{[^}]*},\"point_estimate\":\([^,]*\),.*/\1/" "$2"; }

# Medians and median deviations, in ns: a line for each work, a column for each path of kernels.
medians() {
    find "$CRITERION_HOME" -path '*/new/estimates.json' | sort | while read -r file; do
        name=${file#"$CRITERION_HOME"/}
        echo "${name%/new/estimates.json} $(estimate median "$file") $(estimate median_abs_dev "$file")"
    done | awk '
        {
            name = path = $1
            sub(/.*\//, "", path)
            if (path ~ /^(avx512|avx2|scalar)$/) sub(/\/[^\/]*$/, "", name); else path = "other"
            if (!(name in seen)) { seen[name] = 1; order[++count] = name }
            cell[name, path] = sprintf("%.1f ± %.1f", $2, $3)
        }
        function get(name, path) { return (name, path) in cell ? cell[name, path] : "–" }
        END {
            print "| work, ns | avx512 | avx2 | scalar | no kernels |"
            print "|---|---:|---:|---:|---:|"
            for (i = 1; i <= count; i++) {
                name = order[i]
                printf "| %s | %s | %s |", name, get(name, "avx512"), get(name, "avx2")
                printf " %s | %s |\n", get(name, "scalar"), get(name, "other")
            }
        }'
}

[ $# -gt 0 ] || set -- floor kernels rates
for part in "$@"; do
    case $part in
    floor) cargo bench --locked -p engine --bench floor -- "${quick[@]}" >"$work/figures" ;;
    kernels)
        cargo bench --locked -p engine --bench nnue --bench board -- "${quick[@]}" >&2
        medians >"$work/figures"
        ;;
    rates) scripts/node_rates.sh "$TEACHER" >"$work/figures" ;;
    *) echo "kernel_figures: found '$part', expected floor, kernels or rates" >&2 && exit 2 ;;
    esac
    write "$part"
done
