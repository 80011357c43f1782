"""The binding of a notebook beyond the page's side: wire rings or a comb. It is only drawn for
training.
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas, oval
from .color import gray, vivid
from .dice import Dice


def rings(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """Draws rings along one side of the page, half on it and half beyond."""
    side = dice.whole(0, 3)
    one, other = corners[side], corners[(side + 1) % 4]
    along = (other - one) / (np.linalg.norm(other - one) + 1e-6)
    outward = np.array([along[1], -along[0]])
    reach = canvas.unit * dice.real(1.2, 4)
    thick, count = reach * dice.real(0.12, 0.35), dice.whole(8, 34)
    color = gray(dice, 10, 235, 5) if dice.chance(0.75) else vivid(dice, 0.2, 0.2)
    if dice.chance(0.4):  # a comb's spine
        spine = np.array([one, other, other + outward * reach, one + outward * reach])
        canvas.thing(spine, color, 1.0, 0.4)
    turn = float(np.arctan2(outward[1], outward[0]))
    for at in np.linspace(0.03, 0.97, count):
        middle = one + (other - one) * at
        canvas.fill(oval(middle - outward * reach * 0.7, thick * 1.5, thick * 1.5), (30, 30, 30))
        canvas.thing(oval(middle, reach, thick, turn), color, 0.6, 0.3)
