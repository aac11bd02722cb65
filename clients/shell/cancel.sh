#!/bin/sh
# cancel.sh PHOTO: starts a headshot, cancels it as soon as it runs, and prints the state in which it ended.
set -eu
photo=${1:?usage: cancel.sh PHOTO}

# What each message means here. A notification has a method, the answer has our id.
event='if .method == "generation/progress" then "progress"
  elif .id == "portrait" then .result.state // "failed: \(.error.message)" else "other" end'

# A plain pipe has one direction. To react to messages of the service, use two named pipes, one for each direction. One jq
# reads all messages: starting one for each line takes so long that a headshot could be made meanwhile.
pipes=$(mktemp -d)
trap 'rm -rf "$pipes"' EXIT
mkfifo "$pipes/requests" "$pipes/answers"
"${ATELIER:-atelier}" serve <"$pipes/requests" | jq --unbuffered -r "$event" >"$pipes/answers" &

# Opening a named pipe waits for the other side, so open them in the service's order: its input, then its output.
exec 3>"$pipes/requests" 4<"$pipes/answers"
trap '' PIPE # should the service die, the end of its answers tells

jq -nc --arg photo "$photo" '{jsonrpc: "2.0", id: "portrait", method: "generate",
  params: {recipe: "headshot", image: {path: $photo}, cache: "bypass"}}' >&3 || :

asked=no
state="failed: the service ended without an answer"
while IFS= read -r text <&4; do
  case $text in
    progress)
      # It runs. $/cancelRequest names our request; it is a notification and is not answered itself.
      [ "$asked" = yes ] || echo '{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"portrait"}}' >&3 || :
      asked=yes ;;
    other) ;;
    *) state=$text && break ;; # the cancelled request itself is answered, exactly once
  esac
done

exec 3>&- # the end of input: the service ends
wait
echo "$state"
case $state in failed*) exit 1 ;; esac
