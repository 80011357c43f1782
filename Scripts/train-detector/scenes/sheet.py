"""Draws a document on the desk: perspective, curl, folded corners, shade, shadow."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from .canvas import SUBPIXEL, Canvas, fixed
from .dice import Dice
from .geometry import UNIT_SQUARE
from .pools import Document


@dataclass(frozen=True)
class Lay:
    """The shape of a sheet: `curl` is the bow of its sides as a share of their length (0 =
    flat)."""

    curl: float = 0.0
    folded_corner: float = 0.0  #: chance
    shadow: float = 0.75  #: chance
    tone: np.ndarray | None = None  #: factor on its colors; drawn by lot when None


def lay(
    dice: Dice, canvas: Canvas, document: Document, corners: np.ndarray, how: Lay = Lay()
) -> np.ndarray:
    """Draws the document on the corners (pixels). The curl's displacement vanishes at the corners,
    so that they stay exact. Returns the color factor used, for sheets of the same paper.
    """
    reach = float(np.linalg.norm(corners.max(0) - corners.min(0)))
    tone = (
        how.tone
        if how.tone is not None
        else (
            np.float32(dice.real(0.6, 1.05) * dice.rng.uniform(0.93, 1.05, 3))
            if dice.chance(0.5)
            else np.ones(3, np.float32)
        )
    )
    box = canvas.region(corners, reach * min(0.2, 0.01 + how.curl) + 8 * canvas.unit)
    if box is None:
        return tone
    left, top, right, bottom = box
    u, v = _page_coordinates(corners - (left, top), right - left, bottom - top)
    shade = None
    if how.curl > 0:
        u, v, shade = _curl(dice, u, v, how.curl)
    picture = _mip(document, corners)
    height, width = picture.shape[:2]
    drawn = cv2.remap(
        picture,
        u * width - 0.5,
        v * height - 0.5,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=(0, 0, 0, 0),
    )
    cover, color = drawn[..., 3].astype(np.float32) / 255, drawn[..., :3].astype(np.float32)
    if how.folded_corner and dice.chance(how.folded_corner):
        cover, color = _fold_corner(dice, document, u, v, cover, color)
    color *= tone if shade is None else tone * np.clip(shade, 0.5, 1.3)[..., None]
    if dice.chance(how.shadow):
        _cast(dice, canvas, box, cover)
    if dice.chance(0.15):
        rim = cv2.GaussianBlur(cover, (0, 0), max(0.5, 0.4 * canvas.unit))
        rim = np.clip(4 * rim * (1 - rim), 0, 1)[..., None] * np.float32(dice.real(0.1, 0.6))
        color = color * (1 - rim) + rim * np.float32(dice.real(0, 255))
    part = canvas.pixels[top:bottom, left:right]
    part[:] = np.clip(part * (1 - cover[..., None]) + color * cover[..., None], 0, 255).astype(
        np.uint8
    )
    return tone


def _page_coordinates(
    corners: np.ndarray, width: int, height: int
) -> tuple[np.ndarray, np.ndarray]:
    """The place on the sheet (0 to 1 across and down) for each pixel of a region; far outside for
    pixels behind the horizon.
    """
    m = cv2.getPerspectiveTransform(corners.astype(np.float32), UNIT_SQUARE)
    x, y = (
        np.arange(width, dtype=np.float32)[None] + 0.5,
        np.arange(height, dtype=np.float32)[:, None] + 0.5,
    )
    depth = m[2, 0] * x + m[2, 1] * y + m[2, 2]
    middle = corners.mean(0)
    behind = depth * (m[2, 0] * middle[0] + m[2, 1] * middle[1] + m[2, 2]) <= 1e-5
    depth[np.abs(depth) < 1e-6] = 1e-6
    u, v = ((m[r, 0] * x + m[r, 1] * y + m[r, 2]) / depth for r in (0, 1))
    u[behind] = v[behind] = -9
    return u.astype(np.float32), v.astype(np.float32)


def _curl(
    dice: Dice, u: np.ndarray, v: np.ndarray, amount: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Bends the sheet: coordinates displaced by bows that vanish at all four corners, and the shade
    of the bend.
    """
    near_u, near_v = np.clip(u, -0.2, 1.2), np.clip(v, -0.2, 1.2)
    bow_u, bow_v = np.sin(np.pi * near_u), np.sin(np.pi * near_v)
    a = dice.rng.normal(0, amount, 6).astype(np.float32)
    if dice.chance(0.5):
        a[[0, 1, 4] if dice.chance(0.5) else [2, 3, 5]] *= 0.15
    across = (
        bow_v * (a[0] + (2 * near_u - 1) * a[1] * 0.5) + np.sin(2 * np.pi * near_v) * a[4] * 0.35
    )
    down = bow_u * (a[2] + (2 * near_v - 1) * a[3] * 0.5) + np.sin(2 * np.pi * near_u) * a[5] * 0.35
    depth = min(0.25, 0.08 + amount * 2)
    shade = (
        1
        + np.cos(np.pi * near_u) * np.float32(dice.normal(0, depth))
        + np.cos(np.pi * near_v) * np.float32(dice.normal(0, depth))
        + bow_u * np.float32(dice.normal(0, 0.08))
    )
    return u + across, v + down, shade


