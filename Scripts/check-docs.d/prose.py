"""The lines of a Markdown file, each with its kind: prose, a table, code, or none of these."""

import re
from pathlib import Path
from typing import Iterator

#: A line of a numbered or bulleted list, which may be indented like code.
ITEM = re.compile(r"\s*(?:[-*]|\d+\.) ")


def lines(file: Path) -> Iterator[tuple[int, str, str]]:
    """Gives number, kind (`prose`, `table`, `code`, `fence`) and text of each line.

    Code is between fences, or is indented by four spaces after an empty line.
    """
    fenced = indented = False
    before = ""
    for number, line in enumerate(file.read_text().splitlines(), 1):
        if line.lstrip().startswith("```"):
            fenced = not fenced
            kind = "fence"
        elif fenced:
            kind = "code"
        else:
            if line.strip():
                starts = line.startswith("    ") and not before.strip() and not ITEM.match(line)
                indented = line.startswith("    ") and (indented or starts)
            kind = "code" if indented else "table" if line.lstrip().startswith("|") else "prose"
        yield number, kind, line
        before = line


def without_code(text: str) -> str:
    """The text without names in backticks, addresses, targets of links and comments; lines stay."""
    code = re.compile(r"<!--.*?-->|`[^`]*`|https?://\S+|<[^\s>]+>|\]\([^)]*\)", re.DOTALL)
    return code.sub(lambda found: " " + "\n" * found.group().count("\n"), text)
