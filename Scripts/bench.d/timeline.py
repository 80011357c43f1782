"""Measures the phases of one `copystand scan` by the system calls of its processes."""

import os
import re
import shutil
import subprocess
from pathlib import Path

# The phases. Each ends with the first system call that matches its pattern, counted from the end
# of the phase before.
PHASES = [
    (
        "start of the program, up to that of its backend",
        re.compile(r"execve\(.*copystand-backend-sane"),
    ),
    ("start of the backend, up to its first answer", re.compile(r'send\w*\(.*\\"answer\\":1,')),
    ("opening and setting the scanner", re.compile(r'send\w*\(.*\\"verb\\":\\"capture\\"')),
    (
        "capturing: the rows are in the spool's file",
        re.compile(r'send\w*\(.*\\"event\\":\\"done\\"'),
    ),
    ("the page is safe: file, name and folder synced", re.compile(r"renameat2\(.*\.raw\.part")),
    ("delivering: header, sync, link", re.compile(r"linkat\(.*\.partial.*\.tiff\"")),
    ("sync of the document's folder, the job's end", re.compile(r"unlink(at)?\(.*job\.json")),
    ("end of the processes", None),
]
CALLS = "execve,sendto,sendmsg,renameat2,linkat,unlink,unlinkat,exit_group"


def phases(command: list[str], environment: dict[str, str], trace: Path) -> list[tuple[str, float]]:
    """Runs the command under strace. Returns its phases with their milliseconds, or None without
    strace.
    """
    if not shutil.which("strace"):
        return []
    subprocess.run(
        [
            "strace",
            "-f",
            "--seccomp-bpf",
            "-ttt",
            "-s",
            "200",
            "-e",
            f"trace={CALLS}",
            "-o",
            str(trace),
            *command,
        ],
        env={**os.environ, **environment},
        check=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
    )
    calls = []
    for line in trace.read_text(errors="replace").splitlines():
        match = re.match(r"\d+ +(\d+\.\d+) (.*)", line)
        if match:
            calls.append((float(match[1]), match[2]))
    found, start, place = [], calls[0][0], 0
    for name, mark in PHASES:
        if mark is None:
            end = calls[-1][0]
        else:
            marked = (index for index in range(place, len(calls)) if mark.search(calls[index][1]))
            place = next(marked, None)
            if place is None:
                raise RuntimeError(
                    f"no call of '{name}' in {trace}: has its mark in timeline.py changed?"
                )
            end = calls[place][0]
        found.append((name, (end - start) * 1000))
        start = end
    return found
