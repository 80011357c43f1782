"""Every file of a walk of data exists, and stands in it once.

A walk is a block of code that begins with ```walk. A line that begins with a space names a file
first, and then says what happens there; any other line is the folder of the files below it, in
Sources or in Plugins.
"""

import re
from pathlib import Path

#: The page with the walks, which must have some.
PAGE = "Docs/developers/Walks.md"
WALK = re.compile(r"^```walk\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FILE = re.compile(r" +(\S+) {2,}(\S.*)")


def place(root: Path, folder: str) -> Path:
    """The folder that a line of a walk names."""
    return root / folder if folder.startswith("Plugins/") else root / "Sources" / folder


def faults(root: Path, file: Path, name: str) -> list[str]:
    """Returns a message for each line of a walk in `file` that leads nowhere, or back."""
    text = file.read_text()
    walks = list(WALK.finditer(text))
    found = [f"{name}: has no walk"] if name == PAGE and not walks else []
    for walk in walks:
        first = text[: walk.start()].count("\n") + 2
        folder, passed = root, set()
        for number, line in enumerate(walk.group(1).splitlines(), first):
            if not line.startswith(" "):
                folder = place(root, line)
                if not line.endswith("/") or not folder.is_dir():
                    found.append(f"{name}:{number}: there is no folder '{line}'")
                continue
            parts = FILE.fullmatch(line)
            if not parts:
                found.append(f"{name}:{number}: write a file, two spaces, and what happens there")
                continue
            path = folder / parts[1]
            if not path.is_file():
                found.append(f"{name}:{number}: there is no file {path.relative_to(root)}")
            if path in passed:
                found.append(f"{name}:{number}: the walk was at {path.relative_to(root)} before")
            passed.add(path)
    return found
