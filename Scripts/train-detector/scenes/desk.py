"""The surface of one scene: a piece of a pool's surface seen at an angle, or a plain light desk."""

from __future__ import annotations

import cv2
import numpy as np

from .canvas import rotation
from .color import gray, hsv, noise
from .dice import Dice
from .pools import Pools, Surface
from .recipes import Recipe


def surface(dice: Dice, pools: Pools, recipe: Recipe, size: tuple[int, int]) -> np.ndarray:
    """The empty desk (float32 RGB) of the size (width, height)."""
    if dice.chance(recipe.white_desk):
        return _light_desk(dice, size)
    chosen = _pick(dice, pools, recipe)
    picture = _seen(dice, chosen.picture, size)
    if dice.chance(0.35):
        picture = picture * dice.rng.uniform(0.65, 1.3, 3).astype(np.float32) + np.float32(
            dice.real(-20, 20)
        )
    if dice.chance(0.2) and not chosen.busy:
        middle = picture.mean((0, 1))
        picture = (picture - middle) * np.float32(dice.real(0.1, 0.7)) + middle
    return picture


def _pick(dice: Dice, pools: Pools, recipe: Recipe) -> Surface:
    insist = dice.chance(recipe.busy_surface)
    for _ in range(100):
        chosen = dice.pick(pools.surfaces)
        if chosen.busy or not insist:
            return chosen
    return chosen


def _light_desk(dice: Dice, size: tuple[int, int]) -> np.ndarray:
    """White, gray, beige or tinted, with a wide gradient and a little grain."""
    width, height = size
    color = (
        gray(dice, 150, 252, 12)
        if dice.chance(0.6)
        else hsv(dice.real(0, 1), dice.real(0.03, 0.22), dice.real(0.6, 0.98))
    )
    shade = 1 - noise(dice, height, width, ((3, 1.0),))[..., None] * np.float32(dice.real(0, 0.28))
    return np.float32(color) * shade + dice.rng.standard_normal(
        (height, width, 1), dtype=np.float32
    ) * np.float32(dice.real(0, 4))


def _seen(dice: Dice, picture: np.ndarray, size: tuple[int, int]) -> np.ndarray:
    """A turned, scaled, slightly tilted piece of a square picture."""
    width, height = size
    side = picture.shape[0]
    turn = dice.angle() if dice.chance(0.6) else dice.whole(0, 3) * np.pi / 2 + dice.real(-0.1, 0.1)
    scale = dice.log_real(0.35, 1.3) * side / max(size)
    move = np.eye(3)
    move[:2, :2] = rotation(turn) * scale
    if dice.chance(0.5):
        move[2, :2] = dice.rng.uniform(-0.5, 0.5, 2) / max(size)
    middle = move @ np.array([width / 2, height / 2, 1])
    move[:2, 2] = dice.rng.uniform(0, side, 2) * middle[2] - middle[:2]
    return cv2.warpPerspective(
        picture,
        move,
        size,
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REFLECT_101,
    ).astype(np.float32)
