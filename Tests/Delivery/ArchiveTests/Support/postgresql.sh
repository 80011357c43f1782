#!/bin/bash
# A PostgreSQL server of its own, in a new folder, until the standard input ends.
# Prints the folder with its socket once it accepts connections. Further arguments are the server's.
# It refuses to run as root; so root runs it as the user 'postgres' of Debian's package.
set -euo pipefail
programs=/usr/lib/postgresql/15/bin
place=/tmp
[[ -w /dev/shm ]] && place=/dev/shm
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
