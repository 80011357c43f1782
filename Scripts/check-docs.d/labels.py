"""Functions have at most three parameters without a label.

Functions that a C library calls are exempt, since it decides their parameters. They can be told by
a parameter that is an opaque pointer or a pointer that may be nil.
"""

import re
from pathlib import Path

MOST = 3
FUNCTION = re.compile(r"\b(?:func\s+`?(\w+)`?|(init)\??)(?:<[^>(]*>)?\(")
OF_C = re.compile(r"OpaquePointer|Pointer(?:<[^>]*>)?\?")


def parameters(text: str, start: int) -> list[str]:
    """The parameters between the parenthesis at `start` and its end, each with its type."""
    found, depth, begun = [], 0, start + 1
    for index in range(start, len(text)):
        character = text[index]
        if character in "([{" or character == "<" and depth:
            depth += 1
        elif character in ")]}" or character == ">" and depth and text[index - 1] != "-":
            depth -= 1
            if depth == 0:
                return [*found, text[begun:index].strip()]
        elif character == "," and depth == 1:
            found.append(text[begun:index].strip())
            begun = index + 1
    return found


def faults(file: Path, name: str) -> list[str]:
    """Returns a message for each function of `file` with too many parameters without a label."""
    text = file.read_text()
    found = []
    for match in FUNCTION.finditer(text):
        given = parameters(text, match.end() - 1)
        bare = [one for one in given if re.match(r"_[\s:]", one)]
        if len(bare) > MOST and not any(OF_C.search(one) for one in given):
            line = text.count("\n", 0, match.start()) + 1
            what = match[1] or match[2]
            found.append(
                f"{name}:{line}: {what} has {len(bare)} parameters without a label; at most {MOST}"
            )
    return found
