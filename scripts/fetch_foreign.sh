#!/usr/bin/env bash
# Fetches the source of an open-source C++ engine that Debian carries, for bundles/foreign-cpp.toml.
#
#     scripts/fetch_foreign.sh [ENGINE] [FOLDER]
#
# ENGINE is fairy-stockfish (the default: 225 kB, no net needed), glaurung (158 kB) or stockfish (27 MB). FOLDER, new, gets the
# source tree; the default is foreign/ENGINE in this repository, which git ignores: these engines are under the GPL and stay out of it.
#
# The mirror and the release are those of the system's own package sources, which are not changed; on a system that is no Debian,
# or for others, MIRROR and SUITE name them.
set -euo pipefail

fail() {
    echo "fetch_foreign: $1" >&2
    exit "${2:-1}"
}

here=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
engine=${1:-fairy-stockfish}
folder=$(realpath -m "${2:-$here/foreign/$engine}")
keyring=/usr/share/keyrings/debian-archive-keyring.gpg

[ $# -le 2 ] || fail "expected at most an engine and a folder, found $# arguments" 2
case $engine in
    fairy-stockfish | glaurung | stockfish) ;;
    *) fail "no engine \`$engine\`; expected fairy-stockfish, glaurung or stockfish" 2 ;;
esac
[ ! -e "$folder" ] || fail "$folder is there already; remove it to fetch it again, or name another folder" 2
command -v apt-get >/dev/null || fail "needs apt-get, which is not there; on another system unpack the engine's source into $folder yourself"
command -v dpkg-source >/dev/null || fail "needs dpkg-source, which is not there; install it: apt-get install dpkg-dev"
[ -r "$keyring" ] || fail "needs Debian's keys in $keyring; install them: apt-get install debian-archive-keyring"

# The first of the system's sources that is a release of Debian itself, not its updates.
own=$(apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 'Origin: Debian' 'Component: main' | grep -v -- '-[a-z]*$' | head -n 1 || true)
mirror=${MIRROR:-${own% *}}
suite=${SUITE:-${own##* }}
[ -n "$mirror" ] && [ -n "$suite" ] ||
    fail "this system's package lists name no Debian mirror; run apt-get update, or name one in MIRROR and its release in SUITE"

# Everything happens in a folder beside the wanted one, so that the last step is a rename; nothing else is left.
parent=$(dirname "$folder")
mkdir -p "$parent" || fail "cannot make $parent"
work=$(mktemp -d "$parent/.fetch.XXXXXX") || fail "cannot write to $parent"
trap 'rm -rf "$work"; rmdir --ignore-fail-on-non-empty "$parent"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial" "$work/files"
echo "deb-src [signed-by=$keyring] $mirror $suite main" >"$work/sources.list"

apt=(
    apt-get -qq
    -o "Dir::Etc::sourcelist=$work/sources.list"
    -o Dir::Etc::sourceparts=/dev/null
    -o "Dir::State::lists=$work/lists"
    -o "Dir::Cache=$work/cache"
    -o "APT::Sandbox::User=$(id -un)"
)
"${apt[@]}" update || fail "the package list of $suite could not be fetched from $mirror; another mirror can be named in MIRROR"
cd "$work/files"
"${apt[@]}" source --download-only "$engine" ||
    fail "$mirror does not give the source of $engine ($suite); take another engine, or another mirror in MIRROR"
# What dpkg-source says about the author's own signature does not matter: apt has checked every file against Debian's.
said=$(dpkg-source --extract ./*.dsc ../tree 2>&1) || fail "the source package of $engine cannot be unpacked: $said"
version=$(sed -n 's/^Version: //p' ./*.dsc | head -n 1)
mv -T "$work/tree" "$folder"
echo "$engine $version is in $folder"
