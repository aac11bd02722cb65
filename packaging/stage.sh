#!/bin/sh
# Puts what `make build` made, stripped, and its documents into a folder, as they are below the prefix of an installation.
# What it writes depends on the commit only, not on the place of the clone, the time, the locale or the umask.
set -eu
umask 022
export LC_ALL=C.UTF-8
cd "$(dirname "$0")/.."
target=${1:?usage: packaging/stage.sh FOLDER}
build=.build/release

install_executable() {
  install -m 755 "$1" "$2"
  packaging/strip.py "$2"
}
install -d "$target/bin" "$target/libexec/atelier"
install_executable "$build/atelier" "$target/bin/atelier"
install_executable "$build/atelier-imaging" "$target/libexec/atelier/atelier-imaging"

# Writes standard input to a file of the folder.
write() {
  install -d "$target/$(dirname "$1")"
  cat >"$target/$1"
  chmod 644 "$target/$1"
}
packaging/man-page.py "$build/atelier" | gzip -9n | write share/man/man1/atelier.1.gz
complete="$build/atelier --generate-completion-script"
$complete bash | sed 1d | write share/bash-completion/completions/atelier
$complete zsh | write share/zsh/site-functions/_atelier
$complete fish | write share/fish/vendor_completions.d/atelier.fish
# As they lie in the clone, so that they find one another.
for each in README.md CHANGELOG.md SECURITY.md LICENSE NOTICE docs/*.md docs/images/* protocol/*.md protocol/*.json; do
  write "share/doc/atelier/$each" <"$each"
done
