#!/bin/sh
# Puts what `make build` made, stripped, and its documents into a folder, as they are below the prefix of an installation;
# with `web`, what `make build-web` made. What it writes depends on the commit only, not on the place of the clone, the time,
# the locale or the umask.
#
#   packaging/stage.sh FOLDER [web]
set -eu
umask 022
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
target=${1:?usage: packaging/stage.sh FOLDER [web]}
build=.build/release

install_executable() {
  install -m 755 "$1" "$2"
  packaging/strip.py "$2"
}
# Writes standard input to a file of the folder.
write() {
  install -d "$target/$(dirname "$1")"
  cat >"$target/$1"
  chmod 644 "$target/$1"
}
# An executable of that name with its manual page and its completion.
write_program() {
  install -d "$target/bin"
  install_executable "$build/$1" "$target/bin/$1"
  packaging/man-page.py "$build/$1" | gzip -9n | write "share/man/man1/$1.1.gz"
  complete="$build/$1 --generate-completion-script"
  $complete bash | sed 1d | write "share/bash-completion/completions/$1"
  $complete zsh | write "share/zsh/site-functions/_$1"
  $complete fish | write "share/fish/vendor_completions.d/$1.fish"
}

if [ "${2:-}" = web ]; then
  write_program atelier-web
  write share/doc/atelier-web/examples/web.json <packaging/web/web.json
  write share/doc/atelier-web/NOTICE <NOTICE
  exit
fi
write_program atelier
install -d "$target/libexec/atelier"
install_executable "$build/atelier-imaging" "$target/libexec/atelier/atelier-imaging"
# As they lie in the clone, so that they find one another.
for each in README.md CHANGELOG.md SECURITY.md LICENSE NOTICE docs/*.md docs/images/*.jpg docs/images/*/*.jpg \
  protocol/*.md protocol/*.json; do
  write "share/doc/atelier/$each" <"$each"
done
write share/doc/atelier/examples/prometheus-alerts.yml <packaging/monitoring/alerts.yml
