#!/bin/sh
# Every test there is. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

swift build --build-tests
if [ "$#" -gt 0 ]; then
  swift test --skip-build "$@"
  exit 0
fi
# Those that keep the processor busy one after the other, so that none of them has to be patient with the others.
crowd='CurlHTTPTests|GeminiSimulatorTests|ProvidersTests|StoreTests|ImagingTests|Faults|Conformance'
swift test --skip-build --skip "^($crowd)\\."
for busy in $(echo "$crowd" | tr '|' ' '); do
  swift test --skip-build --filter "^$busy\."
done

ATELIER="$PWD/.build/debug/atelier"
export ATELIER
python3 -m unittest discover -s clients/python/tests -t clients/python
clients/shell/test.sh
python3 scripts/check-documents.py .build/debug
