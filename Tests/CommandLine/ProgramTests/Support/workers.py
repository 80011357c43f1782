"""Stations that leave their pages to workers, with workers that are killed, stopped and woken.

    workers.py BIN POSTGRESQL FOLDER

POSTGRESQL is a script that runs a server until its standard input ends. Prints `worked`.
"""

import json
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

from station import Database, until

HERE = Path(__file__).resolve().parent


class Office:
    """A shared archive, and the machines that use it."""

    def __init__(self, program: str, folder: Path, database: Database):
        self.program, self.folder, self.database = program, folder, database
        self.images = folder / "images"
        readers = folder / "readers"
        readers.mkdir()
        self.seconds = readers / "seconds"
        self.seconds.write_text("0")
        shutil.copy(HERE / "slow_reader.py", readers)
        manifest = {"id": "slow", "name": "Slow", "protocol": 1, "program": "slow_reader.py"}
        (readers / "slow.json").write_text(json.dumps(manifest))
        self.environment = os.environ | {
            "HOME": str(folder),
            "COPYSTAND_SPOOL": str(folder / "spool"),
            "COPYSTAND_ARCHIVE": database.address,
            "COPYSTAND_READERS": str(readers),
        }
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            self.environment[name] = str(folder / name)
        self.run("archive", "init", database.address, "--images", str(self.images))

    def run(self, *words: str, code: int = 0) -> subprocess.CompletedProcess:
        """Runs a command to its end."""
        done = subprocess.run(
            [self.program, *words], env=self.environment, capture_output=True, text=True
        )
        assert done.returncode == code, (words, done)
        return done

    def scan(self, title: str, pages: int = 2, *words: str) -> None:
        """Scans and leaves the pages to workers."""
        device = ["-d", "virtual:feeder", "--set", f"pages={pages}", "-r", "75"]
        done = self.run(
            *("scan", *device, "--process", "later", "--reader", "slow", "-t", title, *words)
        )
        assert "waits for a worker" in done.stderr, done

    def work(self, seconds: float = 0, *words: str) -> subprocess.Popen:
        """Starts a worker; from now on the readers take some time for a page."""
        self.seconds.write_text(str(seconds))
        return subprocess.Popen(
            [self.program, "work", "-j", "1", "--verbose", *words],
            env=self.environment,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def finish(self, *words: str) -> str:
        """Does all that is left to do, and returns what the worker said."""
        worker = self.work(0, "--until-idle", *words)
        said = worker.communicate()[1]
        assert worker.returncode == 0, said
        return said

    def status(self, code: int = 0) -> dict:
        """What `copystand status` tells."""
        return json.loads(self.run("status", "--json", code=code).stdout)

    def workers(self) -> set:
        """The names of the workers that are listed."""
        return {one["name"] for one in self.status()["workers"]}

    def documents(self) -> list:
        """The titles and pages of the archive, the oldest first."""
        listed = json.loads(self.run("list", "--json").stdout)["documents"]
        listed.sort(key=lambda one: int(one["id"]))
        return [(one["title"], one["pages"]) for one in listed]

    def ask(self, statement: str) -> str:
        """What the database answers."""
        return self.database.ask(statement)

    def await_silence(self) -> None:
        """Lets two minutes pass for the workers that have jobs, or maintain the queue."""
        self.ask("UPDATE copystand_queue.job SET beat = beat - interval '2 minutes'")
        self.ask("UPDATE copystand_queue.upkeep SET beat = beat - interval '2 minutes'")

    def await_page(self) -> None:
        """Waits until a worker is in the middle of a job."""
        until(lambda: self.status()["queue"]["runningJobs"] == 1, "a job to be begun")


def same_as_here(office: Office) -> None:
    """A left scan becomes the document that it would have become here, byte for byte."""
    office.scan("Left", 3)
    status = office.status()
    assert status["queue"]["waitingJobs"] == 1 and status["queue"]["waitingPages"] == 3, status
    assert status["space"]["images"] > 10_000 and not office.documents(), status
    assert "No worker runs" in office.run("status").stdout
    assert not json.loads(office.run("jobs", "--json").stdout)["jobs"]
    # The document belongs to the user who ordered it, not to the worker's.
    user = pwd.getpwuid(os.geteuid()).pw_name
    assert office.ask("SELECT owner FROM copystand.left_job") == user
    office.ask(
        f"""UPDATE copystand.left_job SET work =
        replace(replace(work, '"name":"{user}"', '"name":"ada"'),
            '"station":"{socket.gethostname()}"', '"station":"hall"')"""
    )
    said = office.finish()
    entries = json.loads(office.run("archive", "history", "1", "--json").stdout)["entries"]
    told = [(one["name"], one["station"], one["action"]) for one in entries]
    assert told == [("ada", "hall", "scanned")], told
    assert "3 pages of" in said and "6 words" in said, said
    assert office.documents() == [("Left", 3)]
    assert "Left" in office.run("search", "slow").stdout
    here = office.run(
        *("scan", "-d", "virtual:feeder", "--set", "pages=3", "-r", "75", "--reader", "slow"),
        "--json",
    )
    receipt = json.loads(here.stdout)["delivered"][0]
    assert receipt["duplicateOf"] == "1", receipt
    office.run("trash", receipt["locations"][0])
    assert office.run("archive", "check").returncode == 0


def split(office: Office) -> None:
    """A stack that a worker is to split is done with the last of its documents."""
    office.scan("Batch", 4, "--split-at", "separator")
    office.finish()
    assert ("Batch 001", 4) in office.documents(), office.documents()
    assert office.ask("SELECT count(*) FROM copystand.left_job") == "0"


def killed(office: Office) -> None:
    """The job of a worker that is killed is done once by another."""
    office.scan("Killed")
    worker = office.work(30)
    office.await_page()
    worker.kill()
    worker.communicate()
    office.await_silence()
    # The first worker that looks after the queue frees the job.
    until(lambda: "Killed" in str(office.finish()) or count(office, "Killed"), "the other worker")
    assert count(office, "Killed") == 1


def stalled(office: Office) -> None:
    """A worker that is stopped and woken changes nothing of what another did meanwhile."""
    office.scan("Stalled")
    worker = office.work(2)
    office.await_page()
    worker.send_signal(signal.SIGSTOP)
    office.await_silence()
    until(lambda: office.finish() is None or count(office, "Stalled"), "the other worker")
    worker.send_signal(signal.SIGCONT)
    line = until_line(worker, "another worker's")
    assert "nothing of it was added" in line, line
    worker.send_signal(signal.SIGINT)
    worker.communicate()
    assert worker.returncode == 0
    assert count(office, "Stalled") == 1 and office.status()["queue"]["runningJobs"] == 0


def interrupted(office: Office) -> None:
    """Ctrl-C gives back what takes longer than a few seconds, and finishes what does not."""
    office.scan("Interrupted")
    worker = office.work(60)
    office.await_page()
    began = time.monotonic()
    worker.send_signal(signal.SIGINT)
    said = worker.communicate()[1]
    assert worker.returncode == 0 and "was given back" in said, said
    assert time.monotonic() - began < 20
    assert office.ask("SELECT state, used FROM copystand_queue.job WHERE state < 2") == "0|0"
    worker = office.work(2)
    office.await_page()
    worker.send_signal(signal.SIGTERM)
    said = worker.communicate()[1]
    assert worker.returncode == 0 and "2 pages of" in said, said
    assert count(office, "Interrupted") == 1


def unnoticed(office: Office) -> None:
    """A job whose notification got lost is found all the same."""
    office.scan("Unnoticed")
    office.ask("UPDATE copystand_queue.job SET due = now() + interval '1 hour' WHERE state = 0")
    others = office.workers()
    worker = office.work(0)
    until(lambda: office.workers() - others, "the worker to be listed")
    assert not count(office, "Unnoticed")
    office.ask("UPDATE copystand_queue.job SET due = now() WHERE state = 0")
    until(lambda: count(office, "Unnoticed"), "the job to be done")
    worker.send_signal(signal.SIGINT)
    worker.communicate()
    assert office.workers() <= others


def given_up(office: Office) -> None:
    """A job that fails each time is shown with its reason, and done when it is retried."""
    office.scan("Given up")
    name = office.ask(
        "SELECT encode(picture, 'hex') FROM copystand.left_page ORDER BY position LIMIT 1"
    )
    picture = next(path for path in office.images.rglob(f"*{name[-8:]}*") if path.is_file())
    away = office.folder / "away"
    shutil.move(picture, away)
    office.ask("UPDATE copystand_queue.job SET attempts = 1 WHERE state = 0")
    assert "failed" in office.finish()
    (job,) = office.status(code=1)["givenUp"]
    assert job["attempts"] == 1 and job["pages"] == 2 and name[-8:] in job["reason"], job
    assert f"work retry {job['number']}" in office.run("status", code=1).stdout
    office.run("work", "retry", "999999", code=2)
    shutil.move(away, picture)
    office.run("work", "retry", str(job["number"]))
    office.finish()
    assert count(office, "Given up") == 1 and not office.status()["givenUp"]


def folderless(office: Office) -> None:
    """What everyone reads in the database names no folder of a station or worker."""
    office.scan("Folderless")
    office.environment["TMPDIR"] = str(office.folder / "no folder")
    office.ask("UPDATE copystand_queue.job SET attempts = 1 WHERE state = 0")
    office.finish()
    del office.environment["TMPDIR"]
    (job,) = office.status(code=1)["givenUp"]
    assert "No temporary folder can be made" in job["reason"], job
    told = job["reason"] + office.ask("SELECT work FROM copystand.left_job")
    assert str(office.folder) not in told.replace("\\/", "/"), told
    office.run("work", "retry", str(job["number"]))
    office.finish()
    assert count(office, "Folderless") == 1


def away(office: Office) -> None:
    """A worker outlives a crash of the server, and does then what it could not do before."""
    office.scan("Away")
    worker = office.work(3)
    office.await_page()
    office.database.stop()
    until_line(worker, "keeps trying")
    office.database.start()
    until_line(worker, "answers again")
    office.await_silence()
    until(lambda: count(office, "Away"), "the job to be done")
    worker.send_signal(signal.SIGINT)
    worker.communicate()
    assert count(office, "Away") == 1


def refused(office: Office) -> None:
    """What workers can't do is refused before the scan."""
    feeder = ["scan", "-d", "virtual:feeder", "--process", "later"]
    done = office.run(*feeder, "-o", str(office.folder / "a.pdf"), code=2)
    assert "can't be left to workers" in done.stderr, done
    done = office.run("work", "--archive", str(office.folder), code=2)
    assert "postgresql://" in done.stderr, done
    office.ask("CREATE DATABASE nothing")
    nothing = office.database.address.replace("/postgres?", "/nothing?")
    for command in ("serve", "work"):
        done = office.run(command, "--archive", nothing, code=2)
        assert "archive init" in done.stderr, done


def count(office: Office, title: str) -> int:
    """How many documents have that title."""
    return sum(one == title for one, _ in office.documents())


def until_line(worker: subprocess.Popen, words: str) -> str:
    """The first line of a worker with these words; one that never says them is killed."""
    limit = threading.Timer(240, worker.kill)
    limit.start()
    said = []
    for line in worker.stderr:
        said.append(line)
        if words in line:
            limit.cancel()
            return line
    raise SystemExit(f"the worker did not say '{words}', but: {''.join(said)}")


def main() -> None:
    """The command line."""
    program, script, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    database = Database(script)
    try:
        office = Office(program, folder, database)
        parts = [
            *(same_as_here, split, killed, stalled, interrupted, unnoticed, given_up, folderless),
            *(away, refused),
        ]
        wanted = sys.argv[4:]
        for part in parts:
            if not wanted or part.__name__ in wanted:
                part(office)
    finally:
        database.end()
    print("worked")


if __name__ == "__main__":
    main()
