#!/bin/sh
# Tests the web host: over raw HTTP, and its pages in Chromium. The executables are ATELIER, ATELIER_WEB and
# GEMINI_SIMULATOR, or what this repository has built. Installs nothing: what is missing is said, and skipped. Takes the
# options of pytest, such as `-k link`. ATELIER_WEB_PAGES names a folder with other pages than those in the executable.
set -eu
cd "$(dirname "$0")/../.."
. scripts/without-keys.sh
for each in ATELIER:atelier ATELIER_WEB:atelier-web GEMINI_SIMULATOR:gemini-simulator; do
  name=${each%%:*}
  eval "path=\${$name:-$PWD/.build/debug/${each#*:}}"
  if [ ! -x "$path" ]; then
    echo "There is no executable $path: run 'swift build', or name it with $name." >&2
    exit 1
  fi
  export "$name=$path"
done
for each in pytest playwright; do
  if ! python3 -c "import $each" 2>/dev/null; then
    echo "skipped: the tests of the web host, because the Python package $each is not installed."
    exit 0
  fi
done
if ! command -v chromium >/dev/null; then
  echo "skipped: the tests of the web host, because chromium is not installed."
  exit 0
fi
exec python3 -m pytest -p no:cacheprovider -q -rs clients/web/tests "$@"
