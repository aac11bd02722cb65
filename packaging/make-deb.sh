#!/bin/sh
# Makes the Debian packages of what `make build-web` made, for the architecture of this machine: atelier, the service, and
# atelier-web, which shows it in a browser. Needs no root.
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
maintainer='The Atelier authors <atelier@packages.example.org>'
work=.build/package/deb
rm -rf "$work"
mkdir -p .build/dist

# Begins a package: puts what is staged into $root, Debian's own places where they differ.
begin() {
  package=$1
  root=$work/$package/root
  documents=$root/usr/share/doc/$package
  mkdir -p "$root/DEBIAN" "$work/$package/debian"
  packaging/stage.sh "$root/usr" $2
  install -d "$root/usr/share/zsh/vendor-completions"
  mv "$root/usr/share/zsh/site-functions/_$package" "$root/usr/share/zsh/vendor-completions/_$package"
  rmdir "$root/usr/share/zsh/site-functions"
  {
    cat "$documents/NOTICE"
    printf '\n\nThe Apache License, Version 2.0, is in /usr/share/common-licenses/Apache-2.0,\n'
    printf 'CC0-1.0 in /usr/share/common-licenses/CC0-1.0.\n'
  } >"$documents/copyright"
  rm -f "$documents/NOTICE" "$documents/LICENSE"
  # The name that Debian gives to it.
  gzip -9n <CHANGELOG.md >"$documents/changelog.gz"
  rm -f "$documents/CHANGELOG.md"
  {
    printf '%s (%s) unstable; urgency=medium\n\n' "$package" "$version"
    printf '  * See changelog.gz for the changes of this version.\n\n'
    printf ' -- %s  %s\n' "$maintainer" "$(date -R -u -d "@$SOURCE_DATE_EPOCH")"
  } | gzip -9n >"$documents/changelog.Debian.gz"
  install -d "$root/usr/share/lintian/overrides"
  sed "s/PACKAGE/$package/" packaging/lintian-overrides >"$root/usr/share/lintian/overrides/$package"
  chmod 644 "$root/usr/share/lintian/overrides/$package"
}

# The packages whose libraries these executables load.
dependencies() {
  # dpkg-shlibdeps reads the name of the package from debian/control.
  printf 'Source: atelier\n\nPackage: %s\nArchitecture: any\n' "$package" >"$work/$package/debian/control"
  (cd "$work/$package" && dpkg-shlibdeps -O "$@" 2>shlibdeps.log) >"$work/$package/substvars" ||
    { cat "$work/$package/shlibdeps.log" >&2; exit 1; }
  sed 's/^shlibs:Depends=//' "$work/$package/substvars"
}

# Ends a package: what standard input says of it, after what is the same for both.
finish() {
  {
    printf 'Package: %s\n' "$package"
    [ "$package" = atelier ] || printf 'Source: atelier\n'
    printf 'Version: %s\nArchitecture: %s\nMaintainer: %s\n' "$version" "$architecture" "$maintainer"
    printf 'Installed-Size: %s\nPriority: optional\n' "$(du -k -s --apparent-size --exclude=DEBIAN "$root" | cut -f 1)"
    cat
  } >"$root/DEBIAN/control"
  (cd "$root" && find . -path ./DEBIAN -prune -o -type f -printf '%P\0' | sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
  find "$root" -type d -exec chmod 755 {} +
  dpkg-deb --root-owner-group --build "$root" ".build/dist/${package}_${version}_$architecture.deb" >/dev/null
  echo ".build/dist/${package}_${version}_$architecture.deb"
}

begin atelier ''
linked=$(dependencies root/usr/bin/atelier root/usr/libexec/atelier/atelier-imaging)
# libcurl is loaded at its first use, so no executable names it.
finish <<CONTROL
Depends: $linked, libcurl4
Recommends: ca-certificates
Suggests: libpq5, libsecret-tools, atelier-web
Section: graphics
Description: service that makes AI pictures of people
 Atelier makes headshots on this machine with five small neural networks. With
 an API key it also uses Google's image models, OpenAI's Images API or a server
 compatible with it, for edits, hairstyles and pictures from a text prompt.
 .
 Programs drive it over JSON-RPC 2.0 on standard input and output; people use
 the command "atelier generate".
CONTROL

begin atelier-web web
install -D -m 644 packaging/web/atelier-web.service "$root/lib/systemd/system/atelier-web.service"
install -D -m 644 packaging/web/atelier-web.sysusers "$root/usr/lib/sysusers.d/atelier-web.conf"
install -m 755 packaging/web/postinst packaging/web/prerm packaging/web/postrm "$root/DEBIAN/"
linked=$(dependencies root/usr/bin/atelier-web)
finish <<CONTROL
Depends: atelier (= $version), $linked
Recommends: libjs-leaflet
Suggests: nginx | caddy, xdg-utils
Section: web
Description: Atelier in the browser
 Shows the pages of Atelier: camera, headshots, haircuts, places, history and
 credits. It starts the service "atelier" and speaks its protocol.
 .
 The command "atelier-web" opens the browser of one person at this machine. With
 "--public" and a configuration it serves many people and apps over HTTP,
 behind a reverse proxy; a unit for systemd is included and not enabled.
CONTROL
