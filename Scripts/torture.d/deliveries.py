"""Many deliveries are killed: each document must arrive once, or be reported as possibly delivered
twice.
"""

import collections
import hashlib
import json
import os
import random
import shutil
import signal
import subprocess
import time

from servers import ALL
from setup import AREA, check


# The seconds within which a kill happens: the time of one document and the program's start.
MOMENT = 0.1
# The number of times that more documents are added if all have arrived before the last kill.
REFILLS = 60


def add_sink(setup, receiver, name="there"):
    more = ["--format", receiver.format] if receiver.format != "pdf" else []
    done = setup.run("sinks", "add", name, *receiver.words, *more)
    check(done.returncode == 0, f"sinks add: {done.stderr}")


def fill(setup, receiver, count, first_number=0):
    """Puts `count` different documents into the outbox, numbered from `first_number`.

    One document is scanned for a sink that refuses it; the others are copies of its folder, with
    different titles and last bytes.

    Returns: the hashes of their files, by title.
    """
    more = ["--format", receiver.format] if receiver.format != "pdf" else []
    done = setup.run("sinks", "add", "there", "-k", "exec", "--command", "/bin/false", *more)
    check(done.returncode == 0, f"sinks add: {done.stderr}")
    words = ["scan", "-d", "virtual:feeder", *AREA, "-s", "pages=1", "-p", "plain", "-t", "First"]
    done = setup.run(*words, "--sink", "there")
    check(done.returncode == 5, f"scan ends with {done.returncode}: {done.stderr}")
    # Hidden files are left over from a kill, and removed by the next run.
    (first,) = [path for path in setup.outbox.iterdir() if path.name[0] == "2"]
    item = json.loads((first / "item.json").read_text())
    check(len(item["files"]) == 1, f"the document has {len(item['files'])} files")
    name = item["files"][0]["name"]
    content = (first / name).read_bytes()
    hashes = {}
    for number in range(first_number, first_number + count):
        title = f"Document {number}"
        copy = setup.outbox / f"20260101-000000-{number:06d}"
        copy.mkdir(mode=0o700)
        # Readers of PDF and JPEG ignore bytes after the end.
        own = content + f"\n%{title}\n".encode()
        (copy / name).write_bytes(own)
        hashes[title] = hashlib.sha256(own).hexdigest()
        if receiver.format == "jpg":
            hashes[title] = hashlib.sha1(own).hexdigest()
        fields = {"id": copy.name, "title": title, "attempts": 0, "nextTry": 0, "progress": {}}
        file = {**item["files"][0], "bytes": len(own), "sha256": hashlib.sha256(own).hexdigest()}
        note = {**item, **fields, "files": [file], "state": "waiting"}
        # The outbox keeps the receipt of a job's document, with notes about it.
        note["job"] = f"torture/{number}"
        for key in ("problem", "archive"):
            note.pop(key, None)
        (copy / "item.json").write_text(json.dumps(note))
        (copy / "item.json").chmod(0o600)
    shutil.rmtree(first)
    add_sink(setup, receiver)
    return hashes


def waiting(setup):
    """The number of documents in the outbox, without hidden files."""
    return sum(1 for name in os.listdir(setup.outbox) if name[0] == "2")


def told_twice(setup):
    """The documents whose receipts say that they may have arrived twice."""
    told = set()
    for path in (setup.outbox / "delivered").iterdir():
        if "twice" in path.read_text():
            told.add(f"Document {int(path.name[-6:])}")
    return told


def check_arrived(setup, receiver, hashes):
    """Checks that everything arrived once. Returns the number of documents that arrived twice
    and were reported so."""
    arrived = collections.Counter(receiver.titles())
    if any(title in arrived for title in hashes.values()):
        names = {hash: title for title, hash in hashes.items()}
        arrived = collections.Counter({names.get(k, k): n for k, n in arrived.items()})
    missing = hashes.keys() - arrived.keys()
    check(not missing, f"{len(missing)} of {len(hashes)} did not arrive: {sorted(missing)[:3]}")
    more = {title: count for title, count in arrived.items() if count > 1}
    foreign = arrived.keys() - hashes.keys()
    check(not foreign, f"{sorted(foreign)[:3]} arrived, which nobody sent")
    untold = more.keys() - told_twice(setup)
    check(not untold, f"{len(untold)} arrived more than once without a report: {sorted(untold)[:3]}")
    check(receiver.may_double or not more, f"{sorted(more.items())[:3]} arrived more than once")
    left = receiver.leftovers()
    check(not left, f"{len(left)} hidden files are left: {left[:3]}")
    return len(more)


def one(setup, kind, seed, count, kills):
    """Kills the program `kills` times while `count` documents are delivered."""
    chance = random.Random(f"{seed}/{kind}")
    receiver = ALL[kind](setup.folder / "receiver")
    try:
        hashes = fill(setup, receiver, count)
        done = refills = 0
        while done < kills:
            if (left := waiting(setup)) == 0:
                refills += 1
                check(refills <= REFILLS, f"only {done} of {kills} kills hit a living process")
                hashes |= fill(setup, receiver, count, len(hashes))
                left = count
            # The number of documents before this kill, so that some are left for the other kills.
            share = max(0, left - count // 8) // (kills - done) if refills == 0 else 0
            goal = chance.randint(0, 2 * share)
            process = setup.start("outbox", "retry")
            while process.poll() is None and left - waiting(setup) < goal:
                time.sleep(0.002)
            time.sleep(chance.random() * MOMENT)
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)
                process.wait()
                done += 1
        left = waiting(setup)
        end = time.monotonic() + 600
        while waiting(setup) and time.monotonic() < end:
            process = setup.start("outbox", "retry")
            process.wait()
        check(waiting(setup) == 0, f"{waiting(setup)} documents still wait")
        twice = check_arrived(setup, receiver, hashes)
        server = f" ({version})" if (version := receiver.version()) else ""
        return (
            f"{kind}{server}: {done} kills, {len(hashes) - left} of {len(hashes)} had arrived by then,"
            f" {twice} twice"
        )
    finally:
        receiver.stop()


def rate(setup, kind, count):
    """Measures the speed of delivery. Returns documents a second, seconds, and MB of memory for a
    tenth of them and for all.
    """
    receiver = ALL[kind](setup.folder / "receiver")
    try:
        peaks = []
        seconds = 0.0
        for number in (count // 10, count):
            hashes = fill(setup, receiver, number)
            begun = time.monotonic()
            process = setup.start("outbox", "retry")
            _, status, usage = os.wait4(process.pid, 0)
            seconds = time.monotonic() - begun
            check(status == 0, f"{kind}: outbox retry ends with {os.waitstatus_to_exitcode(status)}")
            peaks.append(usage.ru_maxrss / 1024)
            check(waiting(setup) == 0, f"{kind}: {waiting(setup)} documents still wait")
        arrived = set(receiver.titles())
        check(len(arrived) >= len(hashes), f"{kind}: {len(arrived)} of {len(hashes)} arrived")
        return count / seconds, seconds, *peaks
    finally:
        receiver.stop()
