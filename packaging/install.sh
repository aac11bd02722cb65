#!/bin/sh
# Installs Atelier from the unpacked archive.
#
#   ./install.sh [PREFIX]    # default /usr/local; ~/.local needs no root
set -eu
prefix=${1:-/usr/local}
cd "$(dirname "$0")"
mkdir -p "$prefix"
cp -R bin libexec share "$prefix/"
echo "Installed $prefix/bin/atelier."
# Names what the system lacks, and does not touch anybody's history.
data=$(mktemp -d)
trap 'rm -rf "$data"' EXIT
if ! "$prefix/bin/atelier" doctor --data-dir "$data" >"$data/findings" 2>&1; then
  grep '^✗' "$data/findings" || cat "$data/findings"
  echo "On Debian: apt-get install libvips42 libsqlite3-0 libcurl4" >&2
  exit 1
fi
