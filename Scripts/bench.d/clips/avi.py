"""Writes Motion JPEG into an AVI file."""

import struct
from pathlib import Path

import cv2
import numpy as np


def chunk(name: bytes, body: bytes) -> bytes:
    return name + struct.pack("<I", len(body)) + body + b"\0" * (len(body) % 2)


class AVIWriter:
    """Writes frames; `close` completes the file."""

    def __init__(self, path: Path, size: tuple[int, int], rate: int, quality: int):
        width, height = size
        self.quality = quality
        self.size = 0
        stream = struct.pack(
            "<4s4sIHHIIIIIIIIHHHH",
            b"vids",
            b"MJPG",
            *[0] * 4,
            1,
            rate,
            0,
            0,
            1 << 20,
            0xFFFFFFFF,
            0,
            0,
            0,
            width,
            height,
        )
        form = struct.pack(
            "<IiiHH4sIiiII", 40, width, height, 1, 24, b"MJPG", width * height * 3, 0, 0, 0, 0
        )
        general = struct.pack("<14I", 1_000_000 // rate, *[0] * 5, 1, 0, width, height, 0, 0, 0, 0)
        streams = b"strl" + chunk(b"strh", stream) + chunk(b"strf", form)
        header = chunk(b"LIST", b"hdrl" + chunk(b"avih", general) + chunk(b"LIST", streams))
        self.file = path.open("wb")
        self.file.write(b"RIFF\0\0\0\0AVI " + header)
        self.movie = self.file.tell()
        self.file.write(b"LIST\0\0\0\0movi")

    def add(self, frame: np.ndarray) -> None:
        _, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, self.quality])
        self.file.write(chunk(b"00dc", jpeg.tobytes()))

    def close(self) -> None:
        end = self.file.tell()
        for place, size in ((self.movie + 4, end - self.movie - 8), (4, end - 8)):
            self.file.seek(place)
            self.file.write(struct.pack("<I", size))
        self.file.close()
