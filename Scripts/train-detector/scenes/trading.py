"""Trading cards of all makers: framed, full art, backs; drawn upright, then laid on the long
side."""

from __future__ import annotations

import cv2
import numpy as np

from .color import RGB, fake_photo, gray, hsv, noise, paper, vivid
from .dice import Dice
from .holdout import Split
from .ink import Press

#: Length over width: 88 × 63 mm twice, 86 × 59 mm, and 89 × 64 mm.
SHAPES = (88 / 63, 88 / 63, 86 / 59, 89 / 64)


def artwork(dice: Dice, height: int, width: int) -> np.ndarray:
    """Something that looks like a painted scene: a sky, ridges before it, a figure, rays and sparks
    (uint8 RGB).
    """
    if dice.chance(0.3):
        return fake_photo(dice, height, width)
    top, bottom = (np.float32(vivid(dice, 0.15, 0.1)) for _ in range(2))
    down = np.linspace(0, 1, height, dtype=np.float32)[:, None, None]
    picture = np.repeat(top * (1 - down) + bottom * down, width, axis=1)
    picture *= 0.7 + 0.6 * noise(dice, height, width)[..., None]
    picture = np.ascontiguousarray(np.clip(picture, 0, 255).astype(np.uint8))
    if dice.chance(0.4):
        center = np.array([dice.real(0.2, 0.8) * width, dice.real(0.1, 0.6) * height])
        rays = picture.copy()
        for at in np.linspace(0, 2 * np.pi, dice.whole(6, 24), endpoint=False):
            reach = (
                np.array([[np.cos(at + w), np.sin(at + w)] for w in (0, dice.real(0.03, 0.15))])
                * 2
                * height
            )
            cv2.fillPoly(
                rays,
                [np.int32([center, center + reach[0], center + reach[1]])],
                vivid(dice, 0, 0.6),
            )
        picture = cv2.addWeighted(picture, 0.6, rays, 0.4, 0)
    x = np.arange(0, width + 8, 8)
    for level in sorted(dice.rng.uniform(0.35, 0.95, dice.whole(0, 3))):
        ridge = height * (level + dice.real(0.02, 0.1) * np.cumsum(dice.rng.normal(0, 0.5, len(x))))
        outline = np.concatenate([np.stack([x, ridge], 1), [[width, height], [0, height]]])
        cv2.fillPoly(picture, [np.int32(outline)], vivid(dice, 0.1, 0.05), cv2.LINE_AA)
    for _ in range(dice.whole(0, 2)):
        _figure(dice, picture)
    for _ in range(dice.whole(0, 30) if dice.chance(0.4) else 0):
        at = (dice.whole(0, width), dice.whole(0, height))
        cv2.circle(picture, at, dice.whole(1, 5), vivid(dice, 0, 0.7), -1, cv2.LINE_AA)
    return picture


def _figure(dice: Dice, picture: np.ndarray) -> None:
    """Draws a body of ovals with limbs, near the middle."""
    height, width = picture.shape[:2]
    color = vivid(dice, 0.1, 0.1)
    at = np.array([dice.real(0.25, 0.75) * width, dice.real(0.35, 0.7) * height])
    size = min(height, width) * dice.real(0.1, 0.28)
    for _ in range(dice.whole(2, 5)):
        end = at + dice.rng.normal(0, 1.6, 2) * size
        cv2.line(
            picture,
            at.astype(int).tolist(),
            end.astype(int).tolist(),
            color,
            max(2, int(size * 0.3)),
            cv2.LINE_AA,
        )
    axes = (int(size * dice.real(0.5, 0.9)), int(size * dice.real(0.8, 1.3)))
    cv2.ellipse(
        picture, at.astype(int).tolist(), axes, dice.real(-30, 30), 0, 360, color, -1, cv2.LINE_AA
    )
    head = at - np.array([dice.normal(0, 0.3), 1.3]) * size
    cv2.circle(
        picture, head.astype(int).tolist(), int(size * 0.5), vivid(dice, 0.1, 0.2), -1, cv2.LINE_AA
    )


def _border(dice: Dice) -> RGB:
    """The border's color: most often black, then white, silver, yellow, or any other."""
    return dice.weighted(
        [
            (gray(dice, 0, 45, 6), 5),
            (gray(dice, 225, 255, 6), 2),
            (gray(dice, 140, 210, 8), 2),
            (hsv(dice.real(0.12, 0.16), dice.real(0.6, 0.95), dice.real(0.75, 1)), 2),
            (vivid(dice, 0.2, 0.3), 3),
        ]
    )


