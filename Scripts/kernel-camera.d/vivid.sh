# Runs in the guest: the built copystand against the kernel's virtual camera and its faults.
# shellcheck source=SCRIPTDIR/guest.sh
# shellcheck disable=SC2154  # set by the guest's init
source "$here/guest.sh"

vivid=v4l2:/dev/video40
v4l2-ctl -d /dev/video40 --list-ctrls >controls.txt
copystand scan --device "$vivid" --profile none --set still-size=640x360 --pages 1 -o vivid.pdf \
    >scan.txt 2>&1 \
    || fail "vivid: $(cat scan.txt)"
say "a frame of vivid"
copystand options "$vivid" --json >options.json
check_json '[o["type"]["choices"] for o in data["options"] if o["name"] == "input"] != []' <options.json \
    || fail "no option 'input': $(cat options.json)"
hdmi=$(python3 -c 'import json; print([c for o in json.load(open("options.json"))["options"] if o["name"] == "input" for c in o["type"]["choices"] if "HDMI" in c][0])')
copystand scan --device "$vivid" --profile none --set input="$hdmi" --set timings=1280x720p60 \
    --set still-size=1280x720 --set warm-up=0 --pages 1 \
    -o hdmi.png >scan.txt 2>&1 || fail "HDMI: $(cat scan.txt)"
file hdmi.png | grep -q '1280 x 720' || fail "HDMI at 1280x720p60 gave $(file hdmi.png)"
say "a frame of vivid's $hdmi, in timings that were chosen"
# The bars must look the same in every encoding: vivid's own 100 % colors, sent as YUYV in each
# range and by either standard.
for range in 1 2; do
    for matrix in 1 2; do
        v4l2-ctl -d /dev/video40 -c quantization=$range,y_cbcr_encoding=$matrix
        copystand scan --device "$vivid" --profile none --set input="$hdmi" --set format=YUYV \
            --set still-size=1280x720 --set warm-up=0 --pages 1 \
            -o "bars-$range-$matrix.png" >scan.txt 2>&1 || fail "YUYV $range $matrix: $(cat scan.txt)"
    done
done
v4l2-ctl -d /dev/video40 -c quantization=0,y_cbcr_encoding=0
python3 "$here/compare_bars.py" bars-?-?.png >bars.txt || fail "the colors differ: $(cat bars.txt)"
say "colors: $(cat bars.txt)"
copystand scan --device "$vivid" --profile none --set input="Webcam 0" --set still-size=640x360 \
    --set warm-up=0 --pages 1 -o webcam.pdf >scan.txt 2>&1 \
    || fail "back to the webcam: $(cat scan.txt)"
v4l2-ctl -d /dev/video40 -c percentage_of_dropped_buffers=60
copystand scan --device "$vivid" --profile none --set still-size=640x360 --pages 2 \
    -o dropped.pdf >scan.txt 2>&1 \
    || fail "with dropped buffers: $(cat scan.txt)"
v4l2-ctl -d /dev/video40 -c percentage_of_dropped_buffers=0
say "frames between dropped ones"
for fault in inject_vidioc_reqbufs_error inject_vidioc_streamon_error; do
    grep -q "$fault" controls.txt || fail "vivid has no $fault: $(cat controls.txt)"
    v4l2-ctl -d /dev/video40 -c "$fault=1"
    if copystand scan --device "$vivid" --profile none --pages 1 -o fault.pdf \
        >scan.txt 2>&1; then fail "$fault was not told"; fi
    grep -qi 'vivid' scan.txt || fail "$fault: $(cat scan.txt)"
    say "$fault: $(tail -1 scan.txt)"
done
copystand scan --device "$vivid" --profile none --set still-size=640x360 --set warm-up=0 \
    --pages 1000 -o gone.pdf >scan.txt 2>&1 &
scan=$!
await 'grep -q "Page 2" scan.txt'
v4l2-ctl -d /dev/video40 -c disconnect=1
status=0
wait "$scan" || status=$?
[[ $status != 0 ]] || fail "a disconnected vivid ended well"
grep -q 'no longer connected' scan.txt || fail "disconnected: $(tail -5 scan.txt)"
[[ $(pages gone.pdf) -ge 2 ]] || fail "vivid's pages so far were not delivered"
say "vivid disconnected in mid-stream: status $status, $(pages gone.pdf) pages delivered"
