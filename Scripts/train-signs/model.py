"""The network. It takes a line of characters as rows of pixels and classifies every two columns."""

from __future__ import annotations

import torch
from torch import nn

from lines import CLASSES

# Each layer's name, channels in and out, kernel and stride (down, across), and whether it is padded
# downward.
LAYERS = [
    ("c1", 1, 16, (3, 3), (1, 1), True),
    ("c2", 16, 32, (3, 3), (2, 2), True),
    ("c3", 32, 40, (3, 3), (1, 1), True),
    ("c4", 40, 56, (3, 3), (2, 1), True),
    ("c5", 56, 88, (6, 5), (1, 1), False),
    ("c6", 88, 88, (1, 3), (1, 1), False),
]


class SignNetwork(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.convolutions = nn.ModuleDict()
        self.norms = nn.ModuleDict()
        for name, before, behind, kernel, stride, padded in LAYERS:
            padding = (kernel[0] // 2 if padded else 0, kernel[1] // 2)
            self.convolutions[name] = nn.Conv2d(before, behind, kernel, stride, padding, bias=False)
            self.norms[name] = nn.BatchNorm2d(behind)
        self.out = nn.Conv2d(LAYERS[-1][2], CLASSES, 1)
        self.drop = nn.Dropout(0.1)

    def forward(self, pictures: torch.Tensor) -> torch.Tensor:
        """The classes' logits (n, classes, w / 2) for pictures (n, 1, 24, w)."""
        x = pictures
        for name, *_ in LAYERS:
            x = torch.relu(self.norms[name](self.convolutions[name](x)))
        return self.out(self.drop(x)).squeeze(2)
