"""Kills scans with kill -9 at random moments while an archive is being made; the archive must then
be usable, with every page.
"""

import os
import random
import signal
import threading
import time
from collections import Counter

from setup import AREA, check, end_session

SHEETS = 3


class Tally:
    """Counts of the kills' leftovers."""

    def __init__(self):
        self.lock = threading.Lock()
        self.left, self.pages = Counter(), 0

    def add(self, left, pages):
        with self.lock:
            self.left[left] += 1
            self.pages += pages

    def words(self):
        parts = ", ".join(f"{count} {what}" for what, count in sorted(self.left.items()))
        return (
            f"{self.left.total()} archives were interrupted while being made ({parts}); {self.pages}"
            " pages are in them"
        )


def state(archive):
    """The files of an archive."""
    path = archive / "archive.sqlite"
    if not path.exists():
        return "without a file"
    if path.stat().st_size == 0:
        return "with an empty file"
    journals = [end for end in ("journal", "wal") if (archive / f"archive.sqlite-{end}").exists()]
    return f"with a file and {' and '.join(journals)}" if journals else "with a file"


def looked_at(setup, archive):
    """Reads the archive in every way. Returns the number of its documents."""
    is_there = (archive / "archive.sqlite").exists()
    for words in (["list"], ["search", "nothing"], ["archive", "check"]):
        done = setup.run(*words)
        if is_there:
            check(
                done.returncode == 0,
                f"{' '.join(words)} ends with {done.returncode}: {done.stderr}",
            )
        else:
            check(
                done.returncode == 2 and "no archive" in done.stderr,
                f"{' '.join(words)}: {done.stderr}",
            )
    return setup.json("list")["documents"] if is_there else []


def one(setup, seed, number, tally):
    """Kills a first scan while it makes the archive. Then reads, resumes, and scans once more.
    """
    choice = random.Random(f"half {seed} {number}")
    archive = setup.home / ".local/share/copystand"
    words = ["scan", "-d", "virtual:feeder", *AREA, "-n", str(SHEETS), "-p", "plain"]
    process = setup.start(*words)
    while process.poll() is None and not archive.exists():
        time.sleep(0.0002)
    # Making the archive takes a few milliseconds, so some kills come afterward.
    deadline = time.monotonic() + choice.uniform(0, 0.04)
    while time.monotonic() < deadline and process.poll() is None:
        pass
    if process.poll() is None:
        os.kill(process.pid, signal.SIGKILL)
    end_session(process)
    left = state(archive)
    before = len(looked_at(setup, archive))
    safe = sum(len(labels) for labels in setup.spooled().values())
    expected = []
    for job in setup.jobs():
        if job["pages"] == 0:
            continue
        done = setup.run("jobs", "resume", job["id"])
        check(done.returncode == 0, f"jobs resume ends with {done.returncode}: {done.stderr}")
        expected.append(job["pages"])
    check(
        sum(expected) >= safe,
        f"{safe} pages were safe in the spool, and {sum(expected)} were resumed",
    )
    done = setup.run(*words)
    check(done.returncode == 0, f"another scan ends with {done.returncode}: {done.stderr}")
    listed = looked_at(setup, archive)
    pages = sorted(len(setup.json("show", str(document["id"]))["pages"]) for document in listed)
    wanted = sorted(expected + [SHEETS] * (before + 1))
    check(pages == wanted, f"the archive has documents of {pages} pages instead of {wanted}")
    hidden = [path for path in archive.rglob(".*.partial")]
    check(not hidden, f"the archive keeps {hidden}")
    tally.add(left, sum(pages))
    return left
