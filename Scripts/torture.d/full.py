"""A disk that fills up at many points: a small file system in memory, on which a large file leaves
more or less space.
"""

import os
import random
import subprocess
from pathlib import Path

from setup import PAGES, check

SIZE = 64 << 20


class SmallDisk:
    """A tmpfs; raises PermissionError where this user may not mount one."""

    def __init__(self, place: Path, size=SIZE):
        place.mkdir()
        self.place = place
        done = subprocess.run(
            ["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "torture", place],
            capture_output=True,
            text=True,
        )
        if done.returncode != 0:
            raise PermissionError(done.stderr.strip())

    def free(self):
        state = os.statvfs(self.place)
        return state.f_bavail * state.f_frsize

    def leave(self, room):
        ballast = self.place / "ballast"
        with open(ballast, "wb") as file:
            os.posix_fallocate(file.fileno(), 0, max(1, self.free() - room))

    def make_space(self):
        (self.place / "ballast").unlink()

    def remove(self):
        subprocess.run(["umount", self.place], check=True)


def need(make):
    """The peak number of bytes that an undisturbed run takes, measured on a separate disk.
    """
    setup = make("measure")
    setup.add_shelf()
    disk = setup.disk
    before, least = disk.free(), disk.free()
    process = setup.start(*setup.scan_words("plain"))
    while process.poll() is None:
        least = min(least, disk.free())
    check(process.returncode == 0, f"an undisturbed run ends with {process.returncode}")
    setup.check_delivered([f"sheet {number}" for number in range(1, PAGES + 1)])
    return before - least


def one(setup, seed, number, most):
    """Tests one full disk, and returns the result in words."""
    random_ = random.Random(f"{seed}/full/{number}")
    setup.add_shelf()
    room = random_.randrange(4096, int(most * 1.05))
    setup.disk.leave(room)
    done = setup.run(*setup.scan_words("plain"))
    told = f"{room // 1024} KiB free"
    whole = [f"sheet {page}" for page in range(1, PAGES + 1)]
    setup.check_whole_files()
    if done.returncode == 0:
        setup.disk.make_space()
        setup.check_delivered(whole)
        return f"{told}: enough"
    check(
        "pace" in done.stderr or "full" in done.stderr,
        f"the error does not say that space is missing: {done.stderr}",
    )
    setup.disk.make_space()
    setup.check_whole_files()
    jobs = setup.jobs()
    spooled = setup.spooled()
    check(len(jobs) <= 1, f"there are {len(jobs)} jobs")
    if not jobs:
        setup.check_archive([])
        return f"{told}: not begun, exit {done.returncode}"
    job = jobs[0]["id"]
    safe = spooled.get(job, [])
    check(safe == whole[: len(safe)], f"the spool has the pages {safe}")
    if not safe:
        setup.run("jobs", "discard", job)
        setup.check_nothing_left()
        return f"{told}: no page yet, exit {done.returncode}"
    resumed = setup.run("jobs", "resume", job)
    check(resumed.returncode == 0, f"jobs resume ends with {resumed.returncode}: {resumed.stderr}")
    setup.run("outbox", "retry")
    setup.check_delivered(safe)
    setup.close_pile()
    return f"{told}: {len(safe)} pages were safe, and were delivered when there was space"
