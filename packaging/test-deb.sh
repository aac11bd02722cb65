#!/bin/sh
# Tests the Debian packages in a minimal Debian 12: install, headshot, the examples of the documents without a network,
# upgrade below a running service, the web host in both ways, purge.
#
#   sudo packaging/test-deb.sh    # after `make build-web simulator`; needs root, debootstrap and the network
#
# MIRROR names another mirror of Debian. The minimal system stays in .build/package/debian-12 for the next run.
set -eu
cd "$(dirname "$0")/.."
base=.build/package/debian-12
mkdir -p "$base"
[ -x "$base/bin/sh" ] || debootstrap --variant=minbase bookworm "$base" "${MIRROR:-http://deb.debian.org/debian}" >&2

# Of each version, the service and the web host.
first=$(packaging/make-deb.sh 1)
second=$(packaging/make-deb.sh 2)

root=$(mktemp -d)
service=
# shellcheck disable=SC2317 # called by trap
clean_up() {
  # shellcheck disable=SC2086 # perhaps two
  [ -z "$service" ] || kill $service 2>/dev/null || true
  mountpoint -q "$root/proc" && umount "$root/proc"
  rm -rf --one-file-system "$root"
}
trap clean_up EXIT
cp -a "$base/." "$root"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/resolv.conf"
copy() {
  cp "$1" "$root/$3.deb"
  cp "$2" "$root/$3-web.deb"
}
# shellcheck disable=SC2086 # two paths without spaces
{ copy $first first; copy $second second; }
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

# The unit's user is made where there is systemd.
inside apt-get install -y -qq --no-install-recommends systemd >"$root/apt.log" 2>&1 || fail "$(tail -n 20 "$root/apt.log")"
inside apt-get install -y -qq --no-install-recommends ./first-web.deb >"$root/apt.log" 2>&1 ||
  fail "$(tail -n 20 "$root/apt.log")"
inside getent passwd atelier-web >/dev/null || fail "the unit has no user"
inside systemd-analyze verify --man=no atelier-web.service >"$root/unit" 2>&1 || fail "$(cat "$root/unit")"
[ ! -e "$root/etc/systemd/system/multi-user.target.wants/atelier-web.service" ] || fail "the unit is enabled"
say "atelier-web is installed, with a unit that nothing starts: $(du -k "$root/usr/bin/atelier-web" | cut -f 1) kB"

inside apt-get install -y -qq --no-install-recommends python3 jq nodejs golang-go curl openssl >"$root/apt.log" 2>&1 ||
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
inside dpkg -i /second.deb /second-web.deb >"$root/dpkg.log" 2>&1 || fail "$(cat "$root/dpkg.log")"
ask 2
expect_result 2
exec 3>&-
wait "$service" || fail "the service ended with $?: $(cat "$root/log")"
service=
say "the running service answers before and after the upgrade to $(inside dpkg-query -W -f '${Version}' atelier)"

# Not by a function: that would be another process, which a signal ends instead.
# shellcheck disable=SC2086
chroot --userspec=anna "$root" env -i $environment HOME=/home/anna atelier-web --no-browser >"$root/link" 2>"$root/log" &
service=$!
while [ ! -s "$root/link" ]; do kill -0 "$service" || fail "$(cat "$root/log")"; sleep 0.1; done
inside curl -sf "$(sed 's|#.*|healthz|' "$root/link")" >"$root/health" || fail "$(cat "$root/log")"
kill "$service"
wait "$service" || fail "the web host ended with $?: $(cat "$root/log")"
service=
say "the web host at one's own machine is $(cat "$root/health")"

mkdir -p "$root/etc/atelier" "$root/var/lib/atelier-web"
echo '{}' >"$root/etc/atelier/atelier.json"
cp "$root/usr/share/doc/atelier-web/examples/web.json" "$root/etc/atelier/web.json"
inside chown atelier-web: /var/lib/atelier-web
inside install -m 600 -o atelier-web /dev/null /etc/atelier/web-session.key
inside openssl rand -base64 32 >"$root/etc/atelier/web-session.key"
command=$(sed -n 's/^ExecStart=//p' "$root/lib/systemd/system/atelier-web.service")
# shellcheck disable=SC2086
chroot --userspec=atelier-web "$root" env -i $environment $command >"$root/address" 2>"$root/log" &
service=$!
while [ ! -s "$root/address" ]; do kill -0 "$service" || fail "$(cat "$root/log")"; sleep 0.1; done
inside curl -sf http://127.0.0.1:8080/healthz >"$root/health" || fail "$(cat "$root/log")"
# What is counted is in the database, which is made at its first use.
inside curl -sf http://127.0.0.1:8080/metrics >"$root/metrics" || fail "$(cat "$root/log")"
page=$(inside curl -sf -H 'Host: studio.example' -H 'X-Forwarded-Proto: https' http://127.0.0.1:8080/)
case $page in *'<html'*) ;; *) fail "no page: $page" ;; esac
kill "$service"
wait "$service" || fail "the web host ended with $?: $(cat "$root/log")"
service=
say "the web host for many people, by its example and the command of its unit, is $(cat "$root/health")"

as_user atelier generate /photo.png --background casual -o /home/anna/second.jpg >/dev/null 2>&1 ||
  fail "no headshot after the upgrade"
count=$(as_user atelier history --json | grep -o '"state":"succeeded"' | wc -l)
[ "$count" -eq 5 ] || fail "history has $count generations instead of 5"
as_user atelier doctor >"$root/doctor" || fail "$(cat "$root/doctor")"
say "history has the generations of both versions, and doctor finds nothing wrong"

inside dpkg -L atelier atelier-web | while read -r path; do [ ! -f "$root$path" ] || echo "$path"; done >"$root/files"
inside apt-get purge -y -qq atelier atelier-web >/dev/null 2>&1
while read -r path; do [ ! -e "$root$path" ] || fail "$path is left"; done <"$root/files"
[ ! -e "$root/usr/libexec/atelier" ] || fail "/usr/libexec/atelier is left"
[ -f "$root/home/anna/.local/share/atelier/atelier.sqlite" ] ||
  fail "the user's history is gone: $(find "$root/home/anna" -type f | head)"
[ -f "$root/var/lib/atelier-web/atelier.sqlite" ] || fail "the history of many people is gone"
say "purge removes all $(wc -l <"$root/files") files of the packages, and nothing of anybody's"
