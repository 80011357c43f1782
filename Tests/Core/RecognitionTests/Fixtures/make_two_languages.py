#!/usr/bin/python3
"""Makes two-languages.png: five lines of our own, in English and German by turns, at 300 dpi in
black and white.
"""

import os

from PIL import Image, ImageDraw, ImageFont

LINES = [
    "The weather clears toward the evening.",
    "Die Bücher gehören zurück ins Regal.",
    "Nobody may take the ledger home.",
    "Straßen und Brücken müssen geprüft werden.",
    "Both halves are kept in one folder.",
]

page = Image.new("L", (1200, 560), 255)
draw = ImageDraw.Draw(page)
font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", 42)
for number, line in enumerate(LINES):
    draw.text((60, 60 + 90 * number), line, font=font, fill=0)
place = os.path.join(os.path.dirname(os.path.abspath(__file__)), "two-languages.png")
page.point(lambda level: 255 * (level >= 128)).convert("1").save(place, optimize=True)
