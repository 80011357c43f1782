"""Lines of code have at most 100 columns.

Text between quotation marks may be longer: a sentence that users see is easier to find
in one piece. So may the lines of a text within three quotation marks or of a here-document.
"""

import re
from pathlib import Path

from width import WIDTH

QUOTED = re.compile(r"""#".*?"#|"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)*'|`[^`]*`""")
HERE = re.compile(r"<<-?\s*'?(\w+)'?")
TEXT = re.compile(r'#*"""')
SUFFIXES = {".c", ".cpp", ".css", ".h", ".hpp", ".html", ".js", ".py", ".sh", ".swift"}


def is_code(file: Path) -> bool:
    """Returns true if a file is code: by its name, or by the program in its first line."""
    if file.is_symlink() or not file.is_file():
        return False
    if file.suffix:
        return file.suffix in SUFFIXES
    with file.open("rb") as opened:
        return opened.read(2) == b"#!"


def faults(file: Path, name: str) -> list[str]:
    """Returns a message for each line of `file` that is too long and could be broken."""
    found = []
    end = None
    for number, line in enumerate(file.read_text(errors="replace").splitlines(), 1):
        is_text = end is not None
        if end is None and (here := HERE.search(line)) and file.suffix in ("", ".sh"):
            end = here[1]
        elif end == '"""' or end is None:
            # Texts in Python that are on one line open and close there.
            if file.suffix in (".py", ".swift", "") and len(TEXT.findall(line)) % 2:
                end = None if end else '"""'
        elif line.strip() == end:
            end = None
        if len(line) <= WIDTH or is_text and file.suffix != ".py":
            continue
        if len(QUOTED.sub('""', line)) > WIDTH or not QUOTED.search(line):
            found.append(f"{name}:{number}: {len(line)} columns; break it at {WIDTH}")
    return found
