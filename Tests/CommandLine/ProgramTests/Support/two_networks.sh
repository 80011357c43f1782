#!/usr/bin/env bash
# Two machines in one: networks A and B with a cable between them, and a D-Bus and an Avahi daemon
# in each.
#
#     two_networks.sh PROGRAM FOLDER
#
# PROGRAM, a copystand, shares the virtual scanners in A; programs in B that know nothing of
# Copystand find and use them. Prints "ok WHAT" for each check that passes, "FAILED WHAT" for each
# that does not, and "skipped WHAT" if a program is missing. Ends with status 77 and a reason where
# networks can't be made. $ESCL_SCAN is the client of PyPI's escl-scanner-cli. Runs as root of
# network and mount namespaces.
set -u
program="$1" folder="$2"
home="$folder/home"
mkdir -p "$home"
mount -t tmpfs tmpfs /run
mkdir -p /run/netns
{ ip netns add A && ip netns add B && ip link add va netns A type veth peer name vb netns B; } || {
    echo "skipped: networks can't be made here" >&2
    exit 77
}
started=() buses=()
# The buses end last: an Avahi daemon without a bus uses all processor time, and only SIGKILL ends
# it.
trap 'kill "${started[@]}" 2>/dev/null; wait "${started[@]}"; kill "${buses[@]}"; rm -rf "$folder/pages"' EXIT

