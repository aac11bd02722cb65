#!/bin/sh
# Runs Python with psycopg, which speaks to PostgreSQL: that of this machine, or one from PyPI in a virtual environment
# under .build. Where it cannot be fetched, Python runs without, and what needs it skips itself.
#
#   scripts/python-with-psycopg.sh ARGUMENTS...
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
requirements=$root/Tests/LedgerAudit/requirements.txt
environment=$root/.build/psycopg
python=python3
fetch() {
  cmp -s "$requirements" "$environment/made-from.txt" && return
  rm -rf "$environment"
  mkdir -p "$root/.build"
  python3 -m venv "$environment" &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$requirements" &&
    cp "$requirements" "$environment/made-from.txt"
}
if ! python3 -c 'import psycopg' 2>/dev/null; then
  if reason=$(fetch 2>&1); then
    python=$environment/bin/python
  else
    echo "The packages of requirements.txt could not be installed: $(echo "$reason" | tail -n 1)" >&2
  fi
fi
exec "$python" "$@"
