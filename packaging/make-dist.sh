#!/bin/sh
# Makes the archive of what `make build-web` made, its bills of materials, and the checksums of everything in .build/dist.
#
# The same commit and executables give the same bytes. SOURCE_DATE_EPOCH, by default the time of the commit, is the time of
# all files.
set -eu
umask 022
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
version=$(.build/release/atelier --version)
name=atelier-$version-linux-$(uname -m)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}

# ICU's own tables are more than 30 MB; see Sources/Base/CProcess/LocaleData.c.
if nm -S .build/release/atelier | grep -E 'icudt[0-9]+[a-z_]*_dat$' |
  awk '{ exit length($2) == 16 && $2 > "0000000000001000" }'; then :; else
  echo "The executable contains ICU's tables: the toolchain's ICU has another version than CProcess/LocaleData.c." >&2
  exit 1
fi
# Each executable keeps only the embedded files that it uses; see Sources/Base/CEmbedded/embedded.S.
if nm .build/release/atelier .build/release/atelier-web | grep -q embedded_face ||
  nm .build/release/atelier-imaging | grep -q embedded_openrpc || nm .build/release/atelier-web | grep -q embedded_hair; then
  echo "An executable contains embedded files that only others use: their names must be hidden." >&2
  exit 1
fi

work=.build/package/dist
rm -rf "$work"
mkdir -p "$work" .build/dist
packaging/stage.sh "$work/$name"
packaging/stage.sh "$work/$name" web
cp LICENSE NOTICE "$work/$name/"
cat >"$work/$name/README" <<README
Atelier $version for Linux on $(uname -m), with glibc 2.35 or later.

  ./install.sh [PREFIX]    # default /usr/local; ~/.local needs no root

The documents are in share/doc/atelier; begin with README.md. atelier.cdx.json and atelier-web.cdx.json are the bills of
materials.
README
install -m 755 packaging/install.sh "$work/$name/install.sh"
for each in atelier atelier-web; do
  packaging/sbom.py "$each" >"$work/$name/$each.cdx.json"
  cp "$work/$name/$each.cdx.json" ".build/dist/$each-$version-linux-$(uname -m).cdx.json"
done
tar -C "$work" --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=go=u-w --mtime="@$SOURCE_DATE_EPOCH" \
  -cf - "$name" |
  gzip -9n >".build/dist/$name.tar.gz"
(cd .build/dist && rm -f SHA256SUMS && sha256sum -- * >../SHA256SUMS && mv ../SHA256SUMS SHA256SUMS)
ls .build/dist
