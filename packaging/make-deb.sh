#!/bin/sh
# Makes the Debian package of what `make build` made, for the architecture of this machine. Needs no root.
#
#   packaging/make-deb.sh [REVISION]    # REVISION distinguishes packages of one version; default 1
set -eu
umask 022
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
version="$(.build/release/atelier --version)-${1:-1}"
architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --format=%ct)}
export SOURCE_DATE_EPOCH

work=.build/package/deb
root=$work/root
rm -rf "$work"
mkdir -p "$root/DEBIAN" "$work/debian" .build/dist
packaging/stage.sh "$root/usr"

# Debian's own places, where they differ.
install -d "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_atelier" "$root/usr/share/zsh/vendor-completions/_atelier"
rmdir "$root/usr/share/zsh/site-functions"
documents=$root/usr/share/doc/atelier
rm "$documents/LICENSE"
{
  cat "$documents/NOTICE"
  printf '\n\nThe Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0,\n'
  printf 'CC0-1.0 in /usr/share/common-licenses/CC0-1.0.\n'
} >"$documents/copyright"
rm "$documents/NOTICE"
# The name that Debian gives to it.
gzip -9n <"$documents/CHANGELOG.md" >"$documents/changelog.gz"
rm "$documents/CHANGELOG.md"
maintainer='The Atelier authors <atelier@packages.example.org>'
{
  printf 'atelier (%s) unstable; urgency=medium\n\n  * See changelog.gz for the changes of this version.\n\n' "$version"
  printf ' -- %s  %s\n' "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
} | gzip -9n >"$documents/changelog.Debian.gz"
install -D -m 644 packaging/lintian-overrides "$root/usr/share/lintian/overrides/atelier"

# dpkg-shlibdeps reads the name of the package from debian/control.
printf 'Source: atelier\n\nPackage: atelier\nArchitecture: any\n' >"$work/debian/control"
linked=$(cd "$work" && dpkg-shlibdeps -O root/usr/bin/atelier root/usr/libexec/atelier/atelier-imaging 2>shlibdeps.log) ||
  { cat "$work/shlibdeps.log" >&2; exit 1; }
# libcurl is loaded at its first use, so no executable names it.
cat >"$root/DEBIAN/control" <<CONTROL
Package: atelier
Version: $version
Architecture: $architecture
Maintainer: $maintainer
Installed-Size: $(du -k -s --apparent-size "$root/usr" | cut -f 1)
Depends: ${linked#shlibs:Depends=}, libcurl4
Recommends: ca-certificates
Suggests: libsecret-tools
Section: graphics
Priority: optional
Description: service that makes AI pictures of people
 Atelier makes headshots on this machine with three small neural networks. With
 an API key it also uses Google's image models, OpenAI's Images API or a server
 compatible with it, for edits, hairstyles and pictures from a text prompt.
 .
 Programs drive it over JSON-RPC 2.0 on standard input and output; people use
 the command "atelier generate".
CONTROL
(cd "$root" && find usr -type f -print0 | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
find "$root" -type d -exec chmod 755 {} +

package=.build/dist/atelier_${version}_$architecture.deb
dpkg-deb --root-owner-group --build "$root" "$package" >/dev/null
echo "$package"
