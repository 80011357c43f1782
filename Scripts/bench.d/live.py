"""Measures the cost of watching a camera: a served camera of 1080p and 30 frames a second, which
`copystand watch` follows in real time.
"""

import json
import os
import resource
import signal
import struct
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path
from statistics import median

# The time that the people in a clip need for several pages.
SECONDS = 20


def pictures(clip: Path) -> bytes:
    """The JPEG pictures of an AVI clip, one after another."""
    data = clip.read_bytes()
    place, found = data.index(b"movi") + 4, []
    while data[place : place + 4] == b"00dc":
        size = struct.unpack_from("<I", data, place + 4)[0]
        found.append(data[place + 8 : place + 8 + size])
        place += 8 + size + size % 2
    return b"".join(found)


def watched(program: str, nodes: Path, work: Path) -> tuple[dict, float]:
    """The final report of a watch of some seconds, and the part of one core that the watch and its
    backend used.
    """
    environment = os.environ | {
        "COPYSTAND_CAMERA_FOLDER": str(nodes),
        "XDG_STATE_HOME": str(work / "state"),
    }
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    # The profile that searches for pages without reading their text, which is not part of watching.
    watch = subprocess.Popen(
        [
            program,
            "watch",
            "--device",
            f"v4l2:{nodes}/video0",
            "--profile",
            "photo",
            "--json",
            "-o",
            str(work / "out.pdf"),
        ],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    start = time.monotonic()
    timer = threading.Timer(SECONDS, watch.send_signal, [signal.SIGINT])
    timer.start()
    out, errors = watch.communicate()
    timer.cancel()
    if watch.returncode != 0:
        raise RuntimeError(f"watching ended with {watch.returncode}:\n{errors[-2000:]}")
    lines = [json.loads(line) for line in out.splitlines() if line.startswith("{")]
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    statistics = next(line for line in lines if line["event"] == "stats")
    return statistics["statistics"] | {"pages": statistics["pages"]}, used / (
        time.monotonic() - start
    )


def live(program: str, folder: Path, runs: int, seed: int) -> str:
    """The section of the report."""
    from clips.make import make

    if not os.access("/dev/fuse", os.R_OK | os.W_OK) or os.geteuid() != 0:
        return "skipped: serving a camera needs /dev/fuse and root\n"
    clip = make(folder, 20, seed, lambda name: print(f"  making {name}", file=sys.stderr))[1]
    server_program = Path(program).with_name("fuse-camera-for-tests")
    results = []
    for _ in range(runs):
        with tempfile.TemporaryDirectory() as name:
            work = Path(name)
            (work / "cameras/video0").mkdir(parents=True)
            (work / "cameras/video0/MJPG-1920x1080@30.bin").write_bytes(pictures(clip))
            (work / "nodes").mkdir()
            server = subprocess.Popen(
                [server_program, work / "cameras", work / "nodes"], stdin=subprocess.PIPE
            )
            try:
                while not (work / "nodes/video0").exists():
                    time.sleep(0.01)
                results.append(watched(program, work / "nodes", work))
            finally:
                server.send_signal(signal.SIGTERM)
                server.wait()

    def stage(name: str) -> float:
        return median(result["stages"].get(name, {"mean": 0})["mean"] for result, _ in results)

    decided = [
        result["stages"]["decide"]["mean"] * result["stages"]["decide"]["count"] / result["looked"]
        for result, _ in results
    ]
    lean = stage("luma") + median(decided)
    share = median(share for _, share in results)
    rate = median(result["looked"] / result["seconds"] for result, _ in results)
    came = median(result["frames"] / result["seconds"] for result, _ in results)
    return "\n".join(
        [
            (
                "A camera of 1920 × 1080 at 30 frames a second, Motion JPEG, served over FUSE,"
                f" watched for {SECONDS} s; median of {runs} runs. Milliseconds by the wall's"
                " clock; processor time of `copystand` and its backend, all threads, pages that"
                " are captured included."
            ),
            "",
            "| | | target |",
            "|---|---|---|",
            f"| frames that came a second | {came:.1f} | 30 |",
            f"| frames looked at a second | {rate:.1f} | 12 |",
            f"| reduced luma of a frame | {stage('luma'):.2f} ms | - |",
            f"| tracker, measures, signature, reducer | {median(decided):.2f} ms | - |",
            f"| both: the live path without the detector | {lean:.2f} ms | at most 4 ms |",
            f"| detector | {stage('detect'):.2f} ms | - |",
            f"| processor time, of one core | {100 * share:.0f} % | under 50 % |",
            "",
        ]
    )
