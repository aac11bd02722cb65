#!/bin/sh
# Tests the web host: over raw HTTP, and its pages in Chromium. The executables are ATELIER, ATELIER_WEB and
# GEMINI_SIMULATOR, or what this repository has built. What is missing is said, and skipped. Takes the
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
# The packages of PyPI, in a virtual environment under .build unless this Python has them.
python=python3
environment=.build/web-tests
if ! $python -c 'import pytest, playwright' 2>/dev/null; then
  requirements=clients/web/tests/requirements.txt
  if ! cmp -s "$requirements" "$environment/made-from.txt"; then
    rm -rf "$environment"
    if ! reason=$(python3 -m venv "$environment" 2>&1 &&
      "$environment/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" 2>&1); then
      echo "skipped: the tests of the web host, because $requirements could not be installed: $(echo "$reason" | tail -n 1)"
      exit 0
    fi
    cp "$requirements" "$environment/made-from.txt"
  fi
  python=$environment/bin/python
fi
if ! command -v chromium >/dev/null; then
  echo "skipped: the tests of the web host, because chromium is not installed."
  exit 0
fi
exec "$python" -m pytest -p no:cacheprovider -p no:benchmark -q -rs clients/web/tests "$@"
