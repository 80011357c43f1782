#!/usr/bin/python3
"""Gives a program a build id that depends only on the code that is run, and prints it.

The linker's own id also depends on debugging information, in which the compiler numbers C modules
differently in every build. Argument: the program, which is changed.
"""

from __future__ import annotations

import hashlib
import subprocess
import sys
import tempfile
from pathlib import Path

NOTE = ".note.gnu.build-id"
#: The compiler's own notes for incremental builds, which differ between two builds.
UNNEEDED = [NOTE, ".swift_modhash", ".comment", ".note"]


def main() -> None:
    program = Path(sys.argv[1])
    with tempfile.TemporaryDirectory() as folder:
        note, stripped = Path(folder, "note"), Path(folder, "stripped")
        subprocess.run(
            ["objcopy", f"--dump-section={NOTE}={note}", program, Path(folder, "copy")], check=True
        )
        subprocess.run(
            ["strip", "--strip-unneeded", *(f"--remove-section={name}" for name in UNNEEDED),
             "-o", stripped, program],
            check=True,
        )  # fmt: skip
        old = note.read_bytes()
        identity = hashlib.sha1(stripped.read_bytes()).digest()
    content = program.read_bytes()
    if content.count(old) != 1 or len(old) != 16 + len(identity):
        sys.exit(f"build_id.py: {program} has no note of its build as the linker writes it")
    program.write_bytes(content.replace(old, old[:16] + identity))
    print(identity.hex())


if __name__ == "__main__":
    main()
