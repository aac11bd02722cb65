#!/usr/bin/env bash
# The process number that a client of PgBouncer is told, in session mode.
#
# Versions: PgBouncer 1.18.0 (Debian 12: 1.18.0-1+deb12u1), PostgreSQL 15, psycopg 3.2.13 (PyPI, 2026-11-29).
# One would guess: the number that a connection gets when it starts (libpq's PQbackendPID) differs from pg_backend_pid()
# in transaction mode, where statements go to whichever server connection is free, and is the same in session mode, where
# a client keeps one. So comparing the two tells the modes apart.
# Seen: they differ in session mode as well. PgBouncer makes the numbers up, also negative ones, since it answers requests
# to cancel by itself; pg_backend_pid() alone is the server's.
# So: that two numbers differ says that a pooler of this kind is on the way, and nothing of its mode. Whether a session is
# kept shows only in what a later transaction still finds of it.
#
# Exits 1 when that changes. Needs root, or sudo, for the server, which refuses to run as root, and Debian's packages.
set -euo pipefail
folder=$(mktemp -d)
programs=$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)
if [ -z "$programs" ]; then
  apt-get install -y -qq --no-install-recommends postgresql-15 >/dev/null
  programs=/usr/lib/postgresql/15/bin
fi
# The pooler is unpacked, not installed: Debian's package would start a service.
(cd "$folder" && apt-get download -qq pgbouncer=1.18.0-1+deb12u1 libc-ares2 libevent-2.1-7 >/dev/null &&
  for package in *.deb; do dpkg -x "$package" unpacked; done)
pgbouncer=$folder/unpacked/usr/sbin/pgbouncer
libraries=$(dirname "$(find "$folder/unpacked" -name 'libevent-2.1.so.7' | head -n 1)")
python3 -m venv "$folder/python"
"$folder/python/bin/pip" install --quiet --disable-pip-version-check --no-input 'psycopg[binary]==3.2.13'

as_user() { runuser -u postgres -- env LD_LIBRARY_PATH="$libraries" "$@"; }
stop() {
  [ ! -s "$folder/pgbouncer.pid" ] || kill "$(cat "$folder/pgbouncer.pid")" 2>/dev/null || true
  as_user "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
chmod 755 "$folder"
chown postgres "$folder"
cd "$folder"
read -r server pooler < <(python3 -c '
import socket
sockets = [socket.create_server(("127.0.0.1", 0)) for _ in range(2)]
print(*(each.getsockname()[1] for each in sockets))')
as_user "$programs/initdb" -D data -U postgres -A trust --no-sync >/dev/null
as_user "$programs/pg_ctl" -D data -w -l log -o "-c listen_addresses= -c unix_socket_directories=$folder -c port=$server" \
  start >/dev/null
cat >pgbouncer.ini <<CONF
[databases]
postgres = host=$folder port=$server user=postgres
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = $pooler
unix_socket_dir =
auth_type = any
pool_mode = session
pidfile = $folder/pgbouncer.pid
logfile = $folder/pgbouncer.log
CONF
as_user "$pgbouncer" -q -d pgbouncer.ini

seen=$("$folder/python/bin/python" - "$folder" "$server" "$pooler" <<'PYTHON'
import sys
import time

import psycopg

folder, server, pooler = sys.argv[1:]


def tell(name, host, port):
    for _ in range(50):
        try:
            connection = psycopg.connect(host=host, port=port, user="postgres", dbname="postgres", autocommit=True)
            break
        except psycopg.OperationalError:
            time.sleep(0.1)
    told, first = connection.info.backend_pid, connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    second = connection.execute("SELECT pg_backend_pid()").fetchone()[0]
    print(f"{name}: told at the start {'=' if told == first else '≠'} pg_backend_pid(), kept: {first == second}")


tell("directly", folder, server)
tell("PgBouncer in session mode", "127.0.0.1", pooler)
PYTHON
)
expected="directly: told at the start = pg_backend_pid(), kept: True
PgBouncer in session mode: told at the start ≠ pg_backend_pid(), kept: True"
printf '%s\n' "$seen"
[ "$seen" = "$expected" ] || { echo "This has changed." >&2; exit 1; }
