# To be sourced by the tests of the plugins for editors, in the root of the repository: what an editor is tried with.

# Puts photos into the folder $FOLDER, starts a simulator of the providers, and names everything in the environment.
editor_fixture() {
  if [ -z "${ATELIER:-}" ] && [ -x .build/debug/atelier ]; then
    ATELIER="$PWD/.build/debug/atelier"
  fi
  ATELIER=$(command -v "${ATELIER:-atelier}" || true)
  if [ ! -x "$ATELIER" ] || [ ! -x "${ATELIER%/*}/gemini-simulator" ]; then
    echo "There is no executable atelier with gemini-simulator beside it: run 'swift build', or name it with ATELIER." >&2
    exit 1
  fi
  FOLDER=$(realpath "$(mktemp -d)")
  PORTRAIT=$PWD/Tests/Fixtures/portraits/grace_hopper.jpg
  mkdir "$FOLDER/sub folder"
  for each in me.png one.png 'sub folder/me.png' "it's me [ü].png" 'a][b.png' '(1).png' '(1) me.png' 'a
b.png'; do
    cp "$PORTRAIT" "$FOLDER/$each"
  done
  cp Tests/Fixtures/images/wide.png "$FOLDER"
  echo "no picture" >"$FOLDER/text.txt"
  "${ATELIER%/*}/gemini-simulator" --local-server >"$FOLDER/simulator.json" &
  simulator=$!
  trap 'kill "$simulator" 2>/dev/null; rm -rf "$FOLDER"' EXIT
  until [ -s "$FOLDER/simulator.json" ]; do
    kill -0 "$simulator"
    sleep 0.05
  done
  base=$(sed -n 's/.*"baseUrl":"\([^"]*\)".*/\1/p' "$FOLDER/simulator.json")
  # What the simulator holds, with [[fault:hold]], must not end by itself.
  printf '{"providers": {"gemini": {"baseUrl": "%s"}, "openai": {"baseUrl": "%s/v1", "textModel": "qwen3:8b"}},
    "generationTimeoutMs": 600000, "geocoder": {"baseUrl": "%s", "requestsPerSecond": 100}}' \
    "$base" "$base" "$base" >"$FOLDER/atelier.json"
  ATELIER_CONFIG=$FOLDER/atelier.json
  ATELIER_DATA_DIR=$FOLDER/data
  GEMINI_API_KEY=key
  HOME=$FOLDER
  LC_ALL=C.UTF-8
  export HOME ATELIER FOLDER PORTRAIT ATELIER_CONFIG ATELIER_DATA_DIR GEMINI_API_KEY LC_ALL
}

# The editor wrote the service's process id to the file `pid`: the service must have ended with it.
editor_ended() {
  waited=0
  while [ -s "$FOLDER/pid" ] && kill -0 "$(cat "$FOLDER/pid")" 2>/dev/null; do
    waited=$((waited + 1))
    if [ "$waited" -gt 600 ]; then
      echo "FAILED: the service has outlived the editor" >&2
      exit 1
    fi
    sleep 0.1
  done
}
