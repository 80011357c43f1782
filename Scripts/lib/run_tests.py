"""Runs a command that starts many processes, shows what it prints, and lets nothing outlive it.

    run_tests.py LOG LIMIT COMMAND...

What it prints goes to the file LOG and is shown line by line as it comes. After LIMIT seconds it is
stopped, with status 124, and what its processes then waited for is shown: a program that waits
keeps up to 4 KiB of what it prints to itself. A process that is left when it has ended, by its name
and arguments, is killed and makes the status 1: it would hold whoever waits for the end of what is
printed.
"""

import ctypes
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

from processes import children

PR_SET_CHILD_SUBREAPER = 36
# What is asked to end may take so long, on a busy machine.
GRACE = 20.0


def tell_waits(parent: int, margin: str = "  ") -> None:
    """Prints the processes below that one, and in which function of the kernel each of their
    threads waits.
    """
    for number, words in children(parent).items():
        print(f"{margin}{number} {words[:200]}", flush=True)
        for task in Path(f"/proc/{number}/task").glob("*"):
            try:
                name, place = ((task / file).read_text().strip() for file in ("comm", "wchan"))
                print(
                    f"{margin}  thread {task.name} '{name}': {'runs' if place == '0' else place}",
                    flush=True,
                )
            except OSError:
                pass
        tell_waits(number, margin + "  ")


def reap(command: int) -> None:
    """Takes note of the ends of processes that this one has inherited, so that their numbers become
    free; not of the command's.
    """
    try:
        while (
            ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        ) and ended.si_pid != command:
            os.waitpid(ended.si_pid, os.WNOHANG)
    except ChildProcessError:
        pass


def show(log: BinaryIO, is_end: bool = False) -> None:
    """Prints what is new in a log, in whole lines, so that two that run at once can be read."""
    new = log.read()
    if not is_end:
        rest = len(new) - new.rfind(b"\n") - 1
        log.seek(-rest, os.SEEK_CUR)
        new = new[: len(new) - rest]
    sys.stdout.buffer.write(new)
    sys.stdout.buffer.flush()


def main() -> int:
    """The command line."""
    log, limit, command = sys.argv[1], float(sys.argv[2]), sys.argv[3:]
    ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    end = time.monotonic() + limit
    with open(log, "wb") as out, open(log, "rb") as shown:
        child = subprocess.Popen(command, stdout=out, stderr=subprocess.STDOUT)
        is_late = False
        while child.poll() is None:
            show(shown)
            reap(child.pid)
            time.sleep(0.2)
            if not is_late and time.monotonic() > end:
                is_late = True
                print(f"\nnot ended after {limit:g} s; its processes:", flush=True)
                tell_waits(os.getpid())
                child.send_signal(signal.SIGTERM)
                end += 30
            elif is_late and time.monotonic() > end:
                child.kill()
        show(shown, is_end=True)
    patience = time.monotonic() + (0 if is_late else GRACE)
    while (left := children(os.getpid())) and time.monotonic() < patience:
        reap(child.pid)
        time.sleep(0.2)
    for number, words in left.items():
        print(f"left running: {number} {words[:300]}", flush=True)
        try:
            os.kill(number, signal.SIGKILL)
        except ProcessLookupError:
            pass
    if is_late:
        return 124
    return child.returncode or (1 if left else 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
