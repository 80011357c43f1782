#!/usr/bin/python3
"""A feeder with a stack of four sheets, and with faults that a story requests.

Files beside this program hold its state: `next` is the top sheet, counted from 1; `jammed` or
`crash` is the sheet at which the paper jams or the program crashes. The stack remains between
captures, like paper.
"""

import os
from pathlib import Path

import copystand_backend as copystand

HERE = Path(__file__).resolve().parent
SHEETS, WIDTH, HEIGHT = 4, 850, 1100


def number(name: str) -> int:
    """The number in a file; 0 if there is none."""
    try:
        return int((HERE / name).read_text())
    except (FileNotFoundError, ValueError):
        return 0


def row(sheet: int, y: int) -> bytes:
    """Returns a row of a sheet: lines of gray words, and as many black bars as the sheet's
    number."""
    if 80 <= y < 140:
        return (
            b"".join(
                (b"\x20" * 60 if bar < sheet else b"\xff" * 60) + b"\xff" * 20 for bar in range(5)
            )
            .rjust(480, b"\xff")
            .ljust(WIDTH, b"\xff")
        )
    if y < 200 or y > 980 or y % 26 > 9:
        return b"\xff" * WIDTH
    words = b"".join(
        b"\x70" * (25 + (y * 7 + word * 31 + sheet * 13) % 60) + b"\xff" * 12 for word in range(9)
    )
    return (b"\xff" * 80 + words[: 690 - (y * 5) % 120]).ljust(WIDTH, b"\xff")


class Stack(copystand.Device):
    def __init__(self):
        super().__init__(copystand.choice("source", "Source", "feeder", ["feeder"]))

    def capture(self, sink, mode, limit):
        first = max(1, number("next"))
        if first > SHEETS:
            raise copystand.Failure("feederEmpty", "the feeder is empty")
        for sheet in range(first, min(SHEETS, first + (limit or SHEETS) - 1) + 1):
            page = sink.begin(
                "gray8", WIDTH, HEIGHT, resolution=100, label=f"sheet {sheet - first + 1}"
            )
            for y in range(HEIGHT):
                if y == HEIGHT // 2 and number("jammed") == sheet:
                    raise copystand.Failure("jammed", "paper is jammed in the feeder")
                if y == HEIGHT // 2 and number("crash") == sheet:
                    os.abort()
                page.write(row(sheet, y))
            page.finish()
            (HERE / "next").write_text(str(sheet + 1))


class Backend(copystand.Backend):
    def devices(self, quick):
        return [copystand.device("feeder", "Stack of paper", "scanner", sources=["feeder"])]

    def open(self, id):
        if id != "feeder":
            raise copystand.Failure("noSuchDevice", f"there is no device '{id}'")
        return Stack()


if __name__ == "__main__":
    copystand.run(Backend("Stack", "1.0"))