def _laid(dice: Dice, press: Press) -> np.ndarray:
    """The finished card on its long side, sometimes with the sheen of foil."""
    card = press.pixels()
    if dice.chance(0.2):
        height, width = card.shape[:2]
        y, x = np.mgrid[:height, :width].astype(np.float32)
        way, period = dice.angle(), height * dice.real(0.15, 0.8)
        phase = (x * np.cos(way) + y * np.sin(way)) / period + 0.4 * noise(dice, height, width)
        hues = np.stack([np.sin(2 * np.pi * (phase + k / 3)) for k in range(3)], 2)
        card = np.clip(card + hues * np.float32(dice.real(10, 45)), 0, 255).astype(np.uint8)
    return np.ascontiguousarray(np.rot90(card))


def framed(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A border of one color around a frame with name, artwork and text."""
    across, down = height, width
    press = Press(dice, split, across, down, _border(dice))
    rim = across * dice.real(0.025, 0.075)
    foot = rim * (dice.real(1, 3) if dice.chance(0.5) else 1)
    right, bottom, radius = (
        across - rim,
        down - foot,
        across * (dice.real(0.01, 0.05) if dice.chance(0.6) else 0),
    )
    ground = dice.pick([paper(dice), vivid(dice, 0.15, 0.2), gray(dice, 90, 220, 10)])
    press.draw.rounded_rectangle((rim, rim, right, bottom), radius, fill=ground)
    if dice.chance(0.4):
        press.paste(artwork(dice, int(bottom - rim), int(right - rim)), rim, rim)
    inner = rim + across * dice.real(0.01, 0.05)
    bar, middle = down * dice.real(0.05, 0.09), down * dice.real(0.48, 0.62)
    if dice.chance(0.9):
        art = artwork(dice, int(middle - inner - bar * 1.2), int(across - 2 * inner))
        press.paste(art, inner, inner + bar * 1.2)
    for top in (inner, middle + bar * 0.2):
        fill = paper(dice) if dice.chance(0.6) else vivid(dice, 0.1, 0.2)
        press.draw.rounded_rectangle(
            (inner, top, across - inner, top + bar), bar * dice.real(0, 0.4), fill=fill
        )
        press.text(inner * 1.3, top + bar * 0.15, press.words(2)[:20], int(bar * 0.6), (20, 20, 20))
    if dice.chance(0.85):
        press.box(inner, middle + bar * 1.4, across - inner, bottom - inner * 0.6, fill=paper(dice))
        room = bottom - inner * 0.6 - middle - bar * 1.6
        press.block(
            inner * 1.4,
            middle + bar * 1.5,
            across - 2.8 * inner,
            room,
            dice.whole(11, 16),
            (20, 20, 20),
        )
    return _laid(dice, press)


def full_art(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """Artwork up to the edge, or nearly up to a thin border, with words on it."""
    across, down = height, width
    press = Press(dice, split, across, down, _border(dice))
    rim = across * (dice.real(0.005, 0.03) if dice.chance(0.5) else 0)
    press.paste(artwork(dice, int(down - 2 * rim), int(across - 2 * rim)), rim, rim)
    light = dice.pick([(245, 245, 245), (15, 15, 15)])
    press.text(across * 0.07, down * 0.04, press.words(2)[:18], int(down * 0.045), light)
    if dice.chance(0.7):
        top = down * dice.real(0.6, 0.8)
        if dice.chance(0.5):
            press.box(across * 0.05, top, across * 0.95, down * 0.94, fill=paper(dice))
        press.block(
            across * 0.08, top + 6, across * 0.84, down * 0.92 - top, dice.whole(11, 16), light
        )
    return _laid(dice, press)


def back(dice: Dice, split: Split, width: int, height: int) -> np.ndarray:
    """A back: one pattern for all cards, an oval or a ball in the middle."""
    across, down = height, width
    press = Press(dice, split, across, down, _border(dice))
    rim = across * (dice.real(0.03, 0.07) if dice.chance(0.75) else 0)
    one, other = (np.float32(vivid(dice, 0.3, 0.15)) for _ in range(2))
    wash = noise(dice, int(down - 2 * rim), int(across - 2 * rim), ((3, 1.0), (8, 0.7), (20, 0.4)))[
        ..., None
    ]
    press.paste(np.clip(one * wash + other * (1 - wash), 0, 255).astype(np.uint8), rim, rim)
    x, y = across * dice.real(0.2, 0.38), down * dice.real(0.2, 0.4)
    oval = (across / 2 - x, down / 2 - y, across / 2 + x, down / 2 + y)
    press.draw.ellipse(
        oval, fill=vivid(dice, 0.2, 0.1), outline=vivid(dice, 0.2, 0.5), width=dice.whole(3, 14)
    )
    press.text(
        across * 0.2,
        down * dice.real(0.1, 0.8),
        press.words(1)[:9].upper(),
        int(down * 0.07),
        vivid(dice, 0, 0.8),
    )
    return _laid(dice, press)
