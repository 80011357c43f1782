"""kill -9 of stations and workers, and crashes of the database, under load."""

import random
import threading
import time
from collections import Counter

from cluster.database import Database
from cluster.images import ImagesFolder
from cluster.office import Office

STATIONS, WORKERS = 3, 2


class Load:
    """Threads in which stations scan and workers work until `end`."""

    def __init__(self, office, seed):
        self.office, self.ended, self.faults = office, threading.Event(), []
        self.killing = threading.Event()
        self.threads = []
        for _ in range(STATIONS):
            station = office.add_station()
            self.add(self.scan, station, random.Random(f"{seed}/{station.name}"))
        for _ in range(WORKERS):
            self.add(self.work, office.add_worker())

    def add(self, body, *words):
        def guarded():
            try:
                body(*words)
            except Exception as fault:
                self.faults.append(fault)
                self.ended.set()

        thread = threading.Thread(target=guarded)
        self.threads.append(thread)
        thread.start()

    def scan(self, station, chance):
        while not self.ended.is_set():
            station.scan(chance.randint(1, 4), "here" if chance.random() < 0.3 else "later")
            self.ended.wait(chance.uniform(0, 0.5))

    def work(self, worker):
        """Starts the worker again whenever it was killed."""
        while not self.ended.is_set():
            status = worker.begin().wait()
            if status == -9:
                worker.kills += 1
            elif not self.ended.is_set():
                raise AssertionError(f"{worker.name} ends with {status}: {worker.log.name}")

    def finish(self):
        """Lets the stations and then the workers finish, and checks the archive.

        Returns why jobs were given up, and how many documents and pages there are."""
        self.ended.set()
        for thread in self.threads[:STATIONS]:
            thread.join()
        reasons = self.office.await_work() if not self.faults else []
        self.end()
        return reasons, *self.office.check_all()

    def end(self):
        self.ended.set()
        for worker in self.office.workers:
            worker.stop()
        for thread in self.threads:
            thread.join()
        if self.faults:
            raise self.faults[0]


def one(place, programs, seed, count):
    chance = random.Random(f"{seed}/cluster/kills")
    database = Database(place / "database").make()
    office = Office(place, programs, database, ImagesFolder(place / "images"))
    office.lose_patience()
    load, crashes = Load(office, seed), 0
    try:
        while not load.faults and kills(office) + crashes < count:
            # A rotation, so that each of the three is hit equally often.
            target = ("station", "worker", "database")[(kills(office) + crashes) % 3]
            time.sleep(chance.uniform(0.2, 2))
            if target == "database":
                database.crash()
                time.sleep(chance.choice((0, 0, 1)))
                database.start()
                crashes += 1
                continue
            before = kills(office)
            machine = chance.choice(office.stations if target == "station" else office.workers)
            if machine.kill():
                # It counts once the machine has noticed it.
                end = time.monotonic() + 5
                while kills(office) == before and time.monotonic() < end:
                    time.sleep(0.01)
        reasons, documents, pages = load.finish()
    finally:
        load.ended.set()
        office.end()
        database.end()
    hit = Counter(station=0, worker=0)
    for machine in (*office.stations, *office.workers):
        hit[machine.name.split("-")[0]] += machine.kills
    told = "; ".join(sorted(set(reasons)))
    return (
        f"{hit['station']} kills of a station, {hit['worker']} of a worker, {crashes} crashes of"
        f" the database: {documents} documents with {pages} pages, each there once;"
        f" {len(reasons)} jobs were given up and done when they were retried"
        + (f" ({told})" if told else "")
    )


def kills(office):
    return sum(machine.kills for machine in (*office.stations, *office.workers))
