"""Trading cards of 63 × 88 mm with rounded corners, one in a priced sleeve."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter, ImageFont

from .photographs import harbour, keeper, meadow
from .sheet import SANS, SANS_BOLD, SERIF_BOLD
from .spoil import place, smooth_noise, turned

DPI = 200
CARDS = (
    (
        "Harbour Pilot",
        "Brings one ship safely past the bar. If the lantern is lit, two.",
        harbour,
        (40, 74, 122),
        "$4.50",
    ),
    (
        "Keeper of the Light",
        "No fog while she is awake. She is always awake.",
        keeper,
        (124, 52, 44),
        "$12.00",
    ),
    ("The Old Ropewalk", "Forty fathoms of rope each turn, tarred.", meadow, (52, 94, 52), ""),
)


def card(name, text, picture, frame, price):
    """One card at 400 dpi, and its outline as a mask."""
    mm = lambda value: round(value / 25.4 * 2 * DPI)
    size = mm(63), mm(88)
    image = Image.new("RGB", size, frame)
    draw = ImageDraw.Draw(image)
    font = lambda path, points: ImageFont.truetype(path, round(points / 72 * 2 * DPI))
    draw.rectangle([mm(3), mm(3), size[0] - mm(3), mm(14)], (244, 238, 222))
    draw.text((mm(6), mm(8.5)), name, (20, 20, 20), font(SERIF_BOLD, 12), anchor="lm")
    image.paste(picture((size[0] - mm(10), mm(40))), (mm(5), mm(16)))
    draw.rectangle([mm(5), mm(58), size[0] - mm(5), mm(84)], (244, 238, 222))
    line, y = "", mm(63)
    for word in text.split() + [None]:
        longer = f"{line} {word}".strip()
        if word is None or font(SANS, 8).getlength(longer) > mm(49):
            draw.text((mm(7), y), line, (30, 30, 30), font(SANS, 8), anchor="lm")
            y, line = y + mm(4.2), word
        else:
            line = longer
    if price:
        # A sticker on the sleeve.
        draw.rectangle([mm(34), mm(74), mm(56), mm(83)], (255, 255, 255))
        draw.text((mm(45), mm(78.5)), price, (10, 10, 10), font(SANS_BOLD, 11), anchor="mm")
    outline = Image.new("L", size, 0)
    ImageDraw.Draw(outline).rounded_rectangle([0, 0, size[0] - 1, size[1] - 1], mm(3), 255)
    return image, outline


def cards(seed):
    """The three on a part of a scanner's glass, 216 × 110 mm."""
    rng = np.random.Generator(np.random.PCG64(seed))
    size = (round(216 / 25.4 * DPI), round(110 / 25.4 * DPI))
    image = Image.new("RGB", size, (222, 223, 224))
    paper = (63 / 25.4 * DPI, 88 / 25.4 * DPI)
    for number, (one, degrees) in enumerate(zip(CARDS, (1.6, -2.4, 0.8))):
        picture, outline = card(*one)
        corners = turned(size, paper, degrees, ((number - 1) * 545, (14, -10, 6)[number]))
        drawn, _ = place(picture, size, corners, image)
        rounded, _ = place(outline, size, corners, Image.new("L", size, 0))
        image.paste(drawn, (0, 0), rounded)
    noisy = (
        np.asarray(image.filter(ImageFilter.GaussianBlur(0.6)), np.float32)
        + smooth_noise(rng, size[::-1], 2)[..., None] * 1.5
    )
    return Image.fromarray(np.clip(noisy, 0, 255).astype(np.uint8))
