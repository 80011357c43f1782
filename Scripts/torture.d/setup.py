"""A separate home for a run of Copystand: its programs, its folders, and checks of its results.
"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = 30
# Small pages: this tests the order of steps, not the size of pages.
AREA = ["-s", "resolution=75", "-s", "area-width=60", "-s", "area-height=40"]
PROFILES = {
    "plain": (
        '{ title: "Plain", description: "Pages as they come.", looksFor: "nothing", steps: [],'
        ' text: "off" }'
    ),
    "read": (
        '{ title: "Read", description: "Pages as they come, read.", looksFor: "nothing", steps: [],'
        ' text: { languages: ["eng"] } }'
    ),
}


class Lost(Exception):
    """An event that must not happen."""


def check(holds, what):
    if not holds:
        raise Lost(what)


class TortureSetup:
    def __init__(self, folder: Path, programs: Path, sheets=PAGES):
        self.folder, self.programs, self.sheets = folder, programs, sheets
        self.home = folder / "home"
        self.out = folder / "out"
        self.shelf = folder / "shelf"
        for place in (
            self.home / ".config/copystand/profiles",
            self.out,
            self.shelf,
            folder / "backends/virtual",
        ):
            place.mkdir(parents=True)
        for name, text in PROFILES.items():
            (self.home / f".config/copystand/profiles/{name}.json5").write_text(text)
        shutil.copy(ROOT / "Plugins/Virtual/backend.json", folder / "backends/virtual")
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": str(self.home),
            "USER": "torture",
            "LANG": "C.UTF-8",
            "COPYSTAND_BACKENDS": str(folder / "backends"),
            "TMPDIR": str(folder),
        }
        # The words before a program that say where it runs.
        self.prefix = []
        self.log = open(folder / "log.txt", "ab")

    @property
    def spool(self):
        return self.home / ".local/state/copystand/spool"

    @property
    def outbox(self):
        return self.home / ".local/state/copystand/outbox"

    # Processes

    def start(self, *words):
        self.log.write(f"{time.time():.3f} $ copystand {' '.join(words)}\n".encode())
        self.log.flush()
        return subprocess.Popen(
            [*self.prefix, self.programs / "copystand", *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            start_new_session=True,
        )

    def run(self, *words, limit=120):
        """Runs a command to its end. Returns its status and output."""
        self.log.write(f"{time.time():.3f} $ copystand {' '.join(words)}\n".encode())
        self.log.flush()
        done = subprocess.run(
            [*self.prefix, self.programs / "copystand", *words],
            cwd=self.folder,
            env=self.environment,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            timeout=limit,
        )
        self.log.write((done.stdout + done.stderr + f"-> {done.returncode}\n").encode())
        self.log.flush()
        return done

    def json(self, *words):
        done = self.run(*words, "--json")
        check(
            done.returncode == 0,
            f"copystand {' '.join(words)} ends with {done.returncode}: {done.stderr.strip()}",
        )
        return json.loads(done.stdout)

    def add_shelf(self):
        """A named sink: a folder that is reached through the outbox."""
        done = self.run(
            "sinks",
            "add",
            "shelf",
            "-k",
            "file",
            "--template",
            f"{self.shelf}/{{title}}.json",
            "--format",
            "json",
        )
        check(done.returncode == 0, f"sinks add: {done.stderr}")

    def scan_words(self, profile):
        return [
            "scan",
            "-d",
            "virtual:feeder",
            *AREA,
            "-s",
            f"pages={self.sheets + 5}",
            "-n",
            str(self.sheets),
            "-p",
            profile,
            "-t",
            "Document",
            "-o",
            "out/document.json",
            "-o",
            "out/document.pdf",
            "-o",
            f"archive:{self.home}/.local/share/copystand",
            "--sink",
            "shelf",
        ]

    # Jobs and pages

    def jobs(self):
        return self.json("jobs")["jobs"]

    def spooled(self):
        """The labels of the pages that have their final name in the spool, in order. The host has
        reported exactly these.
        """
        found = {}
        if self.spool.is_dir():
            for job in sorted(
                path for path in self.spool.iterdir() if not path.name.startswith(".")
            ):
                notes = {}
                names = {path.name for path in job.iterdir()}
                for name in sorted(names):
                    match = re.fullmatch(r"page-(\d+)\.(raw|tif|tiff)", name)
                    if match:
                        note = json.loads((job / f"page-{match[1]}.json").read_text())
                        notes[int(match[1])] = note["description"].get("label")
                found[job.name] = [notes[number] for number in sorted(notes)]
        return found

    def arrived(self):
        """The labels of the pages whose last row had arrived, but which were not on the disk when
        the host was killed.
        """
        found = []
        for place in sorted(self.spool.glob("*/page-*.arrived")) if self.spool.is_dir() else []:
            pixels = place.with_suffix(".raw")
            if pixels.exists() or not place.with_suffix(".raw.part").exists():
                continue
            try:
                found.append(json.loads(place.read_text())["note"]["description"].get("label"))
            except ValueError:
                # The process was killed while this line was being written, just before the page
                # would have been complete.
                continue
        return found

    @staticmethod
    def labels(path: Path):
        return [page["provenance"].get("label") for page in json.loads(path.read_text())["pages"]]

    def check_delivered(self, labels, was_shorter=0):
        """Checks that every output and sink has the document exactly once, with exactly these
        pages, and that nothing else has a final name.

        A named sink may also have this many shorter documents if more pages were captured into the
        document later.
        """
        names = sorted(path.name for path in self.out.iterdir() if not path.name.startswith("."))
        check(names == ["document.json", "document.pdf"], f"the output folder has {names}")
        check(
            self.labels(self.out / "document.json") == labels,
            "document.json has other pages than were captured: "
            f"{self.labels(self.out / 'document.json')} instead of {labels}",
        )
        self.check_pdf(self.out / "document.pdf", len(labels))
        shelf = {
            path.name: self.labels(path)
            for path in self.shelf.iterdir()
            if not path.name.startswith(".")
        }
        shorter = [
            pages
            for pages in shelf.values()
            if pages == labels[: len(pages)] and len(pages) < len(labels)
        ]
        check(
            list(shelf.values()).count(labels) == 1
            and len(shelf) == 1 + len(shorter)
            and len(shorter) <= was_shorter,
            f"the sink's folder has { {name: len(pages) for name, pages in shelf.items()} } pages"
            f" instead of {len(labels)}",
        )
        self.check_archive([labels])
        waiting = self.json("outbox", "list")["items"] if self.outbox.is_dir() else []
        check(not waiting, f"the outbox has {waiting}")

    def check_archive(self, documents, receipts=True):
        folder = self.home / ".local/share/copystand"
        if not (folder / "archive.sqlite").exists():
            check(not documents, "there is no archive")
            return
        done = self.run("archive", "check")
        check(done.returncode == 0, f"archive check: {done.stdout}{done.stderr}")
        listed = self.json("list")["documents"]
        check(
            len(listed) == len(documents),
            f"the archive has {len(listed)} documents instead of {len(documents)}",
        )
        for summary, labels in zip(sorted(listed, key=lambda one: one["id"]), documents):
            whole = self.json("show", str(summary["id"]))
            got = [page.get("label") for page in whole["pages"]]
            check(
                got == labels,
                f"document {summary['id']} in the archive has the pages {got} instead of {labels}",
            )
            if receipts:
                places = {Path(receipt["place"]).name for receipt in whole["receipts"]}
                wanted = {"document.json", "document.pdf"}
                check(
                    wanted < places
                    and len(places) == 3
                    and all(one["hash"] for one in whole["receipts"]),
                    f"document {summary['id']} has the receipts {whole['receipts']}",
                )

    def check_pdf(self, path, pages):
        done = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
        check(done.returncode == 0, f"qpdf --check {path}: {done.stdout}{done.stderr}")
        done = subprocess.run(["qpdf", "--show-npages", path], capture_output=True, text=True)
        check(
            done.stdout.strip() == str(pages),
            f"{path} has {done.stdout.strip()} pages instead of {pages}",
        )

    def check_whole_files(self):
        """Checks that every file with a final name is complete, even if the job is not finished."""
        for path in [*self.out.iterdir(), *self.shelf.iterdir()]:
            if path.name.startswith("."):
                continue
            if path.suffix == ".json":
                try:
                    json.loads(path.read_text())
                except ValueError as error:
                    raise Lost(f"half a file has the name {path}: {error}") from None
            elif path.suffix == ".pdf":
                done = subprocess.run(["qpdf", "--check", path], capture_output=True, text=True)
                check(
                    done.returncode == 0,
                    f"half a file has the name {path}: {done.stdout}{done.stderr}",
                )

    def check_nothing_left(self):
        left = self.jobs()
        check(
            not left, f"jobs are left: {[(job['id'], job['state'], job['pages']) for job in left]}"
        )

    def close_pile(self):
        """Checks that the job of a stack that was not captured to its end stays open. Since all of
        its pages were delivered, it can be discarded without force.
        """
        for job in self.jobs():
            check(
                job["state"] == "continuable" and job["undelivered"] == 0,
                f"the job is left {job['state']} with {job['undelivered']} pages that were not"
                " delivered",
            )
            done = self.run("jobs", "discard", job["id"])
            check(done.returncode == 0, f"jobs discard ends with {done.returncode}: {done.stderr}")
        self.check_nothing_left()

    def close(self):
        self.log.close()


def kin(process: int):
    """The processes that a process has started, with their names and first arguments."""
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            stat = Path(f"/proc/{entry}/stat").read_text()
            words = Path(f"/proc/{entry}/cmdline").read_bytes().split(b"\0")
        except OSError:
            continue
        parent = int(stat.rsplit(")", 1)[1].split()[1])
        if parent == process:
            found.append((int(entry), os.path.basename(words[0].decode(errors="replace")), words))
    return found


def end_session(process: subprocess.Popen, limit=60):
    """Waits until a program and all processes that it started have ended."""
    try:
        process.wait(limit)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        raise Lost(f"the program still runs after {limit} seconds") from None
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            os.killpg(process.pid, 0)
        except ProcessLookupError:
            return
        time.sleep(0.01)
    os.killpg(process.pid, signal.SIGKILL)
    raise Lost("a process that it had started outlives the program by 20 seconds")