def _fold_corner(
    dice: Dice,
    document: Document,
    u: np.ndarray,
    v: np.ndarray,
    cover: np.ndarray,
    color: np.ndarray,
) -> tuple[np.ndarray, np.ndarray]:
    """Draws a dog-ear: the corner shows the sheet's back or is missing."""
    corner, size = UNIT_SQUARE[dice.whole(0, 3)], dice.real(0.04, 0.16)
    gone = np.abs(u - corner[0]) + np.abs(v - corner[1]) * document.ratio < size
    if dice.chance(0.4):
        color = np.where(gone[..., None], np.float32(dice.real(150, 240)), color)
        return cover, color
    return np.where(gone, 0, cover).astype(np.float32), color


def _mip(document: Document, corners: np.ndarray) -> np.ndarray:
    """The smallest picture of the document that still has all the pixels that the quad shows."""
    sides = np.linalg.norm(np.roll(corners, -1, 0) - corners, axis=1)
    across, down = max(sides[0], sides[2]), max(sides[1], sides[3])
    chosen = document.mips[0]
    for picture in document.mips[1:]:
        if picture.shape[1] > across * 0.8 and picture.shape[0] > down * 0.8:
            chosen = picture
    return chosen


def _cast(dice: Dice, canvas: Canvas, box: tuple[int, int, int, int], cover: np.ndarray) -> None:
    """A sheet's soft shadow."""
    blur = dice.real(0.3, 3.5) * canvas.unit
    shift = (dice.rng.normal(0, 0.4, 2) + canvas.light) * dice.real(0, 0.8) * (canvas.unit + blur)
    mask = cv2.GaussianBlur((cover * 255).astype(np.uint8), (0, 0), max(0.3, blur))
    mask = cv2.warpAffine(
        mask, np.float32([[1, 0, shift[0]], [0, 1, shift[1]]]), (mask.shape[1], mask.shape[0])
    )
    canvas.darken(box, mask, dice.real(0.1, 0.65))


def warped(canvas: Canvas, picture: np.ndarray, corners: np.ndarray) -> None:
    """Draws a plain picture (uint8 RGB) on the corners, without shade or shadow."""
    height, width = picture.shape[:2]
    lay_ = cv2.getPerspectiveTransform(
        UNIT_SQUARE * np.float32([width, height]), corners.astype(np.float32)
    )
    size = (canvas.width, canvas.height)
    drawn = cv2.warpPerspective(picture, lay_, size, flags=cv2.INTER_AREA)
    cover = np.zeros((canvas.height, canvas.width), np.uint8)
    cv2.fillPoly(cover, [fixed(corners)], 255, cv2.LINE_AA, SUBPIXEL)
    share = cover[..., None].astype(np.float32) / 255
    canvas.pixels = (canvas.pixels * (1 - share) + drawn * share).astype(np.uint8)
