"""A database whose disk fills up while stations scan and a worker works."""

import os
import random

from cluster.database import Database
from cluster.images import ImagesFolder
from cluster.office import Office, until
from full import SmallDisk
from setup import check

SIZE = 128 << 20
# The maximum room at the start, and the scans within which it must be used up.
ROOM = 512 << 10
SCANS = 40


def one(place, programs, seed, count):
    chance = random.Random(f"{seed}/cluster/filled")
    disks = [SmallDisk(place / name, size=SIZE) for name in ("disk", "log")]
    database = office = None
    told, stopped = [], 0
    try:
        for disk in disks:
            os.chmod(disk.place, 0o755)
        data, log = (disk.place / "data" for disk in disks)
        database = Database(place / "database", data=data, log=log).make()
        office = Office(place, programs, database, ImagesFolder(place / "images"))
        office.lose_patience()
        station, worker = office.add_station(), office.add_worker()
        for _ in range(3 * count):
            # In turn that of the tables and that of the server's log.
            disk = disks[len(told) % 2]
            worker.begin()
            told += fill(disk, station, chance)
            disk.make_space()
            # PostgreSQL ends itself when there is no room for its log, after it tried to recover.
            until(
                lambda: database.accepts() or not database.is_running(),
                "the server to recover or to end",
            )
            if not database.is_running():
                stopped += 1
                database.start()
            for job in station.spooled():
                station.deliver(job)
            office.await_work()
            worker.stop()
            if len(told) == count:
                break
        check(len(told) == count, f"only {len(told)} disks were full enough")
        documents, pages = office.check_all()
    finally:
        if office:
            office.end()
        if database:
            database.end()
        for disk in disks:
            disk.remove()
    return (
        f"{count} full disks ({stopped} ended the server): {documents} documents with"
        f" {pages} pages, each there once; {sum('space' in words for words in told)} scans said"
        " that space is missing, and the others that the server does not answer"
    )


def fill(disk, station, chance):
    """Scans on a disk with less and less room until a scan fails. Returns what it said, or nothing
    if there was room within the tables for all scans.
    """
    room = chance.randrange(ROOM)
    for _ in range(SCANS):
        leave(disk, room)
        room //= 2
        station.capture(4, chance.choice(("here", "later")))
        if station.process.returncode:
            words = station.said().rpartition("$ copystand scan")[2]
            check(
                "space" in words or "does not answer" in words,
                f"the error does not say what is wrong: {words}",
            )
            return [words]
    return []


def leave(disk, room):
    """Fills the disk, on which the server writes meanwhile."""
    for _ in range(10):
        try:
            return disk.leave(room)
        except OSError:
            continue
    check(False, f"{disk.place} can't be filled")
