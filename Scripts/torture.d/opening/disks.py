"""A disk that is full, or read-only, when a program begins: everything that only reads works,
deleting works and frees space, and the rest says what is missing.
"""

import json
import os
import shutil
import socket
import subprocess
import time
import urllib.error
from pathlib import Path

from full import SmallDisk
from opening import commands, routes
from opening.commands import ARCHIVE, DISK, DROPS, FREES, HOME, READS
from setup import PROFILES, ROOT, check

SIZE = 24 << 20
# The codes for what can't be stored: an error of the archive or the settings, of a delivery, of the
# spool.
CODES = (5, 6)
# What an answer of the web API says: its paths leave the machine without their folders.
WORDS = [["No space is left on", "Nothing is left of your quota"], ["is on a read-only file system"]]
KINDS = ("memory", "ext4", "inodes", "read-only")
PLACES = ("archive", "home")
TRIES = [(kind, place, left) for kind in KINDS for place in PLACES for left in ("closed", "killed")]


class Disk:
    """A small file system; raises PermissionError where this user may not mount one."""

    def __init__(self, folder: Path, kind: str):
        self.kind, self.place = kind, folder / "disk"
        if kind == "memory":
            SmallDisk(self.place, SIZE)
            return
        self.place.mkdir()
        image = folder / "image"
        with open(image, "wb") as file:
            file.truncate(SIZE)
        files = ["-N", "400"] if kind == "inodes" else []
        subprocess.run(["mkfs.ext4", "-q", "-m", "0", *files, image], check=True)
        done = subprocess.run(
            ["mount", "-o", "loop", image, self.place], capture_output=True, text=True
        )
        if done.returncode != 0:
            raise PermissionError(done.stderr.strip())

    @property
    def is_read_only(self):
        return self.kind == "read-only"

    def fill(self):
        """Leaves nothing: no byte, no file, or no permission."""
        if self.kind == "read-only":
            # What a killed host started ends a moment later.
            for _ in range(100):
                done = subprocess.run(
                    ["mount", "-o", "remount,ro", self.place], capture_output=True, text=True
                )
                if done.returncode == 0:
                    return
                time.sleep(0.1)
            check(False, done.stderr)
        if self.kind == "inodes":
            number = 0
            try:
                while True:
                    (self.place / f"filler-{number}").touch(exist_ok=False)
                    number += 1
            except OSError:
                return
        for piece in (1 << 16, 512, 1):
            with open(self.place / f"filler-{piece}", "ab", buffering=0) as file:
                try:
                    while file.write(b"\0" * piece):
                        pass
                except OSError:
                    pass

    @property
    def least(self):
        """The bytes, or files, that must be free after the deletions."""
        return 2 if self.kind == "inodes" else 4096

    def free(self):
        state = os.statvfs(self.place)
        return state.f_ffree if self.kind == "inodes" else state.f_bavail * state.f_frsize

    def remove(self):
        subprocess.run(["umount", "-l", self.place], check=True)


