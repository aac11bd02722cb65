#!/bin/sh
# export.sh FOLDER [ACCOUNT]: writes history and its pictures into FOLDER, prints each record's time, id and picture.
set -eu
folder=$(cd "$1" && pwd)
account=${2:-owner}

answer=$(
  jq -nc --arg directory "$folder" --arg account "$account" '{
    jsonrpc: "2.0", id: 1, method: "history/export", params: {directory: $directory, account: $account}}' |
    "${ATELIER:-atelier}" serve | jq -c 'select(.id == 1)'
)
if ! printf '%s' "$answer" | jq -se '.[0].result' >/dev/null; then
  printf '%s' "$answer" | jq -sr '.[0].error.message // "The service ended without an answer."' >&2
  exit 1
fi

# One record per line; the paths of the pictures are relative to the folder.
records=$(printf '%s' "$answer" | jq -r .result.path)
jq -r '[.createdAt, .generationId, .images[0].path // "-"] | @tsv' "$records"
