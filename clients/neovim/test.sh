#!/bin/sh
# Runs the plugin in a headless Neovim against $ATELIER (or the build of this repository, or the PATH), with a temporary
# data directory. The simulator beside the executable stands for the providers.
set -eu
cd "$(dirname "$0")/../.."
. scripts/without-keys.sh
. scripts/editor-fixture.sh

if ! command -v nvim >/dev/null; then
  echo "skipped: the tests of the Neovim plugin, because nvim is not installed."
  exit 0
fi
editor_fixture
status=0
nvim --clean --headless --cmd "set runtimepath+=$PWD/clients/neovim" --cmd 'let g:atelier_command = $ATELIER' \
  -S clients/neovim/test/test.lua || status=$?
editor_ended
exit "$status"
