#!/bin/sh
# history.sh [PAGE_SIZE]: prints every generation, newest first: time, state, recipe, id, first picture.
set -eu
page_size=${1:-20}
cursor=null

while :; do
  page=$(
    jq -nc --argjson limit "$page_size" --argjson cursor "$cursor" \
      '{jsonrpc: "2.0", id: 1, method: "history", params: {limit: $limit, cursor: $cursor}}' |
      "${ATELIER:-atelier}" serve | jq -c 'select(.id == 1)'
  )
  if ! printf '%s' "$page" | jq -se '.[0].result' >/dev/null; then
    printf '%s' "$page" | jq -sr '.[0].error.message // "The service ended without an answer."' >&2
    exit 1
  fi
  printf '%s' "$page" |
    jq -r '.result.entries[] | [.createdAt, .state, .recipe, .generationId, .images[0].path // "-"] | @tsv'

  # The last page has no nextCursor. A cursor stays valid when generations are added or deleted.
  cursor=$(printf '%s' "$page" | jq '.result.nextCursor')
  [ "$cursor" != null ] || break
done
