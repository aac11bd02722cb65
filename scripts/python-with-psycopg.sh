#!/bin/sh
# Tests scripts/ledger_audit with stores that the executable ATELIER makes, with gemini-simulator beside it: in a file, and,
# below scripts/with-postgresql.sh, on a server. What speaks to the server comes from PyPI, into a virtual environment under
# .build; where it cannot be fetched, the tests with a server are skipped with the reason.
set -eu
cd "$(dirname "$0")"
. ../../scripts/without-keys.sh
requirements=$PWD/requirements.txt
environment=$(cd ../.. && pwd)/.build/ledger-audit
python=python3
fetch() {
  cmp -s "$requirements" "$environment/made-from.txt" && return
  rm -rf "$environment"
  mkdir -p "$(dirname "$environment")"
  python3 -m venv "$environment" &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$requirements" &&
    cp "$requirements" "$environment/made-from.txt"
}
if [ -n "${ATELIER_TEST_POSTGRESQL:-}" ] && ! python3 -c 'import psycopg' 2>/dev/null; then
  if reason=$(fetch 2>&1); then
    python=$environment/bin/python
  else
    echo "The packages of requirements.txt could not be installed: $(echo "$reason" | tail -n 1)" >&2
  fi
fi
exec "$python" -m unittest -v "$@"
