"""Runs the commands with extreme clocks: clock_edges.py PROGRAM HOME."""

import os
import subprocess
import sys
import time

from edges import Trials

YEAR = 31_556_952
# Clocks 500 years from now, at the limits of 32 and 64 bits, of nanoseconds and of years with four
# digits, and before 1970.
MOVES = [
    500 * YEAR,
    236 * YEAR,
    12 * YEAR,
    8_000 * YEAR,
    290_000 * YEAR,
    2**62,
    2**63 - 2**31 - 1,
    -1_800_000_000,
    -(2**31) - 1_800_000_000,
    -1_000 * YEAR,
    -3_000 * YEAR,
    -(2**62),
]

trials = Trials(*sys.argv[1:3])
home = trials.home
library = home + "/clock.so"
subprocess.run(
    [
        "gcc",
        "-shared",
        "-fPIC",
        "-o",
        library,
        os.path.dirname(os.path.abspath(__file__)) + "/clock.c",
    ],
    check=True,
)
for index, move in enumerate(MOVES):
    moment = f"{move} s from now"
    folder = f"{home}/{index}"
    os.makedirs(folder)
    trials.environment.update(HOME=folder, COPYSTAND_SPOOL=folder + "/spool")
    clock = {"LD_PRELOAD": library, "CLOCK_SECONDS": str(move)}
    feeder = ["scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none"]
    trials.run("sinks", "add", "hook", "-k", "webhook", "--url", "http://127.0.0.1:9/", what=moment)
    for words in [
        [*feeder, "-n", "2"],
        [*feeder, "-n", "1", "-o", folder + "/a.pdf", "--pdf-a", "2b"],
        [*feeder, "-n", "1", "-o", folder + "/a.tiff"],
        [*feeder, "-n", "1", "-o", folder + "/a.json"],
        [*feeder, "-n", "1", "--sink", "hook"],
        [*feeder, "-n", "1", "-o", "/dev/full/a.pdf"],
        [
            "scan",
            "-q",
            "-d",
            "virtual:feeder",
            "-r",
            "75",
            "-p",
            "none",
            "-s",
            "fault=jam",
            "-s",
            "fault-page=2",
        ],
        ["scan", "--append", "-q"],
        ["capture", "-d", "virtual:camera"],
        ["preview", "-d", "virtual:flatbed"],
        ["jobs"],
        ["jobs", "--json"],
        ["list"],
        ["list", "--json"],
        ["show", "1"],
        ["show", "1", "--json"],
        ["search", "page"],
        ["search", "since:2020-01-01 page"],
        ["list", "--since", "2020-01-01"],
        ["pages", "1", "--rotate", "1", "90"],
        ["pages", "1", "--undo"],
        ["trash", "1"],
        ["restore", "1"],
        ["export", "1", "-o", folder + "/b.pdf"],
        ["archive", "check"],
        ["archive", "backup", folder + "/copy"],
        ["outbox"],
        ["outbox", "--json"],
        ["outbox", "retry"],
        ["outbox", "retry", "--due"],
        ["token", "add", "me"],
        ["token", "list"],
        ["devices"],
        ["doctor"],
        ["sinks"],
        ["separator", "-o", folder + "/s.pdf"],
    ]:
        trials.run(*words, what=moment, more=clock)
    if move == MOVES[0]:
        year = time.gmtime(time.time() + move).tm_year
        told = trials.run("list", what=moment, more=clock)
        if str(year) not in told.stdout.decode():
            trials.failures.append(f"The clock is not moved to {year}: {told.stdout.decode()}")
    # Data that was stored with such a clock is read with the right clock, and the other way round.
    for words in (["jobs"], ["list"], ["show", "1"], ["outbox"], ["token", "list"]):
        trials.run(*words, what="now, after " + moment)
sys.exit(trials.report())
