"""Artwork for the faces of cards: painted scenes of several kinds, drawn from noise and shapes."""

import cv2
import numpy as np

from ..desk import cloud


def artwork(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A scene filling a picture of `size` (width, height), BGR."""
    scene = random.choice([landscape, space, creature, portrait, town, waves])
    picture = scene(random, size)
    # Brush strokes and a vignette, as in a painting or a photograph.
    strokes = 0.08 * cloud(random, size, (40, 56)) + 0.05 * cloud(random, size, (90, 30))
    width, height = size
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    vignette = 1 - random.uniform(0, 0.35) * np.clip(x * x + y * y - 0.4, 0, 1)
    return np.clip(picture * ((1 + strokes) * vignette)[..., None], 0, 255).astype(np.uint8)


def color(random: np.random.Generator, strength: float = 0.6, light: float = 0.7) -> np.ndarray:
    """A color of any hue (BGR) of about this saturation and brightness, 0…1."""
    hsv = [
        random.uniform(0, 180),
        255 * np.clip(random.normal(strength, 0.15), 0, 1),
        255 * np.clip(random.normal(light, 0.15), 0.05, 1),
    ]
    return cv2.cvtColor(np.uint8([[hsv]]), cv2.COLOR_HSV2BGR)[0, 0].astype(np.float32)


def blended(random: np.random.Generator, share: np.ndarray, number: int = 3) -> np.ndarray:
    """A picture that goes through `number` colors as `share` goes from 0 to 1."""
    colors = np.array([color(random) for _ in range(number)])
    places = np.linspace(0, 1, number)
    bands = [np.interp(share, places, colors[:, band]) for band in range(3)]
    return np.stack(bands, 2).astype(np.float32)


def sky(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A sky with clouds, and a sun or moon with its glow."""
    width, height = size
    down = np.linspace(0, 1, height)[:, None] + 0.12 * cloud(random, size, (5, 9))
    picture = blended(random, np.clip(down, 0, 1))
    y, x = np.mgrid[:height, :width]
    way = np.hypot(x - random.uniform(0.1, 0.9) * width, y - random.uniform(0.1, 0.5) * height)
    glow = np.exp(-((way / (0.35 * width)) ** 2)) * random.uniform(0, 0.8)
    disk = np.clip(random.uniform(0.04, 0.12) * width - way + 1, 0, 1) * random.integers(0, 2)
    light = np.float32([random.uniform(160, 255), 235, 255])
    share = np.maximum(glow * 0.6, disk)[..., None].astype(np.float32)
    return picture * (1 - share) + light * share


def fill(picture: np.ndarray, outline, level: np.ndarray) -> None:
    """Fills an outline (n × 2) in one color."""
    points = np.round(np.asarray(outline)).astype(np.int32)
    cv2.fillPoly(picture, [points], tuple(map(float, level)), cv2.LINE_AA)


def landscape(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Ridges, one behind the other, with trees on the nearest."""
    width, height = size
    picture = np.ascontiguousarray(sky(random, size))
    base = color(random, 0.5, 0.6)
    x = np.linspace(0, width, 80)
    levels = np.sort(random.uniform(0.4, 0.9, random.integers(2, 5))) * height
    for index, level in enumerate(levels):
        rough = np.cumsum(random.normal(0, 0.012, 80)) * height
        ridge = level + rough - rough.mean()
        shade = base * (0.9 - 0.6 * (index + 1) / len(levels)) + random.uniform(0, 20, 3)
        fill(picture, np.r_[np.c_[x, ridge], [[width, height], [0, height]]], shade)
    for _ in range(random.integers(0, 14)):
        at = random.integers(80)
        tall = random.uniform(0.05, 0.16) * height
        foot = ridge[at] + random.uniform(0, 0.06) * height
        tree = [[x[at] - tall / 4, foot], [x[at] + tall / 4, foot], [x[at], foot - tall]]
        fill(picture, tree, shade * random.uniform(0.5, 0.9))
    return picture


def space(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A nebula with stars and planets."""
    width, height = size
    mist = cloud(random, size, (4, 6)) + 0.5 * cloud(random, size, (9, 13))
    y, x = np.mgrid[:height, :width].astype(np.float32)
    warp = 0.12 * width
    bent = cv2.remap(
        mist.astype(np.float32),
        x + warp * cloud(random, size, (3, 4)),
        y + warp * cloud(random, size, (3, 4)),
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REFLECT,
    )
    picture = blended(random, np.clip(bent * 0.5 + 0.5, 0, 1), 4) * random.uniform(0.4, 0.9)
    for _ in range(random.integers(20, 160)):
        at = (int(random.uniform(0, width)), int(random.uniform(0, height)))
        cv2.circle(picture, at, int(random.integers(1, 4)), (255, 250, 240), -1, cv2.LINE_AA)
    for _ in range(random.integers(0, 3)):
        center = random.uniform(0.15, 0.85, 2) * size
        ball(picture, center, random.uniform(0.08, 0.28) * width, color(random))
    return picture


def ball(picture: np.ndarray, center: np.ndarray, radius: float, level: np.ndarray) -> None:
    """A ball, lit from the upper left."""
    y, x = np.mgrid[: picture.shape[0], : picture.shape[1]].astype(np.float32)
    x, y = (x - center[0]) / radius, (y - center[1]) / radius
    within = np.clip((1 - np.hypot(x, y)) * radius, 0, 1)[..., None]
    shade = np.clip(1.1 - 0.8 * np.hypot(x + 0.4, y + 0.4), 0.15, 1.2)[..., None]
    picture[:] = picture * (1 - within) + level * shade * within


def creature(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A symmetric body with limbs and eyes before rays of light."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    center = np.array([random.uniform(0.4, 0.6) * width, random.uniform(0.45, 0.6) * height])
    turn = np.arctan2(y - center[1], x - center[0])
    rays = 0.5 + 0.5 * np.sin(turn * random.integers(4, 17) + random.uniform(0, 6))
    away = np.hypot(x - center[0], y - center[1]) / height
    picture = blended(random, np.clip(away + 0.25 * rays, 0, 1))
    mask = np.zeros((height, width), np.float32)
    half = np.linspace(0, np.pi, 40)
    reach = 0.22 * width * (1 + 0.35 * np.sin(half * random.integers(2, 6)))
    reach *= 1 + 0.25 * np.sin(half * random.integers(5, 12) + random.uniform(0, 6))
    right = np.c_[np.sin(half) * reach, -np.cos(half) * reach * 1.2]
    fill(mask, center + np.r_[right, right[::-1] * [-1, 1]], [1])
    for _ in range(random.integers(1, 4)):
        limb = random.uniform([0.1, -0.3], [0.42, 0.35]) * size
        for side in (-1, 1):
            end = center + limb * [side, 1]
            ends = [tuple(map(int, point)) for point in (center, end)]
            cv2.line(mask, *ends, 1, int(random.uniform(0.03, 0.08) * width), cv2.LINE_AA)
    depth = cv2.distanceTransform((mask > 0.5).astype(np.uint8), cv2.DIST_L2, 3)
    shade = np.clip(depth / (0.1 * width), 0.25, 1)[..., None]
    scales = 1 + 0.25 * cloud(random, size, (30, 40))[..., None]
    picture = picture * (1 - mask[..., None]) + color(random) * shade * scales * mask[..., None]
    eye = random.uniform(0.04, 0.1) * width
    for side in (-1, 1):
        at = center + [side * eye * 1.4, -0.1 * width]
        ball(picture, at, eye * 0.7, np.float32([230, 240, 250]))
        ball(picture, at + 0.1 * eye, eye * 0.3, np.float32([20, 20, 30]))
    return picture


def portrait(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """A player: head and shoulders before a blurred crowd."""
    width, height = size
    picture = blended(random, cloud(random, size, (14, 10)) * 0.5 + 0.5, 4) * 0.8
    picture = cv2.GaussianBlur(picture, (0, 0), width / 60)
    middle = random.uniform(0.42, 0.58) * width
    top = random.uniform(0.2, 0.32) * height
    shirt, skin = color(random), np.float32([90, 130, 190]) * random.uniform(0.4, 1.2)
    body = [[0.5, 1], [0.4, 0.56], [0.12, 0.46], [-0.12, 0.46], [-0.4, 0.56], [-0.5, 1]]
    fill(picture, [(middle + x * width, top + y * height) for x, y in body], shirt)
    for _ in range(random.integers(0, 4)):
        x = middle + random.uniform(-0.3, 0.3) * width
        ends = [(int(x), int(top + 0.55 * height)), (int(x), height)]
        cv2.line(picture, *ends, tuple(map(float, shirt * 0.4)), int(0.03 * width), cv2.LINE_AA)
    ball(picture, np.array([middle, top + 0.42 * height]), 0.1 * width, skin * 0.8)
    ball(picture, np.array([middle, top + 0.25 * height]), 0.19 * width, skin)
    arc = np.linspace(0, np.pi, 20)
    cap = np.c_[middle + 0.22 * width * np.cos(arc), top + (0.2 - 0.14 * np.sin(arc)) * height]
    fill(picture, cap, color(random))
    return picture


def town(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Towers with lit windows."""
    width, height = size
    picture = np.ascontiguousarray(sky(random, size))
    base = color(random, 0.4, 0.4)
    for layer in (0.35, 0.6, 1):
        x = -random.uniform(0, 0.1) * width
        while x < width:
            wide, top = random.uniform(0.07, 0.2) * width, random.uniform(0.25, 0.8) * height
            shade = base * layer + 10
            fill(picture, [[x, top], [x + wide, top], [x + wide, height], [x, height]], shade)
            pane = 0.018 * width
            for row in np.arange(top + 2 * pane, height, 3 * pane):
                for column in np.arange(x + pane, x + wide - 1.5 * pane, 2.5 * pane):
                    if random.random() < 0.3:
                        ends = [(int(column + k * pane), int(row + k * pane)) for k in (0, 1)]
                        cv2.rectangle(picture, *ends, (120, 210, 250), -1)
            x += wide * random.uniform(0.8, 1.6)
    return picture


def waves(random: np.random.Generator, size: tuple[int, int]) -> np.ndarray:
    """Interfering waves, as in a magic circle or on water."""
    width, height = size
    y, x = np.mgrid[:height, :width]
    total = np.zeros((height, width))
    for _ in range(random.integers(2, 5)):
        center = random.uniform(-0.1, 1.1, 2) * size
        total += np.sin(
            np.hypot(x - center[0], y - center[1]) / (random.uniform(0.02, 0.1) * width)
        )
    share = 0.5 + 0.25 * total + 0.3 * cloud(random, size, (4, 5))
    return blended(random, np.clip(share, 0, 1), 4)
