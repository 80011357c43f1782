"""Things that are declared, but that no list names: they compile, and nothing uses them."""

import re
from pathlib import Path

LISTED = r"static let (\w+) = Self\("


def block(text: str, start: str) -> str:
    """The elements of the list that `start` is set to."""
    return text.split(start, 1)[1].split("= [", 1)[1].split("]", 1)[0]


def unlisted(
    code: dict[str, str], catalog: str, declared: str, listed: set[str], folder: str = ""
) -> list[str]:
    """The things that the pattern `declared` finds below the folder, by default the catalog's, and
    that are not in its list."""
    folder = (folder or catalog.rsplit("/", 1)[0]) + "/"
    return [
        f"{path}: '{name}' is not in the list of {catalog}"
        for path, text in code.items()
        if path.startswith(folder) and path != catalog
        for name in re.findall(declared, text)
        if name not in listed
    ]


def not_in_program(root: Path, code: dict[str, str], program: str, *folders: str) -> list[str]:
    """The files of the folders that are not part of the program."""
    names = set(re.findall(r'#define FILE_PATH "\.\./\.\./\.\./(.+?)"', code[program]))
    return [
        f"{path} is not part of the program: name it in {program}"
        for folder in folders
        for file in sorted((root / folder).rglob("*"))
        if file.is_file() and (path := str(file.relative_to(root))) not in names
    ]
