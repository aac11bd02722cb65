#!/bin/sh
# Runs every script against $ATELIER (or the build of this repository, or the PATH) with a temporary data directory.
set -eu
cd "$(dirname "$0")/../.."
. scripts/without-keys.sh

if [ -z "${ATELIER:-}" ]; then
  ATELIER=atelier
  [ ! -x .build/debug/atelier ] || ATELIER="$PWD/.build/debug/atelier"
fi
if ! command -v "$ATELIER" >/dev/null; then
  echo "There is no executable $ATELIER: run 'swift build', or name it with ATELIER." >&2
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
ATELIER_DATA_DIR="$work/data"
export ATELIER ATELIER_DATA_DIR
portrait=Tests/Fixtures/portraits/astronaut.png
passed=0
failed=0

# check NAME STATUS COMMAND…: the command must end with STATUS, and then satisfy the functions that look at $work/out.
check() {
  name=$1
  expected=$2
  shift 2
  status=0
  "$@" >"$work/out" 2>"$work/err" || status=$?
  if [ "$status" -eq "$expected" ] && "looks_$name"; then
    passed=$((passed + 1))
  else
    failed=$((failed + 1))
    echo "FAILED: $name ended with $status, expected $expected" >&2
    sed 's/^/  out: /' "$work/out" >&2
    sed 's/^/  err: /' "$work/err" >&2
  fi
}
lines() { wc -l <"$1" | tr -d ' '; }
is_picture() { [ -s "$1" ] && [ "$(od -An -tx1 -N3 "$1" | tr -d ' ')" = ffd8ff ]; }

looks_generate() { is_picture "$(cat "$work/out")"; }
looks_generate_casual() { is_picture "$(cat "$work/out")"; }
looks_generate_quoted() { is_picture "$(cat "$work/out")"; }
looks_generate_missing() { [ ! -s "$work/out" ] && [ -s "$work/err" ]; }
looks_watch() { grep -q ' ms  processing' "$work/out" && is_picture "$(sed -n 's/^done: //p' "$work/out")"; }
looks_watch_missing() { grep -q '^failed (' "$work/err"; }
looks_cancel() { [ "$(cat "$work/out")" = cancelled ]; }
looks_cancel_missing() { grep -q '^failed: ' "$work/out"; }
looks_two() {
  [ "$(lines "$work/out")" -eq 2 ] && grep -q '^second cancelled: ' "$work/out" &&
    is_picture "$(sed -n 's/^first succeeded: //p' "$work/out")"
}
looks_two_missing() { grep -q '^first succeeded: ' "$work/out" && grep -q '^second failed: .*nobody' "$work/out"; }
looks_two_dead() { [ ! -s "$work/out" ]; }
looks_history() { [ "$(lines "$work/out")" -ge 5 ] && cut -f 4 "$work/out" | sort | uniq -d | cmp -s - /dev/null; }
looks_history_pages() { cmp -s "$work/out" "$work/whole"; }
looks_export() {
  cmp -s "$work/export.ids" "$work/history.ids" && is_picture "$work/export/$(cut -f 3 "$work/out" | grep / | head -n 1)"
}
looks_export_wrong() { [ ! -s "$work/out" ] && [ -s "$work/err" ]; }
looks_history_wrong() { [ ! -s "$work/out" ] && [ -s "$work/err" ]; }

check generate 0 clients/shell/generate.sh "$portrait"
check generate_casual 0 clients/shell/generate.sh "$portrait" casual
cp "$portrait" "$work/it's \"me\".png"
check generate_quoted 0 clients/shell/generate.sh "$work/it's \"me\".png"
check generate_missing 1 clients/shell/generate.sh "$work/nobody.png"
check watch 0 clients/shell/watch.sh "$portrait"
check watch_missing 1 clients/shell/watch.sh "$work/nobody.png"
check cancel 0 clients/shell/cancel.sh "$portrait"
check cancel_missing 1 clients/shell/cancel.sh "$work/nobody.png"
check two 0 clients/shell/two.sh "$portrait" Tests/Fixtures/portraits/grace_hopper.jpg
check two_missing 1 clients/shell/two.sh "$portrait" "$work/nobody.png"
check two_dead 1 env ATELIER=false clients/shell/two.sh "$portrait" "$portrait"
check history 0 clients/shell/history.sh
cp "$work/out" "$work/whole"
check history_pages 0 clients/shell/history.sh 2
mkdir "$work/export"
cut -f 4 "$work/whole" | sort >"$work/history.ids"
clients/shell/export.sh "$work/export" | cut -f 2 | sort >"$work/export.ids"
check export 0 clients/shell/export.sh "$work/export"
check export_wrong 1 clients/shell/export.sh "$work/export" "$(printf '%0200d' 1)"
check history_wrong 1 clients/shell/history.sh -1

echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
