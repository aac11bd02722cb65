#!/bin/sh
# Runs a command with a PostgreSQL server of its own, which listens on a socket only and is removed at the end.
#
#   scripts/with-postgresql.sh COMMAND...
#
# POSTGRESQL_PROGRAMS names the folder of its programs; without it, the newest server of this machine is taken.
# The command finds the folder of the socket in ATELIER_TEST_POSTGRESQL; the user is postgres. Where no server is installed
# or none can be started, the command runs without, and the tests that need it are skipped.
set -eu

tools=${POSTGRESQL_PROGRAMS:-$(find /usr/lib/postgresql -maxdepth 2 -name bin 2>/dev/null | sort -V | tail -n 1)}
if [ -z "$tools" ]; then
  echo "The tests with PostgreSQL are skipped: it is not installed." >&2
  exec "$@"
fi

# In memory where there is room: each test makes a database of its own.
if [ -w /dev/shm ] && [ "$(df -k --output=avail /dev/shm | tail -n 1)" -gt 2000000 ]; then
  folder=$(mktemp -d -p /dev/shm)
else
  folder=$(mktemp -d)
fi
# The server refuses to run as root.
as_user() {
  if [ "$(id -u)" -eq 0 ]; then runuser -u postgres -- "$@"; else "$@"; fi
}
[ "$(id -u)" -ne 0 ] || chown postgres "$folder"
chmod 755 "$folder"
stop() {
  as_user "$tools/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
  rm -rf "$folder"
}
trap stop EXIT
trap 'exit 129' HUP
trap 'exit 130' INT
trap 'exit 143' TERM
cd "$folder"
if as_user "$tools/initdb" -D "$folder/data" -U postgres -A trust -E UTF8 --locale=C --no-sync >"$folder/log" 2>&1 &&
  # Everybody is let in, but the members of one role with their passwords only.
  as_user sed -i '1i local all +with_password scram-sha-256' "$folder/data/pg_hba.conf" &&
  as_user "$tools/pg_ctl" -D "$folder/data" -w -t 60 -l "$folder/server.log" \
    -o "-c listen_addresses='' -c unix_socket_directories='$folder' -c max_connections=300 -c shared_buffers=64MB \
      -c fsync=off -c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c autovacuum=off" \
    start >/dev/null 2>&1; then
  export ATELIER_TEST_POSTGRESQL="$folder"
else
  echo "The tests with PostgreSQL are skipped: no server could be started." >&2
  cat "$folder"/*log >&2
fi
cd "$OLDPWD"
"$@"
