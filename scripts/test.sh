#!/usr/bin/env bash
# Every test there is; what failed is told again at the end. Arguments go to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."

# More at once would only be slower, and would find the real deadlines too short that some tests are about.
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

# Those that keep the processor busy one after the other, so that none of them has to be patient with the others.
crowd='CurlHTTPTests|GeminiSimulatorTests|ProvidersTests|StoreTests|ImagingTests|Faults|Conformance'
attempt swift test --skip-build --skip "^($crowd)\\."
for busy in ${crowd//|/ }; do
  attempt swift test --skip-build --filter "^$busy\\."
done

export ATELIER="$PWD/.build/debug/atelier"
attempt python3 clients/python/generate_values.py --check
attempt python3 -m unittest discover -s clients/python/tests -t clients/python
attempt clients/shell/test.sh
attempt python3 scripts/check-documents.py .build/debug

if [ -n "$failed" ]; then
  printf '\nWhat failed:\n'
  grep -aE '✘|^(FAIL|ERROR)|[Ee]rror: |not ok|out of date|has no description|Program crashed' "$log" | cut -c 1-1000 || true
  # Where it was that something crashed.
  grep -aE -A 24 '^Thread .* crashed:' "$log" | cut -c 1-300 || true
  exit 1
fi
