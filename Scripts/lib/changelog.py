"""Turns the changelog's section "Unreleased" into that of a version.

    changelog.py date FILE VERSION DATE

If the version already has a section, which was dated without a release, the two are merged: the
lines of each kind (Added, Changed, Fixed) are put together, those of "Unreleased" first.
"""

import re
import sys
from pathlib import Path

KINDS = ("Added", "Changed", "Deprecated", "Removed", "Fixed", "Security")


def kinds(section: str) -> dict[str, str]:
    """The lines of a section by kind, in the file's order."""
    first, *rest = re.split(r"^### (\w+)\n", section, flags=re.MULTILINE)
    if first.strip() or any(kind not in KINDS for kind in rest[::2]):
        raise SystemExit(f"changelog: only '### {'|'.join(KINDS)}' may head lines of a section")
    return {kind: lines.strip("\n") for kind, lines in zip(rest[::2], rest[1::2])}


def dated(text: str, version: str, date: str) -> str:
    """The changelog with the version's section, and an empty "Unreleased" above it."""
    head, *rest = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    sections = list(zip(rest[::2], rest[1::2]))
    if not sections or sections[0][0] != "Unreleased":
        raise SystemExit("changelog: the first section is not 'Unreleased'")
    new = kinds(sections[0][1])
    older = []
    for title, section in sections[1:]:
        if title.split(" ")[0] != version:
            older.append(f"## {title}\n{section}")
            continue
        for kind, lines in kinds(section).items():
            new[kind] = "\n".join(part for part in (new.get(kind), lines) if part)
    ordered = sorted(new.items(), key=lambda item: KINDS.index(item[0]))
    lines = "\n\n".join(f"### {kind}\n{lines}" for kind, lines in ordered)
    return f"{head}## Unreleased\n\n## {version} - {date}\n\n{lines}\n" + "".join(
        "\n" + section for section in older)


def main() -> None:
    """The command line."""
    word, file, version, date = sys.argv[1:]
    if word != "date":
        raise SystemExit(__doc__)
    path = Path(file)
    path.write_text(dated(path.read_text(encoding="utf-8"), version, date), encoding="utf-8")


if __name__ == "__main__":
    main()
