"""Measures the reliability of a stated confidence: the share of right detections by stated
confidence, as a table and a small SVG.
"""

from dataclasses import dataclass
from pathlib import Path

# A detection is right when its overlap with the true page is at least this.
RIGHT = 0.9
STEPS = 10
SIZE, MARGIN = 300, 46


@dataclass
class Bin:
    """Detections of about the same stated confidence."""

    number: int
    stated: float
    right: float


def bins(answers: list[tuple[float, float]]) -> list[Bin]:
    """Bins for (confidence, overlap) pairs: one for each tenth of confidence that occurs."""
    found = []
    for step in range(STEPS):
        inside = [one for one in answers if min(int(one[0] * STEPS), STEPS - 1) == step]
        if inside:
            found.append(
                Bin(
                    len(inside),
                    sum(stated for stated, _ in inside) / len(inside),
                    sum(share >= RIGHT for _, share in inside) / len(inside),
                )
            )
    return found


def table(name: str, answers: list[tuple[float, float]]) -> list[str]:
    """The bins as rows of a Markdown table."""
    found = bins(answers)
    return [
        f"| {name}: stated | " + " | ".join(f"{one.stated:.2f}" for one in found) + " |",
        "|---" * (len(found) + 1) + "|",
        "| right | " + " | ".join(f"{one.right:.2f}" for one in found) + " |",
        "| number | " + " | ".join(str(one.number) for one in found) + " |",
    ]


def plot(path: Path, sets: dict[str, list[tuple[float, float]]]) -> None:
    """Draws the share of right detections over stated confidence for each set; the area of a dot
    grows with the number of its detections.
    """
    side = SIZE + 2 * MARGIN

    def at(x: float, y: float) -> str:
        return f'cx="{MARGIN + x * SIZE:.1f}" cy="{MARGIN + (1 - y) * SIZE:.1f}"'

    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {side} {side}" width="{side}"'
            f' height="{side}" font-family="sans-serif" font-size="11">'
        ),
        f'<rect width="{side}" height="{side}" fill="white"/>',
        (
            f'<rect x="{MARGIN}" y="{MARGIN}" width="{SIZE}" height="{SIZE}" fill="none"'
            ' stroke="#888"/>'
        ),
        (
            f'<path d="M{MARGIN} {MARGIN + SIZE}L{MARGIN + SIZE} {MARGIN}" stroke="#888"'
            ' stroke-dasharray="4 4"/>'
        ),
    ]
    for tenth in range(0, 11, 2):
        place = MARGIN + tenth / 10 * SIZE
        parts.append(
            f'<text x="{place}" y="{MARGIN + SIZE + 16}" text-anchor="middle">{tenth / 10}</text>'
        )
        parts.append(
            f'<text x="{MARGIN - 6}" y="{side - place + 4}" text-anchor="end">{tenth / 10}</text>'
        )
    parts.append(
        f'<text x="{side / 2}" y="{side - 8}" text-anchor="middle">stated confidence</text>'
    )
    parts.append(
        f'<text x="{MARGIN - 34}" y="{MARGIN - 12}">share with IoU of {RIGHT} and more</text>'
    )
    for (name, answers), color in zip(sets.items(), ("#1f5fa8", "#c4551a")):
        found = bins(answers)
        line = " ".join(
            f"{MARGIN + one.stated * SIZE:.1f},{MARGIN + (1 - one.right) * SIZE:.1f}"
            for one in found
        )
        parts.append(f'<polyline points="{line}" fill="none" stroke="{color}"/>')
        for one in found:
            radius = 2 + (one.number / max(other.number for other in found)) ** 0.5 * 6
            parts.append(
                f'<circle {at(one.stated, one.right)} r="{radius:.1f}" fill="{color}"'
                ' fill-opacity="0.6"/>'
            )
        row = MARGIN + 18 + 16 * list(sets).index(name)
        parts.append(
            f'<text x="{MARGIN + 8}" y="{row}" fill="{color}">{name} ({len(answers)})</text>'
        )
    path.write_text("\n".join([*parts, "</svg>", ""]))
