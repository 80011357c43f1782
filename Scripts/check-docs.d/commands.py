"""Every command line of Copystand in a block of code is one that the program understands.

The built program checks them by `copystand parse`, which runs nothing.
"""

import re
import shlex
import subprocess
import sys
from pathlib import Path

from prose import lines

#: A call of the program: at the start of a line, or after a sign that begins another command.
CALL = re.compile(r"(?:^\s*(?:\$ )?|[;&|(]\s*|\bsudo )copystand(?=\s|$)")
#: Words of a shell that end a command.
ENDS = re.compile(r"[;&|()<>]+")


def build(root: Path) -> Path:
    """Builds the program, and returns its path. Raises `CalledProcessError` when that fails."""
    subprocess.run(["Scripts/build", "copystand"], cwd=root, check=True, stdout=sys.stderr)
    folder = subprocess.run(
        ["Scripts/build", "--folder"], cwd=root, check=True, capture_output=True, text=True
    ).stdout.strip()
    return Path(folder) / "copystand"


def calls(file: Path) -> list[tuple[int, str]]:
    """The number and text of each line of code in `file`; lines that continue after `\\` are
    joined."""
    found, begun = [], None
    for number, kind, line in lines(file):
        if kind != "code":
            begun = None
            continue
        first, text = (begun[0], begun[1] + line) if begun else (number, line)
        begun = (first, text[:-1]) if text.endswith("\\") else None
        if not begun:
            found.append((first, text))
    return found


def arguments(text: str) -> list[list[str]]:
    """The arguments of each call of the program in one line of shell."""
    found = []
    for call in CALL.finditer(text):
        words = shlex.shlex(text[call.end() :], posix=True, punctuation_chars=True)
        words.whitespace_split = True
        words.commenters = "#"
        row = []
        for word in words:
            if ENDS.fullmatch(word):
                break
            row.append(word)
        found.append(row)
    return found


def all_commands(program: Path, before: tuple[str, ...] = ()) -> list[str]:
    """Every command that the help of `program` lists, including subcommands."""
    text = subprocess.run(
        [program, *before, "--help"], check=True, capture_output=True, text=True
    ).stdout
    listed = re.search(r"^Commands:\n(.*?)(?:\n\n|\Z)", text, flags=re.S | re.M)
    found = []
    for name, summary in re.findall(
        r"^  ([a-z][a-z-]*)  +(.*)$", listed[1] if listed else "", flags=re.M
    ):
        # `sinks list` is the same as `sinks`.
        if ", the same as " not in summary:
            found += [" ".join((*before, name)), *all_commands(program, (*before, name))]
    return found


def unlisted(file: Path, name: str, program: Path) -> list[str]:
    """Returns a message for each command of `program` that is missing in `file`, the list of
    all."""
    text = file.read_text()
    # A command that only groups others appears with those.
    return [
        f"{name}: does not list `copystand {command}`"
        for command in all_commands(program)
        if not re.search(rf"`copystand {command}[` ]", text)
    ]


def faults(files: dict[str, Path], program: Path) -> list[str]:
    """Returns a message for each command in `files` that `program` does not understand."""
    found = []
    for name, file in files.items():
        for number, text in calls(file):
            for words in arguments(text):
                answer = subprocess.run(
                    [program, "parse", "--", *words], capture_output=True, text=True
                )
                if words and answer.returncode != 0:
                    said = answer.stderr.strip().splitlines()[0]
                    found.append(f"{name}:{number}: copystand {shlex.join(words)}: {said}")
    return found
