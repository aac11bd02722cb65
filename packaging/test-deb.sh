#!/bin/sh
# Tests the Debian package in a minimal Debian 12: install, headshot, the examples of the documents without a network,
# upgrade below a running service, purge.
#
#   sudo packaging/test-deb.sh    # after `make build simulator`; needs root, debootstrap and the network
#
# MIRROR names another mirror of Debian. The minimal system stays in .build/package/debian-12 for the next run.
set -eu
cd "$(dirname "$0")/.."
base=.build/package/debian-12
[ -x "$base/bin/sh" ] || debootstrap --variant=minbase bookworm "$base" "${MIRROR:-http://deb.debian.org/debian}" >&2

first=$(packaging/make-deb.sh 1)
second=$(packaging/make-deb.sh 2)

root=$(mktemp -d)
service=
# shellcheck disable=SC2317 # called by trap
clean_up() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT
cp -a "$base/." "$root"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
cp "$first" "$root/first.deb"
cp "$second" "$root/second.deb"
cp Tests/Fixtures/portraits/astronaut.png "$root/photo.png"

environment="LC_ALL=C.UTF-8 PATH=/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"
# shellcheck disable=SC2086 # several assignments
inside() { chroot "$root" env -i $environment DEBIAN_FRONTEND=noninteractive "$@"; }
# shellcheck disable=SC2086
as_user() { chroot --userspec=anna "$root" env -i $environment HOME=/home/anna "$@"; }
# Without a network but the loopback interface, with keys that no provider would accept. The minimal system becomes the
# root of a mount namespace, because examples make namespaces of their own, which is not allowed after chroot.
# shellcheck disable=SC2086,SC2016
offline() {
  unshare --net --mount sh -ec '
    ip link set lo up
    mount --rbind "$0" "$0"
    cd "$0"
    pivot_root . mnt
    umount --lazy /mnt
    exec chroot --userspec=anna / "$@"
  ' "$root" env -i $environment HOME=/home/anna GEMINI_API_KEY=invalid OPENAI_API_KEY=invalid "$@"
}
say() { echo "ok: $*"; }
fail() { echo "not ok: $*" >&2; exit 1; }
# Reads the service's lines up to the answer to this request.
expect_result() {
  while IFS= read -r line <&4; do
    case $line in
      *"\"id\":$1,\"result\""*) return ;;
      *'"error"'*) fail "$line" ;;
    esac
  done
  fail "no answer: $(cat "$root/log")"
}

inside apt-get update -qq
inside apt-get install -y -qq --no-install-recommends ./first.deb >"$root/apt.log" 2>&1 ||
  fail "$(tail -n 20 "$root/apt.log")"
inside useradd --create-home anna
say "installed in a minimal Debian: $(inside dpkg-query -W -f '${Package} ${Version}, ${Installed-Size} kB' atelier)"

as_user atelier doctor --json >"$root/doctor.json" || fail "$(cat "$root/doctor.json")"
say "doctor finds nothing wrong"
as_user atelier generate /photo.png -o /home/anna/headshot.jpg >/dev/null 2>&1 || fail "no headshot"
say "headshot of $(stat -c %s "$root/home/anna/headshot.jpg") bytes, for a user without privileges"

inside apt-get install -y -qq --no-install-recommends python3 jq nodejs golang-go >"$root/apt.log" 2>&1 ||
  fail "$(tail -n 20 "$root/apt.log")"
mkdir "$root/srv/atelier"
git archive HEAD | tar -x -C "$root/srv/atelier"
install -m 755 .build/release/gemini-simulator "$root/usr/local/bin/"
offline atelier generate /photo.png -o /home/anna/offline.jpg >/dev/null 2>"$root/log" || fail "$(cat "$root/log")"
say "headshot without a network, with invalid keys"
offline python3 /srv/atelier/scripts/check-documents.py /usr/bin >"$root/log" 2>&1 || fail "$(cat "$root/log")"
say "the examples of the documents, from the package and without a network: $(tail -n 1 "$root/log")"

mkfifo "$root/requests" "$root/answers"
as_user atelier <"$root/requests" >"$root/answers" 2>"$root/log" &
service=$!
exec 3>"$root/requests" 4<"$root/answers"
ask() {
  echo "{\"jsonrpc\":\"2.0\",\"id\":$1,\"method\":\"generate\",\"params\":{\"recipe\":\"headshot\",\
\"image\":{\"path\":\"/photo.png\"},\"cache\":\"bypass\"}}" >&3
}
ask 1
expect_result 1
inside dpkg -i /second.deb >"$root/dpkg.log" 2>&1 || fail "$(cat "$root/dpkg.log")"
ask 2
expect_result 2
exec 3>&-
wait "$service" || fail "the service ended with $?: $(cat "$root/log")"
service=
say "the running service answers before and after the upgrade to $(inside dpkg-query -W -f '${Version}' atelier)"

as_user atelier generate /photo.png --background casual -o /home/anna/second.jpg >/dev/null 2>&1 ||
  fail "no headshot after the upgrade"
count=$(as_user atelier history --json | grep -o '"state":"succeeded"' | wc -l)
[ "$count" -eq 5 ] || fail "history has $count generations instead of 5"
as_user atelier doctor >"$root/doctor" || fail "$(cat "$root/doctor")"
say "history has the generations of both versions, and doctor finds nothing wrong"

inside dpkg -L atelier | while read -r path; do [ ! -f "$root$path" ] || echo "$path"; done >"$root/files"
inside apt-get purge -y -qq atelier >/dev/null 2>&1
while read -r path; do [ ! -e "$root$path" ] || fail "$path is left"; done <"$root/files"
[ ! -e "$root/usr/libexec/atelier" ] || fail "/usr/libexec/atelier is left"
[ -f "$root/home/anna/.local/share/atelier/atelier.sqlite" ] ||
  fail "the user's history is gone: $(find "$root/home/anna" -type f | head)"
say "purge removes all $(wc -l <"$root/files") files of the package, and nothing of the user's"
