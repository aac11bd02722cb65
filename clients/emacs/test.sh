#!/bin/sh
# Runs the package in an Emacs without a display against $ATELIER (or the build of this repository, or the PATH), with a
# temporary data directory. The simulator beside the executable stands for the providers.
set -eu
cd "$(dirname "$0")/../.."
. scripts/without-keys.sh
. scripts/editor-fixture.sh

if ! command -v emacs >/dev/null; then
  echo "skipped: the tests of the Emacs package, because emacs is not installed."
  exit 0
fi
editor_fixture
status=0
emacs -Q --batch --eval '(setq byte-compile-error-on-warn t
    byte-compile-dest-file-function (lambda (_) (concat (getenv "FOLDER") "/atelier.elc")))' \
  -f batch-byte-compile clients/emacs/atelier.el || status=$?
emacs -Q --batch -l "$FOLDER/atelier.elc" -l clients/emacs/test/atelier-test.el \
  --eval '(setq atelier-command (getenv "ATELIER") ert-quiet t)' -f atelier-test-run || status=$?
editor_ended
exit "$status"
