"""Lines of documents have at most 100 columns.

Some lines may be longer: a row of a table, a link to a picture, a udev rule, a line whose only word
is too long (such as an address), and JSON and drawings in a block of code.
"""

import re
from pathlib import Path

from prose import lines

WIDTH = 100


def faults(file: Path, name: str) -> list[str]:
    """Returns a message for each line of `file` that is too long and could be broken."""
    found = []
    for number, kind, line in lines(file):
        if len(line) <= WIDTH or kind == "table":
            continue
        if (
            line.startswith("![")
            or kind == "code"
            and re.match(r'\s*["{\[}<|]|\s*ATTRS|.*[─│▶]', line)
        ):
            continue
        if max(map(len, line.split())) > WIDTH - 12:
            continue
        found.append(f"{name}:{number}: {len(line)} columns; break it at {WIDTH}")
    return found
