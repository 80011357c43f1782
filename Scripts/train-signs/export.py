#!/usr/bin/env python3
"""Writes trained weights in the program's format: export.py signs.pt. The order of the bytes is
described in Sources/System/CSignNetwork/SignNetwork.c.
"""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import torch

from model import LAYERS

PLACE = Path(__file__).resolve().parents[2] / "Sources/System/CSignNetwork/signs.weights"


def folded(state: dict[str, torch.Tensor]) -> list[tuple[np.ndarray, np.ndarray]]:
    """The weights and biases of the layers, with the normalization after each convolution
    multiplied in."""
    layers = []
    for name, *_ in LAYERS:
        norm = {
            key: state[f"norms.{name}.{key}"].double()
            for key in ("weight", "bias", "running_mean", "running_var")
        }
        scale = norm["weight"] / torch.sqrt(norm["running_var"] + 1e-5)
        layers.append(
            (
                (
                    state[f"convolutions.{name}.weight"].double() * scale[:, None, None, None]
                ).numpy(),
                (norm["bias"] - norm["running_mean"] * scale).numpy(),
            )
        )
    return layers + [(state["out.weight"].double().numpy(), state["out.bias"].double().numpy())]


def encoded(layers: list[tuple[np.ndarray, np.ndarray]]) -> bytes:
    result = b""
    for weight, bias in layers:
        assert np.isfinite(weight).all() and np.isfinite(bias).all()
        scale = np.abs(weight).max(axis=(1, 2, 3)) / 127
        scale[scale == 0] = 1
        steps = np.rint(weight / scale[:, None, None, None]).astype(np.int8)
        result += (
            scale.astype("<f4").tobytes()
            + bias.astype("<f4").tobytes()
            + steps.transpose(2, 3, 1, 0).tobytes()
        )
    return result


if __name__ == "__main__":
    PLACE.write_bytes(encoded(folded(torch.load(sys.argv[1], map_location="cpu"))))
    print(f"{PLACE}: {PLACE.stat().st_size} bytes")
