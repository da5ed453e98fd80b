#!/usr/bin/env bash
# Prints a Python 3 that has numpy: $PYTHON, the first `python3` on the path, or the system's, which is the one that
# the system's package manager gives packages to.
set -euo pipefail

for python in ${PYTHON:+"$PYTHON"} python3 /usr/bin/python3; do
    if "$python" -c 'import numpy' 2>/dev/null; then
        echo "$python"
        exit 0
    fi
done
echo "find_numpy: found no python3 that can import numpy; install it (Debian: apt-get install python3-numpy) or name" \
    "another Python by PYTHON=…" >&2
exit 1
