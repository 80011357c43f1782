"""A disk that fills at many points: a small file system in memory, on which a ballast leaves more or less room."""
import os
import random
import subprocess
from pathlib import Path

from house import PAGES, check

SIZE = 64 << 20


class SmallDisk:
    """A tmpfs; raises PermissionError where this user may not mount one."""

    def __init__(self, place: Path, size=SIZE):
        place.mkdir()
        self.place = place
        done = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={size},mode=700", "torture", place],
                              capture_output=True, text=True)
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
    """Bytes that an undisturbed run takes at its height, measured with a watch on a disk of its own."""
    house = make("measure")
    house.add_shelf()
    disk = house.disk
    before, least = disk.free(), disk.free()
    process = house.start(*house.scan_words("plain"))
    while process.poll() is None:
        least = min(least, disk.free())
    check(process.returncode == 0, f"an undisturbed run ends with {process.returncode}")
    house.check_delivered([f"sheet {number}" for number in range(1, PAGES + 1)])
    return before - least


def one(house, seed, number, most):
    """One full disk; in words what came of it."""
    random_ = random.Random(f"{seed}/full/{number}")
    house.add_shelf()
    room = random_.randrange(4096, int(most * 1.05))
    house.disk.leave(room)
    done = house.run(*house.scan_words("plain"))
    told = f"{room // 1024} KiB free"
    whole = [f"sheet {page}" for page in range(1, PAGES + 1)]
    house.check_whole_files()
    if done.returncode == 0:
        house.disk.make_space()
        house.check_delivered(whole)
        return f"{told}: enough"
    check("pace" in done.stderr or "full" in done.stderr, f"the error does not say that space is missing: {done.stderr}")
    house.disk.make_space()
    house.check_whole_files()
    jobs = house.jobs()
    spooled = house.spooled()
    check(len(jobs) <= 1, f"there are {len(jobs)} jobs")
    if not jobs:
        house.check_archive([])
        return f"{told}: not begun, exit {done.returncode}"
    job = jobs[0]["id"]
    safe = spooled.get(job, [])
    check(safe == whole[:len(safe)], f"the spool has the pages {safe}")
    if not safe:
        house.run("jobs", "discard", job)
        house.check_nothing_left()
        return f"{told}: no page yet, exit {done.returncode}"
    resumed = house.run("jobs", "resume", job)
    check(resumed.returncode == 0, f"jobs resume ends with {resumed.returncode}: {resumed.stderr}")
    house.run("outbox", "retry")
    house.check_delivered(safe)
    house.close_pile()
    return f"{told}: {len(safe)} pages were safe, and were delivered when there was space"
