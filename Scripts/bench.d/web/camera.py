#!/usr/bin/python3
"""A backend for Scripts/bench web: a camera of 1080p and 30 frames a second, whose pictures contain
the time when they were taken.

The folder `frames` beside its own folder has JPEG files, which are shown in turn, each with the
time of CLOCK_MONOTONIC in a comment (COM, ITU-T T.81, B.2.4.5). The file `taken` there has a line
for each: that time, and the picture's number.
"""

import struct
import time
from pathlib import Path

import copystand_backend as copystand

RATE, SIZE = 30, (1920, 1080)
# A host passes none of its own environment variables to a backend.
FRAMES = Path(__file__).resolve().parent.parent / "frames"


def stamped(jpeg: bytes, moment: float) -> bytes:
    """The picture with a time in it, after its first marker."""
    return jpeg[:2] + b"\xff\xfe" + struct.pack(">H8sd", 18, b"taken at", moment) + jpeg[2:]


class Camera(copystand.Device):
    def describe(self):
        return description()

    def capture(self, sink, mode, limit):
        pictures = [path.read_bytes() for path in sorted(FRAMES.glob("*.jpg"))]
        sent, due = 0, time.monotonic()
        while limit is None or sent < limit:
            due = max(due + 1 / RATE, time.monotonic() - 1)
            sink.sleep(max(0, due - time.monotonic()))
            taken = time.monotonic()
            picture = stamped(pictures[sent % len(pictures)], taken)
            with open(FRAMES / "taken", "a") as log:
                log.write(f"{taken} {sent % len(pictures)}\n")
            frame = sink.begin("jpeg", *SIZE, capacity=4 << 20, time=taken)
            frame.write(picture)
            frame.finish()
            sent += 1


def description():
    return copystand.device("one", "Camera of the benchmark", "camera", sources=["camera"])


class Cameras(copystand.Backend):
    def devices(self, quick):
        return [description()]

    def open(self, id):
        return Camera()


if __name__ == "__main__":
    copystand.run(Cameras("benchmark", "1.0"))
