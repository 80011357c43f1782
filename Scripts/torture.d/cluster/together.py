"""Many stations that scan at the same moment."""

import time
from concurrent.futures import ThreadPoolExecutor

from cluster.database import Database
from cluster.images import ImagesFolder
from cluster.office import Office

WORKERS = 2


def one(place, programs, seed, count):
    """Lets `count` stations scan two stacks each at once, and workers process them meanwhile."""
    database = Database(place / "database").make()
    office = Office(place, programs, database, ImagesFolder(place / "images"))
    office.read_in(0.01)
    began = time.monotonic()
    try:
        for _ in range(count):
            office.add_station()
        for _ in range(WORKERS):
            office.add_worker().begin()

        def scan(station):
            station.scan(2)
            station.scan(1, "here" if (station.number + seed) % 3 == 0 else "later")

        with ThreadPoolExecutor(count) as pool:
            list(pool.map(scan, office.stations))
        office.await_work()
        for worker in office.workers:
            worker.stop()
        documents, pages = office.check_all()
    finally:
        office.end()
        database.end()
    return (
        f"{count} stations at once: {documents} documents with {pages} pages, each there once, in"
        f" {time.monotonic() - began:.0f} s"
    )
