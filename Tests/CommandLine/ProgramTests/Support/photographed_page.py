"""A sheet of A4 under a camera, and checks of the captured page.

    photographed_page.py film FILE          # writes frames of it, JPEG pictures one after another
    photographed_page.py page FILE DPI      # says "ok" for the flat sheet at that resolution
    photographed_page.py frame FILE         # says "ok" for the whole picture of the camera
"""

import io
import math
import random
import sys

from PIL import Image, ImageDraw

# Marks on the sheet: left, top, right and bottom in millimeters, and their color.
MARKS = [
    ((25, 35, 65, 75), (200, 30, 30)),
    ((145, 35, 185, 75), (30, 160, 30)),
    ((25, 220, 65, 260), (30, 30, 200)),
    ((145, 220, 185, 260), (40, 40, 40)),
]
SIZE = (1280, 960)
DESK = (70, 62, 55)


def seen_at(x, y):
    """Returns the place of a point of the sheet, in millimeters, in the picture of a tilted pinhole
    camera above the sheet.
    """
    x, y = x - 105, y - 148.5
    turn, tilt, lean = math.radians(3), math.radians(18), math.radians(-9)
    x, y = x * math.cos(turn) - y * math.sin(turn), x * math.sin(turn) + y * math.cos(turn)
    y, z = y * math.cos(tilt), -y * math.sin(tilt)
    x, z = x * math.cos(lean) - z * math.sin(lean), x * math.sin(lean) + z * math.cos(lean)
    scale = 1100 / (z + 410)
    return SIZE[0] / 2 + x * scale, SIZE[1] / 2 + y * scale


# Top left, top right, bottom right, bottom left.
CORNERS = [seen_at(*corner) for corner in ((0, 0), (210, 0), (210, 297), (0, 297))]


def solved(rows, values):
    """Solves linear equations by Gauss-Jordan elimination."""
    rows = [list(row) + [value] for row, value in zip(rows, values)]
    for column in range(len(rows)):
        pivot = max(range(column, len(rows)), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        rows[column] = [value / rows[column][column] for value in rows[column]]
        for row in range(len(rows)):
            if row != column:
                factor = rows[row][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [row[-1] for row in rows]


def projection(quad, width, height):
    """Returns eight numbers that map points of the quad to those of a rectangle, in PIL's order."""
    rows, values = [], []
    for (x, y), (u, v) in zip(quad, [(0, 0), (width, 0), (width, height), (0, height)]):
        rows += [[x, y, 1, 0, 0, 0, -u * x, -u * y], [0, 0, 0, x, y, 1, -v * x, -v * y]]
        values += [u, v]
    return solved(rows, values)


def film(path):
    scale = 8
    sheet = Image.new("RGB", (210 * scale, 297 * scale), (235, 235, 232))
    draw = ImageDraw.Draw(sheet)
    for box, color in MARKS:
        draw.rectangle([scale * side for side in box], fill=color)
    for line in range(90, 210, 8):
        draw.rectangle((25 * scale, line * scale, 185 * scale, (line + 2) * scale), fill=(60,) * 3)
    numbers = projection(CORNERS, *sheet.size)
    seen = sheet.transform(SIZE, Image.PERSPECTIVE, numbers, Image.BICUBIC)
    mask = Image.new("L", sheet.size, 255).transform(SIZE, Image.PERSPECTIVE, numbers)
    picture = Image.composite(seen, Image.new("RGB", SIZE, DESK), mask)
    chance = random.Random(5)
    frames = b""
    for _ in range(6):
        frame = picture.copy()
        pixels = frame.load()
        # Sensors have noise, so no two frames are the same.
        for _ in range(20_000):
            x, y = chance.randrange(SIZE[0]), chance.randrange(SIZE[1])
            shift = chance.randint(-6, 6)
            pixels[x, y] = tuple(min(255, max(0, value + shift)) for value in pixels[x, y])
        buffer = io.BytesIO()
        frame.save(buffer, "JPEG", quality=90)
        frames += buffer.getvalue()
    with open(path, "wb") as file:
        file.write(frames)


def far(a, b):
    return max(abs(x - y) for x, y in zip(a, b))


def page(path, dpi):
    picture = Image.open(path).convert("RGB")
    size = (2480 * dpi / 300, 3508 * dpi / 300)
    # Clients calculate in millimeters, and round.
    if far(picture.size, size) > 2:
        return f"{picture.size}, not {size}"
    for box, color in MARKS:
        # The whole mark except its edge must have its color, at its place on the paper.
        for across in (box[0] + 4, (box[0] + box[2]) / 2, box[2] - 4):
            for down in (box[1] + 4, (box[1] + box[3]) / 2, box[3] - 4):
                found = picture.getpixel((int(across * dpi / 25.4), int(down * dpi / 25.4)))
                if far(found, color) > 70:
                    return f"{found} at {across}, {down} mm, not {color}"
        beside = picture.getpixel((int((box[0] - 5) * dpi / 25.4), int(box[1] * dpi / 25.4)))
        if min(beside) < 180:
            return f"{beside} beside the mark {box}"
    for across, down in ((3, 3), (207, 3), (3, 294), (207, 294), (105, 3), (3, 148)):
        found = picture.getpixel((int(across * dpi / 25.4), int(down * dpi / 25.4)))
        if min(found) < 180:
            return f"{found} at the sheet's rim, {across}, {down} mm"
    return "ok"


def frame(path):
    picture = Image.open(path).convert("RGB")
    # The camera's picture is in the paper's upper left corner, and as wide as the paper.
    scale = picture.width / SIZE[0]
    for point, color in [
        ((20, 20), DESK), ((1260, 20), DESK), ((20, 940), DESK), ((1260, 940), DESK),
        (seen_at(105, 55), (235, 235, 232)),
        *((seen_at((box[0] + box[2]) / 2, (box[1] + box[3]) / 2), color) for box, color in MARKS),
    ]:  # fmt: skip
        found = picture.getpixel(tuple(int(value * scale) for value in point))
        if far(found, color) > 60:
            return f"{found} at {point}, not {color}"
    return "ok"


if __name__ == "__main__":
    task, path = sys.argv[1:3]
    if task == "film":
        film(path)
    else:
        print(page(path, int(sys.argv[3])) if task == "page" else frame(path))
