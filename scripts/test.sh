#!/bin/sh
# Every test there is. Arguments go to `swift test`.
set -eu
cd "$(dirname "$0")/.."

swift build --build-tests
swift test --skip-build "$@"
[ "$#" -gt 0 ] && exit 0

ATELIER="$PWD/.build/debug/atelier"
export ATELIER
python3 -m unittest discover -s clients/python/tests -t clients/python
clients/shell/test.sh
python3 scripts/check-documents.py .build/debug
