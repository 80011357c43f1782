"""Measures an archive of many machines: its queue, how workers share it, adding, and searches.

Everything runs on this machine, with a PostgreSQL server of its own, which does not sync its files.
These are in memory where that is possible. For ten million pages, which take 31 GB, set
COPYSTAND_TEST_DATABASES to a folder on a disk.
"""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from cluster_pages import adding_rows, search_rows

ROOT = Path(__file__).resolve().parent.parent.parent
TESTS = ROOT / "Tests"
PROGRAMS = "/usr/lib/postgresql/15/bin"
#: Workers, each with one job of one page, whose reader sleeps a second.
WORKERS = (1, 4, 16, 32)
#: Pages for each worker, of which the first two and the last one are not measured: readers that
#: start one after the other would count as slow ones.
ROUNDS = 12


class Server:
    """A PostgreSQL server that ends with this value."""

    def __init__(self):
        script = TESTS / "Delivery/ArchiveTests/Support/postgresql.sh"
        self.process = subprocess.Popen(
            ["/bin/bash", str(script)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.folder = self.process.stdout.readline().strip()
        if not self.folder:
            raise SystemExit("the PostgreSQL server does not start")

    def make(self, name: str) -> str:
        """The address of a new database."""
        self.ask("postgres", f"CREATE DATABASE {name}")
        host = urllib.parse.quote(self.folder, safe="")
        return f"postgresql:///{name}?host={host}&user=copystand"

    def ask(self, database: str, statement: str) -> str:
        """The server's answer to a query."""
        return subprocess.run(
            [
                f"{PROGRAMS}/psql",
                "-h",
                self.folder,
                "-U",
                "copystand",
                "-d",
                database,
                "-tAc",
                statement,
            ],
            check=True,
            capture_output=True,
            text=True,
        ).stdout.strip()

    def end(self) -> None:
        """Ends it, and deletes its files."""
        self.process.stdin.close()
        self.process.wait()


def cluster(arguments) -> str:
    """The section of the report."""
    server = Server()
    try:
        queue = queue_rows(server, arguments.bin)
        workers = worker_rows(server, f"{arguments.bin}/copystand")
        queue += adding_rows(server, arguments.bin)
        searches = search_rows(server, arguments.bin, arguments.pages or 1_000_000)
    finally:
        server.end()
    return "\n".join(
        [
            "The server and everything that uses it share this machine; its files are"
            f" {'in memory' if server.folder.startswith('/dev/shm') else 'on a disk'} and not"
            " synced.",
            "",
            "| The queue, and adding | Measured | Target |",
            "|---|---|---|",
            *queue,
            "",
            "| Workers, with a reader that sleeps a second a page | Pages a second | Target |",
            "|---|---|---|",
            *workers,
            "",
            "Searches in generated pages of 60 to 80 words of 24 months, each with the first 20"
            " hits, their boxes and snippets: 95th percentiles of 40 runs.",
            "",
            "| Searches | Measured | Target |",
            "|---|---|---|",
            *searches,
        ]
    )


def queue_rows(server: Server, programs: str) -> list[str]:
    """Claims and finishes with 16 workers, while 100,000 jobs wait."""
    output = subprocess.run(
        [
            f"{programs}/queue-program-for-tests",
            "measure",
            server.make("queue"),
            "16",
            "100000",
            "20",
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    print(output, file=sys.stderr)
    found = dict(line.split() for line in output.splitlines())
    return [
        f"| ordered a second, a thousand a transaction | {found['added_per_second']} | |",
        "| claimed and finished a second by 16 workers with a connection each, while 100,000 wait"
        f" and one is ordered for each | {found['jobs_per_second']} | at least 1,000 |",
        f"| a claim then, median, ms | {float(found['claim_p50_ms']):.1f} | |",
        f"| a claim then, 99th percentile, ms | {float(found['claim_p99_ms']):.1f} | at most 20 |",
    ]


def worker_rows(server: Server, program: str) -> list[str]:
    """How many pages a second each number of workers reads."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        environment = office(home, server.make("office"), program)
        for workers in WORKERS:
            rate = measure(server, program, environment, workers)
            rows.append(f"| {workers} | {rate:.2f} | at least {0.95 * workers:.2f} |")
            print(rows[-1], file=sys.stderr)
    return rows


def office(home: Path, address: str, program: str) -> dict:
    """Makes an archive in which one scan of one page waits; the environment of its machines."""
    readers = home / "readers"
    readers.mkdir()
    shutil.copy(TESTS / "CommandLine/ProgramTests/Support/slow_reader.py", readers)
    manifest = {
        "id": "slow",
        "name": "Slow",
        "protocol": 1,
        "program": "slow_reader.py",
        "workers": max(WORKERS),
    }
    (readers / "slow.json").write_text(json.dumps(manifest))
    (readers / "seconds").write_text("1")
    environment = os.environ | {
        "HOME": str(home),
        "COPYSTAND_SPOOL": str(home / "spool"),
        "COPYSTAND_ARCHIVE": address,
        "COPYSTAND_READERS": str(readers),
    }
    for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME"):
        environment[name] = str(home / name)
    profiles = home / "XDG_CONFIG_HOME/copystand/profiles"
    profiles.mkdir(parents=True)
    (profiles / "only-read.json5").write_text(
        '{ title: "Only read", looksFor: "nothing", steps: [],'
        ' text: { languages: ["eng"], reader: "slow" } }'
    )

    def run(*words: str) -> None:
        subprocess.run(
            [program, *words],
            env=environment,
            check=True,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )

    run("archive", "init", address, "--images", str(home / "images"))
    run(
        *("scan", "-d", "virtual:feeder", "--set", "pages=1", "-r", "75"),
        *("--process", "later", "-p", "only-read"),
    )
    return environment


def measure(server: Server, program: str, environment: dict, workers: int) -> float:
    """Pages a second of a worker with that many jobs at a time, without its start and end."""
    pages = workers * ROUNDS
    # Each document is compared with those that have the same pages, and here all have.
    server.ask("office", "TRUNCATE copystand.document, copystand.page CASCADE")
    copy_job(server, pages, f"w{workers}")
    done = subprocess.run(
        [program, "work", "-j", str(workers), "--until-idle"],
        env=environment,
        capture_output=True,
        text=True,
    )
    if done.returncode or done.stderr.count("1 page of") != pages:
        raise SystemExit(f"{workers} workers: {done}")
    ends = [
        float(one)
        for one in server.ask(
            "office",
            "SELECT extract(epoch FROM ended) FROM copystand_queue.job"
            f" WHERE key LIKE '%-w{workers}' AND state = 2 ORDER BY ended",
        ).split()
    ]
    first, last = 2 * workers, pages - workers
    return (last - first) / (ends[last - 1] - ends[first - 1])


def copy_job(server: Server, count: int, mark: str) -> None:
    """Copies the waiting job, under other names and for several stations."""
    name = "(SELECT min(name) FROM copystand.left_job WHERE name NOT LIKE '%-w%')"
    numbers = f"generate_series(1, {count}) AS n"
    server.ask(
        "office",
        f"UPDATE copystand_queue.job SET state = 2, ended = now() WHERE key = {name};"
        f"INSERT INTO copystand.left_job (name, work) SELECT name || '-' || n || '-{mark}', work"
        f" FROM copystand.left_job, {numbers} WHERE name = {name};"
        "INSERT INTO copystand.left_page (job, position, note, picture, media, original)"
        f" SELECT job || '-' || n || '-{mark}', position, note, picture, media, original"
        f" FROM copystand.left_page, {numbers} WHERE job = {name};"
        "INSERT INTO copystand_queue.job (kind, key, station, urgency, payload, attempts, patience,"
        f" size) SELECT 'process', {name} || '-' || n || '-{mark}', 's' || n % 6, 1, '', 5, 60, 1"
        f" FROM {numbers}",
    )


if __name__ == "__main__":
    started = time.monotonic()
    print(cluster(type("Arguments", (), {"bin": sys.argv[1], "pages": None})))
    print(f"{time.monotonic() - started:.0f} s", file=sys.stderr)
