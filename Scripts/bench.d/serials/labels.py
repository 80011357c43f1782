"""Generated photographs of serial numbers: etched in metal, on screens, on stickers; with glare,
blur, tilt and grain.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from PIL import Image, ImageDraw, ImageFont

FONTS = Path("/usr/share/fonts")
SANS = [
    "opentype/urw-base35/NimbusSans-Regular.otf",
    "truetype/dejavu/DejaVuSans.ttf",
    "opentype/urw-base35/NimbusSansNarrow-Regular.otf",
    "truetype/dejavu/DejaVuSansCondensed.ttf",
    "opentype/urw-base35/NimbusSans-Bold.otf",
]
PRINT = SANS + [
    "truetype/dejavu/DejaVuSansMono.ttf",
    "truetype/dejavu/DejaVuSansMono-Bold.ttf",
    "opentype/urw-base35/NimbusMonoPS-Bold.otf",
]
#: Each device with its surface, the shape of its label, and the kinds of number it has.
DEVICES = {
    "macbook": ("etched", 8, ["apple12", "apple10"]),
    "imac": ("etched", 8, ["apple12", "apple10"]),
    "mac-mini": ("etched", 8, ["apple12", "apple10"]),
    "iphone": ("screen", 5, ["imei", "apple12", "apple10", "mac"]),
    "ipad": ("screen", 5, ["apple12", "apple10", "imei", "mac"]),
    "watch": ("sticker", 4, ["apple12", "apple10"]),
    "accessory": ("sticker", 4, ["ean", "imei", "mac", "apple12", "isbn"]),
}
YEARS, WEEKS = "CDFGHJKLMNPQRSTVWXYZ", "123456789CDFGHJKLMNPQRTVWX"
LETTERS = "ABCDEFGHJKLMNPQRSTUVWXYZ0123456789"


@dataclass
class Label:
    device: str
    kind: str
    text: str
    surface: str


def luhn(digits: str) -> str:
    total = 0
    for index, digit in enumerate(reversed(digits)):
        value = int(digit) * (2 if index % 2 == 0 else 1)
        total += value - 9 if value > 9 else value
    return str(-total % 10)


def gtin(digits: str) -> str:
    return str(
        -sum(
            int(digit) * (3 if index % 2 == 0 else 1)
            for index, digit in enumerate(reversed(digits))
        )
        % 10
    )


def number(kind: str, dice: random.Random) -> tuple[str, str]:
    """The text to be read, and the style in which it is printed."""

    def digits(count: int) -> str:
        return "".join(dice.choice("0123456789") for _ in range(count))

    def letters(count: int) -> str:
        return "".join(dice.choice(LETTERS) for _ in range(count))

    if kind == "imei":
        start = "35" + digits(12)
        text = start + luhn(start)
        return text, dice.choice([text, f"{text[:2]} {text[2:8]} {text[8:14]} {text[14]}"])
    if kind == "mac":
        text = ":".join(
            "".join(dice.choice("0123456789ABCDEF") for _ in range(2)) for _ in range(6)
        )
        return text, text
    if kind == "ean":
        start = digits(12)
        text = start + gtin(start)
        return text, dice.choice([text, f"{text[0]} {text[1:7]} {text[7:]}"])
    if kind == "isbn":
        start = "978" + digits(9)
        text = start + gtin(start)
        return text, f"{text[:3]}-{text[3]}-{text[4:8]}-{text[8:12]}-{text[12]}"
    if kind == "apple12":
        text = "".join(
            [dice.choice("CDFGHY"), letters(2), dice.choice(YEARS), dice.choice(WEEKS), letters(7)]
        )
        return text, text
    return (text := letters(10)), text


def caption(kind: str, dice: random.Random) -> str:
    return dice.choice(
        {
            "imei": ["IMEI", "IMEI:"],
            "mac": ["Wi-Fi Address", "MAC:", "Bluetooth"],
            "ean": ["EAN", ""],
            "isbn": ["ISBN", "ISBN:"],
        }.get(kind, ["Serial No.", "Serial Number", "Serial:", "(S) Serial No.", "S/N:"])
    )


def drawn(device: str, kind: str, dice: random.Random) -> tuple[np.ndarray, str]:
    """Draws lettering: returns its share of each pixel, 0 to 1, and the text that should be
    read."""
    _, ratio, _ = DEVICES[device]
    width = 1400
    height = round(width / ratio)
    sheet = Image.new("L", (width, height), 0)
    draw = ImageDraw.Draw(sheet)
    text, printed = number(kind, dice)
    face = str(FONTS / dice.choice(PRINT if DEVICES[device][0] == "sticker" else SANS))
    words = caption(kind, dice)
    lines: list[str] = []
    if ratio == 8:
        lines = [f"{words} {printed}"]
        if dice.random() < 0.6:
            lines.insert(
                0,
                dice.choice(
                    [
                        f"Model A{dice.randint(1200, 2999)}  EMC {dice.randint(2000, 3999)}",
                        "Designed in California  Assembled in China",
                        "Rated 20.3V 3A Max.",
                    ]
                ),
            )
    elif ratio == 5:
        lines = [f"{words}  {printed}" if dice.random() < 0.5 else words, printed]
        if lines[0] != words:
            lines.pop()
        lines = dice.choice([[], ["Model Name  Phone 12"], ["Capacity  128 GB"]]) + lines
    else:
        lines = dice.choice(
            [
                [],
                ["Wireless Charger 15W"],
                ["MADE IN VIETNAM"],
                [f"Model: A{dice.randint(1200, 2999)}"],
            ]
        ) + ([words, printed] if dice.random() < 0.5 else [f"{words} {printed}"])
    room = height / (len(lines) + 0.6)
    size = round(room * 0.72)
    while max(ImageFont.truetype(face, size).getlength(line) for line in lines) > width * 0.94:
        size -= 1
    size = round(size * dice.uniform(0.8, 1))
    font = ImageFont.truetype(face, size)
    y = (height - room * len(lines)) / 2
    left = dice.uniform(0.02, 0.05) * width
    for line in lines:
        draw.text((left, y + room * 0.1), line, font=font, fill=255)
        y += room
    return np.asarray(sheet, float) / 255, text


def smooth(noise: np.ndarray, x: float, y: float) -> np.ndarray:
    return cv2.GaussianBlur(noise, (0, 0), sigmaX=max(x, 0.01), sigmaY=max(y, 0.01))


def photographed(device: str, mask: np.ndarray, dice: random.Random) -> np.ndarray:
    """The label in a photograph of 1600 × 1200: the frame of the device's shape in the middle."""
    rng = np.random.default_rng(dice.getrandbits(32))
    surface = DEVICES[device][0]
    height, width = 1200, 1600
    tilt = dice.uniform(-4, 4)
    scale = dice.uniform(0.78, 0.88)
    turn = cv2.getRotationMatrix2D((mask.shape[1] / 2, mask.shape[0] / 2), tilt, scale)
    turn[:, 2] += [width / 2 - mask.shape[1] / 2, height / 2 - mask.shape[0] / 2]
    letters = cv2.warpAffine(mask, turn, (width, height), flags=cv2.INTER_AREA)
    # A little perspective, as when a hand holds a phone.
    shift = dice.uniform(-0.03, 0.03)
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    moved = corners + np.float32(
        [[0, shift * height], [0, -shift * height], [0, shift * height], [0, -shift * height]]
    )
    letters = cv2.warpPerspective(
        letters, cv2.getPerspectiveTransform(corners, moved), (width, height)
    )
    ramp = np.linspace(-1, 1, width)[None, :] * dice.uniform(-1, 1) + np.linspace(-1, 1, height)[
        :, None
    ] * dice.uniform(-1, 1)
    if surface == "etched":
        ground = dice.uniform(110, 190) + 25 * ramp
        grain = smooth(rng.normal(0, 1, (height, width)), 14, 0.6)
        ground = ground + grain / grain.std() * dice.uniform(2, 7)
        contrast = dice.uniform(28, 70) * dice.choice([-1, -1, 1])
        picture = ground + contrast * letters
    elif surface == "screen":
        dark = dice.random() < 0.5
        back, ink = (
            (dice.uniform(15, 50), dice.uniform(170, 235))
            if dark
            else (dice.uniform(190, 245), dice.uniform(10, 90))
        )
        picture = back + (ink - back) * letters + 6 * ramp
        # Interference between the screen's grid and the camera's.
        period = dice.uniform(2.6, 5)
        angle = dice.uniform(0, 0.4)
        ys, xs = np.mgrid[0:height, 0:width]
        picture = picture + dice.uniform(2, 9) * np.sin(
            2 * np.pi * (xs * np.cos(angle) + ys * np.sin(angle)) / period
        )
    else:
        paper = dice.uniform(190, 245)
        picture = paper - (paper - dice.uniform(20, 90)) * letters + 20 * ramp
    if dice.random() < 0.5:
        cx, cy = dice.uniform(0.2, 0.8) * width, height / 2 + dice.uniform(-120, 120)
        ys, xs = np.mgrid[0:height, 0:width]
        spot = np.exp(
            -(((xs - cx) / dice.uniform(80, 260)) ** 2 + ((ys - cy) / dice.uniform(40, 120)) ** 2)
        )
        picture = picture + dice.uniform(30, 90) * spot
    picture = smooth(picture, *[dice.uniform(0.3, 2.0)] * 2)
    picture = picture + rng.normal(0, dice.uniform(1, 6), (height, width))
    return np.clip(picture, 0, 255).astype(np.uint8)


def make(folder: Path, count: int, seed: int) -> list[tuple[Path, Label]]:
    """The photographs, a third of them of each surface."""
    made = []
    for index in range(count):
        dice = random.Random(f"{seed} {index}")
        surface = ["etched", "screen", "sticker"][index % 3]
        device = dice.choice([name for name, about in DEVICES.items() if about[0] == surface])
        kind = dice.choice(DEVICES[device][2])
        mask, text = drawn(device, kind, dice)
        path = folder / device / f"{index:04}.png"
        path.parent.mkdir(parents=True, exist_ok=True)
        cv2.imwrite(str(path), photographed(device, mask, dice), [cv2.IMWRITE_PNG_COMPRESSION, 1])
        made.append((path, Label(device, kind, text, surface)))
    return made
