#!/bin/sh
# watch.sh PHOTO [BACKGROUND]: makes a headshot and prints its progress in plain lines; the last line is the result.
set -eu
photo=${1:?usage: watch.sh PHOTO [auto|professional|casual]}
background=${2:-auto}

jq -nc --arg photo "$photo" --arg background "$background" '{
  jsonrpc: "2.0", id: 1, method: "generate",
  params: {recipe: "headshot", image: {path: $photo}, style: {background: $background}, cache: "bypass"}}' |
  "${ATELIER:-atelier}" serve |
  # Every line is a message: notifications have a method, the answer has our id. --unbuffered shows each as it arrives.
  # The exit status of a pipe is that of its last command: halt_error makes it 1 unless there is a result.
  jq -nr --unbuffered '
    label $answered
    | (inputs
      | if .method == "generation/progress" then
          .params
          | "\(.overall * 100 | floor) %  \(.elapsedMs) ms  \(.phase): \(.message)"
        elif .id == 1 and .result then
          "done: \(.result.images[0].path)", break $answered
        elif .id == 1 then
          "failed (\(.error.data.kind // .error.code)): \(.error.message)\n" | halt_error(1)
        else
          empty
        end),
      ("failed: the service ended without an answer\n" | halt_error(1))'
