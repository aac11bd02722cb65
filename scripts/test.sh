#!/usr/bin/env bash
# Runs every test, repeats the failures, and ends with one line of totals. Arguments are passed to `swift test`.
set -euo pipefail
cd "$(dirname "$0")/.."
. scripts/without-keys.sh
# Nothing is left in the clone but builds.
export PYTHONDONTWRITEBYTECODE=1

# More parallel tests would be slower, and would miss the real deadlines that some tests check.
export SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH="${SWT_EXPERIMENTAL_MAXIMUM_PARALLELIZATION_WIDTH:-4}"

swift build --build-tests
if [ "$#" -gt 0 ]; then
  exec swift test --skip-build "$@"
fi

# One log for each group, the file GROUP.failed for one that failed, and the file `times` with what each part took.
logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
timed() {
  TIMEFORMAT="$1: %R s, of the processor %U s and %S s in the system"
  shift
  { time "$@" 2>&1; } 2>>"$logs/times"
}
attempt() {
  group=$1
  part=$2
  shift 2
  timed "$part" "$@" | tee -a "$logs/$group" || touch "$logs/$group.failed"
}
# Without SwiftPM, which would look at all of the package again for each part.
tests=".build/debug/atelierPackageTests.xctest --testing-library swift-testing"

# Tests that keep the processor busy run one group after the other, so that they do not slow each other down.
crowd='CurlHTTPTests|ObjectStorageTests|GeminiSimulatorTests|ProvidersTests|StoreTests|ImagingTests|AtelierClientTests'
crowd="$crowd|Faults|ExecutableTests"
# shellcheck disable=SC2086 # a command with its options
attempt Swift 'other tests in Swift' $tests --skip "^($crowd)\\."
for busy in ${crowd//|/ }; do
  case $busy in
  # The store's statements are tried on another engine as well, and its files in an object storage.
  StoreTests | ExecutableTests) with='scripts/with-postgresql.sh scripts/with-s3.sh' ;;
  ObjectStorageTests) with=scripts/with-s3.sh ;;
  *) with= ;;
  esac
  # shellcheck disable=SC2086
  attempt Swift "$busy" $with $tests --filter "^$busy\\."
done

# The store once more, with PostgreSQL under it. What is about PostgreSQL alone has run.
# shellcheck disable=SC2016 # the shell that it starts sees the variable
attempt PostgreSQL 'StoreTests on PostgreSQL' scripts/with-postgresql.sh sh -c '
  if [ -n "${ATELIER_TEST_POSTGRESQL:-}" ]; then
    export ATELIER_TEST_ENGINE=postgresql
    exec $0 --filter "^StoreTests\\." --skip "^StoreTests\\.PostgreSQL"
  fi
  echo "skipped: the tests of the store on PostgreSQL, because no server could be started."' "$tests"

export ATELIER="$PWD/.build/debug/atelier"
test_Python() {
  python3 clients/python/generate_values.py --check || return
  python3 -m unittest discover -s clients/python/tests -t clients/python
}
test_Node() {
  python3 clients/node/generate_types.py --check || return
  if command -v node >/dev/null; then
    node --test --test-reporter=tap clients/node/test/*.test.js
  else
    echo "skipped: the tests of the Node client, because node is not installed."
  fi
}
test_MCP() {
  Tests/MCPClients/run.sh
}
test_kit() {
  python3 -m unittest discover -s conformance/tests -t conformance || return
  # A debug build that shares two processors with the other groups needs a minute for a message of the maximum size.
  kit='python3 -m atelier_conformance --timeout 300'
  PYTHONPATH=conformance $kit --command "$ATELIER" || return
  PYTHONPATH=conformance $kit --protocol mcp --command "$ATELIER mcp"
}
test_documents() {
  clients/shell/test.sh || return
  python3 scripts/check-documents.py .build/debug
}
test_editors() {
  clients/neovim/test.sh || return
  clients/emacs/test.sh
}
test_web() {
  clients/web/test.sh
}
test_ledger() {
  (cd Tests/LedgerAudit && ../../scripts/with-postgresql.sh ../../scripts/python-with-psycopg.sh -m unittest -v) || return
  (cd Tests/SharedLedger && ../../scripts/with-s3.sh ../../scripts/python-with-psycopg.sh -m unittest -v)
}
test_packaging() {
  python3 -m unittest discover -s packaging/tests -t packaging
}
# That they run to their end; what they measure of a debug build means nothing.
test_benchmarks() {
  python3 Benchmarks/run.py --build .build/debug --once || return
  echo '1 passed, 0 failed'
}

# They wait for their services more than they compute, so they run side by side. Each log is shown as a whole.
groups='Python Node MCP kit documents editors ledger packaging benchmarks web'
for each in $groups; do
  { timed "$each" "test_$each" >"$logs/$each" || touch "$logs/$each.failed"; } &
done
wait
totals=
for each in Swift PostgreSQL $groups; do
  [ "$each" = Swift ] || [ "$each" = PostgreSQL ] || cat "$logs/$each"
  status=0
  [ ! -e "$logs/$each.failed" ] || status=1
  totals="$totals $each:$status=$logs/$each"
done

failed=$(find "$logs" -name '*.failed')
if [ -n "$failed" ]; then
  printf '\nWhat failed:\n'
  # Without colours, in which a line would not begin with its mark.
  for each in Swift PostgreSQL $groups; do cat "$logs/$each"; done | sed 's/\x1b\[[0-9;]*m//g' >"$logs/all"
  marks='✘|^(FAIL|ERROR)|[Ee]rror: |not ok|out of date|has no description|Program crashed|Expired: |the example ended'
  grep -aE "$marks" "$logs/all" | grep -avE '^(◇|#)' | cut -c 1-1000 || true
  # A rule of the kit, with the lines below it that say why.
  awk '/^failed  / { shown = 1; print; next } /^        / && shown { print; next } { shown = 0 }' "$logs/all" | cut -c 1-1000
  # The stack of a crash.
  grep -aE -A 24 '^Thread .* crashed:' "$logs/all" | cut -c 1-300 || true
fi
echo
cat "$logs/times"
# shellcheck disable=SC2086 # several arguments, in a folder without spaces
scripts/totals.py $totals
