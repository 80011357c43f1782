# Runs in the guest: the built copystand against the kernel's own driver of USB cameras.
# shellcheck source=SCRIPTDIR/guest.sh
# shellcheck disable=SC2154  # set by the guest's init
source "$here/guest.sh"

# Plugs in the camera, which sees what the clip of this name shows.
plug() {
    python3 "$here/usb_camera.py" "$clips/${1:-pictures}.mjpeg" "$clips/frames.yuyv" &
    camera=$!
    await 'ls /dev/video0 /dev/video1 >/dev/null 2>&1'
}
unplug() { kill "$camera"; wait "$camera" || true; }

plug
copystand devices --backend v4l2 --json >devices.json
# One node delivers pictures, the other describes them.
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
# The camera's own JPEG data is in the document, unchanged.
pdfimages -list pictures.pdf | grep -q 'jpeg.*1280' || pdfimages -list pictures.pdf | grep -q '1280.*jpeg' \
    || fail "not the camera's JPEG: $(pdfimages -list pictures.pdf)"
say "MJPEG streamed"

copystand scan --device "$device" --profile none --set format=YUYV --pages 2 -o frames.pdf >scan.txt 2>&1 \
    || fail "YUYV: $(cat scan.txt)"
pdfimages -list frames.pdf | grep -q '640 *480' || fail "YUYV: $(pdfimages -list frames.pdf)"
say "YUYV streamed"

copystand scan --device "$device" --profile none --set exposure=500 --pages 1 -o exposed.pdf \
    >scan.txt 2>&1 \
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
grep -q 'no longer connected' scan.txt || fail "unplugged: $(tail -5 scan.txt)"
[[ $(pages torn.pdf) -ge 2 ]] || fail "the pages so far were not delivered: $(tail -5 scan.txt)"
say "unplugged in mid-stream: status $status, $(pages torn.pdf) pages delivered"

await '! ls /dev/video0 >/dev/null 2>&1'
plug
copystand scan --device "$device" --profile none --pages 1 -o again.pdf >scan.txt 2>&1 || fail "re-plugged: $(cat scan.txt)"
say "plugged in again under the same name: $device"
unplug

await '! ls /dev/video0 >/dev/null 2>&1'

# Hands-free, while the camera is pulled out twice: the pages so far are safe, and the watch
# continues when it is back. The whole picture is the page, since an emulated processor takes
# seconds to search for one.
plug page-1
# A shell without job control makes the programs that it starts ignore Ctrl-C.
set -m
COPYSTAND_SPOOL=/run/watched "$programs/copystand" watch --device "$device" --profile none --json -o watched.pdf \
    >watch.jsonl 2>watch.txt </dev/null &
watch=$!
set +m
told() { grep -c "\"event\":\"$1\"" watch.jsonl || true; }
await '[[ $(told captured) -ge 1 ]]'
say "watching: a page captured automatically"
unplug
await '[[ $(told lost) -ge 1 ]]'
await '! ls /dev/video0 >/dev/null 2>&1'
grep -q '"code":"offline"' watch.jsonl || fail "unplugged while watching: $(tail -3 watch.jsonl)"
[[ $(find /run/watched -name 'page-0001.raw' | wc -l) == 1 ]] || fail "the page so far is not on the disk"
plug page-2
await '[[ $(told back) -ge 1 ]]'
await '[[ $(told captured) -ge 2 ]]'
say "watching: unplugged, plugged in again, the next page captured"
unplug
await '[[ $(told lost) -ge 2 ]]'
kill -INT "$watch"
status=0
wait "$watch" || status=$?
[[ $status == 0 ]] || fail "the watch ended with $status: $(cat watch.txt)"
[[ $(told captured) == 2 && $(pages watched.pdf) == 2 ]] \
    || fail "$(told captured) pages were captured and $(pages watched.pdf) delivered: $(cat watch.txt)"
say "watching: ended while unplugged, both pages delivered"
