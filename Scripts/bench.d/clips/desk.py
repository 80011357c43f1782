"""The desk: its texture and the things on it."""

import cv2
import numpy as np


def cloud(random: np.random.Generator, size: tuple[int, int], cells: tuple[int, int]) -> np.ndarray:
    """Smooth noise of -1…1, as large as `size` (width, height), with `cells` hills across and down.
    """
    coarse = random.uniform(-1, 1, (cells[1] + 2, cells[0] + 2)).astype(np.float32)
    return cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC)


def desk(random: np.random.Generator, size: tuple[int, int]) -> tuple[str, np.ndarray]:
    """A desk that fills a picture of `size`, BGR, and the desk's material."""
    width, height = size
    kind = str(random.choice(["wood", "plain", "laminate", "cloth", "stone", "dark"]))
    base = {
        "wood": (70, 110, 150),
        "plain": (120, 125, 130),
        "laminate": (150, 160, 165),
        "cloth": (95, 75, 60),
        "stone": (110, 112, 115),
        "dark": (38, 36, 35),
    }[kind]
    color = np.float32(base) * random.uniform(0.75, 1.15) + random.uniform(-8, 8, 3)
    picture = np.broadcast_to(color.astype(np.float32), (height, width, 3)).copy()
    if kind == "wood":
        grain = cloud(random, size, (6, 90)) * 0.6 + cloud(random, size, (3, 300)) * 0.4
        picture *= (1 + 0.22 * grain)[..., None]
        for edge in np.arange(random.uniform(0, 300), height, random.uniform(200, 400)):
            picture[int(edge) : int(edge) + 2] *= 0.6
    elif kind == "laminate":
        picture *= 1 + 0.1 * random.standard_normal((height, width, 1)).astype(np.float32)
    elif kind == "cloth":
        y, x = np.mgrid[:height, :width]
        weave = np.sin(x * 1.3) * np.sin(y * 1.1)
        picture *= (1 + 0.12 * weave + 0.05 * random.standard_normal((height, width)))[
            ..., None
        ].astype(np.float32)
    elif kind == "stone":
        veins = np.abs(cloud(random, size, (8, 5))) ** 0.4
        picture *= (0.75 + 0.35 * veins)[..., None]
    picture *= (1 + 0.06 * cloud(random, size, (3, 2)))[..., None]
    picture = np.clip(picture, 0, 255).astype(np.uint8)
    for _ in range(random.integers(0, 4)):
        clutter(random, picture)
    return kind, picture


def clutter(random: np.random.Generator, picture: np.ndarray) -> None:
    """Puts a pen, a cup or a note near the picture's edge."""
    height, width = picture.shape[:2]
    side = random.choice([0.04, 0.96])
    place = np.array([side * width, random.uniform(0.1, 0.9) * height])
    color = tuple(int(level) for level in random.integers(20, 230, 3))
    kind = random.choice(["pen", "cup", "note"])
    if kind == "pen":
        along = random.uniform(-0.3, 0.3, 2) * height
        ends = [tuple(int(value) for value in place + sign * along / 2) for sign in (-1, 1)]
        cv2.line(picture, *ends, color, int(height * 0.014), cv2.LINE_AA)
    elif kind == "cup":
        center = tuple(int(value) for value in place)
        cv2.circle(picture, center, int(height * 0.09), color, -1, cv2.LINE_AA)
        cv2.circle(
            picture,
            center,
            int(height * 0.075),
            tuple(level // 2 for level in color),
            -1,
            cv2.LINE_AA,
        )
    else:
        box = cv2.boxPoints((tuple(place), (height * 0.12, height * 0.12), random.uniform(0, 90)))
        cv2.fillConvexPoly(picture, box.astype(np.int32), (90, 225, 240), cv2.LINE_AA)
