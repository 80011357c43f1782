"""kill -9 at random moments of a run of 30 pages, each resumed afterward."""

import os
import random
import signal
import threading
import time
from collections import Counter
from pathlib import Path

from setup import PAGES, Lost, check, end_session, kin

TARGETS = ["host", "backend", "recognizer"]


class Tally:
    """Counts of the processes that the kills hit."""

    def __init__(self):
        self.lock = threading.Lock()
        self.hit, self.second, self.syncing = Counter(), 0, 0

    def add(self, killed, syncing):
        with self.lock:
            self.hit[killed or "nothing"] += 1
            self.syncing += syncing

    def again(self, killed, syncing):
        with self.lock:
            self.second += killed is not None
            self.syncing += syncing

    @property
    def effective(self):
        return self.hit.total() - self.hit["nothing"]

    def words(self):
        parts = ", ".join(f"{self.hit[target]} the {target}" for target in TARGETS)
        return (
            f"{self.effective} kills hit a living process ({parts}); {self.hit['nothing']} runs had"
            f" ended before their moment; {self.second} were killed once more while they were"
            f" resumed; {self.syncing} pages had come whole and were not on the disk yet"
        )


def measure(make):
    """The seconds that an undisturbed run takes, by profile. Its result is checked like all others.
    """
    times = {}
    for profile in ("plain", "read"):
        setup = make(f"measure-{profile}")
        setup.add_shelf()
        start = time.monotonic()
        done = setup.run(*setup.scan_words(profile))
        times[profile] = time.monotonic() - start
        check(
            done.returncode == 0, f"an undisturbed run ends with {done.returncode}: {done.stderr}"
        )
        setup.check_delivered([f"sheet {number}" for number in range(1, PAGES + 1)])
        setup.check_nothing_left()
        setup.close()
    return times


def kill(setup, words, target, seconds, after_page=0):
    """Runs a command and kills a part of it this many seconds after it began, or after a page is
    safe in the spool.

    Returns the killed part, or nothing if it had ended.
    """
    process = setup.start(*words)
    while (
        after_page
        and process.poll() is None
        and not any(setup.spool.glob(f"*/page-{after_page:04}.raw*"))
    ):
        time.sleep(0.0005)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(min(0.001, max(0, deadline - time.monotonic())))
    killed = None
    if process.poll() is None:
        chosen = process.pid
        killed = "host"
        for child, name, _ in kin(process.pid) if target != "host" else []:
            if name == f"copystand-{'backend-virtual' if target == 'backend' else 'recognizer'}":
                chosen, killed = child, target
                break
        # A process that has ended but has not been reaped still exists, but can't be killed.
        try:
            if (
                chosen != process.pid
                and Path(f"/proc/{chosen}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
            ):
                killed = None
            os.kill(chosen, signal.SIGKILL)
        except (ProcessLookupError, FileNotFoundError):
            killed = None
    end_session(process)
    if killed == "host" and process.returncode != -signal.SIGKILL:
        killed = None
    return killed, process.returncode


def one(setup, seed, number, times, tally):
    """Makes one kill. Returns a text with the killed part and the progress of the run."""
    random_ = random.Random(f"{seed}/{number}")
    target = TARGETS[number % 3]
    profile = "read" if target == "recognizer" or random_.random() < 0.25 else "plain"
    setup.add_shelf()
    # The moment is any of the run, one around a certain page, or one while the documents are
    # completed, when most happens.
    page = random_.choice([0, 0, random_.randint(1, PAGES), random_.randint(1, PAGES), PAGES])
    moment = random_.uniform(0, (0.25 if page == PAGES else 0.05) if page else 1.1) * times[profile]
    killed, status = kill(setup, setup.scan_words(profile), target, moment, page)
    setup.check_whole_files()
    spooled = setup.spooled()
    arrived = setup.arrived()
    tally.add(killed, len(arrived))
    jobs = setup.jobs()
    told = (
        f"{killed or 'nothing'} of {profile} {moment * 1000:.0f} ms after"
        f" {f'page {page}' if page else 'the start'}"
    )
    check(len(jobs) <= 1 and len(spooled) <= 1, f"there are {len(jobs)} jobs")
    whole = [f"sheet {page}" for page in range(1, PAGES + 1)]
    if not jobs:
        # The kill was before the job existed, or after it was done.
        if (setup.out / "document.json").exists() or status == 0:
            setup.check_delivered(whole)
            return f"{told}: done already"
        setup.check_archive([])
        return f"{told}: not begun"
    job = jobs[0]["id"]
    safe = spooled.get(job, []) + arrived
    check(
        safe == whole[: len(safe)], f"the spool has the pages {safe}, {arrived} of them not synced"
    )
    check(
        jobs[0]["pages"] == len(safe),
        f"the job says that it has {jobs[0]['pages']} pages instead of {len(safe)}",
    )
    if arrived:
        told += f", {len(arrived)} being synced"
    if killed == "recognizer" and status == 0:
        raise Lost("a job is left after a run that ended well")
    if not safe:
        setup.run("jobs", "resume", job)
        if setup.jobs():
            done = setup.run("jobs", "discard", job)
            check(done.returncode == 0, f"the empty job can't be discarded: {done.stderr}")
        setup.check_nothing_left()
        setup.check_archive([])
        return f"{told}: no page yet"
    again = ["jobs", "resume", job]
    expected = safe
    is_appended = jobs[0]["state"] == "continuable"
    if jobs[0]["state"] == "continuable":
        # The backend has died. The document has the captured pages, and the rest is captured into
        # it.
        again = ["scan", "--append", job, "-d", "virtual:feeder"]
        if len(safe) < PAGES:
            expected = whole
    if random_.random() < 0.3:
        # The job is killed again while it is resumed.
        second, _ = kill(setup, again, "host", random_.uniform(0, 1) * times[profile])
        setup.check_whole_files()
        told += f", and {second or 'nothing'} while it was resumed"
        late = setup.arrived()
        tally.again(second, len(late))
        jobs = setup.jobs()
        if jobs:
            pages = setup.spooled().get(job, []) + late
            # The feeder counts its sheets from one in the second capture, but the document
            # continues its count.
            begun = len(safe)
            check(
                pages[:begun] == whole[:begun]
                and pages[begun:] == whole[: len(pages) - begun]
                and (is_appended or len(pages) == begun),
                f"the spool has the pages {pages}",
            )
            safe = whole[: len(pages)]
            again = ["jobs", "resume", job]
            expected = safe
    if jobs:
        done = setup.run(*again)
        check(done.returncode == 0, f"{' '.join(again)} ends with {done.returncode}: {done.stderr}")
    setup.check_delivered(expected, was_shorter=int(is_appended))
    setup.close_pile()
    return f"{told}: {len(safe)} pages were safe, {len(expected)} delivered"
