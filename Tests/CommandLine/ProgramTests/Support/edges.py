"""Edge cases of numbers, and how a program that reads them may end."""

import os
import random
import re
import signal
import subprocess
import sys
import time

WHOLE = [
    str(-(2**63)),
    str(2**63 - 1),
    "-1",
    "0",
    str(2**64),
    str(2**53),
    str(2**31),
    "-2147483649",
    "255",
    "65536",
    "-128",
    "127",
    "-32769",
    "32767",
    str(2**31 - 1),
    str(2**64 - 1),
]
OTHER = ["1e308", "-1e308", "1e-320", "1e400", "NaN", "-Infinity", "9" * 1000, "0." + "3" * 1000]
EDGES = WHOLE + OTHER
# Values that are not valid numbers in JSON are used only in texts.
JSON_EDGES = [edge for edge in EDGES if edge not in ("NaN", "-Infinity")] + [
    "null",
    "true",
    '"7"',
    "NaN",
]
NUMBER = re.compile(r"(?<=[:\[,\s])-?\d+(?:\.\d+)?(?:[eE][-+]?\d+)?(?=[\s,\]}])")


class Told(list):
    """Failures, each of which is printed when it is found."""

    def append(self, failure):
        super().append(failure)
        print(failure, flush=True)


class Trials:
    """Runs the program in a separate home, and records every invalid exit code."""

    def __init__(self, program, home):
        self.program = program
        self.home = home
        self.runs = 0
        self.failures = Told()
        self.environment = {
            "PATH": "/usr/bin:/bin",
            "HOME": home,
            "COPYSTAND_SPOOL": home + "/spool",
            "TERM": "dumb",
            # The signal is enough to detect a crash; a crash report would only take time.
            "SWIFT_BACKTRACE": "enable=no",
        }

    def run(self, *words, what="", more=None, patience=60, damaged=False):
        self.runs += 1
        shown = f"{what}: {' '.join(words)}"[:400]
        try:
            ended = subprocess.run(
                [self.program, *words],
                env={**self.environment, **(more or {})},
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=patience,
            )
        except subprocess.TimeoutExpired:
            self.failures.append(f"{shown}: does not end")
            return None
        if ended.returncode < 0:
            name = signal.Signals(-ended.returncode).name
            self.failures.append(f"{shown}: {name} {ended.stderr.decode(errors='replace')[-300:]}")
        elif ended.returncode not in (0, 2, 3, 4, 5, 6, 130):
            # doctor ends with 1 if something must be fixed, and other commands if a stored file is
            # damaged.
            said = ended.stderr.decode(errors="replace")
            isTold = (
                damaged
                and ended.returncode == 1
                and "copystand: " in said
                and "internal error" not in said
            )
            if words[0] != "doctor" and not isTold:
                self.failures.append(
                    f"{shown}: exit {ended.returncode}"
                    f" {ended.stderr.decode(errors='replace')[-300:]}"
                )
        return ended

    def all(self, jobs):
        """Runs all jobs or, with --seconds N, as many as fit into the time, in a shuffled order
        that is always the same.
        """
        end = (
            time.monotonic() + float(sys.argv[sys.argv.index("--seconds") + 1])
            if "--seconds" in sys.argv
            else None
        )
        jobs = list(jobs)
        if end:
            random.Random(1).shuffle(jobs)
        for job in jobs:
            if end and time.monotonic() > end:
                break
            job()

    def report(self):
        print(f"{self.runs} runs, {len(self.failures)} ended wrongly")
        return 1 if self.failures else 0


def changed(text):
    """Returns copies of a JSON text, each with an edge case in the place of one of its numbers."""
    for place in NUMBER.finditer(text):
        for edge in JSON_EDGES:
            yield (
                text[: place.start()],
                place.group(),
                edge,
                text[: place.start()] + edge + text[place.end() :],
            )


def write(path, text):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o600)
