"""A page set in type."""

import os
import sys

from PIL import Image, ImageDraw, ImageFont

FONTS = "/usr/share/fonts/truetype/dejavu"
if not os.path.exists(f"{FONTS}/DejaVuSerif.ttf"):
    sys.exit(
        "make-samples: the DejaVu fonts are missing. Install them with: apt-get install"
        " fonts-dejavu-core"
    )

SERIF, SERIF_BOLD = f"{FONTS}/DejaVuSerif.ttf", f"{FONTS}/DejaVuSerif-Bold.ttf"
SANS, SANS_BOLD = f"{FONTS}/DejaVuSans.ttf", f"{FONTS}/DejaVuSans-Bold.ttf"
MONO = f"{FONTS}/DejaVuSansMono.ttf"


class Sheet:
    """A clean page that is set in type, in millimeters and points, and remembers its text."""

    def __init__(self, width_mm, height_mm, dpi, paper=255, ink=20):
        self.dpi, self.paper, self.ink = dpi, paper, ink
        self.image = Image.new("L", (self.px(width_mm), self.px(height_mm)), paper)
        self.draw = ImageDraw.Draw(self.image)
        self.text = []

    def px(self, mm):
        return round(mm * self.dpi / 25.4)

    def font(self, path, points):
        return ImageFont.truetype(path, round(points * self.dpi / 72))

    def line(self, x, y, text, path=SERIF, points=11, anchor="ls", remember=True):
        """One line with its baseline's left (or, by anchor, right or middle) at x, y millimeters.
        """
        self.draw.text((self.px(x), self.px(y)), text, self.ink, self.font(path, points), anchor)
        if remember:
            self.text.append(text)

    def paragraph(self, x, y, width, text, path=SERIF, points=11, lead=1.4, indent=0):
        """Wrapped text from baseline y on. Returns the baseline after its last line."""
        font, step = self.font(path, points), points * lead * 25.4 / 72
        room, line, shift = self.px(width), "", indent
        for word in text.split():
            longer = f"{line} {word}".strip()
            if line and font.getlength(longer) > room - self.px(shift):
                self.line(x + shift, y, line, path, points)
                y, line, shift = y + step, word, 0
            else:
                line = longer
        self.line(x + shift, y, line, path, points)
        return y + step

    def rule(self, x0, y0, x1, y1, thick=0.25):
        self.draw.line([self.px(v) for v in (x0, y0, x1, y1)], self.ink, max(1, self.px(thick)))

    def crest(self, x, y, size):
        """The society's mark: a camera on its stand over a page."""
        p = self.px
        self.draw.rectangle(
            [p(x), p(y), p(x + size), p(y + size * 0.5)], outline=self.ink, width=p(0.5)
        )
        c = (x + size / 2, y + size / 4)
        self.draw.ellipse(
            [p(c[0] - size / 6), p(c[1] - size / 6), p(c[0] + size / 6), p(c[1] + size / 6)],
            outline=self.ink,
            width=p(0.5),
        )
        for leg in (0.1, 0.9):
            self.draw.line(
                [p(x + size / 2), p(y + size / 2), p(x + size * leg), p(y + size)], self.ink, p(0.5)
            )
        self.draw.line([p(x), p(y + size), p(x + size), p(y + size)], self.ink, p(0.7))

    def truth(self):
        return "\n".join(self.text) + "\n"
