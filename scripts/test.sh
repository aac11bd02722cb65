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
crowd='CurlHTTPTests|GeminiSimulatorTests|ProvidersTests|StoreTests|ImagingTests|Faults|Conformance'
attempt swift test --skip-build --skip "^($crowd)\\."
for busy in ${crowd//|/ }; do
  attempt swift test --skip-build --filter "^$busy\\."
done

export ATELIER="$PWD/.build/debug/atelier"
attempt python3 clients/python/generate_values.py --check
attempt python3 -m unittest discover -s clients/python/tests -t clients/python
attempt python3 clients/node/generate_types.py --check
if command -v node >/dev/null; then
  attempt node --test --test-reporter=tap clients/node/test/*.test.js
else
  echo "The tests of the Node client were skipped: node is not installed."
fi
attempt clients/shell/test.sh
attempt python3 -m unittest discover -s conformance/tests -t conformance
attempt env PYTHONPATH=conformance python3 -m atelier_conformance --command "$ATELIER"
attempt env PYTHONPATH=conformance python3 -m atelier_conformance --protocol mcp --command "$ATELIER mcp"
attempt Tests/MCPClients/run.sh
attempt python3 scripts/check-documents.py .build/debug

if [ -n "$failed" ]; then
  printf '\nWhat failed:\n'
  grep -aE '✘|^(FAIL|ERROR|failed )|[Ee]rror: |not ok|out of date|has no description|Program crashed' "$log" | cut -c 1-1000 || true
  # The stack of a crash.
  grep -aE -A 24 '^Thread .* crashed:' "$log" | cut -c 1-300 || true
  exit 1
fi
