#!/usr/bin/env bash
# Drives `atelier mcp` with MCP clients from PyPI, each set of them in a virtual environment under .build. What cannot be
# fetched is skipped with the reason. $ATELIER is the executable, with gemini-simulator beside it.
set -euo pipefail
cd "$(dirname "$0")"
. ../../scripts/without-keys.sh
here=$PWD
environments=$(cd ../.. && pwd)/.build/mcp-clients
mkdir -p "$environments"
export PIP_CACHE_DIR="$environments/cache"
status=0

# fetch SET: makes the virtual environment unless the one of these requirements is there.
fetch() {
  local folder=$environments/$1 requirements=$here/requirements-$1.txt
  cmp -s "$requirements" "$folder/made-from.txt" && return
  rm -rf "$folder"
  python3 -m venv "$folder" && "$folder/bin/pip" install --quiet --disable-pip-version-check -r "$requirements" || return
  cp "$requirements" "$folder/made-from.txt"
}

python3 -m unittest test_wire || status=1
# Where fastmcp-tasks is imported, every client of fastmcp declares tasks and is told no progress.
for set in "current test_current test_agent" "current test_tasks" "session test_session" "independent test_independent"; do
  read -r name tests <<<"$set"
  if reason=$(fetch "$name" 2>&1); then
    # shellcheck disable=SC2086
    "$environments/$name/bin/python" -W ignore::ResourceWarning -m unittest $tests || status=1
  else
    printf 'skipped: %s. The packages of requirements-%s.txt could not be installed: %s\n' \
      "$tests" "$name" "$(tail -n 1 <<<"$reason")"
  fi
done
exit $status
