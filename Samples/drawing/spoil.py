"""What a scanner and a telephone do to pages."""

import numpy as np
from PIL import Image, ImageChops, ImageDraw, ImageFilter


def smooth_noise(rng, shape, cell):
    """Slow uneven noise of unit size: random numbers on a coarse grid, smoothly enlarged."""
    small = rng.normal(0, 1, (shape[0] // cell + 3, shape[1] // cell + 3)).astype(np.float32)
    big = Image.fromarray(small, "F").resize((shape[1], shape[0]), Image.BICUBIC)
    return np.asarray(big)


def coefficients(target, source):
    """The eight numbers of the homography that takes target corners to source corners."""
    rows, right = [], []
    for (x, y), (u, v) in zip(target, source):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        right += [u, v]
    return np.linalg.solve(np.array(rows, float), np.array(right, float))


def place(sheet, size, corners, background):
    """The sheet drawn onto a picture of `size` so that its corners lie at `corners`; also
    its mask.
    """
    w, h = sheet.size
    source = [(0, 0), (w, 0), (w, h), (0, h)]
    data = coefficients(corners, source)
    # Shrinking by a third needs a low-pass first, or thin strokes would break up.
    scale = np.hypot(*(np.array(corners[1]) - corners[0])) / w
    soft = sheet.filter(ImageFilter.GaussianBlur(0.35 / scale)) if scale < 0.9 else sheet
    page = soft.transform(size, Image.PERSPECTIVE, data, Image.BICUBIC, fillcolor=255)
    mask = Image.new("L", sheet.size, 255).transform(
        size, Image.PERSPECTIVE, data, Image.BILINEAR, fillcolor=0
    )
    out = background.copy()
    out.paste(page.convert(out.mode), (0, 0), mask)
    return out, mask


def turned(size, paper, degrees, shift=(0, 0)):
    """The corners of paper of `paper` pixels, turned clockwise about the middle of a picture of
    `size` and shifted.
    """
    a = np.radians(degrees)
    cx, cy = size[0] / 2 + shift[0], size[1] / 2 + shift[1]
    return [
        (cx + x * np.cos(a) - y * np.sin(a), cy + x * np.sin(a) + y * np.cos(a))
        for x, y in (
            (-paper[0] / 2, -paper[1] / 2),
            (paper[0] / 2, -paper[1] / 2),
            (paper[0] / 2, paper[1] / 2),
            (-paper[0] / 2, paper[1] / 2),
        )
    ]


def shifted(mask, dx, dy):
    """The mask moved right and down, with nothing coming in from the other side."""
    out = Image.new("L", mask.size, 0)
    out.paste(mask, (dx, dy))
    return out


def dust(rng, image, count, tones):
    draw = ImageDraw.Draw(image)
    for _ in range(count):
        x, y, r = rng.uniform(0, image.width), rng.uniform(0, image.height), rng.uniform(0.5, 2.2)
        if rng.random() < 0.15:
            dx, dy = rng.normal(0, 12, 2)
            draw.line([x, y, x + dx, y + dy], tones[0], 1)
        else:
            draw.ellipse([x - r, y - r, x + r, y + r], tones[int(rng.integers(len(tones)))])


def scanned(
    sheet,
    dpi,
    glass_mm,
    degrees,
    shift_mm,
    lid,
    paper,
    seed,
    noise=1.6,
    blur=0.5,
    lamp=0.06,
    specks=40,
):
    """The sheet on a scanner's glass: gray samples as float, 0…255."""
    rng = np.random.Generator(np.random.PCG64(seed))
    size = tuple(round(v * dpi / 25.4) for v in glass_mm)
    on_paper = tuple(v * dpi / sheet.dpi for v in sheet.image.size)
    shift = tuple(v * dpi / 25.4 for v in shift_mm)
    ground = Image.new("L", size, lid)
    corners = turned(size, on_paper, degrees, shift)
    clean = sheet.image.point(lambda v: round(30 + (paper - 30) * v / 255))
    image, mask = place(clean, size, corners, ground)
    # The paper's edge throws a thin shadow on the side away from the lamp.
    edge = ImageChops.subtract(shifted(mask, 2, 3), mask).filter(ImageFilter.GaussianBlur(2))
    dust(rng, image, specks, (70, 120, 170))
    image = image.filter(ImageFilter.GaussianBlur(blur))
    a = np.asarray(image, np.float32) - np.asarray(edge, np.float32) * 0.35
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    light = 1 - lamp * (x / size[0]) ** 2 - lamp * 0.5 * (y / size[1])
    a = a * light + smooth_noise(rng, a.shape, 90) * 1.2
    return a + smooth_noise(rng, a.shape, 2) * noise


def gray(a):
    return Image.fromarray(np.clip(a + 0.5, 0, 255).astype(np.uint8), "L")


def tinted(a, tint):
    return Image.merge("RGB", [gray(a * t) for t in tint])


def photographed(sheet, seed, size=(1560, 2080)):
    """The sheet on a wooden desk, from above and slightly turned, under a lamp on the left."""
    rng = np.random.Generator(np.random.PCG64(seed))
    y, x = np.mgrid[0 : size[1], 0 : size[0]].astype(np.float32)
    grain = (
        np.sin((x + 60 * smooth_noise(rng, x.shape, 260)) / 23) * 7
        + smooth_noise(rng, x.shape, 14) * 2
    )
    wood = 92 + grain + 6 * (np.floor(x / 420) % 2)
    desk = Image.merge("RGB", [gray(wood * t) for t in (1.12, 0.82, 0.56)])
    corners = [(196, 176), (1352, 118), (1448, 1838), (104, 1908)]
    clean = Image.merge(
        "RGB",
        [
            sheet.image.point(lambda v, t=t: round(34 + (v * t - 34) * v / 255))
            for t in (0.93, 0.92, 0.89)
        ],
    )
    image, mask = place(clean, size, corners, desk)
    under = shifted(mask, 9, 14).filter(ImageFilter.GaussianBlur(12))
    shade = 1 - 0.45 * (np.asarray(under, np.float32) - np.asarray(mask, np.float32)).clip(0) / 255
    # The photographer's arm and telephone stand between lamp and page: a soft shadow over the lower
    # right.
    arm = Image.new("L", size, 0)
    ImageDraw.Draw(arm).polygon(
        [(900, 2080), (1130, 1350), (1330, 1180), (1560, 1240), (1560, 2080)], 255
    )
    shade *= 1 - 0.26 * np.asarray(arm.filter(ImageFilter.GaussianBlur(60)), np.float32) / 255
    lamp = 1.06 - 0.30 * np.hypot((x - 420) / size[0], (y - 620) / size[1]) ** 1.3
    grainy = smooth_noise(rng, x.shape, 2) * 2.0
    channels = []
    for channel, cast in zip(
        image.filter(ImageFilter.GaussianBlur(0.6)).split(), (1.03, 0.98, 0.86)
    ):
        channels.append(gray(np.asarray(channel, np.float32) * shade * lamp * cast + grainy))
    return Image.merge("RGB", channels)
