"""Runs commands and measures them as whole processes: wall time, processor time, peak memory of the
process tree.
"""

import os
import resource
import statistics
import subprocess
import threading
import time
from dataclasses import dataclass
from pathlib import Path


@dataclass
class Run:
    """The measurements of one run of a command."""

    seconds: float
    processor_seconds: float
    peak_megabytes: float


def tree(root: int) -> list[int]:
    """The process and its descendants."""
    parents: dict[int, list[int]] = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            parents.setdefault(int(fields[1]), []).append(int(entry.name))
    found, queue = [], [root]
    while queue:
        process = queue.pop()
        found.append(process)
        queue += parents.get(process, [])
    return found


def resident_megabytes(processes: list[int]) -> float:
    """The proportional set size of all of them together: shared pages count once."""
    total = 0
    for process in processes:
        try:
            for line in Path(f"/proc/{process}/smaps_rollup").read_text().splitlines():
                if line.startswith("Pss:"):
                    total += int(line.split()[1])
        except OSError:
            continue
    return total / 1024


def run(command: list[str], environment: dict[str, str] | None = None, memory: bool = False) -> Run:
    """Runs `command` to its end; raises when it fails."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**os.environ, **(environment or {})},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    output: list[bytes] = []
    reader = threading.Thread(target=lambda: output.append(process.stdout.read()))
    reader.start()
    peak = 0.0
    while memory and process.poll() is None:
        peak = max(peak, resident_megabytes(tree(process.pid)))
        time.sleep(0.1)
    process.wait()
    reader.join()
    seconds = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if process.returncode != 0:
        raise RuntimeError(
            f"{' '.join(command)} ended with {process.returncode}:\n{output[0].decode()[-2000:]}"
        )
    used = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return Run(seconds, used, peak)


def watch_spool(
    command: list[str], environment: dict[str, str], spool: Path, pages: int
) -> tuple[float, float, float]:
    """Runs a scan. Returns its seconds, the seconds until this many pages were in its spool, and
    its peak memory.
    """
    start = time.monotonic()
    process = subprocess.Popen(
        command,
        env={**os.environ, **environment},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    captured, peak = 0.0, 0.0
    while process.poll() is None:
        if not captured and len(list(spool.glob("*/page-*.raw"))) >= pages:
            captured = time.monotonic() - start
        peak = max(peak, resident_megabytes(tree(process.pid)))
        time.sleep(0.05)
    seconds = time.monotonic() - start
    if process.returncode != 0:
        raise RuntimeError(
            f"{' '.join(command)} ended with"
            f" {process.returncode}:\n{process.stderr.read().decode()[-2000:]}"
        )
    # If a run ends before all of its pages were seen, they had been captured by then.
    return seconds, captured or seconds, peak


def median(values: list[float]) -> float:
    return statistics.median(values)
