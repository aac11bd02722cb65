#!/bin/sh
# generate.sh PHOTO [BACKGROUND]: makes a headshot and prints the path of the picture.
# BACKGROUND is auto (the default), professional or casual.
set -eu
photo=${1:?usage: generate.sh PHOTO [auto|professional|casual]}
background=${2:-auto}

# jq writes the request, so that a photo may be named  it's "me".png
request=$(jq -nc --arg photo "$photo" --arg background "$background" '{
  jsonrpc: "2.0", id: 1, method: "generate",
  params: {
    recipe: "headshot",
    image: {path: $photo},
    style: {background: $background},
    progress: false
  }}')

# One request, then the end of input: the service finishes the request, answers it and exits.
answer=$(printf '%s\n' "$request" | "${ATELIER:-atelier}" serve | jq -c 'select(.id == 1)')

# An answer has either a result or an error; an error's message is for a person.
if ! printf '%s' "$answer" | jq -se '.[0].result' >/dev/null; then
  printf '%s' "$answer" | jq -sr '.[0].error.message // "The service ended without an answer."' >&2
  exit 1
fi
printf '%s' "$answer" | jq -r '.result.images[0].path'
