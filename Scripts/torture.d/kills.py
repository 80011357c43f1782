"""kill -9 at random moments of a run of 30 pages, each resumed afterwards."""
import os
import random
import signal
import time

from house import PAGES, Lost, check, end_session, kin

TARGETS = ["host", "backend", "recogniser"]


def measure(make):
    """How long an undisturbed run takes, by profile, in seconds; it is looked at like all others."""
    times = {}
    for profile in ("plain", "read"):
        house = make(f"measure-{profile}")
        house.add_shelf()
        start = time.monotonic()
        done = house.run(*house.scan_words(profile))
        times[profile] = time.monotonic() - start
        check(done.returncode == 0, f"an undisturbed run ends with {done.returncode}: {done.stderr}")
        house.check_delivered([f"sheet {number}" for number in range(1, PAGES + 1)])
        house.check_nothing_left()
        house.close()
    return times


def kill(house, words, target, seconds, after_page=0):
    """Runs a command and kills a part of it so many seconds after it began, or after a page is safe in the spool.

    What was killed, or nothing when it had ended.
    """
    process = house.start(*words)
    while after_page and process.poll() is None and not any(house.spool.glob(f"*/page-{after_page:04}.raw*")):
        time.sleep(0.0005)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline and process.poll() is None:
        time.sleep(min(0.001, max(0, deadline - time.monotonic())))
    killed = None
    if process.poll() is None:
        chosen = process.pid
        killed = "host"
        for child, name, _ in kin(process.pid) if target != "host" else []:
            if (name == "copystand-backend-virtual") == (target == "backend"):
                chosen, killed = child, target
                break
        try:
            os.kill(chosen, signal.SIGKILL)
        except ProcessLookupError:
            killed = None
    end_session(process)
    return killed, process.returncode


def one(house, seed, number, times):
    """One kill; in words what was killed and how far the run was."""
    random_ = random.Random(f"{seed}/{number}")
    target = TARGETS[number % 3]
    profile = "read" if target == "recogniser" or random_.random() < 0.25 else "plain"
    house.add_shelf()
    # Any moment of the run; one around a certain page; one while the documents are completed, where most happens.
    page = random_.choice([0, 0, random_.randint(1, PAGES), random_.randint(1, PAGES), PAGES])
    moment = random_.uniform(0, (0.25 if page == PAGES else 0.05) if page else 1.1) * times[profile]
    killed, status = kill(house, house.scan_words(profile), target, moment, page)
    house.check_whole_files()
    spooled = house.spooled()
    jobs = house.jobs()
    told = f"{killed or 'nothing'} of {profile} {moment * 1000:.0f} ms after {f'page {page}' if page else 'the start'}"
    check(len(jobs) <= 1 and len(spooled) <= 1, f"there are {len(jobs)} jobs")
    whole = [f"sheet {page}" for page in range(1, PAGES + 1)]
    if not jobs:
        # Before its job was there, or after it was done.
        if (house.out / "document.json").exists() or status == 0:
            house.check_delivered(whole)
            return f"{told}: done already"
        house.check_archive([])
        return f"{told}: not begun"
    job = jobs[0]["id"]
    safe = spooled.get(job, [])
    check(safe == whole[:len(safe)], f"the spool has the pages {safe}")
    if killed == "recogniser" and status == 0:
        raise Lost("a job is left after a run that ended well")
    if not safe:
        house.run("jobs", "resume", job)
        if house.jobs():
            done = house.run("jobs", "discard", job)
            check(done.returncode == 0, f"the empty job can't be discarded: {done.stderr}")
        house.check_nothing_left()
        house.check_archive([])
        return f"{told}: no page yet"
    again = ["jobs", "resume", job]
    expected = safe
    is_appended = jobs[0]["state"] == "continuable"
    if jobs[0]["state"] == "continuable":
        # The backend is gone: the document has what was captured, and the rest is captured into it.
        again = ["scan", "--append", job, "-d", "virtual:feeder"]
        if len(safe) < PAGES:
            expected = whole
    if random_.random() < 0.3:
        # Once more, while it is resumed.
        second, _ = kill(house, again, "host", random_.uniform(0, 1) * times[profile])
        house.check_whole_files()
        told += f", and {second or 'nothing'} while it was resumed"
        jobs = house.jobs()
        if jobs:
            safe = house.spooled().get(job, [])
            check(safe[:len(expected)] == whole[:len(safe)], f"the spool has the pages {safe}")
            again = ["jobs", "resume", job]
            expected = safe
    if jobs:
        done = house.run(*again)
        check(done.returncode == 0, f"{' '.join(again)} ends with {done.returncode}: {done.stderr}")
    house.check_delivered(expected, was_shorter=is_appended)
    house.check_nothing_left()
    return f"{told}: {len(safe)} pages were safe, {len(expected)} delivered"
