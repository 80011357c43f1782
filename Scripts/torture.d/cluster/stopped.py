"""A worker that is stopped in the middle of a job, and wakes up when another has done it."""

import random
import signal
import time

from cluster.database import Database
from cluster.images import ImagesFolder
from cluster.office import Office, until


def one(place, programs, seed, count, minutes=0):
    """Stops a worker at `count` moments, and then once for some minutes without shortened times."""
    chance = random.Random(f"{seed}/cluster/stopped")
    database = Database(place / "database").make()
    office = Office(place, programs, database, ImagesFolder(place / "images"))
    office.read_in(0.5)
    office.lose_patience()
    station, first, second = office.add_station(), office.add_worker(1), office.add_worker(1)
    lost = 0
    try:
        while lost < count:
            lost += round_(office, station, first, second, chance)
        if minutes:
            database.ask("DROP TRIGGER hasten ON copystand_queue.job")
            while not round_(office, station, first, second, chance, minutes):
                pass
        documents, pages = office.check_all()
    finally:
        office.end()
        database.end()
    return (
        f"{lost} times a stopped worker's job became another's, and the first one added nothing"
        + (f", and once more after {minutes} minutes" if minutes else "")
        + f": {documents} documents with {pages} pages, each there once"
    )


def round_(office, station, first, second, chance, minutes=0):
    """Returns whether the worker was stopped before its job was done."""
    station.scan(3)
    begun = first.said().count("another worker's")
    first.begin()
    until(lambda: office.jobs(1), "a job to begin")
    time.sleep(chance.uniform(0, 2))
    first.signal(signal.SIGSTOP)
    # What the server had of it is done by now.
    time.sleep(0.2)
    is_early = office.jobs(1) > 0
    if is_early:
        if minutes:
            second.begin()
            time.sleep(60 * minutes)
        else:
            office.await_silence()
            second.begin()
        office.await_work()
        second.stop()
    first.signal(signal.SIGCONT)
    if is_early:
        until(lambda: first.said().count("another worker's") > begun, "the first worker to notice")
    first.stop()
    return is_early
