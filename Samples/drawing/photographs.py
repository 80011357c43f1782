"""Three photographs that never were, for the glass of a scanner."""

import numpy as np
from PIL import Image, ImageDraw, ImageFilter

from .spoil import place, smooth_noise, turned


def sky(size, low, high):
    """A picture that changes from the color `high` at the top to `low` at the bottom."""
    share = np.linspace(0, 1, size[1])[:, None, None]
    rows = np.array(high) * (1 - share) + np.array(low) * share
    return Image.fromarray(np.broadcast_to(rows, (size[1], size[0], 3)).astype(np.uint8))


def harbour(size):
    """The harbour in the evening: sun, water, two boats."""
    w, h = size
    image = sky(size, (236, 150, 90), (70, 90, 150))
    draw = ImageDraw.Draw(image)
    draw.ellipse([w * 0.62, h * 0.38, w * 0.74, h * 0.38 + w * 0.12], (255, 226, 150))
    draw.rectangle([0, h * 0.6, w, h], (44, 62, 92))
    for i in range(9):
        draw.line(
            [
                w * 0.6 + i * 3 - i * i,
                h * (0.63 + 0.04 * i),
                w * 0.76 - i * 2,
                h * (0.63 + 0.04 * i),
            ],
            (214, 150, 104),
            2,
        )
    for x, y, s in ((0.2, 0.66, 0.22), (0.5, 0.74, 0.14)):
        draw.polygon(
            [
                (w * x, h * y),
                (w * (x + s), h * y),
                (w * (x + s * 0.8), h * (y + 0.08)),
                (w * (x + s * 0.2), h * (y + 0.08)),
            ],
            (60, 34, 30),
        )
        draw.polygon(
            [
                (w * (x + s / 2), h * (y - 0.36)),
                (w * (x + s / 2), h * (y - 0.02)),
                (w * (x + s * 0.95), h * (y - 0.02)),
            ],
            (226, 214, 196),
        )
    return image


def meadow(size):
    """Hills, a house and a tree."""
    w, h = size
    image = sky(size, (206, 224, 236), (96, 150, 214))
    draw = ImageDraw.Draw(image)
    for base, height, colour in (
        (0.56, 0.16, (116, 140, 132)),
        (0.68, 0.12, (92, 140, 70)),
        (0.82, 0.08, (64, 116, 48)),
    ):
        x = np.arange(0, w + 8, 8)
        y = h * (base - height * np.sin(x / w * (3 + 5 * base) + 7 * base) ** 2)
        draw.polygon([(0, h), *zip(x.tolist(), y.tolist()), (w, h)], colour)
    draw.rectangle([w * 0.16, h * 0.56, w * 0.36, h * 0.72], (214, 196, 160))
    draw.polygon([(w * 0.13, h * 0.57), (w * 0.39, h * 0.57), (w * 0.26, h * 0.46)], (150, 60, 48))
    draw.rectangle([w * 0.7, h * 0.56, w * 0.73, h * 0.8], (84, 58, 40))
    draw.ellipse([w * 0.58, h * 0.3, w * 0.86, h * 0.64], (46, 92, 42))
    return image


def keeper(size):
    """The keeper of the light before her tower."""
    w, h = size
    image = sky(size, (180, 176, 166), (140, 150, 160))
    draw = ImageDraw.Draw(image)
    draw.polygon(
        [(w * 0.66, h), (w * 0.94, h), (w * 0.87, h * 0.2), (w * 0.73, h * 0.2)], (226, 220, 210)
    )
    draw.rectangle([w * 0.7, h * 0.1, w * 0.9, h * 0.2], (160, 52, 44))
    draw.polygon(
        [(w * 0.08, h), (w * 0.16, h * 0.58), (w * 0.46, h * 0.58), (w * 0.56, h)], (52, 66, 92)
    )
    draw.ellipse([w * 0.2, h * 0.26, w * 0.43, h * 0.58], (216, 176, 150))
    draw.pieslice([w * 0.18, h * 0.22, w * 0.45, h * 0.5], 180, 360, (74, 52, 38))
    return image


def glass(seed):
    """The three on the glass of a scanner at 100 dpi, each with a white border and slightly turned.
    """
    rng = np.random.Generator(np.random.PCG64(seed))
    size = (850, 1169)
    image = Image.new("RGB", size, (226, 227, 226))
    for draw, mm, degrees, shift in (
        (harbour, (150, 100), 3.2, (-70, -350)),
        (keeper, (90, 120), 1.4, (-190, 190)),
        (meadow, (95, 130), -4.5, (210, 190)),
    ):
        paper = tuple(round(v / 25.4 * 100) for v in mm)
        border = round(0.04 * min(paper))
        photograph = Image.new("RGB", tuple(4 * v for v in paper), (250, 249, 245))
        photograph.paste(
            draw(tuple(4 * (v - 2 * border) for v in paper)).filter(ImageFilter.GaussianBlur(3)),
            (4 * border, 4 * border),
        )
        shadow = Image.new("L", size, 0)
        ImageDraw.Draw(shadow).polygon(
            [(x + 3, y + 4) for x, y in turned(size, paper, degrees, shift)], 90
        )
        image.paste((90, 90, 92), (0, 0), shadow.filter(ImageFilter.GaussianBlur(3)))
        image, _ = place(photograph, size, turned(size, paper, degrees, shift), image)
    grain = smooth_noise(rng, size[::-1], 2)[..., None] * 1.2
    return Image.fromarray(
        np.clip(
            np.asarray(image.filter(ImageFilter.GaussianBlur(0.5)), np.float32) + grain, 0, 255
        ).astype(np.uint8)
    )
