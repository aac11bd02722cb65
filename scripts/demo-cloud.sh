#!/bin/sh
# Shows the cloud provider without a key: a generation and a cancel against the simulator, every line as a host sees it.
set -eu
cd "$(dirname "$0")/.."
. scripts/without-keys.sh

data="$PWD/.build/demo"
mkdir -p "$data/pictures"
log="$data/simulator.json"
.build/release/gemini-simulator --port 0 --latency-ms 1500 >"$log" &
simulator=$!
trap 'kill $simulator 2>/dev/null' EXIT
while [ ! -s "$log" ]; do sleep 0.05; done

GEMINI_API_KEY=made-up-key-for-the-simulator
GOOGLE_GEMINI_BASE_URL=$(jq -r .baseUrl "$log")
export GEMINI_API_KEY GOOGLE_GEMINI_BASE_URL

edit=$(jq -nc --arg directory "$data/pictures" '{
  jsonrpc: "2.0", id: 1, method: "generate",
  params: {
    recipe: "edit",
    image: {path: "Tests/Fixtures/portraits/astronaut.png"},
    prompt: "give her a red scarf",
    provider: "gemini",
    output: {directory: $directory}
  }}')
create='{"jsonrpc":"2.0","id":2,"method":"generate","params":{"recipe":"create","prompt":"a lighthouse at dusk",'\
'"provider":"gemini","idempotencyKey":"demo-'$$'"}}'
cancel='{"jsonrpc":"2.0","id":3,"method":"cancel","params":{"idempotencyKey":"demo-'$$'"}}'

# The second generation is cancelled while the simulator is still working.
{
  echo "$edit"
  echo "$create"
  sleep 1
  echo "$cancel"
} | tee "$data/requests.jsonl" |
  .build/release/atelier --data-dir "$data/data" | tee "$data/answers.jsonl" | sed 's/^/<-- /'

sed 's/^/--> /' "$data/requests.jsonl"
echo
echo "The edit: $(jq -r 'select(.id == 1) | .result.state + " by " + .result.provider + ", " + .result.images[0].path' \
  "$data/answers.jsonl")"
echo "The other: $(jq -r 'select(.id == 2) | .result.state' "$data/answers.jsonl")"
