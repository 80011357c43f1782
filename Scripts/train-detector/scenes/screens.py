"""A larger object with its own frame behind a page: a monitor, a tablet, a picture frame. It is
only drawn for training.
"""

from __future__ import annotations

import numpy as np

from .canvas import Canvas
from .color import fake_photo, gray, vivid
from .dice import Dice
from .geometry import grown, turned
from .sheet import warped


def under(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """Draws the device around the page, before the page: a rim, and its screen inside. The page
    lies on it, or is shown on the screen, exactly along its sides.
    """
    spans = np.array([dice.log_real(0.04, 0.9) for _ in range(4)])
    outer = grown(corners, *spans)
    if dice.chance(0.3):
        outer = turned(outer, dice.normal(0, 0.08), 1.0, np.zeros(2))
    rim = gray(dice, 4, 45, 4) if dice.chance(0.7) else gray(dice, 150, 245, 8)
    canvas.thing(outer, rim, dice.real(0.5, 5), dice.real(0.2, 0.6))
    inset = -dice.real(0.02, 0.07)
    inner = grown(outer, inset, inset, inset, inset)
    if dice.chance(0.35):
        canvas.fill(inner, vivid(dice, 0, 0.05))
    else:
        warped(canvas, fake_photo(dice, 160, 200), inner)
    # A window has a bar across its top.
    if dice.chance(0.4):
        canvas.fill(grown(inner, 0, 0, 0, -dice.real(0.88, 0.96)), gray(dice, 60, 240, 10))


def raised(dice: Dice, canvas: Canvas, corners: np.ndarray) -> None:
    """Draws the wide, soft shadow of a sheet that does not lie flat, before the sheet."""
    for _ in range(dice.whole(1, 2)):
        canvas.shadow(corners, dice.log_real(2, 14), dice.real(0.15, 0.55))