class Home:
    """A home with some documents, a job that was interrupted and a document that waits."""

    def __init__(self, folder: Path, programs: Path, disk: Disk, place: str):
        self.disk, self.programs = disk, programs
        self.out = folder / "out"
        self.home = disk.place / "home" if place == "home" else folder / "home"
        self.archive = (
            self.home / ".local/share/copystand" if place == "home" else disk.place / "archive"
        )
        temporary = (disk.place if place == "home" else folder) / "temporary"
        profiles = self.home / ".config/copystand/profiles"
        for made in (self.out, profiles, temporary, folder / "backends/virtual", folder / "backends/file"):
            made.mkdir(parents=True)
        (profiles / "plain.json5").write_text(PROFILES["plain"])
        shutil.copy(ROOT / "Plugins/Virtual/backend.json", folder / "backends/virtual")
        shutil.copy(ROOT / "Plugins/FileImport/backend.json", folder / "backends/file")
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "USER": "torture",
            "LANG": "C.UTF-8",
            "COPYSTAND_BACKENDS": str(folder / "backends"),
            "COPYSTAND_ARCHIVE": str(self.archive),
            "TMPDIR": str(temporary),
        }
        self.folder = folder
        self.names = {
            "disk": disk.place, "out": self.out, "archive": self.archive,
            "profile": profiles / "plain.json5",
        }  # fmt: skip
        self.is_on_disk = place == "home"

    def words(self, text):
        return [word.format(**self.names) for word in text.split()]

    def start(self, *words, **others):
        return subprocess.Popen(
            [self.programs / "copystand", *words], cwd=self.out, env=self.environment,
            stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
            **others,
        )  # fmt: skip

    def run(self, *words):
        return subprocess.run(
            [self.programs / "copystand", *words], cwd=self.out, env=self.environment,
            stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=120,
        )  # fmt: skip

    def must(self, text):
        done = self.run(*self.words(text))
        check(done.returncode == 0, f"{text} ends with {done.returncode}: {done.stderr}")
        return done.stdout

    def fill(self):
        for number in range(1, 6):
            self.must(f"scan -q {commands.SCAN} -t Sheet{number} --sink archive")
        self.must(f"scan -q {commands.SCAN} -o {{out}}/first.pdf -o {{out}}/picture.png")
        self.must("trash 4")
        self.names["trashed"] = 4
        self.must("edit 1 --title First")
        self.must("device alias table virtual:flatbed")
        # Another default of the same length would fit into the file that is there.
        self.must("device default virtual:feeder")
        self.must("sinks add shelf -k webhook --url http://127.0.0.1:9/none")
        self.run(*self.words(f"scan -q {commands.SCAN} -t Waiting --sink shelf"))
        self.names["item"] = json.loads(self.must("outbox --json"))["items"][0]["id"]
        self.must("token add kitchen")
        self.token = self.must("token add admin --scope admin").split()[-1]
        # The output's folder has no room for the document, so its job is kept.
        small = SmallDisk(self.folder / "small", 8192)
        self.run(*self.words(f"scan -q {commands.SCAN} -o {small.place}/kept.pdf"))
        small.remove()
        self.names["job"] = json.loads(self.must("jobs --json"))["jobs"][0]["id"]

    def leave_open(self):
        """Kills a program that has the archive open, so that its log and index stay."""
        with Serving(self) as serving:
            status, text = serving.ask("PATCH", "/api/v1/documents/1", {"title": "Second"})
            check(status == 200, f"PATCH answers {status}: {text}")
            serving.process.kill()


class Serving:
    """A host on this home."""

    def __init__(self, home: Home):
        self.home = home
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]

    def __enter__(self):
        self.process = self.home.start("serve", "--token", "--listen", f"127.0.0.1:{self.port}")
        for _ in range(200):
            check(self.process.poll() is None, f"serve ends with {self.process.returncode}")
            try:
                self.ask("GET", "/health")
                return self
            except (urllib.error.URLError, ConnectionError):
                time.sleep(0.1)
        check(False, "serve does not answer")

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(60)

    def ask(self, method, path, body=None):
        return routes.ask(self.port, self.home.token, method, path, body)


def says(disk: Disk, text):
    wanted = (
        ["is on a read-only file system"]
        if disk.is_read_only
        else [f"No space is left on '{disk.place}'", f"Nothing is left of your quota on '{disk.place}'"]
    )  # fmt: skip
    return any(one in text for one in wanted)


def is_refused(kind, home: Home):
    return {
        READS: False,
        FREES: home.disk.is_read_only,
        DROPS: home.disk.is_read_only and home.is_on_disk,
        ARCHIVE: True,
        DISK: True,
        HOME: home.is_on_disk,
    }[kind]


def needs_no_file(kind, home: Home):
    """True where a change may fit into files that exist, and the disk lacks only new ones."""
    return home.disk.kind == "inodes" and kind in (ARCHIVE, HOME, DISK)


