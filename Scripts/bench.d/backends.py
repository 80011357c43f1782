"""Measures the cost of a separate program: frames a second from a backend through the host, its
start, a long list.
"""

import json
import shutil
import subprocess
import tempfile
from pathlib import Path

from measure import median

ROOT = Path(__file__).resolve().parents[2]

CAMERA = """#!/usr/bin/python3
import copystand_backend as copystand

class Camera(copystand.Device):
    def capture(self, sink, mode, limit):
        pixels = bytes(1920 * 1080 * 3)
        while True:
            frame = sink.begin("rgb8", 1920, 1080)
            frame.write(pixels)
            frame.finish()

class Backend(copystand.Backend):
    def devices(self, quick):
        return [copystand.device("camera", "Camera", "camera")]
    def open(self, id):
        return Camera()

copystand.run(Backend("Camera", "1.0"))
"""

C_CAMERA = """#define _GNU_SOURCE
#include "copystand_backend.h"
static int devices(cs_list *list, int quick) {
    (void)quick;
    cs_add(list, &(cs_device){.id = "camera", .name = "Camera", .kind = "camera"});
    return 0;
}
static void *open_camera(const char *id) { return (void *)id; }
static int capture(void *device, cs_sink *sink, int live, long limit) {
    (void)device, (void)live, (void)limit;
    for (int shade = 0;; shade++) {
        size_t size = 1920 * 1080 * 3;
        if (cs_begin(sink, &(cs_frame){.format = "rgb8", .width = 1920, .height = 1080})) return -1;
        void *memory = cs_memory(sink, size);
        if (!memory) return -1;
        memset(memory, shade, size);
        if (cs_finish(sink, NULL, 0)) return -1;
    }
}
int main(void) {
    return cs_run(&(cs_backend){.name = "Camera", .version = "1.0", .devices = devices,
                                 .open = open_camera, .capture = capture});
}
"""


def place(folder: Path, id: str, program: str) -> None:
    (folder / f"{id}.json").write_text(
        json.dumps({"id": id, "name": id, "version": "1.0", "protocol": 1, "program": program})
    )


def prepare(arguments, folder: Path) -> None:
    """Puts the backends to be measured into a folder."""
    shutil.copy(ROOT / "Examples/python/copystand_backend.py", folder)
    # Writes the source of the same camera without descriptors, whose pixels go through the socket.
    text = (ROOT / "Examples/python/copystand_backend.py").read_text()
    assert '"capabilities": ["descriptors", "offsets"]' in text
    (folder / "inline").mkdir()
    (folder / "inline/copystand_backend.py").write_text(
        text.replace('"capabilities": ["descriptors", "offsets"]', '"capabilities": []')
    )
    for name in ("python", "inline/inline"):
        (folder / f"{name}.py").write_text(CAMERA)
        (folder / f"{name}.py").chmod(0o755)
    (folder / "c.c").write_text(C_CAMERA)
    subprocess.run(
        [
            "cc",
            "-O2",
            "-pthread",
            f"-I{ROOT}/Examples/c",
            "-o",
            folder / "c",
            folder / "c.c",
            "-lm",
        ],
        check=True,
    )
    place(folder, "swift", f"{arguments.bin}/capture-bench-backend")
    place(folder, "python", "python.py")
    place(folder, "inline", "inline/inline.py")
    place(folder, "c", "c")


def backends(arguments) -> str:
    program = Path(arguments.bin) / "capture-bench"
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        prepare(arguments, folder)

        def ask(*words: str) -> list[float]:
            done = subprocess.run(
                [program, words[0], folder, *words[1:]], check=True, capture_output=True, text=True
            )
            return [float(word) for word in done.stdout.split()]

        rows = []
        for title, words, wanted, times in [
            (
                "frames/s, Swift, every pixel written into the host's memory",
                ("frames", "swift:writes", "3"),
                "",
                1,
            ),
            (
                "frames/s, C, every pixel written into the host's memory",
                ("frames", "c:camera", "3"),
                "",
                1,
            ),
            (
                "frames/s, Swift, passed as a descriptor",
                ("frames", "swift:passes", "3"),
                "≥ 1,000",
                1,
            ),
            (
                "frames/s, Python, `pwrite` to the descriptor",
                ("frames", "python:camera", "3"),
                "",
                1,
            ),
            ("frames/s, Python, inline", ("frames", "inline:camera", "3"), "≥ 100", 1),
            ("ms to the first frame, Swift, cold", ("first", "swift:passes"), "≤ 60", 10),
            ("ms to the first frame, C, cold", ("first", "c:camera"), "", 10),
            ("ms to the first frame, Python, cold", ("first", "python:camera"), "≤ 150", 10),
            ("ms for a list of 1,000 devices, Swift, cold", ("devices", "swift"), "< 200", 10),
        ]:
            figures = [ask(*words)[0] for _ in range(times * arguments.runs)]
            rows.append(
                f"| {title} | {median(figures):,.0f} | {min(figures):,.0f} to {max(figures):,.0f} |"
                f" {wanted} |"
            )
    return "\n".join(
        [
            (
                "1920 × 1080 RGB frames (6.2 MB each) of a live capture, from a backend's program"
                " through the host to a consumer that releases them; none dropped. Median of"
                f" {arguments.runs} runs (of {10 * arguments.runs} for times)."
            ),
            "",
            "| | median | range | target |",
            "|---|---|---|---|",
            *rows,
            "",
        ]
    )
