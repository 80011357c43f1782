#!/usr/bin/env python3
"""Writes a trained network as the file of weights that the program contains, and the framework's
answers for two test pictures.

    export_weights.py final.pt --channels rgb --note "trained 2026-11-21, seed 1, 120,000 scenes"

Batch normalization is folded into the convolutions before it, weights become half precision, and
the first layer takes red, green, blue, whatever order was used in training. The format is described
in Docs/developers/Detection.md. Needs torch and numpy, and the model.py that the checkpoint was
trained with.
"""

import argparse
import json
import struct
import sys
import zlib
from pathlib import Path

import numpy as np
import torch

from weights_file import FIXTURES, NETWORKS, answers_of, encoded, pairs_of, weights_of

FIRST_LAYER = "s2"
EPSILON = 1e-5  # the epsilon of torch's BatchNorm2d


def folded(state: dict) -> dict:
    """The state's tensors by name, each convolution with the batch normalization after it as one
    weight and one bias.
    """
    result = {}
    for key, value in state.items():
        parts = key.split(".")
        if key.endswith(".0.weight") and f"{key[:-9]}.1.running_mean" in state:
            name = key[:-9]
            norm = {
                k: state[f"{name}.1.{k}"].double()
                for k in ("weight", "bias", "running_mean", "running_var")
            }
            scale = norm["weight"] / torch.sqrt(norm["running_var"] + EPSILON)
            result[f"{name}.weight"] = value.double() * scale[:, None, None, None]
            result[f"{name}.bias"] = norm["bias"] - norm["running_mean"] * scale
        elif len(parts) == 2:  # ctx, pres, out: layers without normalization
            result[key] = value.double()
    return result


def test_picture(side: int) -> np.ndarray:
    """A drawn page on a striped desk with a dark strip over one edge: red, green, blue bytes."""
    y, x = np.mgrid[0:side, 0:side].astype(float)
    desk = 92 + 18 * np.sin(x / 7 + y / 19) + 22 * x / side
    picture = np.stack([desk * 1.12, desk, desk * 0.82], 2)
    corners = np.array([[0.24, 0.14], [0.79, 0.22], [0.71, 0.90], [0.15, 0.79]]) * side
    distances = []
    for a, b in zip(corners, np.roll(corners, -1, 0)):
        normal = np.array([-(b - a)[1], (b - a)[0]]) / np.hypot(*(b - a))
        distances.append((x + 0.5 - a[0]) * normal[0] + (y + 0.5 - a[1]) * normal[1])
    cover = np.clip(np.min(distances, 0) + 0.5, 0, 1)[..., None]
    inside = np.min(distances, 0) > 12
    ink = inside & ((distances[0] % 9) < 3) & ((distances[3] % 23) < 17)
    paper = np.where(ink, 120.0, 232 - 30 * y / side)[..., None] * np.array([1, 0.99, 0.95])
    picture = picture * (1 - cover) + paper * cover
    strip = np.abs((x - side * 0.62) + (y - side * 0.9) * 0.4) < 7
    strip &= y > side * 0.7
    picture[strip] = [48, 40, 44]
    return np.clip(np.round(picture), 0, 255).astype(np.uint8)


def png(path: Path, pixels: np.ndarray) -> None:
    """Writes 8-bit gray or color."""
    height, width = pixels.shape[:2]
    rows = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(kind: bytes, data: bytes) -> bytes:
        return (
            struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
        )

    color = 2 if pixels.ndim == 3 else 0
    header = struct.pack(">IIBBBBB", width, height, 8, color, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(rows, 9))
        + chunk(b"IEND", b"")
    )


@torch.no_grad()
def answers(net: torch.nn.Module, pixels: np.ndarray, flip: bool) -> dict:
    """The framework's logits at points spread over the maps. They are computed with unrounded
    weights, so that the test's tolerance also covers the rounding.
    """
    planes = pixels[..., ::-1] if flip else pixels
    tensor = torch.from_numpy(planes.astype(np.float32) / 255).permute(2, 0, 1)[None]
    maps, presence = net((tensor - 0.5) * 4)
    maps = maps[0].numpy()
    size = maps.shape[1]
    step = size // 12
    points = [
        [channel, row, column, round(float(maps[channel, row, column]), 4)]
        for channel in range(3)
        for i in range(12)
        for j in range(12)
        for row, column in [
            (
                min(size - 1, i * step + (j * 3 + i) % step),
                min(size - 1, j * step + (i * 5 + j) % step),
            )
        ]
    ]
    return {"presence": round(float(presence[0, 0]), 4), "points": points}


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("checkpoint", help="a state dictionary that torch.save wrote")
    parser.add_argument(
        "--channels",
        required=True,
        choices=("rgb", "bgr"),
        help="the order of colors it was trained with",
    )
    parser.add_argument(
        "--side", type=int, default=192, help="pixels a side of the network's picture (192)"
    )
    parser.add_argument("--note", default="", help="how the weights were made, in a line")
    parser.add_argument(
        "--calibration",
        help="a JSON file of [raw, calibrated] pairs, growing, for the confidence of one look",
    )
    parser.add_argument(
        "--calibration-close", help="the same for pictures that are looked at closely"
    )
    parser.add_argument(
        "--network", choices=NETWORKS, default="page", help="the program's network to replace"
    )
    arguments = parser.parse_args()

    state = torch.load(arguments.checkpoint, map_location="cpu", weights_only=True)
    tensors = folded(state)
    flip = arguments.channels == "bgr"
    if flip:
        tensors[f"{FIRST_LAYER}.weight"] = tensors[f"{FIRST_LAYER}.weight"].flip(1)
    for name, file in (
        ("calibration", arguments.calibration),
        ("calibration-close", arguments.calibration_close),
    ):
        if file:
            tensors[name] = pairs_of(Path(file))
    data = encoded(
        {name: np.asarray(tensor) for name, tensor in tensors.items()},
        arguments.side,
        arguments.note,
    )
    weights_of(arguments.network).write_bytes(data)

    from model import Net

    net = Net()
    net.load_state_dict(state)
    net.eval()
    color = test_picture(arguments.side)
    luma = np.round(color @ np.array([0.299, 0.587, 0.114])).astype(np.uint8)
    FIXTURES.mkdir(parents=True, exist_ok=True)
    png(FIXTURES / "network-color.png", color)
    png(FIXTURES / "network-luma.png", luma)
    answers_of(arguments.network).write_text(
        json.dumps(
            {
                "checksum": struct.unpack("<I", data[-4:])[0],
                "color": answers(net, color, flip),
                "luma": answers(net, np.repeat(luma[..., None], 3, 2), flip),
            },
            separators=(",", ":"),
        )
        + "\n"
    )
    print(f"{weights_of(arguments.network)}: {len(tensors)} tensors, {len(data)} bytes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
