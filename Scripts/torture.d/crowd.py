"""Eight writers and fifty readers use one archive at the same time. Some writers are killed, and
every page is counted at the end.
"""

import json
import os
import random
import re
import signal
import subprocess
import threading
import time
import urllib.error
import urllib.request

from setup import AREA, Lost, check

WRITERS, READERS = 8, 50
# Readers that start a program each time cost a core; the others ask the running host.
PROGRAMS = 6


class Host:
    """A running `serve` with the same archive."""

    def __init__(self, setup):
        self.errors = open(setup.folder / "serve.txt", "w+b")
        self.process = subprocess.Popen(
            [setup.programs / "copystand", "serve", "--listen", "127.0.0.1:0"],
            cwd=setup.folder,
            env=setup.environment,
            stdin=subprocess.DEVNULL,
            stdout=self.errors,
            stderr=self.errors,
        )
        deadline = time.monotonic() + 60
        self.address = None
        while self.address is None:
            check(
                self.process.poll() is None and time.monotonic() < deadline, "serve does not start"
            )
            found = re.search(
                rb"http://127\.0\.0\.1:\d+", (setup.folder / "serve.txt").read_bytes()
            )
            self.address = found and found[0].decode()
            time.sleep(0.02)

    def get(self, path):
        with urllib.request.urlopen(self.address + path, timeout=60) as answer:
            return json.load(answer)

    def close(self):
        self.process.terminate()
        try:
            check(self.process.wait(30) == 0, f"serve ends with {self.process.returncode}")
        finally:
            self.process.kill()
            self.errors.close()


class Writer:
    """Scans documents into the archive and changes them. Records everything that was reported as
    done."""

    def __init__(self, setup, number, seed, rounds):
        self.setup, self.number, self.rounds = setup, number, rounds
        self.random = random.Random(f"{seed}/crowd/{number}")
        # The pages of each document that the program has reported as safe, and those of killed
        # scans.
        self.done, self.killed = {}, {}

    def work(self):
        for round_ in range(self.rounds):
            title, pages = f"writer {self.number} document {round_}", self.random.randint(1, 4)
            words = [
                "scan",
                "-d",
                "virtual:feeder",
                *AREA,
                "-s",
                f"pages={pages}",
                "-n",
                str(pages),
                "-p",
                "plain",
                "-t",
                title,
            ]
            if self.random.random() < 0.35:
                self.kill(words, title, pages)
            else:
                self.scan(words, title, pages)

    def kill(self, words, title, pages):
        process = self.setup.start(*words)
        try:
            process.wait(self.random.uniform(0, 0.25))
        except subprocess.TimeoutExpired:
            os.kill(process.pid, signal.SIGKILL)
        process.wait()
        (self.done if process.returncode == 0 else self.killed)[title] = pages

    def scan(self, words, title, pages):
        done = self.setup.run(*words)
        check(
            done.returncode == 0, f"scan beside others ends with {done.returncode}: {done.stderr}"
        )
        self.done[title] = pages
        found = [
            one
            for one in self.setup.json("list", "-n", "1000")["documents"]
            if one["title"] == title
        ]
        check(len(found) == 1, f"'{title}' is there {len(found)} times right after its scan")
        document = str(found[0]["id"])
        for change in (
            ["edit", document, "--note", f"{pages} pages"],
            ["pages", document, "--rotate", "1", "90"],
        ):
            done = self.setup.run(*change)
            check(
                done.returncode == 0,
                f"{' '.join(change)} ends with {done.returncode}: {done.stderr}",
            )


