#!/usr/bin/env bash
# Runs every test and repeats the failures at the end. Arguments are passed to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/without-keys.sh

# More parallel tests would be slower, and would miss the real deadlines that some tests check.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"

swift build --build-tests
if [ "$#" -gt 0 ]; then
  exec swift test --skip-build "$@"
fi

log=$(mktemp)
trap 'rm -f "$log"' EXIT
failed=
attempt() {
  "$@" 2>&1 | tee -a "$log" || failed=1
}

# Tests that keep the processor busy run one group after the other, so that they do not slow each other down.
crowd='CurlHTTPTests|GeminiSimulatorTests|ProvidersTests|StoreTests|ImagingTests|Faults|ExecutableTests'
attempt swift test --skip-build --skip "^($crowd)\\."
for busy in ${crowd//|/ }; do
  # The store's statements are tried on another engine as well.
  if [ "$busy" = StoreTests ]; then with=scripts/with-postgresql.sh; else with=; fi
  attempt $with swift test --skip-build --filter "^$busy\\."
done

export ATELIER="$PWD/.build/debug/atelier"
node_client() {
  python3 clients/node/generate_types.py --check || return
  if command -v node >/dev/null; then
    node --test --test-reporter=tap clients/node/test/*.test.js
  else
    echo "The tests of the Node client were skipped: node is not installed."
  fi
}
python_client() {
  python3 clients/python/generate_values.py --check || return
  python3 -m unittest discover -s clients/python/tests -t clients/python
}
kit() {
  python3 -m unittest discover -s conformance/tests -t conformance || return
  PYTHONPATH=conformance python3 -m atelier_conformance --command "$ATELIER" || return
  PYTHONPATH=conformance python3 -m atelier_conformance --protocol mcp --command "$ATELIER mcp"
}
mcp_clients() {
  Tests/MCPClients/run.sh
}
documents() {
  clients/shell/test.sh || return
  python3 scripts/check-documents.py .build/debug
}

# They wait for their services more than they compute, so they run side by side. Each log is shown as a whole.
logs=$(mktemp -d)
trap 'rm -rf "$log" "$logs"' EXIT
for each in python_client node_client kit mcp_clients documents; do
  { "$each" >"$logs/$each" 2>&1 || touch "$logs/$each.failed"; } &
done
wait
for each in python_client node_client kit mcp_clients documents; do
  tee -a "$log" <"$logs/$each"
  [ ! -e "$logs/$each.failed" ] || failed=1
done

if [ -n "$failed" ]; then
  printf '\nWhat failed:\n'
  grep -aE '✘|^(FAIL|ERROR|failed )|[Ee]rror: |not ok|out of date|has no description|Program crashed' "$log" |
    grep -avE '^(◇|#)' | cut -c 1-1000 || true
  # The stack of a crash.
  grep -aE -A 24 '^Thread .* crashed:' "$log" | cut -c 1-300 || true
  exit 1
fi
