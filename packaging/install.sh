#!/bin/sh
# Installs Atelier from the unpacked archive, and says which libraries the system lacks.
#
#   ./install.sh [PREFIX]    # default /usr/local; ~/.local needs no root
set -eu
prefix=${1:-/usr/local}
cd "$(dirname "$0")"
mkdir -p "$prefix"
cp -R bin libexec share "$prefix/"
echo "Installed $prefix/bin/atelier and $prefix/bin/atelier-web. The documents are in $prefix/share/doc/atelier."

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# What the dynamic linker does not find, for example libsqlite3.so.0, without which atelier cannot say so itself.
missing=$(LC_ALL=C ldd "$prefix/bin/atelier" "$prefix/bin/atelier-web" "$prefix/libexec/atelier/atelier-imaging" 2>&1 |
  sed -n -e 's/^[[:space:]]*\(.*\) => not found$/\1/p' -e 's/.*version .\(GLIBC_[0-9.]*\). not found.*/\1/p')
# libcurl is loaded by name when it is needed, so no executable lists it. The linker complains of what it cannot load.
loads() { [ -z "$(LD_PRELOAD=$1 env true 2>&1)" ]; }
loads libcurl.so.4 || loads libcurl-gnutls.so.4 || missing="$missing libcurl.so.4"
if [ -n "$missing" ]; then
  echo "This system lacks:" >&2
  for each in $(printf '%s\n' $missing | sort -u); do
    case $each in
      libsqlite3.*) echo "  $each, on Debian in the package libsqlite3-0" ;;
      libcurl.*) echo "  $each, on Debian in the package libcurl4" ;;
      libvips.* | libglib-2.0.* | libgobject-2.0.*) echo "  $each, on Debian installed by the package libvips42" ;;
      GLIBC_*) echo "  glibc ${each#GLIBC_}; atelier does not run here" ;;
      *) echo "  $each" ;;
    esac
  done >&2
  exit 1
fi
# The rest, such as the models and the confinement. It looks at nobody's history.
if ! "$prefix/bin/atelier" doctor --data-dir "$work" >"$work/findings" 2>&1; then
  grep '^✗' "$work/findings" >&2 || cat "$work/findings" >&2
  exit 1
fi