class Reader:
    """Lists, searches and shows until the writers are done; no answer may be an error or half a
    document.
    """

    def __init__(self, setup, host, number, seed):
        self.setup, self.host = setup, host if number >= PROGRAMS else None
        self.random, self.looks = random.Random(f"{seed}/reader/{number}"), 0

    def work(self, ended):
        while not ended.is_set():
            listed = self.ask("/api/v1/documents?limit=100", "list", "-n", "100")["documents"]
            self.ask("/api/v1/search?q=document", "search", "document")
            for one in self.random.sample(listed, min(2, len(listed))):
                whole = self.ask(f"/api/v1/documents/{one['id']}", "show", str(one["id"]))
                labels = [page.get("label") for page in whole["pages"]]
                check(
                    labels and labels == [f"sheet {page}" for page in range(1, len(labels) + 1)],
                    f"a reader sees document {one['id']} with the pages {labels}",
                )
            self.looks += 1
            # People also pause to read, and fifty loops without a pause would only measure two
            # cores.
            ended.wait(self.random.uniform(0.1, 0.5))

    def ask(self, path, *words):
        try:
            return self.host.get(path) if self.host else self.setup.json(*words)
        except urllib.error.HTTPError as error:
            raise Lost(f"{path}: {error.code} {error.read(500)}") from None


def one(setup, seed, rounds):
    """Runs one crowd, and returns a summary in words."""
    # The archive exists before anyone reads it.
    done = setup.run(
        "scan", "-d", "virtual:feeder", *AREA, "-s", "pages=1", "-p", "plain", "-t", "first"
    )
    check(done.returncode == 0, f"the first scan ends with {done.returncode}: {done.stderr}")
    host = Host(setup)
    writers = [Writer(setup, number, seed, rounds) for number in range(WRITERS)]
    readers = [Reader(setup, host, number, seed) for number in range(READERS)]
    ended, faults = threading.Event(), []

    def guarded(work, *words):
        try:
            work(*words)
        except Exception as fault:
            faults.append(fault)

    reading = [threading.Thread(target=guarded, args=(reader.work, ended)) for reader in readers]
    writing = [threading.Thread(target=guarded, args=(writer.work,)) for writer in writers]
    for thread in reading + writing:
        thread.start()
    for thread in writing:
        thread.join()
    ended.set()
    for thread in reading:
        thread.join()
    host.close()
    if faults:
        raise faults[0]
    return counted(setup, writers, readers)


def counted(setup, writers, readers):
    """Resumes the jobs that the kills left, and compares every page with the writers' records."""
    arrived = {}
    for job in setup.jobs():
        pages = setup.spooled().get(job["id"], [])
        if pages or job["pages"]:
            arrived[job["id"]] = max(job["pages"], len(pages))
            done = setup.run("jobs", "resume", job["id"])
            check(
                done.returncode == 0,
                f"jobs resume {job['id']} ends with {done.returncode}: {done.stderr}",
            )
        if any(left["id"] == job["id"] for left in setup.jobs()):
            # Everything is delivered by now, so no confirmation should be needed.
            done = setup.run("jobs", "discard", job["id"])
            check(
                done.returncode == 0,
                f"jobs discard {job['id']} ends with {done.returncode}: {done.stderr}",
            )
    setup.check_nothing_left()
    check(setup.run("archive", "check").returncode == 0, "archive check finds faults")
    found = {}
    for summary in setup.json("list", "-n", "1000")["documents"]:
        check(summary["title"] not in found, f"'{summary['title']}' is there twice")
        found[summary["title"]] = len(setup.json("show", str(summary["id"]))["pages"])
    check(found.pop("first", None) == 1, "the first document is not there")
    promised = {title: pages for writer in writers for title, pages in writer.done.items()}
    killed = {title: pages for writer in writers for title, pages in writer.killed.items()}
    for title, pages in promised.items():
        check(
            found.get(title) == pages, f"'{title}' has {found.get(title)} pages instead of {pages}"
        )
    rest = {title: pages for title, pages in found.items() if title not in promised}
    check(set(rest) <= set(killed), f"documents that nobody scanned: {set(rest) - set(killed)}")
    for title, pages in rest.items():
        check(1 <= pages <= killed[title], f"'{title}' has {pages} pages of {killed[title]}")
    check(
        sum(rest.values()) >= sum(arrived.values()),
        f"{sum(arrived.values())} pages had arrived in killed scans, "
        f"and {sum(rest.values())} were delivered",
    )
    return (
        f"{len(promised)} documents with {sum(promised.values())} pages, each there once;"
        f" {len(killed)} scans killed, {sum(rest.values())} pages of them delivered;"
        f" {sum(reader.looks for reader in readers)} readings"
    )
