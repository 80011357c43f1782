"""Runs a command that starts many processes, shows its output, and ends every process that it
leaves behind.

    run_tests.py LOG LIMIT COMMAND...

The output goes to the file LOG and is shown line by line. After LIMIT seconds the command is
stopped with status 124, and the script shows what its processes were waiting for: their buffers may
still hold up to 4 KiB of output. A process that is left when the command has ended is shown with
its arguments and killed, and the status becomes 3: it would hold up anyone who waits for the end of
the output.
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
# A process that is asked to end may take this long on a busy machine.
GRACE = 20.0


def tell_waits(parent: int, margin: str = "  ") -> None:
    """Prints the processes below that one, and the kernel function in which each of their threads
    waits.
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
    """Reaps processes that this one has inherited, so that their numbers become free, but not the
    command.
    """
    try:
        while (
            ended := os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        ) and ended.si_pid != command:
            os.waitpid(ended.si_pid, os.WNOHANG)
    except ChildProcessError:
        pass


def show(log: BinaryIO, is_end: bool = False) -> None:
    """Prints the new whole lines of a log, so that the output of two parallel runs stays
    readable."""
    new = log.read()
    if not is_end:
        rest = len(new) - new.rfind(b"\n") - 1
        log.seek(-rest, os.SEEK_CUR)
        new = new[: len(new) - rest]
    sys.stdout.buffer.write(new)
    sys.stdout.buffer.flush()


def main() -> int:
    """The command line."""
    # A shell's background jobs ignore Ctrl-C otherwise.
    signal.signal(signal.SIGINT, signal.default_int_handler)
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
    return child.returncode or (3 if left else 0)


if __name__ == "__main__":
    try:
        sys.exit(main())
    except KeyboardInterrupt:
        sys.exit(130)
