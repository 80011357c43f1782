"""Cards: their picture as it was printed, with the sleeve about it."""

from dataclasses import dataclass

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

from ..pages import FONTS, WORDS, Sheet
from .artwork import artwork, color

# Pixels per millimeter of the pictures of cards.
SCALE = 8
# The radius of a card's corners, in millimeters.
RADIUS = 3
# How far a sleeve reaches beyond the card on each side, in millimeters.
SLEEVE = 1.5
BORDERS = {
    "black": (22, 20, 20),
    "white": (240, 242, 243),
    "silver": (178, 176, 172),
    "yellow": (60, 205, 240),
    "gold": (90, 165, 200),
    "blue": (120, 60, 25),
    "red": (40, 35, 150),
    "green": (60, 95, 40),
}


@dataclass
class Maker:
    """What the cards of one maker have in common."""

    width: float
    height: float
    # The border's color, BGR, and its width in millimeters: 0 for artwork to the edge.
    border: np.ndarray
    rim: float
    ground: np.ndarray
    font: str
    # The part of the height that the artwork ends at.
    art: float
    is_player: bool
    is_foil: bool


@dataclass
class Sleeve:
    """A sleeve; `color` is None for a clear one."""

    color: np.ndarray | None


def maker(random: np.random.Generator) -> Maker:
    """A maker of 63 × 88 mm cards, or of 59 × 86 mm."""
    width, height = [(63, 88), (59, 86)][random.choice(2, p=[0.8, 0.2])]
    name = random.choice(list(BORDERS), p=[0.27, 0.17, 0.13, 0.13, 0.09, 0.07, 0.07, 0.07])
    border = np.float32(BORDERS[name]) + random.uniform(-8, 8, 3)
    return Maker(
        width,
        height,
        border,
        0.0 if random.random() < 0.25 else float(random.uniform(1.8, 4)),
        color(random, 0.35, 0.7),
        str(FONTS[random.integers(3)]),
        float(random.uniform(0.5, 0.62)),
        bool(random.random() < 0.2),
        bool(random.random() < 0.25),
    )


def sleeve(random: np.random.Generator) -> Sleeve | None:
    """No sleeve, a clear one or a colored one."""
    kind = random.choice(["none", "clear", "colored"], p=[0.4, 0.35, 0.25])
    if kind == "none":
        return None
    if kind == "clear":
        return Sleeve(None)
    levels = [(25, 22, 20), (130, 55, 25), (35, 30, 140), (225, 225, 225), (60, 110, 40)]
    return Sleeve(np.float32(levels[random.integers(len(levels))]))


def words(random: np.random.Generator, number: int) -> str:
    return " ".join(str(random.choice(WORDS)) for _ in range(number))


def card(random: np.random.Generator, made_by: Maker, sleeved: Sleeve | None) -> Sheet:
    """A card with artwork, a name and words, in its sleeve."""
    size = (round(made_by.width * SCALE), round(made_by.height * SCALE))
    face = np.empty((size[1], size[0], 3), np.uint8)
    face[:] = np.clip(made_by.border, 0, 255)
    rim = round(made_by.rim * SCALE)
    name = words(random, 2).title()
    if made_by.rim == 0 or made_by.is_player:
        paste(face, artwork(random, (size[0] - 2 * rim, size[1] - 2 * rim)), (rim, rim))
        boxes = full_boxes(size, rim)
    else:
        inner = rim + round(1.2 * SCALE)
        cv2.rectangle(face, (rim, rim), (size[0] - rim, size[1] - rim), made_by.ground.tolist(), -1)
        top = inner + round(6.5 * SCALE)
        art = (size[0] - 2 * inner, round(made_by.art * size[1]) - top)
        paste(face, artwork(random, art), (inner, top))
        boxes = framed_boxes(size, inner, top + art[1])
    image = Image.fromarray(face[:, :, ::-1])
    write(random, image, boxes, (name, made_by))
    face = np.asarray(image)[:, :, ::-1].copy()
    if made_by.is_foil:
        face = foiled(random, face)
    gloss = random.uniform(0.1, 0.3) if not made_by.is_foil else random.uniform(0.3, 0.6)
    mask = rounded(size)
    if sleeved:
        face, mask = in_sleeve(random, face, mask, sleeved)
        gloss = random.uniform(0.5, 0.9)
    return Sheet(
        face,
        name,
        made_by.width,
        made_by.height,
        mask=mask,
        margin=SLEEVE if sleeved else 0,
        gloss=float(gloss),
    )


def paste(face: np.ndarray, picture: np.ndarray, place: tuple[int, int]) -> None:
    x, y = place
    face[y : y + picture.shape[0], x : x + picture.shape[1]] = picture


def full_boxes(size: tuple[int, int], rim: int) -> list[tuple[int, int, int, int]]:
    """The bar of the name on artwork that fills the card, and a box below."""
    width, height = size
    left, right = rim + 2 * SCALE, width - rim - 2 * SCALE
    foot = height - rim - 2 * SCALE
    return [
        (left, foot - 22 * SCALE, right, foot - 16 * SCALE),
        (left, foot - 15 * SCALE, right, foot),
    ]


