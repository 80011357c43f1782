#!/bin/bash
# Runs a separate PostgreSQL server in a new folder until the standard input ends. Prints the folder
# with the server's socket once the server accepts connections. Further arguments go to the server.
# COPYSTAND_TEST_DATABASES names another folder for it than one in memory, for large databases.
# The server refuses to run as root, so for root it runs as the user 'postgres' of Debian's package.
set -euo pipefail
programs=/usr/lib/postgresql/15/bin
place=/tmp
[[ -w /dev/shm ]] && place=/dev/shm
place=${COPYSTAND_TEST_DATABASES:-$place}
folder=$(mktemp -d "$place/copystand-postgresql-XXXXXX")
as=()
if [[ $EUID == 0 ]]; then
    as=(/usr/sbin/runuser -u postgres --)
    chown postgres "$folder"
fi
cd "$folder"
end() {
    "${as[@]}" "$programs/pg_ctl" -D "$folder/data" -m immediate stop >/dev/null 2>&1 || true
    cd /
    rm -rf "$folder"
}
trap end EXIT
"${as[@]}" "$programs/initdb" -D "$folder/data" -A trust -U copystand --no-sync -E UTF8 \
    --locale=C >"$folder/log" 2>&1 || { cat "$folder/log" >&2; exit 1; }
"${as[@]}" "$programs/pg_ctl" -D "$folder/data" -l "$folder/server.log" -w start -o \
    "-c listen_addresses='' -c unix_socket_directories='$folder' -c fsync=off -c max_connections=200 $*" \
    </dev/null >"$folder/log" 2>&1 || { cat "$folder/log" "$folder/server.log" >&2; exit 1; }
echo "$folder"
cat >/dev/null
