"""Tables that people lay cards on: desks, felt, and mats with a picture."""

import cv2
import numpy as np

from ..desk import cloud, desk
from .artwork import artwork


def table(random: np.random.Generator, size: tuple[int, int]) -> tuple[str, np.ndarray]:
    """A table filling a picture of `size`, BGR, and what it is made of."""
    kind = random.choice(["desk", "felt", "mat"], p=[0.5, 0.15, 0.35])
    if kind == "desk":
        return desk(random, size)
    if kind == "felt":
        return "felt", felt(random, size)
    _, ground = desk(random, size)
    return "mat", mat(random, ground)


def felt(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Green, blue or red felt."""
    width, height = size
    levels = [(60, 90, 30), (110, 60, 25), (40, 35, 110)]
    base = np.float32(levels[random.integers(len(levels))]) * random.uniform(0.8, 1.3)
    fibers = 0.08 * random.standard_normal((height, width)) + 0.08 * cloud(random, size, (5, 4))
    return np.clip(base * (1 + fibers)[..., None], 0, 255).astype(np.uint8)


def mat(random: np.random.Generator, ground: np.ndarray) -> np.ndarray:
    """A mat with artwork, dark or pale, and sometimes with places for cards."""
    height, width = ground.shape[:2]
    margin = random.uniform(-0.1, 0.08) * height
    low = np.array([margin, margin]).astype(int)
    art = artwork(random, (width - 2 * low[0], height - 2 * low[1])).astype(np.float32)
    art = cv2.GaussianBlur(art, (0, 0), height / 400)
    strength, level = random.uniform(0.4, 0.8), random.uniform(30, 150)
    art = art * strength + level * (1 - strength)
    if random.random() < 0.5:
        places(random, art)
    picture = ground.copy()
    first, last = np.maximum(low, 0), np.minimum(low + art.shape[1::-1], [width, height])
    shown = art[first[1] - low[1] : last[1] - low[1], first[0] - low[0] : last[0] - low[0]]
    picture[first[1] : last[1], first[0] : last[0]] = np.clip(shown, 0, 255)
    return picture


def places(random: np.random.Generator, art: np.ndarray) -> None:
    """Thin frames of a card's shape, as some mats have them."""
    height, width = art.shape[:2]
    tall = random.uniform(0.3, 0.5) * height
    level = tuple(map(float, random.uniform(90, 230, 3)))
    left, top = random.uniform(0, tall, 2)
    for x in np.arange(left, width - tall * 0.7, tall * 0.85):
        for y in np.arange(top, height - tall, tall * 1.15):
            ends = [(int(x), int(y)), (int(x + tall * 63 / 88), int(y + tall))]
            cv2.rectangle(art, *ends, level, 2, cv2.LINE_AA)