say() { if [[ "$1" == "$2" ]]; then echo "ok $3"; else echo "FAILED $3: got '$1', not '$2'"; fi; }
within() { # waits up to 20 s for a command to succeed
    for _ in $(seq 100); do "$@" && return 0; sleep 0.2; done
    return 1
}
in_b() { DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus-B" ip netns exec B "$@"; }

ip -n A link set lo up
ip -n B link set lo up
ip -n A addr add 10.77.0.1/24 dev va
ip -n B addr add 10.77.0.2/24 dev vb
ip -n A link set va up
ip -n B link set vb up

avahi() { # NETWORK: starts its daemon, whose process is in $daemon
    DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus-$1" ip netns exec "$1" unshare -m sh -c \
        "mkdir -p /run/avahi-daemon; mount -t tmpfs tmpfs /run/avahi-daemon
         exec avahi-daemon -f $folder/avahi-$1.conf --no-drop-root --no-chroot \
             --no-rlimits" >"$folder/avahi-$1.log" 2>&1 &
    daemon=$!
    started+=("$daemon")
}
for network in A B; do
    cat >"$folder/dbus-$network.conf" <<XML
<busconfig><type>system</type><listen>unix:path=$folder/bus-$network</listen><auth>EXTERNAL</auth>
<policy context="default"><allow user="*"/><allow own="*"/><allow send_type="method_call"/><allow send_destination="*"/>
<allow receive_sender="*"/></policy></busconfig>
XML
    printf '[server]\nhost-name=host%s\nallow-interfaces=%s\n[publish]\npublish-hinfo=no\npublish-workstation=no\n' \
        "$network" "$([[ $network == A ]] && echo va || echo vb)" >"$folder/avahi-$network.conf"
    dbus-daemon --config-file="$folder/dbus-$network.conf" --nofork --nopidfile 2>/dev/null &
    buses+=($!)
    within test -S "$folder/bus-$network"
    avahi "$network"
    [[ $network == A ]] && avahi_a=$daemon
done

export HOME="$home"
"$program" share virtual:feeder 2>/dev/null
"$program" share virtual:flatbed 2>/dev/null
DBUS_SYSTEM_BUS_ADDRESS="unix:path=$folder/bus-A" ip netns exec A "$program" serve --share --tls \
    --listen 127.0.0.1:0 2>"$folder/host.log" &
host=$!
started+=("$host")

# Prints nothing if the search never ends: avahi-browse 0.8 waits forever if a service disappears
# while it is resolved.
found() {
    local seen
    seen="$(in_b timeout 5 avahi-browse -rtp "$1" 2>/dev/null)" && grep -c '^=;vb;IPv4;' <<<"$seen"
}
both() { [[ "$(found _uscan._tcp)" == 2 ]]; }
within both
say "$(found _uscan._tcp)" 2 "both scanners are found by mDNS"
say "$(found _uscans._tcp)" 2 "so are they by TLS"

export SANE_CONFIG_DIR="$folder/sane"
mkdir -p "$SANE_CONFIG_DIR" "$folder/pages"
echo airscan >"$SANE_CONFIG_DIR/dll.conf"
printf '[options]\nws-discovery = off\n' >"$SANE_CONFIG_DIR/airscan.conf"
# The search takes a fixed time, which on a busy machine may be too short for the second scanner.
discovered() { [[ "$(in_b airscan-discover 2>/dev/null | grep -c 'http://10.77.0.1:.*eSCL')" == 2 ]]; }
within discovered && echo "ok airscan-discover finds both"
device="$(in_b scanimage -f '%d%n' 2>/dev/null | grep feeder)"
in_b scanimage -d "$device" --source ADF --resolution 75 --format=png --batch="$folder/pages/p%d.png" 2>/dev/null
say "$(find "$folder/pages" -name 'p*.png' | wc -l)" 10 "scanimage takes ten pages from the feeder it found"
say "$(in_b curl -s -o /dev/null -w '%{http_code}' --resolve hostA.local:8471:10.77.0.1 http://hostA.local:8471/eSCL/ScannerStatus)" \
    200 "the host answers to the name that mDNS gave it"
say "$(in_b curl -sk -o /dev/null -w '%{http_code}' https://10.77.0.1:8472/eSCL/ScannerStatus)" 200 "it answers by TLS"
# A separate responder, without Avahi or D-Bus.
if /usr/bin/python3 -c 'import zeroconf' 2>/dev/null; then
    say "$(in_b /usr/bin/python3 "$(dirname "$0")/zeroconf_look.py" _uscan._tcp.local. 2)" \
        "hostA.local. 8471 eSCL True" "Python's zeroconf finds them, with all that they tell"
else
    echo "skipped Python's zeroconf"
fi
if [[ -x ${ESCL_SCAN:-} ]]; then
    # The client resolves the name that mDNS announces by the system's resolver.
    printf '127.0.0.1 localhost\n10.77.0.1 hostA.local hostA.local.\n' >"$folder/hosts"
    mount --bind "$folder/hosts" /etc/hosts
    (cd "$folder" && in_b "$ESCL_SCAN" --quiet --no-open --source flatbed --resolution 100 out.pdf)
    say "$? $(pdfinfo "$folder/out.pdf" | sed -n 's/^Pages: *//p')" "0 1" "escl-scanner-cli scans a PDF"
else
    echo "skipped escl-scanner-cli"
fi
address="$(ip -n A -6 -o addr show dev va scope link | grep -o 'fe80[^/]*')"
say "$(in_b curl -sg -o /dev/null -w '%{http_code}' "http://[$address%vb]:8471/eSCL/ScannerStatus")" 200 "it answers by IPv6"
ip -n B addr add 203.0.113.9/32 dev lo
ip -n A route add 203.0.113.9 via 10.77.0.2
say "$(in_b curl -s -o /dev/null -w '%{http_code}' --interface 203.0.113.9 http://10.77.0.1:8471/eSCL/ScannerStatus)" \
    403 "who is on none of its networks is refused"

kill "$avahi_a"
within grep -q "The Avahi daemon is not running" "$folder/host.log" && echo "ok the host says that the daemon is gone"
avahi A
within both
say "$(found _uscan._tcp)" 2 "a restarted daemon announces them again"
"$program" share --stop virtual:flatbed 2>/dev/null
one() { [[ "$(found _uscan._tcp)" == 1 ]]; }
within one
say "$(found _uscan._tcp)" 1 "what is shared no longer is not found anymore"
kill "$host"
wait "$host"
say "$?" 0 "the host ends in good order"
none() { [[ "$(found _uscan._tcp)" == 0 ]]; }
within none
say "$(found _uscan._tcp)" 0 "and takes its announcements back"

# The host accepts only one address of B, which is in none of A's own networks.
ip netns exec A "$program" serve --share --share-with 203.0.113.9/32 --listen 127.0.0.1:0 \
    2>"$folder/narrow.log" &
started+=("$!")
from() { in_b curl -s -o /dev/null -w '%{http_code}' --interface "$1" http://10.77.0.1:8471/eSCL/ScannerStatus; }
reached() { [[ "$(from 203.0.113.9)" == 200 ]]; }
within reached
say "$(from 203.0.113.9) $(from 10.77.0.2)" "200 403" "only the network that --share-with names may scan"
