"""Many cards on a table at once, for a benchmark: rows, a loose spread, with stacks among them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from . import camera
from .canvas import Canvas, rotation
from .desk import surface
from .dice import Dice
from .geometry import UNIT_SQUARE
from .pools import Document, Pools
from .recipes import Recipe
from .sheet import Lay, lay

MOST = 20  #: cards in a picture
#: The sides of a card in millimeters, and those of the visible part of the table, for each card's
# share.
CARD = (88.0, 63.0)
_TABLE = Recipe("spread", 0.0, white_desk=0.25)


@dataclass
class Spread:
    """A picture (uint8 RGB) and the corners of every card in pixels, each whole and in view."""

    picture: np.ndarray
    cards: list[np.ndarray]


def spread(dice: Dice, pools: Pools, short: int) -> Spread:
    """One picture of 2 to 20 cards, seen by a camera from above or at a slant."""
    size = (round(short * 4 / 3), short)
    table = surface(dice, pools, _TABLE, size)
    canvas = Canvas(table, dice.rng.normal(0, 0.7, 2))
    count = dice.whole(2, MOST)
    columns = max(1, round((count * 4 / 3 * CARD[1] / CARD[0]) ** 0.5))
    rows = -(-count // columns)
    room = dice.real(1.12, 1.5)
    turned = dice.chance(0.5)
    wide, tall = (CARD[1], CARD[0]) if turned else CARD
    reach = np.array([columns * wide, rows * tall]) * room
    to_frame = _camera(dice, reach, size)
    loose = dice.chance(0.6)
    found = []
    for index in range(count):
        middle = np.array([(index % columns + 0.5) * wide, (index // columns + 0.5) * tall]) * room
        slack = (room - 1) * min(wide, tall) * (0.35 if loose else 0.05)
        middle = middle + dice.rng.uniform(-1, 1, 2) * slack
        turn = dice.normal(0, 0.06 if loose else 0.01) + (np.pi / 2 if turned else 0)
        if dice.chance(0.2):  # a stack: the card lies on others, slightly moved
            for _ in range(dice.whole(1, 4)):
                off = dice.rng.normal(0, 1.2, 2)
                below = _corners(middle + off, turn + dice.normal(0, 0.02), to_frame)
                lay(dice, canvas, _card(dice, pools), below, Lay(shadow=0.9))
        corners = _corners(middle, turn, to_frame)
        lay(dice, canvas, _card(dice, pools), corners, Lay(shadow=0.9))
        found.append(corners)
    lit = camera.light(dice, canvas.pixels.astype(np.float32))
    return Spread(camera.take(dice, lit, size), found)


def _card(dice: Dice, pools: Pools) -> Document:
    return dice.pick([one for one in pools.documents if one.kind == "trading"])


def _corners(middle: np.ndarray, turn: float, to_frame: np.ndarray) -> np.ndarray:
    """A card on the table as the frame shows it."""
    flat = (UNIT_SQUARE - 0.5) * CARD @ rotation(turn).T + middle
    return cv2.perspectiveTransform(flat[None].astype(np.float32), to_frame)[0]


def _camera(dice: Dice, reach: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """Maps millimeters of the table to the frame's pixels, with all of `reach` in view."""
    lean = dice.rng.uniform(0, 0.1, 4)
    inset = np.float32(
        [[lean[0], 0.04], [1 - lean[0], 0.04], [1 - lean[1] / 3, 0.96], [lean[1] / 3, 0.96]]
    )
    # The visible part of the table keeps its shape. If it is narrower than the frame, it is
    # centered.
    scale = min(size[0] / reach[0], size[1] / reach[1])
    shown = reach * scale
    start = (np.array(size) - shown) / 2
    target = inset * shown + start
    source = UNIT_SQUARE * reach.astype(np.float32)
    return cv2.getPerspectiveTransform(source, target.astype(np.float32))
