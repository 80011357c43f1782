"""A store of images that answers 503, cuts bodies, drops uploads, or loses what it had."""

import random

from cluster.database import Database
from cluster.images import Bucket
from cluster.office import Office, until
from cluster.proxy import StoreProxy
from receivers import S3Receiver
from servers import SwiftReceiver
from setup import check

# For each fault, whose requests meet it: those of a station or of a worker.
FAULTS = {"503": ("HEAD", "PUT", "GET"), "cut": ("PUT", "GET")}


def one(place, programs, seed, count, is_short=False):
    """Lets each fault happen at `count` moments of a station's and of a worker's requests."""
    chance = random.Random(f"{seed}/cluster/store")
    database = Database(place / "database").make()
    proxy = StoreProxy()
    receiver = S3Receiver if is_short else SwiftReceiver
    images = Bucket(receiver(place / "store"), proxy.endpoint)
    proxy.goal = images.port
    office = Office(place, programs, database, images)
    station, worker = office.add_station(), office.add_worker()
    met = 0
    try:
        for fault, methods in FAULTS.items():
            for _ in range(count):
                met += failing(office, proxy, chance, fault, methods)
        drop(office, proxy)
        lose_captured(office, proxy, is_short)
        lose_processed(office, proxy)
        documents, pages = office.check_all()
    finally:
        office.end()
        images.end()
        proxy.stop()
        database.end()
    return (
        f"{met} requests met {' or '.join(FAULTS)}: {documents} documents with {pages} pages, each"
        f" there once; {len(proxy.lost)} lost uploads were reported"
    )


def failing(office, proxy, chance, fault, methods):
    """Scans while the store fails, and works while it fails. Returns how many requests met a
    fault.
    """
    (station,), (worker,) = office.stations, office.workers
    count = chance.randint(3, 12)
    proxy.meet([fault] * count, *methods)
    station.scan(2, chance.choice(("here", "later")))
    # What a worker reads and writes.
    station.scan(2)
    met = count - proxy.unmet()
    again = chance.randint(3, 6)
    proxy.meet([fault] * again, *methods)
    worker.begin()
    office.await_work()
    worker.stop()
    met += again - proxy.unmet()
    proxy.meet([])
    return met


def drop(office, proxy):
    """Drops a captured picture that was acknowledged: it is noticed at once and sent again."""
    (station,), (worker,) = office.stations, office.workers
    proxy.meet(["drop"], "PUT")
    station.scan(2)
    check(len(proxy.lost) == 1, f"{len(proxy.lost)} uploads were dropped instead of 1")
    proxy.lost.clear()
    done = office.desk.run("archive", "check")
    check(done.returncode == 0, f"archive check: {done.stdout}{done.stderr}")
    worker.begin()
    office.await_work()
    worker.stop()


def lose_captured(office, proxy, is_short):
    """Loses a captured picture: workers give the job up with its hash, and the check names it."""
    (station,), (worker,) = office.stations, office.workers
    proxy.meet(["lose"], "PUT")
    station.scan(2)
    name = lost_name(proxy, 1)
    check_is_told(office, name)
    if is_short:
        office.database.ask("UPDATE copystand_queue.job SET attempts = 1 WHERE state = 0")
    worker.begin()
    until(lambda: office.jobs(3), "the job to be given up")
    told = office.desk.run("status")
    check(told.returncode == 1 and name in told.stdout, f"status: {told.stdout}{told.stderr}")
    put_back(office, proxy)
    office.await_work()
    worker.stop()


def lose_processed(office, proxy):
    """Loses the picture of a document that a worker adds: the check names both."""
    (station,), (worker,) = office.stations, office.workers
    station.scan(2)
    proxy.meet(["lose"], "PUT")
    worker.begin()
    office.await_work()
    worker.stop()
    check_is_told(office, lost_name(proxy, 2), "It belongs to document")
    put_back(office, proxy)


def lost_name(proxy, count):
    check(len(proxy.lost) == count, f"{len(proxy.lost)} uploads were lost instead of {count}")
    return [*proxy.lost][-1].rpartition("/")[2]


def check_is_told(office, name, words=""):
    done = office.desk.run("archive", "check")
    told = done.stdout + done.stderr
    check(done.returncode == 1 and name in told and words in told, f"archive check: {told}")


def put_back(office, proxy):
    path, content = [*proxy.lost.items()][-1]
    office.images.put(path.removeprefix("/scans/"), content)
