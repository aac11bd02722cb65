#!/bin/sh
# two.sh PHOTO OTHER_PHOTO: makes two headshots at once, cancels the second at its first progress, and prints how each ended.
set -eu
: "${2:?usage: two.sh PHOTO OTHER_PHOTO}"

# Answers come in any order, and progress of both in between: the id tells which is which.
event='if .method == "generation/progress" then "progress \(.params.requestId)"
  elif .id then "\(.id) \(.result.state // "failed"): \(.result.images[0].path? // .error.message // "no picture")"
  else "other" end'

# Named pipes, opened in the order of the service; see cancel.sh. One jq reads all messages: starting one for each line
# takes so long that a headshot could be made before its progress is read.
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/requests" "$pipes/answers"
"${ATELIER:-atelier}" serve <"$pipes/requests" | jq --unbuffered -r "$event" >"$pipes/answers" &
exec 3>"$pipes/requests" 4<"$pipes/answers"
trap '' PIPE # should the service die, the end of its answers tells

# request ID PHOTO: the ids are our own. Both requests are sent before the first answer is read.
request() {
  jq -nc --arg id "$1" --arg photo "$2" '{jsonrpc: "2.0", id: $id, method: "generate",
    params: {recipe: "headshot", image: {path: $photo}, cache: "bypass"}}' >&3 || :
}
request first "$1"
request second "$2"

ended=0 status=0 asked=no
while [ "$ended" -lt 2 ] && IFS= read -r text <&4; do
  case $text in
    "progress second")
      [ "$asked" = yes ] || echo '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"second"}}' >&3 || :
      asked=yes ;;
    "first "* | "second "*) ended=$((ended + 1)) && echo "$text" ;;
  esac
  case $text in "first failed: "* | "second failed: "*) status=1 ;; esac
done
exec 3>&- # the end of input: the service ends
wait
[ "$ended" -eq 2 ] && exit "$status"
