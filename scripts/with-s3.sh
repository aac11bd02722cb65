#!/bin/sh
# Runs a command with an S3-compatible object storage of its own: OpenStack Swift with its S3 API, which listens on free
# ports of loopback and is removed at the end. It checks signatures and bodies as Amazon's does.
#
#   scripts/with-s3.sh COMMAND...
#
# The command finds the address of a bucket in ATELIER_TEST_S3, that of one with versions in ATELIER_TEST_S3_VERSIONED, and
# the key in ATELIER_TEST_S3_KEY and ATELIER_TEST_S3_SECRET. Where the server cannot be installed or started, the command
# runs without, and the tests that need it are skipped.
set -eu

here=$(cd "$(dirname "$0")/.." && pwd)
requirements=$here/Tests/ObjectStorageTests/requirements.txt
environment=$here/.build/s3-server
log=/dev/null

skip() {
  echo "The tests with an object storage are skipped: $1" >&2
  [ ! -s "$log" ] || tail -n 20 "$log" >&2
}

install() {
  cmp -s "$requirements" "$environment/made-from.txt" && return
  rm -rf "$environment"
  mkdir -p "$here/.build"
  python3 -m venv "$environment" 2>&1 &&
    "$environment/bin/pip" install --quiet --disable-pip-version-check --no-input -r "$requirements" 2>&1 &&
    cp "$requirements" "$environment/made-from.txt"
}

if ! reason=$(install); then
  skip "its packages could not be installed: $(echo "$reason" | tail -n 1)"
  exec "$@"
fi

folder=$(mktemp -d)
log=$folder/log
servers=
stop() {
  for server in $servers; do kill "$server" 2>/dev/null || true; done
  for server in $servers; do wait "$server" 2>/dev/null || true; done
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM

# Swift keeps what it knows of an object in extended attributes of its file.
if ! python3 -c 'import os, sys; os.setxattr(sys.argv[1], "user.test", b"1")' "$folder" 2>/dev/null; then
  skip "the file system of $folder has no extended attributes."
  trap - EXIT
  rm -rf "$folder"
  exec "$@"
fi

user=$(id -un)
# One port that is free now for each server: those of the data, and the one that clients speak to.
ports=$(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(4)]
print(*(each.getsockname()[1] for each in sockets))')
set_ports() { account=$1 container=$2 object=$3 proxy=$4; }
# shellcheck disable=SC2086 # four numbers
set_ports $ports

mkdir -p "$folder/etc" "$folder/data/d1"
cat >"$folder/etc/swift.conf" <<CONF
[swift-hash]
swift_hash_path_suffix = atelier
swift_hash_path_prefix = atelier
[storage-policy:0]
name = gold
default = yes
CONF

# settings PORT: the first lines of a server's configuration.
settings() {
  printf '[DEFAULT]\nbind_ip = 127.0.0.1\nbind_port = %s\nworkers = 0\n' "$1"
  printf 'swift_dir = %s\nuser = %s\n' "$folder/etc" "$user"
  printf 'devices = %s\nmount_check = false\nlog_address = %s\n' "$folder/data" "$folder/none"
}

# storage NAME PORT: the configuration and the ring of a server of data.
storage() {
  settings "$2" >"$folder/etc/$1.conf"
  printf '[pipeline:main]\npipeline = %s-server\n[app:%s-server]\nuse = egg:swift#%s\n' "$1" "$1" "$1" \
    >>"$folder/etc/$1.conf"
  for step in "create 4 1 1" "add --region 1 --zone 1 --ip 127.0.0.1 --port $2 --device d1 --weight 1" rebalance; do
    # shellcheck disable=SC2086 # a command and its arguments
    "$environment/bin/swift-ring-builder" "$folder/etc/$1.builder" $step >>"$log" 2>&1
  done
}

configure() {
  storage account "$account" && storage container "$container" && storage object "$object" || return
  settings "$proxy" >"$folder/etc/proxy.conf"
  cat >>"$folder/etc/proxy.conf" <<'CONF'
[pipeline:main]
pipeline = catch_errors gatekeeper cache listing_formats s3api tempauth copy slo dlo versioned_writes symlink proxy-server
[app:proxy-server]
use = egg:swift#proxy
account_autocreate = true
[filter:catch_errors]
use = egg:swift#catch_errors
[filter:gatekeeper]
use = egg:swift#gatekeeper
[filter:cache]
use = egg:swift#memcache
memcache_servers = 127.0.0.1:1
[filter:listing_formats]
use = egg:swift#listing_formats
[filter:s3api]
use = egg:swift#s3api
location = us-east-1
s3_acl = false
[filter:tempauth]
use = egg:swift#tempauth
user_test_tester = testing .admin
[filter:copy]
use = egg:swift#copy
[filter:slo]
use = egg:swift#slo
[filter:dlo]
use = egg:swift#dlo
[filter:versioned_writes]
use = egg:swift#versioned_writes
allow_object_versioning = true
[filter:symlink]
use = egg:swift#symlink
CONF
}

# Makes the buckets as soon as the server answers, by requests that are signed here.
make_buckets() {
  python3 - "$proxy" <<'PYTHON'
import hashlib, hmac, sys, time, urllib.request
host = f"127.0.0.1:{sys.argv[1]}"
opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
def put(path, query="", body=b""):
    moment, digest = time.strftime("%Y%m%dT%H%M%SZ", time.gmtime()), hashlib.sha256(body).hexdigest()
    headers = {"host": host, "x-amz-content-sha256": digest, "x-amz-date": moment}
    names = ";".join(headers)
    lines = "".join(f"{name}:{value}\n" for name, value in headers.items())
    canonical = hashlib.sha256(f"PUT\n{path}\n{query}\n{lines}\n{names}\n{digest}".encode()).hexdigest()
    scope, key = [moment[:8], "us-east-1", "s3", "aws4_request"], b"AWS4testing"
    for part in [*scope, f"AWS4-HMAC-SHA256\n{moment}\n{'/'.join(scope)}\n{canonical}"]:
        key = hmac.digest(key, part.encode(), "sha256")
    headers["authorization"] = (f"AWS4-HMAC-SHA256 Credential=test:tester/{'/'.join(scope)}, SignedHeaders={names}, "
                                f"Signature={key.hex()}")
    url = f"http://{host}{path}" + (f"?{query}" if query else "")
    opener.open(urllib.request.Request(url, method="PUT", headers=headers, data=body), timeout=20).read()
end = time.monotonic() + 60
while True:
    try:
        put("/pictures")
        put("/versioned")
        put("/versioned", "versioning=", b"<VersioningConfiguration><Status>Enabled</Status></VersioningConfiguration>")
        break
    except OSError:
        if time.monotonic() > end: raise
        time.sleep(0.2)
PYTHON
}

if configure; then
  for server in account container object proxy; do
    "$environment/bin/swift-$server-server" "$folder/etc/$server.conf" >>"$log" 2>&1 &
    servers="$servers $!"
  done
  if make_buckets >>"$log" 2>&1; then
    export ATELIER_TEST_S3="s3://pictures?endpoint=http://127.0.0.1:$proxy"
    export ATELIER_TEST_S3_VERSIONED="s3://versioned?endpoint=http://127.0.0.1:$proxy"
    export ATELIER_TEST_S3_KEY=test:tester ATELIER_TEST_S3_SECRET=testing
  else
    skip "the server did not start."
  fi
else
  skip "the server could not be configured."
fi
"$@"
