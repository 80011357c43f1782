#!/usr/bin/env python3
"""Draws barcodes.png, a sheet of one code of every kind in cells of 640 × 420 pixels, with zint and
PIL.

Tests/Core/RecognitionTests/Fixtures/make_codes.py
"""

import os
import subprocess
import tempfile

from PIL import Image

CODES = [
    ("AZTEC", "Aztec 7"),
    ("CODABAR", "A40156B"),
    ("CODE39", "ASN-39"),
    ("CODE93", "CODE 93"),
    ("CODE128", "ASN00012"),
    ("DBAR_OMN", "0950110153001"),
    ("DBAR_EXP", "[01]98898765432106[3202]012345"),
    ("DATAMATRIX", "Matrix 1"),
    ("EANX", "9638507"),
    ("EANX", "590123412345"),
    ("C25INTER", "12345678"),
    ("MAXICODE", "Maxi code"),
    ("PDF417", "Four rows of 417"),
    ("QRCODE", "https://example.org/ä"),
    ("UPCA", "03600029145"),
    ("UPCE", "123456"),
    ("MICROQR", "MICRO1"),
]
CELL = (640, 420)
COLUMNS = 3

here = os.path.dirname(os.path.abspath(__file__))
rows = -(-len(CODES) // COLUMNS)
sheet = Image.new("L", (CELL[0] * COLUMNS, CELL[1] * rows), 255)
with tempfile.TemporaryDirectory() as folder:
    for index, (kind, text) in enumerate(CODES):
        path = os.path.join(folder, f"{index}.png")
        subprocess.run(
            [
                "zint",
                "--barcode",
                kind,
                "--data",
                text,
                "--notext",
                "--scale",
                "1.5",
                "--output",
                path,
            ],
            check=True,
            capture_output=True,
        )
        code = Image.open(path).convert("L")
        assert code.width <= CELL[0] - 20 and code.height <= CELL[1] - 20, (kind, code.size)
        x, y = index % COLUMNS * CELL[0], index // COLUMNS * CELL[1]
        sheet.paste(code, (x + (CELL[0] - code.width) // 2, y + (CELL[1] - code.height) // 2))
sheet.save(os.path.join(here, "barcodes.png"), optimize=True)
