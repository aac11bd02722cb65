#!/usr/bin/env bash
# Boots Debian's own kernel, which has an early Landlock, with the built worker and ten pictures: every picture is read,
# and nothing escapes. Says why and succeeds where this machine has not what it takes.
#
# usage: prove-kernel.sh FOLDER-OF-THE-BUILD
set -euo pipefail
cd "$(dirname "$0")/.."
build=$(realpath "$1")

skip() {
  echo "Not proven on Debian's kernel: $1"
  exit 0
}
[ "$(uname -m)" = x86_64 ] || skip "this machine is no x86-64."
command -v apt-get >/dev/null || skip "there is no apt-get."
if ! command -v qemu-system-x86_64 >/dev/null || ! command -v cpio >/dev/null; then
  as_root=$([ "$(id -u)" -eq 0 ] || echo sudo)
  [ -z "$as_root" ] || command -v sudo >/dev/null || skip "qemu-system-x86 and cpio are missing, and this is not root."
  $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends qemu-system-x86 cpio \
    >/dev/null 2>&1 || skip "qemu-system-x86 and cpio cannot be installed."
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kernel=$(apt-cache depends linux-image-amd64 2>/dev/null | sed -n 's/.*Depends: \(linux-image-[^ ]*\).*/\1/p' | head -n 1)
[ -n "$kernel" ] || skip "no package of the kernel is known here."
(cd "$work" && apt-get download "$kernel" >/dev/null 2>&1) || skip "the package $kernel cannot be downloaded."
dpkg-deb --fsys-tarfile "$work"/linux-image-*.deb | tar -x -C "$work" ./boot

# The system in memory: the programs with the libraries they load, and the pictures.
root=$work/root
mkdir -p "$root"/{proc,sys,dev,tmp,pictures}
add() {
  local file
  for file in "$@"; do
    install -D "$(realpath "$file")" "$root$file"
    # What the dynamic linker loads, under the name by which it looks for it.
    { ldd "$file" 2>/dev/null || true; } | grep -o '/[^ ]*' | while read -r library; do
      [ -e "$root$library" ] || install -D "$(realpath "$library")" "$root$library"
    done
  done
}
add /bin/sh /bin/mount /usr/bin/cat /usr/bin/env /usr/bin/mkfifo /usr/bin/setpriv /usr/bin/uname \
  /usr/bin/chown /usr/bin/mkdir
vips=$(ldd "$build/atelier-imaging" | sed -n 's/.*=> \(.*libvips\.so[^ ]*\).*/\1/p')
add "$(dirname "$vips")"/vips-modules-*/vips-heif.so
add "$build/atelier-imaging" "$build/confinement-probe"
strip --strip-debug "$root$build"/* 2>/dev/null || true
names="plain.jpg progressive.jpg cmyk.jpg display-p3.jpg sixteen-bit.png interlaced.png plain.webp plain.heic plain.avif \
face.jpg"
limits='"limits":{"minimumSide":1,"maximumSide":65535,"maximumPixels":60000000,"maximumReducedPixels":250000000}'
for name in $names; do
  cp "Tests/Fixtures/images/$name" "$root/pictures/$name"
  printf '{"jsonrpc":"2.0","id":1,"method":"%s","params":{"job":{%s,%s},"inputBytes":%d}}\n' \
    "$([ "$name" = face.jpg ] && echo image/headshot || echo image/prepare)" "$limits" \
    "$([ "$name" = face.jpg ] &&
      echo '"background":"casual","angle":0,"variation":0,"format":"jpeg","wantsMatte":false,'\
'"shape":{"width":1,"height":1,"longestSide":1024,"isWholeFrame":false}' ||
      echo '"longestSide":64,"quality":70,"maximumBytes":2000000')" \
    "$(stat -c %s "Tests/Fixtures/images/$name")" >"$root/pictures/$name.request"
done

cat >"$root/init" <<INIT
#!/bin/sh
mount -t proc proc /proc; mount -t sysfs sysfs /sys; mount -t devtmpfs dev /dev
echo "kernel \$(uname -r)"
for user in 0 65534; do
  mkdir /tmp/\$user; echo secret >/tmp/\$user/key; echo secret >/tmp/\$user/database
  chown -R \$user /tmp/\$user
  for layers in landlock confined; do
    GEMINI_API_KEY=secret setpriv --reuid=\$user --regid=\$user --clear-groups \
"$build/confinement-probe" \$layers /tmp/\$user |
      while read -r line; do echo "\$user \$layers \$line"; done
  done
done
for name in $names; do
  # The worker gives up its job when its requests end, so the pipe is held open; it leaves when it is idle.
  mkfifo /tmp/requests.\$name
  env -i LC_ALL=C.UTF-8 MALLOC_ARENA_MAX=2 "$build/atelier-imaging" --idle-timeout-ms 1000 \
    0<>/tmp/requests.\$name 3</pictures/\$name 4>/dev/null | {
    cat /pictures/\$name.request >/tmp/requests.\$name
    while read -r line; do
      case \$line in
      *worker/ready* | *'"error"'*) echo "\$name \$line" ;;
      *'"result"'*) echo "\$name \$line"; break ;;
      esac
    done
  } 2>&1
done
echo finished
echo o >/proc/sysrq-trigger
while :; do :; done
INIT
chmod +x "$root/init"
(cd "$root" && find . -print0 | cpio --null --create --format=newc --quiet) >"$work/memory"

log=$work/log
timeout 600 qemu-system-x86_64 -accel tcg -m 3072 -smp 2 -nographic -no-reboot -nodefaults -serial "file:$log" \
  -kernel "$work"/boot/vmlinuz-* -initrd "$work/memory" \
  -append "console=ttyS0 quiet panic=-1 init=/init rdinit=/init" >/dev/null 2>&1 || true
tr -d '\r' <"$log" >"$work/lines"

failed=
expect() {
  # What is expected, how many lines say so, how many do.
  if [ "$2" -ne "$3" ]; then
    echo "$1: $3 instead of $2"
    failed=1
  fi
}
count() { grep -cE "$1" "$work/lines" || true; }
expect "runs to the end" 1 "$(count '^finished$')"
expect "pictures read" 10 "$(count '"result"')"
expect "workers with Landlock and the filter" 10 "$(count 'worker/ready.*"seccomp":true,"landlockAbi":[1-9]')"
expect "files that Landlock alone closes" 4 "$(count ' landlock read_(key_file|environment_of_host) refused 13$')"
expect "confined processes that tried to read the key" 2 "$(count ' confined read_key_file refused 13$')"
expect "attempts that a confined process was refused" "$(count ' confined ')" \
  "$(count ' confined [a-z0-9_]+ (refused|ended)')"
if [ -n "$failed" ]; then
  cat "$work/lines"
  exit 1
fi
echo "Proven on $(sed -n 's/.*kernel \([0-9]\)/Linux \1/p' "$work/lines") with Landlock" \
  "$(sed -nE 's/.*"landlockAbi":([0-9]+).*/\1/p' "$work/lines" | head -n 1):" \
  "ten pictures read, $(count ' confined ') attempts to escape refused."
