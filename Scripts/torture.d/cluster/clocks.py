"""Machines whose clocks are an hour apart."""

import random
from pathlib import Path

from cluster.database import Database
from cluster.images import Bucket
from cluster.office import Office, until
from receivers import S3Receiver
from servers import SwiftReceiver
from setup import check

LIBRARY = next(Path("/usr/lib").glob("*/faketime/libfaketimeMT.so.1"), None)
HOURS = (-1, 0, 1)


def obstacle():
    return None if LIBRARY else "libfaketime is not installed (apt install libfaketime)"


def set_clock(machine, hours):
    """Lets the programs of a machine see another time of day; intervals stay what they are."""
    machine.environment |= {
        "LD_PRELOAD": str(LIBRARY), "FAKETIME": f"{hours:+}h", "FAKETIME_DONT_FAKE_MONOTONIC": "1",
    }  # fmt: skip


def one(place, programs, seed, count, is_short=False):
    """Lets stations scan `count` stacks each, and kills a worker in the middle of its first job."""
    chance = random.Random(f"{seed}/cluster/clocks")
    database = Database(place / "database").make()
    receiver = S3Receiver if is_short else SwiftReceiver
    images = Bucket(receiver(place / "store"))
    office = Office(place, programs, database, images)
    office.lose_patience()
    try:
        for hours in HOURS:
            set_clock(office.add_station(), hours)
            set_clock(office.add_worker(), hours)
        for _ in range(count):
            for station in office.stations:
                station.scan(chance.randint(1, 3), chance.choice(("here", "later")))
        office.stations[0].scan(3)
        office.read_in(2)
        office.workers[0].begin()
        until(lambda: office.jobs(1), "a job to begin")
        office.workers[0].kill()
        office.read_in(0.1)
        office.await_silence()
        for worker in office.workers:
            worker.begin()
        office.await_work()
        for worker in office.workers:
            worker.stop()
        apart = float(database.ask("SELECT max(created) - min(created) FROM copystand.document"))
        check(apart > 3600, f"the stations' clocks are only {apart} s apart")
        # By the clock of this station, pictures that are in use would be old enough to go.
        set_clock(office.desk, 48)
        done = office.desk.run("archive", "compact")
        check(done.returncode == 0, f"archive compact ends with {done.returncode}: {done.stderr}")
        documents, pages = office.check_all()
    finally:
        office.end()
        images.end()
        database.end()
    return (
        f"3 stations and 3 workers, whose clocks are up to two hours apart: {documents} documents"
        f" with {pages} pages, each there once"
    )
