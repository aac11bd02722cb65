#!/bin/sh
# Makes a headshot of a bundled portrait, without a key or a network, and shows every line as a host would see it.
set -eu
cd "$(dirname "$0")/.."
. scripts/without-keys.sh

data="$PWD/.build/demo"
mkdir -p "$data/pictures"
request=$(jq -nc --arg directory "$data/pictures" '{
  jsonrpc: "2.0", id: 1, method: "generate",
  params: {
    recipe: "headshot",
    image: {path: "Tests/Fixtures/portraits/grace_hopper.jpg"},
    output: {directory: $directory}
  }}')

echo "--> $request"
echo "$request" | .build/release/atelier --data-dir "$data/data" | tee "$data/answers.jsonl" | sed 's/^/<-- /'
echo
echo "The picture: $(jq -r 'select(.id == 1) | .result.images[0].path' "$data/answers.jsonl")"
