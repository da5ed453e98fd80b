#!/usr/bin/env bash
# Installs `gungraun-runner`, the program that the benchmark `instructions` needs besides valgrind, in the version of the
# library in Cargo.lock: no other works. Arguments go to `cargo install`, for instance `--root FOLDER`.
set -euo pipefail
cd "$(dirname "$0")/.."

version=$(sed -n '/^name = "gungraun"$/{n;s/^version = "\(.*\)"$/\1/p}' Cargo.lock)
if [ -z "$version" ]; then
    echo "install_gungraun_runner: Cargo.lock has no version of gungraun" >&2
    exit 1
fi
# It only starts valgrind and reads what that writes: not optimised it is as good and built in half the time.
exec cargo install --debug --locked --version "=$version" gungraun-runner "$@"
