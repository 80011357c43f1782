"""The web page's CSS has one declaration a line, and nothing else on that line."""

import re
from pathlib import Path

# Comments, and texts and addresses that may contain a semicolon.
HIDDEN = re.compile(r"/\*.*?\*/|\"[^\"]*\"|'[^']*'|url\([^)]*\)", re.S)
END = re.compile(r"[;{}]")


def faults(file: Path, name: str) -> list[str]:
    """Returns a message for each line of `file` that has text after a declaration or a brace."""
    # A comment of several lines keeps its line breaks.
    text = HIDDEN.sub(lambda hidden: "\n" * hidden[0].count("\n") or " ", file.read_text())
    return [
        f"{name}:{number}: break it after each declaration and brace"
        for number, line in enumerate(text.splitlines(), 1)
        if (end := END.search(line)) and line[end.end() :].strip() or re.search(r"\S\s*\}", line)
    ]
