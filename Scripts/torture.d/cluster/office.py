"""Stations and workers that share an archive, and what the archive must have in the end."""

import json
import shutil
import time
from pathlib import Path

from cluster.images import whole_content
from cluster.machines import Station, Worker
from cluster.sheets import read_sheet
from setup import ROOT, check

READER = ROOT / "Tests/CommandLine/ProgramTests/Support/slow_reader.py"
PAGES = """
    SELECT document.title, document.id, leaf.position, encode(page.image, 'hex')
    FROM copystand.document JOIN copystand.leaf ON leaf.document = document.id
        JOIN copystand.page ON page.id = leaf.page
    WHERE document.trashed IS NULL ORDER BY document.id, leaf.position
"""
# Seconds without a heartbeat after which a job is another worker's; a minute unless shortened.
PATIENCE = 4


def until(condition, what, patience=240):
    """Waits until the condition is true, and returns its value."""
    end = time.monotonic() + patience
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    check(False, f"waited {patience} s for {what}")


class Office:
    """An archive whose stations and workers each have a home and a name."""

    def __init__(self, folder: Path, programs: Path, database, images, address=None):
        self.folder, self.programs = folder, programs
        self.database, self.images = database, images
        self.address = address or database.address()
        self.readers = folder / "readers"
        self.readers.mkdir()
        shutil.copy(READER, self.readers)
        manifest = {"id": "slow", "name": "Slow", "protocol": 1, "program": READER.name}
        (self.readers / "slow.json").write_text(json.dumps(manifest))
        self.read_in(0.1)
        self.stations, self.workers = [], []
        self.desk = Station(self, 0)
        done = self.desk.run("archive", "init", self.address, "--images", images.place)
        check(done.returncode == 0, f"archive init ends with {done.returncode}: {done.stderr}")

    def read_in(self, seconds):
        """Sets the time that reading a page takes."""
        (self.readers / "seconds").write_text(str(seconds))

    def lose_patience(self):
        """Shortens the time after which a silent worker's job is free again."""
        # The first worker makes the queue's tables.
        self.desk.run("work", "--until-idle")
        self.database.ask(
            "CREATE FUNCTION copystand_queue.hasten() RETURNS trigger LANGUAGE plpgsql AS"
            f" 'BEGIN NEW.patience = {PATIENCE}; RETURN NEW; END';"
            "CREATE TRIGGER hasten BEFORE INSERT ON copystand_queue.job"
            " FOR EACH ROW EXECUTE FUNCTION copystand_queue.hasten()"
        )

    def await_silence(self):
        """Lets two minutes pass for workers that have jobs. A stopped one may also keep the lock
        of the one that maintains the queue.
        """
        for table in ("job", "upkeep"):
            self.database.ask(
                f"UPDATE copystand_queue.{table} SET beat = beat - interval '2 minutes'"
            )

    def add_station(self):
        self.stations.append(Station(self, len(self.stations) + 1))
        return self.stations[-1]

    def add_worker(self, places=2):
        self.workers.append(Worker(self, len(self.workers) + 1, places))
        return self.workers[-1]

    def end(self):
        for machine in (*self.stations, *self.workers, self.desk):
            machine.close()

    # The queue

    def jobs(self, *states):
        """How many jobs of these states the queue has: 0 waits, 1 runs, 2 is done, 3 given up."""
        wanted = ", ".join(map(str, states))
        return int(
            self.database.ask(f"SELECT count(*) FROM copystand_queue.job WHERE state IN ({wanted})")
        )

    def await_work(self, patience=240):
        """Waits until nothing is left to do. Jobs that were given up are tried again.

        Returns the reasons why they were given up.
        """
        reasons = []
        for _ in range(5):
            until(lambda: not self.jobs(0, 1), "the queue to be empty", patience)
            given_up = self.database.ask("SELECT reason FROM copystand_queue.job WHERE state = 3")
            if not given_up:
                return reasons
            reasons += given_up.splitlines()
            done = self.desk.run("work", "retry")
            check(done.returncode == 0, f"work retry ends with {done.returncode}: {done.stderr}")
        check(False, f"jobs are given up again and again: {reasons[-1]}")

    # The archive

    def found(self):
        """The pages of each document, as lists of what their pictures show, by titles."""
        documents = {}
        for line in self.database.ask(PAGES).splitlines():
            title, id, position, image = line.split("|")
            pages = documents.setdefault(title, {}).setdefault(id, [])
            check(int(position) == len(pages), f"'{title}' lacks a page before {position}")
            pages.append(read_sheet(whole_content(self.images, image)))
        return documents

    def check_all(self):
        """Checks that every finished scan is in the archive once, whole and in order, and that
        nothing else is left anywhere. Returns the numbers of documents and pages.
        """
        found = self.found()
        pages = 0
        for station in self.stations:
            for number, (title, counts) in station.documents.items():
                same = found.pop(title, {})
                check(len(same) <= 1, f"'{title}' is there {len(same)} times")
                have = next(iter(same.values()), [])
                whole = [(station.number, number, page) for page in range(1, len(have) + 1)]
                check(
                    len(have) in counts and have == whole,
                    f"'{title}' has the pages {have}, and should have so many: {counts}",
                )
                pages += len(have)
            left = station.jobs()
            check(not left, f"station {station.number} still has jobs: {left}")
        check(not found, f"documents that nobody scanned: {list(found)}")
        left = self.database.ask("SELECT name FROM copystand.left_job")
        check(not left, f"captured pages are left in the archive: {left}")
        done = self.desk.run("archive", "check")
        check(done.returncode == 0, f"archive check: {done.stdout}{done.stderr}")
        return sum(len(station.documents) for station in self.stations), pages