def framed_boxes(
    size: tuple[int, int], inner: int, below: int
) -> list[tuple[int, int, int, int]]:
    """The bar of the name above the artwork, and the box of words below."""
    width, height = size
    return [
        (inner, inner, width - inner, inner + 6 * SCALE),
        (inner, below + SCALE, width - inner, height - inner),
    ]


def write(
    random: np.random.Generator,
    image: Image.Image,
    boxes: list[tuple[int, int, int, int]],
    named: tuple[str, Maker],
) -> None:
    """The name in the first box, and words in the second."""
    name, made_by = named
    draw = ImageDraw.Draw(image, "RGBA")
    is_light = random.random() < 0.6
    ink = (20, 20, 25) if is_light else (240, 240, 235)
    pale = (*(int(v) for v in random.integers(200, 250, 3)), 215)
    ground = pale if is_light else (15, 15, 25, 200)
    for box in boxes:
        draw.rounded_rectangle(box, 1.2 * SCALE, fill=ground, outline=ink, width=2)
    left, top, right, bottom = boxes[0]
    title = ImageFont.truetype(made_by.font, round((bottom - top) * 0.62))
    draw.text((left + SCALE, top + 0.1 * (bottom - top)), name, ink, font=title)
    for number in range(random.integers(0, 4)):
        x = right - (number + 1) * 4.2 * SCALE
        fill = tuple(int(v) for v in color(random)[::-1])
        draw.ellipse((x, top + SCALE, x + 3.6 * SCALE, top + 4.6 * SCALE), fill, ink)
    left, top, right, bottom = boxes[1]
    small = ImageFont.truetype(made_by.font, round(2.4 * SCALE))
    y = top + SCALE
    while y + small.size < bottom - SCALE and random.random() < 0.95:
        line = words(random, 5)
        while small.getlength(line) > right - left - 2 * SCALE:
            line = line.rsplit(" ", 1)[0]
        draw.text((left + SCALE, y), line, ink, font=small)
        y += small.size * 1.4


def foiled(random: np.random.Generator, face: np.ndarray) -> np.ndarray:
    """The rainbow of a foil card."""
    height, width = face.shape[:2]
    y, x = np.mgrid[:height, :width]
    way = random.uniform(0, np.pi)
    phase = (x * np.cos(way) + y * np.sin(way)) / (random.uniform(0.2, 0.7) * height)
    hues = np.stack([np.sin(2 * np.pi * (phase + k / 3)) for k in range(3)], 2)
    return np.clip(face + random.uniform(10, 40) * hues, 0, 255).astype(np.uint8)


def rounded(size: tuple[int, int]) -> np.ndarray:
    """255 on a card, 0 beyond its round corners."""
    image = Image.new("L", (4 * size[0], 4 * size[1]), 0)
    box = (0, 0, 4 * size[0] - 1, 4 * size[1] - 1)
    ImageDraw.Draw(image).rounded_rectangle(box, 4 * RADIUS * SCALE, fill=255)
    return np.asarray(image.resize(size, Image.Resampling.BOX)).copy()


def in_sleeve(
    random: np.random.Generator, face: np.ndarray, mask: np.ndarray, sleeved: Sleeve
) -> tuple[np.ndarray, np.ndarray]:
    """The card's picture and mask with the sleeve about it."""
    edge = round(SLEEVE * SCALE)
    sizes = (face.shape[0] + 2 * edge, face.shape[1] + 2 * edge)
    is_clear = sleeved.color is None
    tint = np.float32([225, 225, 225]) if is_clear else sleeved.color
    whole = np.empty((*sizes, 3), np.float32)
    whole[:] = tint
    within = np.zeros(sizes, np.float32)
    within[edge:-edge, edge:-edge] = mask / np.float32(255)
    card = np.zeros_like(whole)
    card[edge:-edge, edge:-edge] = face
    # The plastic lightens what is below it a little.
    card = card * 0.94 + 12
    whole += (card - whole) * within[..., None]
    clear = 0.3 if is_clear else 1
    for _ in range(random.integers(0, 4)):
        # Creases catch the light.
        ends = [tuple(int(v) for v in random.uniform(0, 1, 2) * sizes[::-1]) for _ in range(2)]
        crease = np.zeros(sizes, np.float32)
        cv2.line(crease, *ends, 1, 2, cv2.LINE_AA)
        whole += cv2.GaussianBlur(crease, (0, 0), 1.5)[..., None] * random.uniform(20, 60)
    full = np.maximum(within, clear)
    # The sleeve's own edge is a thin line.
    full[[0, 1, -1, -2]] = full[:, [0, 1, -1, -2]] = max(clear, 0.6)
    return np.clip(whole, 0, 255).astype(np.uint8), (255 * full).astype(np.uint8)
