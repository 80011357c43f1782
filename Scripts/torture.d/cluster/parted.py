"""A network that parts a station or a worker from the database or from the store of images."""

import random
import threading
import time

from cluster.database import Database
from cluster.images import Bucket
from cluster.network import Line, Network
from cluster.office import Office, until
from cluster.proxy import StoreProxy
from servers import SwiftReceiver
from setup import check

DATABASE, STORE = "10.77.100.1", "10.77.100.2"
PAIRS = [(client, server) for client in ("station", "worker") for server in ("database", "store")]
KINDS = ("silent", "down")
# Seconds within which a scan must end while its server is away.
LONGEST = 120


class Parting:
    """The four networks, and the office in them."""

    def __init__(self, place, programs):
        self.networks = {name: Network() for name in ("station", "worker", "database", "store")}
        addresses = {"database": DATABASE, "store": STORE}
        for server, address in addresses.items():
            self.networks[server].add_address(address)
        self.lines = {
            pair: Line(number, self.networks[pair[0]], self.networks[pair[1]], addresses[pair[1]])
            for number, pair in enumerate(PAIRS)
        }
        with self.networks["database"]:
            self.database = Database(place / "database", listen="*").make()
        with self.networks["store"]:
            # The store listens at its own loopback address only.
            self.proxy = StoreProxy(STORE)
            self.images = Bucket(SwiftReceiver(place / "store"), self.proxy.endpoint)
            self.proxy.goal = self.images.port
        # The worker's network is also that of everything that is checked in the end.
        with self.networks["worker"]:
            self.office = Office(
                place, programs, self.database, self.images, self.database.address(DATABASE)
            )
            self.office.lose_patience()
        self.station, self.worker = self.office.add_station(), self.office.add_worker()

    def end(self):
        self.office.end()
        self.images.end()
        self.proxy.stop()
        self.database.end()
        for network in self.networks.values():
            network.end()


def one(place, programs, seed, rounds):
    chance = random.Random(f"{seed}/cluster/parted")
    parting = Parting(place, programs)
    longest = {}
    try:
        with parting.networks["station"]:
            parting.station.serve()
        for _ in range(rounds):
            for pair in PAIRS:
                for kind in KINDS:
                    seconds = part(parting, pair, kind, chance)
                    longest[seconds] = f"{' and '.join(pair)}, {kind}"
        with parting.networks["worker"]:
            documents, pages = parting.office.check_all()
    finally:
        parting.end()
    return (
        f"{rounds} times {len(PAIRS)} pairs parted in {len(KINDS)} ways: {documents} documents with"
        f" {pages} pages, each there once; the longest scan took {max(longest):.0f} s"
        f" ({longest[max(longest)]})"
    )


def part(parting, pair, kind, chance):
    """Parts a pair while a stack is scanned and others are processed; returns the seconds that
    the longest scan took.
    """
    station, worker, line = parting.station, parting.worker, parting.lines[pair]
    with parting.networks["station"]:
        station.scan(2)
    with parting.networks["worker"]:
        worker.begin()
    parted = threading.Timer(chance.uniform(0, 2), line.part, [kind])
    parted.start()
    longest = 0
    for process in ("later", "later", "here"):
        began = time.monotonic()
        with parting.networks["station"]:
            station.capture(3, process)
        longest = max(longest, time.monotonic() - began)
        parted.join()
    check(longest < LONGEST, f"a scan took {longest:.0f} s while {pair} were parted ({kind})")
    line.heal(kind)
    # The station's host delivers what it has when the server answers again.
    until(lambda: not station.spooled(), f"the station to deliver after {pair} ({kind})")
    parting.office.await_work()
    worker.stop()
    return longest
