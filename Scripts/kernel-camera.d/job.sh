# Runs in the guest, with the host's files read-only and /run to write to: the built copystand against the kernel's drivers.
# Sourced by the guest's shell; $programs, $clips and $here are set. Any failing check ends it with status 1.
set -euo pipefail
# shellcheck disable=SC2154  # set by the guest's init
export HOME=/run/home XDG_STATE_HOME=/run/state XDG_CONFIG_HOME=/run/config XDG_CACHE_HOME=/run/cache TMPDIR=/run
export COPYSTAND_BACKENDS=$manifests
mkdir -p "$HOME" && cd /run

say() { read -r up _ </proc/uptime; echo "[$up s] $*"; }
fail() { say "FAILED: $*"; exit 1; }
# The JSON that copystand prints, tried with a Python expression over `data`.
check_json() { python3 -c "import json,sys; data=json.load(sys.stdin); sys.exit(not ($1))"; }
await() { for _ in $(seq 600); do if eval "$1"; then return 0; fi; sleep 0.1; done; fail "waited in vain for: $1"; }
copystand() { "$programs/copystand" "$@"; }
pages() { pdfinfo "$1" | awk '/^Pages:/ {print $2}'; }

plug() {
    python3 "$here/usb_camera.py" "$clips/pictures.mjpeg" "$clips/frames.yuyv" &
    camera=$!
    await 'ls /dev/video0 /dev/video1 >/dev/null 2>&1'
}
unplug() { kill "$camera"; wait "$camera" || true; }

say "== uvcvideo"
plug
copystand devices --backend v4l2 --json >devices.json
# One node gives pictures, the other describes them.
check_json 'len([d for d in data["devices"] if "UVC document camera" in d["name"]]) == 1' <devices.json \
    || fail "the list: $(cat devices.json)"
device=$(python3 -c 'import json; print([d["id"] for d in json.load(open("devices.json"))["devices"] if "UVC" in d["name"]][0])')
say "listed: $device"

copystand options "$device" --json >options.json
for name in size rate format still-size exposure exposure-auto focus focus-auto brightness; do
    check_json "'$name' in [o['name'] for o in data['options']]" <options.json \
        || fail "no option '$name' in: $(cat options.json)"
done
say "options listed"

copystand scan --device "$device" --profile none --pages 2 -o pictures.pdf >scan.txt 2>&1 || fail "MJPEG: $(cat scan.txt)"
[[ $(pages pictures.pdf) == 2 ]] || fail "MJPEG gave $(pages pictures.pdf) pages"
# The camera's own pictures went into the document untouched.
pdfimages -list pictures.pdf | grep -q 'jpeg.*1280' || pdfimages -list pictures.pdf | grep -q '1280.*jpeg' \
    || fail "not the camera's JPEG: $(pdfimages -list pictures.pdf)"
say "MJPEG streamed"

copystand scan --device "$device" --profile none --set format=YUYV --pages 2 -o frames.pdf >scan.txt 2>&1 \
    || fail "YUYV: $(cat scan.txt)"
pdfimages -list frames.pdf | grep -q '640 *480' || fail "YUYV: $(pdfimages -list frames.pdf)"
say "YUYV streamed"

copystand scan --device "$device" --profile none --set exposure=500 --pages 1 -o exposed.pdf >scan.txt 2>&1 \
    || fail "exposure: $(cat scan.txt)"
v4l2-ctl -d /dev/video0 -C exposure_time_absolute,auto_exposure >controls.txt 2>&1 \
    || v4l2-ctl -d /dev/video0 -C exposure_absolute,exposure_auto >controls.txt
grep -q ': 500' controls.txt && grep -q ': 1' controls.txt || fail "exposure is $(cat controls.txt)"
say "exposure set, the automatic one switched to manual"

copystand scan --device "$device" --profile none --pages 1000 -o torn.pdf >scan.txt 2>&1 &
scan=$!
await 'grep -q "Page 2" scan.txt'
unplug
status=0
wait "$scan" || status=$?
[[ $status != 0 ]] || fail "a scan whose camera was unplugged ended well"
grep -q 'not connected' scan.txt || fail "unplugged: $(tail -5 scan.txt)"
[[ $(pages torn.pdf) -ge 2 ]] || fail "the pages so far were not delivered: $(tail -5 scan.txt)"
say "unplugged in mid-stream: status $status, $(pages torn.pdf) pages delivered"

await '! ls /dev/video0 >/dev/null 2>&1'
plug
copystand scan --device "$device" --profile none --pages 1 -o again.pdf >scan.txt 2>&1 || fail "re-plugged: $(cat scan.txt)"
say "plugged in again under the same name: $device"
unplug

say "== vivid"
vivid=v4l2:/dev/video40
v4l2-ctl -d /dev/video40 --list-ctrls >controls.txt
copystand scan --device "$vivid" --profile none --set still-size=640x360 --pages 1 -o vivid.pdf >scan.txt 2>&1 \
    || fail "vivid: $(cat scan.txt)"
say "a frame of vivid"
v4l2-ctl -d /dev/video40 -c percentage_of_dropped_buffers=60
copystand scan --device "$vivid" --profile none --set still-size=640x360 --pages 2 -o dropped.pdf >scan.txt 2>&1 \
    || fail "with dropped buffers: $(cat scan.txt)"
v4l2-ctl -d /dev/video40 -c percentage_of_dropped_buffers=0
say "frames between dropped ones"
for fault in inject_vidioc_reqbufs_error inject_vidioc_streamon_error; do
    grep -q "$fault" controls.txt || fail "vivid has no $fault: $(cat controls.txt)"
    v4l2-ctl -d /dev/video40 -c "$fault=1"
    if copystand scan --device "$vivid" --profile none --pages 1 -o fault.pdf >scan.txt 2>&1; then fail "$fault was not told"; fi
    grep -qi 'vivid' scan.txt || fail "$fault: $(cat scan.txt)"
    say "$fault: $(tail -1 scan.txt)"
done
copystand scan --device "$vivid" --profile none --set still-size=640x360 --set warm-up=0 --pages 1000 -o gone.pdf >scan.txt 2>&1 &
scan=$!
await 'grep -q "Page 2" scan.txt'
v4l2-ctl -d /dev/video40 -c disconnect=1
status=0
wait "$scan" || status=$?
[[ $status != 0 ]] || fail "a disconnected vivid ended well"
grep -q 'not connected' scan.txt || fail "disconnected: $(tail -5 scan.txt)"
[[ $(pages gone.pdf) -ge 2 ]] || fail "vivid's pages so far were not delivered"
say "vivid disconnected in mid-stream: status $status, $(pages gone.pdf) pages delivered"
