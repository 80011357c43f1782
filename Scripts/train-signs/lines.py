"""Lines of characters, drawn clean once and distorted differently every time they are used."""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

#: The classes of the network: the characters of numbers, any other mark, and gaps between marks.
SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ"
OTHER, BETWEEN = len(SIGNS), len(SIGNS) + 1
CLASSES = len(SIGNS) + 2
# The picture that the network sees, and the height of a capital in it, in pixels. One column of
# answers covers two columns of the picture.
HEIGHT, CAPITAL, STEP = 24, 16, 2
#: A column without loss: it is neither clearly a character nor clearly a gap.
UNSURE = -1
#: The height of a capital in the clean drawing in pixels, and the room above and below it.
DRAWN, ROOM = 48, 24


@dataclass
class Line:
    #: The ink, 0 to 255.
    ink: np.ndarray
    #: The center, width and class of each mark, in pixels of the drawing.
    marks: list[tuple[float, float, int]]


def text(dice: random.Random) -> str:
    """The text of a label: mostly a number, sometimes after a word."""

    def some(letters: str, least: int, most: int) -> str:
        return "".join(dice.choice(letters) for _ in range(dice.randint(least, most)))

    kind = dice.random()
    if kind < 0.62:
        number = some(SIGNS, 8, 14)
    elif kind < 0.74:
        number = some("0123456789", 8, 15)
    elif kind < 0.84:
        number = ":".join(some("0123456789ABCDEF", 2, 2) for _ in range(6))
    elif kind < 0.92:
        number = dice.choice([" ", "-"]).join(some("0123456789", 1, 6) for _ in range(4))
    else:
        number = some(SIGNS + "abcdefghijklmnopqrstuvwxyz:/-.#()", 8, 14)
    if dice.random() < 0.3:
        word = some("abcdefghijklmnopqrstuvwxyz", 2, 4) + dice.choice(["", ":", "."])
        number = dice.choice([f"{word} {number}", f"{number} {word}"])
    return number


def draw(face: Path, dice: random.Random) -> Line:
    size = 100
    font = ImageFont.truetype(str(face), size)
    top, bottom = font.getbbox("H", anchor="ls")[1], 0
    font = ImageFont.truetype(str(face), max(8, round(size * DRAWN / (bottom - top))))
    spacing = dice.choice([0, 0, 0, dice.uniform(-1.5, 6)])
    written = text(dice)
    x = dice.uniform(8, 70)
    marks = []
    for index, letter in enumerate(written):
        left, _, right, _ = font.getbbox(letter, anchor="ls")
        if letter != " ":
            marks.append(
                (
                    x + (left + right) / 2,
                    right - left,
                    SIGNS.find(letter) if letter in SIGNS else OTHER,
                )
            )
        following = written[index : index + 2]
        # The advance includes the kerning of the pair.
        x += font.getlength(following) - font.getlength(following[1:]) + spacing
    ink = Image.new("L", (int(x) + dice.randint(20, 90), DRAWN + 2 * ROOM), 0)
    pen = ImageDraw.Draw(ink)
    # The text is drawn character by character, at the computed places.
    for letter, (center, _, _) in zip(written.replace(" ", ""), marks, strict=True):
        left, _, right, _ = font.getbbox(letter, anchor="ls")
        pen.text(
            (center - (left + right) / 2, ROOM + DRAWN), letter, font=font, fill=255, anchor="ls"
        )
    return Line(np.asarray(ink), marks)


def noise(
    rng: np.random.Generator, shape: tuple[int, int], across: float, down: float
) -> np.ndarray:
    grain = cv2.GaussianBlur(
        rng.standard_normal(shape).astype(np.float32),
        (0, 0),
        sigmaX=max(across, 0.05),
        sigmaY=max(down, 0.05),
    )
    return grain / max(float(grain.std()), 1e-6)


def levelled(dark: np.ndarray) -> np.ndarray:
    """The darkness of a line, 0 to 1, scaled so that its darkest parts are 1, as the program does
    before it runs the network.
    """
    return np.minimum(dark / max(float(np.percentile(dark, 95)), 0.15), 1)


def distorted(
    line: Line, width: int, dice: random.Random, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """The line after distortion by a camera and the cleaning of labels, HEIGHT × `width`, and the
    class of each column of answers.
    """
    scale = CAPITAL / DRAWN * dice.uniform(0.8, 1.2)
    stretch = scale * dice.uniform(0.84, 1.18)
    slant, lean = dice.gauss(0, 0.06), dice.gauss(0, 0.014)
    start = (
        dice.uniform(0, max(0.0, line.ink.shape[1] - width / stretch)) if dice.random() < 0.5 else 0
    )
    middle_x, middle_y = start + width / 2 / stretch, ROOM + DRAWN / 2
    turn = np.array([[stretch, -slant * scale], [lean * stretch, scale]], np.float64)
    shift = np.array([width / 2, HEIGHT / 2 + dice.uniform(-2.2, 2.2)]) - turn @ np.array(
        [middle_x, middle_y]
    )
    ink = cv2.GaussianBlur(line.ink, (0, 0), 0.4 / scale).astype(np.float32) / 255
    ink = cv2.warpAffine(
        ink, np.hstack([turn, shift[:, None]]), (width, HEIGHT), flags=cv2.INTER_LINEAR
    )
    if (blur := dice.uniform(-0.3, 1.15)) > 0.15:
        ink = cv2.GaussianBlur(ink, (0, 0), blur)
    shape = ink.shape
    strength = dice.choice([0, 1, 1]) * dice.uniform(0, 1)
    ink = ink * (
        1 - 0.6 * dice.random() * strength * np.clip(0.5 + 0.5 * noise(rng, shape, 40, 20), 0, 1)
    )
    ink = ink + dice.uniform(0, 0.17) * strength * noise(
        rng, shape, dice.uniform(2, 10), dice.uniform(0.3, 0.9)
    )
    ink = ink + dice.uniform(0, 0.15) * strength * noise(rng, shape, *[dice.uniform(0.2, 0.7)] * 2)
    ink = ink + dice.uniform(0, 0.12) * strength * noise(rng, shape, 12, 8)
    dark = np.clip(ink * dice.uniform(0.7, 1.5) - dice.uniform(-0.06, 0.3), 0, 1)
    classes = np.full(width // STEP, BETWEEN, np.int64)
    nearest = np.full(width // STEP, 1e9)
    columns = np.arange(width // STEP) * STEP + (STEP - 1) / 2
    for center, wide, sign in line.marks:
        x = turn[0, 0] * center + shift[0] + turn[0, 1] * middle_y
        wide *= stretch
        if x - wide / 2 < -0.5 or x + wide / 2 > width + 0.5:
            # The mark is cut off at the rim, so the rest may look like anything.
            classes[np.abs(columns - x) < wide / 2 + 1] = UNSURE
            continue
        away = np.abs(columns - x)
        classes[(away <= max(3.0, 0.36 * wide)) & (away < nearest)] = UNSURE
        core = (away <= max(1.5, 0.25 * wide)) & (away < nearest)
        classes[core] = sign
        nearest = np.minimum(nearest, away)
    return levelled(dark), classes
