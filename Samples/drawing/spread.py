"""An open book on a scanner's glass: two pages that curl toward the fold."""

import numpy as np
from PIL import Image

from .sheet import SANS, SERIF, SERIF_BOLD, Sheet
from .spoil import smooth_noise

DPI = 150
LEFT = (
    (
        "The bar at Aldermouth moves a little every winter, and a pilot who trusts last year's"
        " marks will sooner or later put a vessel on the sand. Jeremiah Stokes trusted nothing but"
        " the lead, which he swung himself, in all weathers, from a boat that was never quite dry."
    ),
    (
        "He kept a book of soundings for thirty-one years. The figures are set down in pencil, and"
        " beside each stands the state of the tide, the wind, and what he had for breakfast. The"
        " harbour office thought the last column idle; the doctor, who read it after his death, did"
        " not."
    ),
    (
        "In the spring of 1871 the office sent a surveyor with a chain and two assistants. They"
        " measured for six weeks and drew the chart which hangs in the hall today. It is a handsome"
        " sheet, with a rose of winds in two colours and a whale where nobody had wished to row."
    ),
    (
        "The pilots were asked to sign it. Four did. The fifth was Stokes, who could write"
        " perfectly well, and who made a cross so large that it covered the estuary and part of the"
        " county. It was rubbed out with bread, but on a dry day, in slanting light, the upper arm"
        " of it can still be made out beside the scale."
    ),
    (
        "What the pilots thought of the whale is not recorded. The surveyor took it for an"
        " ornament, the engraver for an instruction, and in the edition of 1874 there are two."
    ),
)
RIGHT = (
    (
        "Stokes looked at it for some time and asked who had been holding the chain. He then"
        " marked, from memory, eleven places where the water was deeper than the chart allowed, and"
        " three where it was not there at all."
    ),
    (
        "The surveyor wrote that the pilot's figures rested upon no instrument known to science."
        " The pilot answered that the sand had not read the surveyor's book either. Both letters"
        " are in Box 4, the second with a thumbprint of tar."
    ),
    (
        "When the bark Constance came in that autumn by night, with the Linnet Light out and her"
        " captain unwell, she drew fourteen feet and crossed by the pilot's figures. By the chart"
        " she would have needed wheels."
    ),
    "The office bought him a new boat. He asked again for the lantern.",
    (
        "It was refused in writing three times, for three reasons, of which the last was that a"
        " lantern lent to one pilot would have to be lent to all. The minute is in the hand of the"
        " clerk who later sold forty fathoms of rope to himself, and whose own lantern, of brass,"
        " is the finest object in the collection."
    ),
    (
        "On the night of the great surge nobody asked for figures. Stokes put out in the new boat"
        " with a candle in a jar."
    ),
)


def page(title, number, paragraphs):
    """One page of the book, 148 × 210 mm."""
    s = Sheet(148, 210, 2 * DPI)
    s.line(74, 16, title, SANS, 8, anchor="ms")
    y = 30
    if title.isupper():
        s.line(20, y, "The Pilot and the Chart", SERIF_BOLD, 15)
        y += 12
    for text in paragraphs:
        y = s.paragraph(20, y, 108, text, SERIF, 10.5, 1.35, indent=5) + 1
    s.line(74, 200, str(number), SERIF, 10, anchor="ms")
    return s


def spread():
    """Both pages as they were printed."""
    return page("A HISTORY OF THE BAR", 46, LEFT), page("The pilot's figures", 47, RIGHT)


def opened(sheets, seed):
    """The book on the glass: its lines rise and narrow toward the fold, which is in shadow."""
    rng = np.random.Generator(np.random.PCG64(seed))
    flat = np.concatenate([np.asarray(sheet.image, np.float32) for sheet in sheets], axis=1)
    flat = np.asarray(
        Image.fromarray(flat).resize((flat.shape[1] // 2, flat.shape[0] // 2), Image.BOX)
    )
    margin = round(8 / 25.4 * DPI)
    height, width = flat.shape[0] + 2 * margin, flat.shape[1] + 2 * margin
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    mm = (x - width / 2) / DPI * 25.4
    near = np.exp(-np.abs(mm) / 22)
    # Near the fold the page rises from the glass, so its content appears farther out and higher.
    u = flat.shape[1] / 2 + np.sign(mm) * (np.abs(mm) + 5 * near - 5 * np.exp(-6)) / 25.4 * DPI
    v = y - margin + near * 4.5 / 25.4 * DPI
    inside = (u >= 0) & (u < flat.shape[1] - 1) & (v >= 0) & (v < flat.shape[0] - 1)
    column, row = np.clip(u, 0, flat.shape[1] - 2), np.clip(v, 0, flat.shape[0] - 2)
    left, top = column.astype(int), row.astype(int)
    a, b = column - left, row - top
    seen = (flat[top, left] * (1 - a) + flat[top, left + 1] * a) * (1 - b) + (
        flat[top + 1, left] * (1 - a) + flat[top + 1, left + 1] * a
    ) * b
    paper = 30 + (228 - 30) * seen / 255
    shade = 1 - 0.62 * np.exp(-((mm / 7) ** 2)) - 0.12 * near
    picture = np.where(inside, paper * shade, 44)
    return picture + smooth_noise(rng, picture.shape, 2) * 1.5
