"""A station whose archive is on a PostgreSQL server, and whose server is away for a while.

    station.py BIN POSTGRESQL FOLDER

POSTGRESQL is a script that runs a server until its standard input ends. The server is stopped while
two stacks are scanned and a third comes from a file. Once it runs again, the archive must have each
document once, whole and in the order of scanning, and the spool nothing. Prints `arrived`.
"""

import json
import os
import re
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from pathlib import Path

PATIENCE = 240.0
PROGRAMS = "/usr/lib/postgresql/15/bin"


def until(condition, what: str):
    """Waits until the condition is true, and returns its value."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if value := condition():
            return value
        time.sleep(0.1)
    raise SystemExit(f"waited {PATIENCE:g} s for {what}")


class Database:
    """The server, which can be stopped and started."""

    def __init__(self, script: str):
        self.process = subprocess.Popen(
            ["/bin/bash", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.folder = self.process.stdout.readline().strip()
        assert self.folder, "the server does not start"
        host = urllib.parse.quote(self.folder, safe="")
        self.address = f"postgresql:///postgres?host={host}&user=copystand"

    def control(self, *words: str) -> None:
        """Runs `pg_ctl` as the user who owns the server."""
        as_owner = ["/usr/sbin/runuser", "-u", "postgres", "--"] if os.geteuid() == 0 else []
        subprocess.run(
            [*as_owner, f"{PROGRAMS}/pg_ctl", "-D", f"{self.folder}/data", *words],
            check=True,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            cwd=self.folder,
        )

    def stop(self) -> None:
        """Ends the server like a crash."""
        self.control("stop", "-m", "immediate")

    def start(self) -> None:
        """Starts the server with its data."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self.folder}'"
        self.control("-w", "-l", f"{self.folder}/server.log", "-o", options, "start")

    def ask(self, statement: str) -> str:
        """What the database answers."""
        there = ["-h", self.folder, "-U", "copystand", "-d", "postgres"]
        return subprocess.run(
            [f"{PROGRAMS}/psql", *there, "-tAc", statement],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def end(self) -> None:
        """Ends the server permanently, and deletes its data."""
        self.process.stdin.close()
        self.process.wait()


class Station:
    """Runs `copystand serve` with a feeder. `token` is that of the requests which name no other."""

    def __init__(self, program: str, folder: Path, archive: str, *options: str):
        self.program, self.folder, self.token = program, folder, ""
        self.environment = os.environ | {
            "HOME": str(folder),
            "COPYSTAND_SPOOL": str(folder / "spool"),
            "COPYSTAND_ARCHIVE": archive,
        }
        for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
            self.environment[name] = str(folder / name)
        self.run("archive", "init", archive, "--images", str(folder / "images"))
        self.log = folder / "log"
        with open(self.log, "w") as log:
            self.process = subprocess.Popen(
                [program, "serve", "--listen", "127.0.0.1:0", "--archive", archive, *options],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stderr=log,
            )
        self.address = until(
            lambda: re.search(r"http://127.0.0.1:\d+", self.log.read_text()), "the host"
        ).group()

    def run(self, *arguments: str) -> str:
        """Runs a command to its end, and returns what it prints."""
        return subprocess.run(
            [self.program, *arguments],
            env=self.environment,
            check=True,
            stdout=subprocess.PIPE,
            text=True,
        ).stdout

    def open(self, path: str, data: bytes | None = None, media: str = "", token: str = ""):
        """Opens the API's answer to a program with that token."""
        headers = {"Content-Type": media} if data else {}
        if token or self.token:
            headers["Authorization"] = f"Bearer {token or self.token}"
        return urllib.request.urlopen(
            urllib.request.Request(f"{self.address}/api/v1/{path}", data, headers)
        )

    def ask(
        self, path: str, body: object = None, media: str = "application/json", token: str = ""
    ):
        """Returns the API's answer to a program with that token."""
        data = body if body is None or isinstance(body, bytes) else json.dumps(body).encode()
        with self.open(path, data, media, token) as answer:
            return json.load(answer)

    def scan(self, token: str = "", **order: object) -> dict:
        """Scans for a program with that token, and returns the job after its end."""
        order = {"profile": "none", "sinks": ["archive"], **order}
        job = self.ask("jobs", order, token=token)["id"]
        return until(
            lambda: next(
                (
                    one
                    for one in self.ask("jobs")["jobs"]
                    if one["id"] == job and one["state"] in ("completed", "failed")
                ),
                None,
            ),
            f"the end of job {job}",
        )


def main() -> None:
    """The command line."""
    program, script, folder = sys.argv[1], sys.argv[2], Path(sys.argv[3])
    database = Database(script)
    try:
        station = Station(program, folder, database.address)
        try:
            scan(station, database)
        finally:
            station.process.terminate()
            station.process.wait()
    finally:
        database.end()
    print("arrived")


def scan(station: Station, database: Database) -> None:
    """Scans while the server is down, and checks the archive after the server's return."""
    feeder = {"device": "virtual:feeder", "pages": 3}
    assert station.scan(title="Before", **feeder)["state"] == "completed"
    database.stop()
    for title in ("First", "Second"):
        job = station.scan(title=title, **feeder)
        assert job["state"] == "failed" and "does not answer" in job["problem"], job
        assert len(job["pages"]) == 3, job
    picture = Path(__file__).resolve().parents[4] / "Samples/01-letter.jpg"
    upload = station.ask("uploads", picture.read_bytes(), "application/octet-stream")["id"]
    assert station.scan(title="Third", uploads=[upload])["state"] == "failed"
    stored = station.ask("jobs")["stored"]
    assert [one["awaitsArchive"] for one in stored] == [True] * 3, stored
    database.start()
    until(lambda: not station.ask("jobs")["stored"], "the spool to be empty")
    documents = station.ask("documents?sort=oldest")["documents"]
    assert [(one["title"], one["pages"]) for one in documents] == [
        ("Before", 3),
        ("First", 3),
        ("Second", 3),
        ("Third", 1),
    ], documents


if __name__ == "__main__":
    main()
