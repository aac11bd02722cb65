#!/bin/sh
# two.sh PHOTO OTHER_PHOTO: makes two headshots at once, cancels the second as soon as it runs, and prints how each ended.
set -eu
: "${2:?usage: two.sh PHOTO OTHER_PHOTO}"

# Two named pipes, opened in the order of the service; see cancel.sh.
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/requests" "$pipes/answers"
"${ATELIER:-atelier}" serve <"$pipes/requests" >"$pipes/answers" &
exec 3>"$pipes/requests" 4<"$pipes/answers"
trap '' PIPE # should the service die, the end of its answers tells

# request ID PHOTO: the ids are our own. Both requests are sent before the first answer is read.
request() {
  jq -nc --arg id "$1" --arg photo "$2" '{jsonrpc: "2.0", id: $id, method: "generate",
    params: {recipe: "headshot", image: {path: $photo}, cache: "bypass"}}' >&3 || :
}
request first "$1"
request second "$2"

# Answers come in any order, and progress of both in between: the id tells which is which.
event='if .method == "generation/progress" then "progress \(.params.requestId) \(.params.phase)"
  elif .id then "\(.id) \(.result.state // "failed"): \(.result.images[0].path? // .error.message // "no picture")"
  else "other" end'
ended=0 status=0 asked=no
while [ "$ended" -lt 2 ] && IFS= read -r line <&4; do
  text=$(printf '%s' "$line" | jq -r "$event")
  case $text in
    "progress second processing")
      [ "$asked" = yes ] || echo '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"second"}}' >&3 || :
      asked=yes ;;
    "first "* | "second "*) ended=$((ended + 1)) && echo "$text" ;;
  esac
  case $text in "first failed: "* | "second failed: "*) status=1 ;; esac
done
exec 3>&- # the end of input: the service ends
wait
[ "$ended" -eq 2 ] && exit "$status"
