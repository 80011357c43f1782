"""Writes and reads the file of weights that the program contains. The format is described in
Docs/developers/Detection.md.
"""

import json
import struct
import sys
import zlib
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[2]
#: The program's networks: for pages of all kinds, and for cards.
NETWORKS = ("page", "card")
FIXTURES = ROOT / "Tests/Core/DetectionTests/Fixtures"
MAGIC = b"\x89CSNET\r\n"
VERSION = 1
HALF, SINGLE = 1, 2


def weights_of(network: str) -> Path:
    """The file of weights of one of the program's networks."""
    return ROOT / f"Sources/System/CPageNetwork/{network}-network.weights"


def answers_of(network: str) -> Path:
    """The framework's answers for a network, with which a test compares the program's."""
    return FIXTURES / f"{network}-network.json"


def encoded(tensors: dict[str, np.ndarray], side: int, note: str) -> bytes:
    """The file of weights."""
    out = bytearray(MAGIC)
    text = note.encode()
    out += struct.pack("<IIII", VERSION, side, len(tensors), len(text)) + text
    for name, array in tensors.items():
        kind = HALF if name.endswith(".weight") else SINGLE
        data = array.astype("<f2" if kind == HALF else "<f4")
        if not np.isfinite(data).all():
            sys.exit(f"weights_file.py: {name} has numbers that are not finite in this precision")
        encoded_name = name.encode("ascii")
        out += struct.pack("<B", len(encoded_name)) + encoded_name
        out += struct.pack("<BB", kind, array.ndim) + struct.pack(f"<{array.ndim}I", *array.shape)
        out += data.tobytes()
    return bytes(out + struct.pack("<I", zlib.crc32(out)))


def decoded(data: bytes) -> tuple[dict[str, np.ndarray], int, str]:
    """The tensors of a file of weights in their order, the side of the network's picture, and the
    note.
    """
    if not data.startswith(MAGIC) or struct.unpack("<I", data[-4:])[0] != zlib.crc32(data[:-4]):
        sys.exit("weights_file.py: this is not a file of weights, or it is damaged")
    version, side, count, length = struct.unpack_from("<IIII", data, len(MAGIC))
    if version != VERSION:
        sys.exit(f"weights_file.py: the file is of version {version}, not {VERSION}")
    place = len(MAGIC) + 16
    note = data[place : place + length].decode()
    place += length
    tensors = {}
    for _ in range(count):
        name = data[place + 1 : place + 1 + data[place]].decode("ascii")
        place += 1 + data[place]
        kind, dimensions = struct.unpack_from("<BB", data, place)
        shape = struct.unpack_from(f"<{dimensions}I", data, place + 2)
        place += 2 + 4 * dimensions
        array = np.frombuffer(data, "<f2" if kind == HALF else "<f4", int(np.prod(shape)), place)
        tensors[name] = array.reshape(shape)
        place += array.nbytes
    return tensors, side, note


def pairs_of(file: Path) -> np.ndarray:
    """The [raw, calibrated] pairs of a file, which must grow."""
    pairs = np.array(json.loads(file.read_text()), dtype=np.float32)
    steps = np.diff(pairs, axis=0)
    if pairs.min() < 0 or pairs.max() > 1 or (steps[:, 0] <= 0).any() or (steps[:, 1] < 0).any():
        sys.exit(f"weights_file.py: {file} does not grow from 0 to 1")
    return pairs
