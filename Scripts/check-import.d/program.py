"""Runs `copystand import`."""

import json
import os
import subprocess

SECONDS = 180


class Run:
    """The end of an import, and the pages that it delivered."""

    def __init__(self, status: int, output: str, words: str):
        self.status = status
        self.words = words
        # A shell's exit status for a signal also counts as one.
        self.is_crash = status < 0 or status > 128
        try:
            self.result = json.loads(output)
        except ValueError:
            self.result = {}
        delivered = self.result.get("delivered", [])
        self.files = [place for receipt in delivered for place in receipt["locations"]]
        self.pages = self.result.get("pages", [])
        self.skipped = self.result.get("skipped", [])
        self.problems = [problem for page in self.pages for problem in page["problems"]]
        self.problems += [one["message"] for one in self.skipped]


class Program:
    def __init__(self, folder: str, work: str):
        self.path = os.path.join(os.path.abspath(folder), "copystand")
        home = os.path.join(work, "home")
        os.mkdir(home)
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("XDG_")
        } | {"HOME": home}

    def run_import(self, path: str, place: str, ending: str) -> Run:
        command = [self.path, "import", os.path.abspath(path), "-p", "none", "--json"]
        command += ["-o", os.path.join(place, "out." + ending)]
        try:
            done = subprocess.run(
                command,
                capture_output=True,
                text=True,
                errors="replace",
                timeout=SECONDS,
                env=self.environment,
                stdin=subprocess.DEVNULL,
            )
        except subprocess.TimeoutExpired:
            return Run(-9, "", f"took longer than {SECONDS} s")
        return Run(done.returncode, done.stdout, done.stderr)
