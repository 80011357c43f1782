"""The network. Its input is a frame squashed to a square; its output is maps of the page at a
quarter of the resolution.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
from torch import nn

#: Channels after 2, 4, 8, 16 and 32 times reduction.
WIDTHS = (16, 24, 40, 72, 104)


def conv(
    inputs: int, outputs: int, kernel: int = 3, stride: int = 1, groups: int = 1, relu: bool = True
) -> nn.Sequential:
    """A convolution (zero padding, no bias), batch normalization and, by default, ReLU."""
    layers: list[nn.Module] = [
        nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups, bias=False),
        nn.BatchNorm2d(outputs),
    ]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if relu else nn.Sequential(*layers)


class Bottleneck(nn.Module):
    """Widens by 1 × 1, convolves each channel, narrows by 1 × 1 without ReLU; adds its input if the
    shapes agree.
    """

    def __init__(
        self, inputs: int, outputs: int, widen: int, stride: int = 1, kernel: int = 3
    ) -> None:
        super().__init__()
        hidden = inputs * widen
        self.res = inputs == outputs and stride == 1
        self.m = nn.Sequential(
            conv(inputs, hidden, 1),
            conv(hidden, hidden, kernel, stride, hidden),
            conv(hidden, outputs, 1, relu=False),
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """The block."""
        return x + self.m(x) if self.res else self.m(x)


class Decoder(nn.Module):
    """Doubles the resolution (nearest), adds the encoder's maps of that resolution, then convolves
    each channel by 5 × 5, and 1 × 1.
    """

    def __init__(self, inputs: int, lateral: int, outputs: int) -> None:
        super().__init__()
        self.a = conv(inputs, outputs, 1, relu=False)
        self.l = conv(lateral, outputs, 1, relu=False)
        self.m = nn.Sequential(conv(outputs, outputs, 5, groups=outputs), conv(outputs, outputs, 1))

    def forward(self, x: torch.Tensor, lateral: torch.Tensor) -> torch.Tensor:
        """The block."""
        x = F.relu(F.interpolate(self.a(x), scale_factor=2, mode="nearest") + self.l(lateral))
        return x + self.m(x)


class Net(nn.Module):
    """Input: n × 3 × h × w, channels blue, green, red, each (value / 255 − 0.5) × 4; h and w
    multiples of 32.

    Output: logits n × 3 × h/4 × w/4 (whole page even where it is covered, its boundary, its
    corners) and n × 1 (a page is in view).
    """

    def __init__(self) -> None:
        super().__init__()
        c2, c4, c8, c16, c32 = WIDTHS
        self.s2 = conv(3, c2, 3, 2)
        self.s4 = nn.Sequential(conv(c2, c4, 3, 2), Bottleneck(c4, c4, 2))
        self.s8 = nn.Sequential(Bottleneck(c4, c8, 3, 2), Bottleneck(c8, c8, 3))
        self.s16 = nn.Sequential(
            Bottleneck(c8, c16, 4, 2),
            Bottleneck(c16, c16, 4, kernel=5),
            Bottleneck(c16, c16, 4, kernel=5),
        )
        self.s32 = nn.Sequential(
            Bottleneck(c16, c32, 4, 2, 5), *(Bottleneck(c32, c32, 3, kernel=5) for _ in range(3))
        )
        self.ctx = nn.Linear(c32, c32)
        self.pres = nn.Linear(c32, 1)
        self.d16 = Decoder(c32, c16, c16)
        self.d8 = Decoder(c16, c8, c8)
        self.d4 = Decoder(c8, c4, 32)
        self.h = nn.Sequential(conv(32, 32, 3, groups=32), conv(32, 32, 1))
        self.out = nn.Conv2d(32, 3, 1)
        nn.init.constant_(self.out.bias, -2.0)

    def forward(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The maps and the presence, as logits."""
        return self.answer(*self.fine(x))

    def fine(self, x: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The features at a quarter and at an eighth of the resolution: edges and print."""
        x4 = self.s4(self.s2(x))
        return x4, self.s8(x4)

    def answer(self, x4: torch.Tensor, x8: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """The maps and the presence from these features."""
        x16 = self.s16(x8)
        x32 = self.s32(x16)
        context = F.relu(self.ctx(x32.mean((2, 3))))
        maps = self.d4(self.d8(self.d16(x32 + context[:, :, None, None], x16), x8), x4)
        return self.out(self.h(maps)), self.pres(context)


def parameters(net: nn.Module) -> int:
    """The number of trained values."""
    return sum(p.numel() for p in net.parameters())
