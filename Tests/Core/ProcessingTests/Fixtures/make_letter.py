#!/usr/bin/python3
"""Makes letter.png: an A4 page of our own text at 150 dpi in black and white, exactly upright and
straight.
"""

from PIL import Image, ImageDraw, ImageFont

TEXT = """A copy stand is the desk with a camera above it on which archivists photograph what
must not be bent: deeds, ledgers, pressed plants, a letter folded twice. The lamp stands
to the left and to the right so that no page throws a shadow upon the next, and the
book lies in a cradle that holds both halves level while the leaves are turned.

What the camera sees is never quite what the hand laid down. The sheet leans by half a
degree, the light falls off toward the edge, and the corner nearest the lens looks a
little larger than the others. None of this troubles a reader, whose eye forgives it
all without being told; but the machine that reads the letters later on has no such
habit, and every line that runs downhill costs it a word or two.

So the page is first made to lie flat and straight, and the paper made white again.
Then the letters are read one line after the other, from the top of the first column
to the foot of the last, and each word is kept together with the place where it stood.
Whoever looks for it tomorrow finds it where it was written, beneath the picture of
the very ink, and not in a pale copy of what somebody thought it said."""

page = Image.new("L", (1240, 1754), 255)
draw = ImageDraw.Draw(page)
font = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSerif.ttf", 22)
bold = ImageFont.truetype("/usr/share/fonts/truetype/dejavu/DejaVuSerif-Bold.ttf", 34)
draw.text((140, 130), "On the stand", font=bold, fill=0)
y = 220
for round in range(2):
    for line in TEXT.split("\n"):
        if line:
            draw.text((140, y), line, font=font, fill=0)
        y += 40 if line else 22
page.point(lambda v: 255 if v > 127 else 0).convert("1").save("letter.png", optimize=True)
