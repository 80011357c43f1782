"""A station and a worker: each has a home and a host name of its own, and can be killed."""

import os
import signal
import subprocess
import time

from cluster.sheets import draw_stack
from setup import TortureSetup, check

PROFILE = (
    '{ title: "Slow", description: "Pages as they come, read slowly.", looksFor: "nothing",'
    ' steps: [], text: { languages: ["eng"], reader: "slow" } }'
)
# Runs a program on a machine of another name; the process stays the same.
NAMED = ["/usr/bin/unshare", "--uts", "sh", "-c", 'hostname "$0" && exec "$@"']


class Machine(TortureSetup):
    """A machine that shares the archive of an office."""

    def __init__(self, office, number, role):
        super().__init__(office.folder / f"{role}-{number}", office.programs)
        self.office, self.number, self.name = office, number, f"{role}-{number}"
        self.prefix = [*NAMED, self.name] if os.geteuid() == 0 else []
        (self.home / ".config/copystand/profiles/slow.json5").write_text(PROFILE)
        self.environment |= office.images.environment | {
            "COPYSTAND_ARCHIVE": office.address,
            "COPYSTAND_READERS": str(office.readers),
        }
        self.process, self.kills = None, 0

    def launch(self, *words):
        self.process = self.start(*words)
        return self.process

    def signal(self, number):
        """Sends a signal to the program and all that it started; false if it has ended."""
        process = self.process
        if process is None or process.poll() is not None:
            return False
        try:
            os.killpg(process.pid, number)
        except ProcessLookupError:
            return False
        return True

    def kill(self):
        """Ends them like a power cut."""
        return self.signal(signal.SIGKILL)

    def said(self):
        return (self.folder / "log.txt").read_text(errors="replace")

    def close(self):
        if self.kill():
            self.process.wait()
        super().close()


class Station(Machine):
    """Scans stacks, one after the other. `documents` has the title of each by its number, with the
    numbers of pages that the archive may have of it.
    """

    def __init__(self, office, number):
        super().__init__(office, number, "station")
        self.documents, self.host = {}, None

    def serve(self):
        """Runs the host that delivers what waits as soon as the archive answers."""
        self.host = self.start("serve", "--listen", "127.0.0.1:0", "--process", "later")

    def close(self):
        if self.host:
            os.killpg(self.host.pid, signal.SIGKILL)
            self.host.wait()
        super().close()

    def scan(self, pages, process="later", limit=240):
        """Scans a stack, and resumes the job until the archive has it."""
        job, safe, began = self.capture(pages, process)
        if job:
            if self.process.returncode == -signal.SIGKILL:
                # A document whose scanning was killed has the pages that were safe.
                self.expect({safe})
            self.deliver(job, limit)
        elif not began and self.process.returncode != 0:
            # It was killed before its job existed, or after the job was done.
            self.expect({0, pages})

    def capture(self, pages, process="later"):
        """Scans a stack. Returns the job that is left here, how many of its pages are safe, and
        whether any page was seen here.
        """
        number = len(self.documents) + 1
        folder = self.folder / f"stack-{number}"
        names = draw_stack(folder, self.number, number, pages)
        self.documents[number] = (f"{self.name} document {number}", {pages})
        began, before = False, set(self.spooled())
        self.launch(
            "scan", "-d", "virtual:feeder", "-s", f"folder={folder}", "-p", "slow", "--process",
            process, "-t", self.documents[number][0],
        )  # fmt: skip
        while self.process.poll() is None:
            began = began or any(self.spooled().values())
            time.sleep(0.005)
        self.note_end()
        left = [job for job in self.spooled() if job not in before]
        safe = [label for job in left for label in self.spooled().get(job, [])] + self.arrived()
        check(safe == names[: len(safe)], f"the spool of {self.name} has the pages {safe}")
        is_killed = self.process.returncode == -signal.SIGKILL
        check(
            is_killed or not left or len(safe) == pages,
            f"{self.name} has {len(safe)} of {pages} captured pages",
        )
        return left[0] if left else None, len(safe), began

    def spooled(self):
        while True:
            try:
                return super().spooled()
            except FileNotFoundError:
                # A job was being removed.
                continue

    def expect(self, counts):
        """Notes how many pages of the latest document the archive may have."""
        number = len(self.documents)
        self.documents[number] = (self.documents[number][0], counts)

    def deliver(self, job, limit=240):
        """Resumes a job until it is done."""
        end = time.monotonic() + limit
        while job in self.spooled():
            check(time.monotonic() < end, f"{self.name} can't deliver {job}: {self.log.name}")
            has_pages = self.spooled().get(job) or self.arrived()
            self.launch("jobs", "resume" if has_pages else "discard", job).wait()
            self.note_end()
            if self.process.returncode == 0:
                self.discard_delivered(job)
            time.sleep(0.2)

    def discard_delivered(self, job):
        """Discards a job that stays open for further pages, since all of its pages are safe."""
        for left in self.jobs():
            if left["id"] == job:
                check(
                    left["undelivered"] == 0,
                    f"{self.name} is left with {left}, although resuming it ended well",
                )
                self.run("jobs", "discard", job)

    def note_end(self):
        self.kills += self.process.returncode == -signal.SIGKILL


class Worker(Machine):
    """Processes what stations left."""

    def __init__(self, office, number, places):
        super().__init__(office, number, "worker")
        self.places = places

    def begin(self):
        return self.launch("work", "-j", str(self.places), "--verbose")

    def stop(self):
        """Tells the program to end, and waits for that."""
        if self.signal(signal.SIGTERM):
            check(self.process.wait(60) == 0, f"{self.name} ends with {self.process.returncode}")
