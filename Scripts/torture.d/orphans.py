"""kill -9 of each kind of process that has pages outside the spool's jobs: what is left of them is
gone after the next start of any command.
"""

import http.client
import os
import random
import re
import shutil
import signal
import threading
import time
from collections import Counter
from pathlib import Path

from cluster.database import Database
from setup import AREA, check, end_session

# Each with the least that must have left something, of ten runs.
KINDS = {"scan": 0, "import": 0, "folder": 0, "preview": 3, "detect": 3, "serve": 3, "work": 3}
NEXT = [["list"], ["jobs"], ["doctor"], ["devices"], ["outbox", "list"], ["status"]]


class Tally:
    """Counts of the kills, and of those that left pages where only a later start removes them."""

    def __init__(self):
        self.lock = threading.Lock()
        self.killed, self.left, self.files = Counter(), Counter(), 0

    def add(self, kind, left):
        with self.lock:
            self.killed[kind] += 1
            self.left[kind] += bool(left)
            self.files += len(left)

    def words(self):
        parts = ", ".join(
            f"{self.left[kind]} of {count} in {kind}" for kind, count in self.killed.items()
        )
        return f"{self.files} files were left, and all removed by the next start: {parts}"

    def check(self):
        """A kill that leaves nothing shows nothing."""
        for kind, least in KINDS.items():
            wanted = self.killed[kind] * least // 10
            check(self.left[kind] >= wanted, f"no moment was hit: {self.words()}")


class Queue:
    """A database whose jobs a worker takes, for all runs; made by the first one."""

    def __init__(self, folder):
        self.folder, self.lock, self.database = folder, threading.Lock(), None

    def address(self, setup):
        with self.lock:
            if self.database is None:
                self.folder.chmod(0o755)
                self.database = Database(self.folder / "database").make()
                images = self.folder / "images"
                images.mkdir()
                address = self.database.address()
                done = setup.run("archive", "init", address, "--images", str(images))
                check(done.returncode == 0, f"archive init: {done.stderr}")
        return self.database.address()

    def end(self):
        if self.database:
            self.database.end()


def picture(path, shade):
    """A page-like picture of a megabyte."""
    row = bytes((x // 3 + shade) % 251 for x in range(1000))
    path.write_bytes(b"P5 1000 1000 255\n" + row * 1000)
    return path


def files_in(folder):
    """The files below a folder; what is removed meanwhile is left out."""
    return [Path(place) / name for place, _, names in os.walk(folder) for name in names]


def leftovers(setup):
    """The files for which no job answers: in the folder for temporary files, and in the spool."""
    found = files_in(setup.folder / "tmp")
    if setup.spool.is_dir():
        jobs = re.compile(r"\d{8}-\d{6}-\w{4}")
        for place in setup.spool.iterdir():
            # Which job reads which watched file is no part of a page.
            if not jobs.fullmatch(place.name) and place.name != ".taken":
                found += files_in(place)
    return found


def pages(setup):
    """The leftovers that are not just the marks of folders."""
    found = []
    for path in leftovers(setup):
        try:
            if path.name != ".owner" and path.stat().st_size > 0:
                found.append(path)
        except FileNotFoundError:
            continue
    return found


def begin(setup, kind, queue):
    """Starts a process of the kind, and what gives it work."""
    scan = ["-d", "virtual:feeder", *AREA, "-s", "pages=5", "-n", "5", "-p", "plain"]
    if kind == "scan":
        return setup.start("scan", *scan)
    files = [picture(setup.folder / f"picture-{number}.pgm", number) for number in range(5)]
    if kind == "import":
        return setup.start("import", *map(str, files), "-p", "plain")
    if kind == "folder":
        watched = setup.folder / "watched"
        watched.mkdir()
        for file in files:
            shutil.copy(file, watched)
        return setup.start("watch-folder", str(watched), "--still", "0", "-p", "plain")
    if kind == "preview":
        return setup.start("preview", "-d", "virtual:flatbed", "-o", "out/preview.jpg")
    if kind == "detect":
        return setup.start("detect", *map(str, files), "-o", "out/found.pdf")
    if kind == "work":
        setup.environment["COPYSTAND_ARCHIVE"] = queue.address(setup)
        done = setup.run("scan", *scan, "--process", "later")
        check(done.returncode == 0, f"scan --process later: {done.stderr}")
        return setup.start("work")
    host = setup.start("serve", "--listen", "127.0.0.1:0")
    threading.Thread(target=feed, args=(setup, host, files), daemon=True).start()
    return host


def feed(setup, host, files):
    """Sends files and orders previews until the host has ended."""
    log = setup.folder / "log.txt"
    while host.poll() is None:
        found = re.search(r"Listening on \S+?:(\d+)", log.read_text(errors="replace"))
        if found:
            break
        time.sleep(0.01)
    while host.poll() is None:
        try:
            for file in files:
                ask(found[1], "/uploads", file.read_bytes(), "application/octet-stream")
            ask(found[1], "/previews", b'{"device": "virtual:flatbed"}', "application/json")
        except (OSError, http.client.HTTPException):
            continue
        time.sleep(0.05)


def ask(port, path, body, media):
    connection = http.client.HTTPConnection("127.0.0.1", int(port), timeout=20)
    connection.request("POST", f"/api/v1{path}", body, {"Content-Type": media})
    connection.getresponse().read()
    connection.close()


def one(setup, seed, number, tally, queue):
    """Makes one kill. Returns a text about what was left."""
    random_ = random.Random(f"{seed}/orphans/{number}")
    kinds = [kind for kind in KINDS if kind != "work" or not Database.obstacle()]
    kind = kinds[number % len(kinds)]
    place = setup.folder / "tmp"
    place.mkdir()
    setup.environment["TMPDIR"] = str(place)
    process = begin(setup, kind, queue)
    waits = KINDS[kind] > 0
    deadline = time.monotonic() + (20 if waits else random_.uniform(0, 1.5))
    while process.poll() is None and time.monotonic() < deadline and not (waits and pages(setup)):
        time.sleep(0.0005)
    time.sleep(random_.choice([0, 0, 0.002, 0.02]) * random_.random())
    # A power cut for all of its processes, or the end of the first one alone.
    end = random_.choice([os.kill, os.killpg])
    try:
        end(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    end_session(process)
    left = pages(setup)
    tally.add(kind, left)
    words = random_.choice(NEXT)
    setup.environment.pop("COPYSTAND_ARCHIVE", None)
    setup.run(*words)
    # The command may have ended while its own search for scanners had a configuration there.
    after = [str(path) for path in leftovers(setup) if "/copystand-temporary-sane-" not in str(path)]
    check(not after, f"after '{words[0]}' there is still {after}")
    spooled = {path.name for path in setup.spool.iterdir()} if setup.spool.is_dir() else set()
    spooled.discard(".taken")
    listed = {job["id"] for job in setup.jobs()}
    check(not list(place.iterdir()), f"folders are left: {list(place.iterdir())}")
    check(spooled == listed, f"the spool has {spooled}, and the listed jobs are {listed}")
    return f"{kind}: {len(left)} files were left, and '{words[0]}' removed them"
