#!/bin/sh
# Installs missing packages on a Debian machine that has Swift, git, make and Python. Prints nothing if none is missing.
#
#   scripts/set-up.sh [PACKAGE ...]    # what the build needs, and these packages
set -eu

if ! command -v swift >/dev/null 2>&1; then
  echo "Swift 6.3 is missing. Install the toolchain from https://swift.org/install and put its usr/bin on the PATH." >&2
  exit 1
fi

version=$(swift --version 2>/dev/null | sed -nE 's/.*Swift version ([0-9]+)\.([0-9]+).*/\1.\2/p' | head -n 1)
major=${version%%.*}
minor=${version#*.}
if [ "${major:-0}" -lt 6 ] || { [ "${major:-0}" -eq 6 ] && [ "${minor:-0}" -lt 3 ]; }; then
  echo "Swift 6.3 or later is needed; this machine has ${version:-an unknown version}. See https://swift.org/install." >&2
  exit 1
fi

missing=""
for package in libvips-dev libsqlite3-dev libcurl4-openssl-dev pkg-config python3 "$@"; do
  if ! dpkg-query -W -f='${Status}' "$package" 2>/dev/null | grep -q 'install ok installed'; then
    # These are fine from another source as well.
    case "$package" in
      python3 | jq) command -v "$package" >/dev/null 2>&1 && continue ;;
      libvips-tools) command -v vips >/dev/null 2>&1 && continue ;;
      nodejs) command -v node >/dev/null 2>&1 && continue ;;
      neovim) command -v nvim >/dev/null 2>&1 && continue ;;
      emacs-nox) command -v emacs >/dev/null 2>&1 && continue ;;
      node-typescript) command -v tsc >/dev/null 2>&1 && continue ;;
    esac
    missing="$missing $package"
  fi
done
[ -z "$missing" ] && exit 0

if ! command -v apt-get >/dev/null 2>&1; then
  echo "These packages are missing and there is no apt-get to install them with:$missing" >&2
  exit 1
fi
as_root=""
if [ "$(id -u)" -ne 0 ]; then
  if ! command -v sudo >/dev/null 2>&1; then
    echo "Run this as root, or install sudo; these packages are missing:$missing" >&2
    exit 1
  fi
  as_root="sudo"
fi
echo "Installing:$missing" >&2
$as_root apt-get update -qq >&2
# shellcheck disable=SC2086 -- a list of package names
$as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends $missing >&2
