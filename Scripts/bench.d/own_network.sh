#!/usr/bin/env bash
# Runs a command in a separate network with its own D-Bus and Avahi daemon, for peers that need
# both.
#
#     unshare --net --mount bash own_network.sh FOLDER COMMAND…
#
# FOLDER is created, for the files of the daemons.
set -euo pipefail
folder="$1"
shift
mkdir -p "$folder"
mount -t tmpfs tmpfs /run
mkdir /run/avahi-daemon
ip link set lo up
cat >"$folder/dbus.conf" <<XML
<busconfig><type>system</type><listen>unix:path=$folder/bus</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/>
<allow send_destination="*"/><allow receive_sender="*"/></policy></busconfig>
XML
printf '[server]\nhost-name=bench\n[publish]\npublish-hinfo=no\npublish-workstation=no\n' \
    >"$folder/avahi.conf"
bus=''
avahi=''
end() { # PROCESS
    [[ -n $1 ]] || return 0
    kill "$1"
    wait "$1" || true
}
# The Avahi daemon is ended first: without its bus it would spin, and only SIGKILL would end it.
trap 'end "$avahi"; end "$bus"' EXIT
dbus-daemon --config-file="$folder/dbus.conf" --nofork --nopidfile 2>"$folder/dbus.log" &
bus=$!
for _ in $(seq 100); do
    [[ ! -S $folder/bus ]] || break
    sleep 0.1
done
export DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus"
avahi-daemon -f "$folder/avahi.conf" --no-drop-root --no-chroot --no-rlimits \
    >"$folder/avahi.log" 2>&1 &
avahi=$!
for _ in $(seq 100); do
    [[ ! -S /run/avahi-daemon/socket ]] || break
    sleep 0.1
done
"$@"
