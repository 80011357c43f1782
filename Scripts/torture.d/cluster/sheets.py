"""Pages that say which they are: black and white squares with the numbers of the station, the
document and the page, and a check sum.
"""

import io
import zlib
from pathlib import Path

from setup import check

CELLS, CELL = 8, 32
SIDE = CELLS * CELL


def code(station: int, document: int, page: int) -> int:
    number = station << 32 | document << 8 | page
    return number << 16 | zlib.crc32(number.to_bytes(6, "big")) & 0xFFFF


def draw_stack(folder: Path, station: int, document: int, pages: int):
    """Draws the pages of a document. Returns the names of their files, in order."""
    folder.mkdir()
    names = [f"page-{page:02}.pgm" for page in range(1, pages + 1)]
    for page, name in enumerate(names, 1):
        bits = f"{code(station, document, page):064b}"
        rows = b""
        for row in range(CELLS):
            cells = bits[row * CELLS : (row + 1) * CELLS]
            rows += b"".join(bytes([255 * int(bit)]) * CELL for bit in cells) * CELL
        (folder / name).write_bytes(b"P5 %d %d 255\n" % (SIDE, SIDE) + rows)
    return names


def read_sheet(content: bytes):
    """The numbers of the station, the document and the page in a picture."""
    # The library is in the package group "test", so nothing else needs it.
    from PIL import Image

    cells = Image.open(io.BytesIO(content)).convert("L").resize((CELLS, CELLS), Image.BOX)
    number = int("".join("1" if value > 127 else "0" for value in cells.getdata()), 2)
    found = number >> 48, number >> 24 & 0xFFFFFF, number >> 16 & 0xFF
    check(number == code(*found), f"a picture shows no page that was scanned: {number:016x}")
    return found