def one(folder: Path, programs: Path, number: int):
    """Tries everything on one kind of disk, and returns the result in words."""
    kind, place, left = TRIES[number - 1]
    disk = Disk(folder, kind)
    try:
        home = Home(folder, programs, disk, place)
        if number == 1:
            unknown = commands.missing(programs / "copystand", home.environment)
            check(not unknown, f"opening/commands.py has no row for {unknown}")
        home.fill()
        if left == "killed":
            home.leave_open()
        disk.fill()
        faults = try_routes(home)
        if not disk.is_read_only:
            # The routes have emptied the trash.
            home.must("trash 5")
            home.names["trashed"] = 5
        faults += try_commands(home)
        check(not faults, "\n  ".join([f"{kind}, {place}, {left}:", *faults]))
        return f"{kind}, the {place} on it, {left}: {len(commands.COMMANDS)} commands"
    finally:
        disk.remove()


def try_commands(home: Home):
    faults = []
    for kind, text in commands.COMMANDS:
        if kind not in (FREES, DROPS):
            home.disk.fill()
        done = home.run(*home.words(text))
        told = (done.stdout + done.stderr).strip().splitlines()[-2:]
        if not is_refused(kind, home):
            if done.returncode != 0:
                faults.append(f"'{text}' ends with {done.returncode}: {told}")
        elif done.returncode == 0 and needs_no_file(kind, home):
            continue
        elif done.returncode not in CODES or not says(home.disk, done.stderr):
            faults.append(f"'{text}' ends with {done.returncode} and does not say why: {told}")
    if not home.disk.is_read_only and home.disk.free() < home.disk.least:
        faults.append(f"deleting freed nothing: {home.disk.free()} are free")
    return faults


def try_routes(home: Home):
    faults = []
    with Serving(home) as serving:
        for route in routes.listed(serving.port, home.token):
            try:
                asked = routes.kind(route)
            except KeyError:
                faults.append(f"opening/routes.py has no row for {route}")
                continue
            if asked is None or asked[0] == FREES:
                continue
            faults += try_route(home, serving, route, *asked)
        for route in (route for route, (kind, _) in routes.ROUTES.items() if kind == FREES):
            # Document 3 is trashed and deleted in the order of the table; 4 is in the trash.
            number = 4 if home.disk.is_read_only and route.startswith("DELETE") else 3
            route = route.replace("{id}", str(number))
            faults += try_route(home, serving, route, FREES, None)
    return faults


def await_job(serving, number):
    """The words of a job that has ended."""
    for _ in range(600):
        _, text = serving.ask("GET", f"/api/v1/jobs/{number}")
        if json.loads(text)["state"] != "running":
            return text
        time.sleep(0.1)
    return "the job does not end: " + text


def try_route(home, serving, route, kind, body):
    method, path = route.split()
    if kind != FREES:
        home.disk.fill()
    for part, word in routes.PARTS.items():
        path = path.replace(part, word)
    path = path.replace("/devices/1", "/devices/virtual:flatbed")
    path = path.replace("/profiles/shelf", "/profiles/plain").replace("1/restore", "4/restore")
    if path.endswith("/search"):
        path += "?q=sheet"
    status, text = serving.ask(method, path, body)
    if not is_refused(kind, home):
        return [] if status < 300 else [f"{method} {path} answers {status}: {text[:300]}"]
    if status < 300 and needs_no_file(kind, home):
        return []
    if route == "POST /api/v1/jobs" and status == 202:
        text = await_job(serving, json.loads(text)["id"])
        status = 507
    codes = (403, 507) if home.disk.is_read_only else (507,)
    # Many documents at once have an answer for each.
    is_refusal = status in codes or path.endswith("/bulk")
    if is_refusal and any(word in text for word in WORDS[home.disk.is_read_only]):
        return []
    return [f"{method} {path} answers {status} and does not say why: {text[:300]}"]
