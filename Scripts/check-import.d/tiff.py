"""Reads 8-bit TIFFs as TIFF 6.0 says, where other programs guess: inks, L*a*b* and YCbCr without
a profile, palettes, and samples beyond the colors.
"""

import os
import struct
import subprocess
import tempfile

from PIL import Image

RGB, PALETTE, INKS, YCBCR, LAB = 2, 3, 5, 6, 8
COLORS = {RGB: 3, PALETTE: 1, INKS: 4, YCBCR: 3, LAB: 3}
# The forms of numbers: bytes, words of 16 and 32 bits, and fractions of two words.
FORMS = {1: "B", 3: "H", 4: "I", 5: "II"}


def by_words(path):
    """The first page, from the samples as tiffcp unpacks them; none for other kinds."""
    with tempfile.TemporaryDirectory() as place:
        plain = os.path.join(place, "plain.tif")
        subprocess.run(
            ["tiffcp", "-c", "none", "-p", "contig", "-r", "1000000", path + ",0", plain],
            capture_output=True,
            timeout=60,
        )
        with open(plain, "rb") as file:
            data = file.read()
    tags = directory(data)
    kind, (width,), (height,) = tags[262][0], tags[256], tags[257]
    # 34675 is a profile and 274 a turn, which other readers support.
    is_plain = 34675 not in tags and tags.get(274, (1,)) == (1,)
    # Differences of color that are stored more coarsely can be spread in several ways.
    is_plain = is_plain and (kind != YCBCR or tags.get(530) == (1, 1))
    if kind not in COLORS or set(tags[258]) != {8} or not is_plain:
        return []
    count = tags.get(277, (1,))[0]
    start = tags[273][0]
    color = {
        RGB: tuple,
        PALETTE: palette(tags),
        INKS: light_of_inks,
        YCBCR: differences(tags),
        LAB: lab,
    }[kind]
    # TIFF 6.0, section 18: an extra sample is alpha only if ExtraSamples is 1 or 2.
    extra = tags.get(338, ())
    alpha = next((COLORS[kind] + place for place, use in enumerate(extra) if use in (1, 2)), None)
    known = {}
    pixels = []
    for place in range(start, start + width * height * count, count):
        samples = data[place : place + count]
        if samples not in known:
            part = samples[alpha] / 255 if alpha else 1
            over = [
                (
                    value + 255 * (1 - part)
                    if alpha and extra[alpha - COLORS[kind]] == 1
                    else value * part + 255 * (1 - part)
                )
                for value in color(samples[: COLORS[kind]])
            ]
            known[samples] = tuple(min(255, max(0, round(value))) for value in over)
        pixels.append(known[samples])
    picture = Image.new("RGB", (width, height))
    picture.putdata(pixels)
    return [picture]


def directory(data):
    """The numbers of each tag in the first directory."""
    order = "<" if data[:2] == b"II" else ">"

    def number(form, place):
        return struct.unpack_from(order + form, data, place)

    (place,) = number("I", 4)
    tags = {}
    for entry in range(number("H", place)[0]):
        at = place + 2 + 12 * entry
        tag, form, count = number("HHI", at)
        if form in FORMS:
            shape = FORMS[form] * count
            small = struct.calcsize(order + shape) <= 4
            tags[tag] = number(shape, at + 8 if small else number("I", at + 8)[0])
    return tags


def palette(tags):
    """TIFF 6.0, section 5: all reds, then all greens, then all blues, in 16 bits."""
    colors = tags.get(320, ())
    return lambda samples: [colors[samples[0] + 256 * part] / 257 for part in range(3)]


def light_of_inks(samples):
    """TIFF 6.0, section 16, by its simplest rule."""
    return [(255 - ink) * (255 - samples[3]) / 255 for ink in samples[:3]]


def differences(tags):
    """TIFF 6.0, section 21: the file's own weights of red, green and blue, and its black and
    white."""

    def fractions(tag, usual):
        numbers = tags.get(tag)
        return [a / b for a, b in zip(numbers[::2], numbers[1::2])] if numbers else usual

    red, green, blue = fractions(529, [0.299, 0.587, 0.114])
    black_white = fractions(532, [0, 255, 128, 255, 128, 255])

    def light(samples):
        ranges = zip(samples, black_white[::2], black_white[1::2], (255, 127, 127))
        y, cb, cr = [(sample - low) * most / (high - low) for sample, low, high, most in ranges]
        r, b = y + cr * (2 - 2 * red), y + cb * (2 - 2 * blue)
        return [r, (y - red * r - blue * b) / green, b]

    return light


def lab(samples):
    """TIFF 6.0, section 23: a* and b* are signed, and the file's white becomes white; then IEC
    61966-2-1."""
    signed = [part - 256 if part > 127 else part for part in samples[1:3]]
    middle = (samples[0] / 2.55 + 16) / 116
    parts = [middle + signed[0] / 500, middle, middle - signed[1] / 200]
    x_y_z = [part**3 if part > 6 / 29 else 3 * (6 / 29) ** 2 * (part - 4 / 29) for part in parts]
    # sRGB's white is that of D65.
    x_y_z = [x_y_z[0] * 0.9505, x_y_z[1], x_y_z[2] * 1.089]
    linear = [
        3.2406 * x_y_z[0] - 1.5372 * x_y_z[1] - 0.4986 * x_y_z[2],
        -0.9689 * x_y_z[0] + 1.8758 * x_y_z[1] + 0.0415 * x_y_z[2],
        0.0557 * x_y_z[0] - 0.2040 * x_y_z[1] + 1.0570 * x_y_z[2],
    ]
    return [
        255 * (12.92 * part if part <= 0.0031308 else 1.055 * part ** (1 / 2.4) - 0.055)
        for part in (min(1, max(0, part)) for part in linear)
    ]
