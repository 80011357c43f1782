"""Runs the commands with the clock far away: clock_edges.py PROGRAM HOME LIBFAKETIME."""
import os
import sys

from edges import Trials

TIMES = ["1970-01-01 00:00:01", "1901-12-14 00:00:00", "2038-01-19 03:14:08", "2106-02-07 06:28:16",
         "2262-04-12 00:00:00", "2500-01-01 00:00:00", "2526-11-25 00:00:00", "9999-12-31 23:59:50", "+8000y", "+200000y"]

program, home, library = sys.argv[1:4]
trials = Trials(program, home)
for index, moment in enumerate(TIMES):
    folder = f"{home}/{index}"
    os.makedirs(folder)
    trials.environment.update(HOME=folder, COPYSTAND_SPOOL=folder + "/spool")
    clock = {"LD_PRELOAD": library, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
             "FAKETIME": moment if moment.startswith("+") else "@" + moment}
    feeder = ["scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none"]
    trials.run("sinks", "add", "hook", "-k", "webhook", "--url", "http://127.0.0.1:9/", what=moment)
    for words in [
        [*feeder, "-n", "2"], [*feeder, "-n", "1", "-o", folder + "/a.pdf", "--pdf-a", "2b"],
        [*feeder, "-n", "1", "-o", folder + "/a.tiff"], [*feeder, "-n", "1", "-o", folder + "/a.json"],
        [*feeder, "-n", "1", "--sink", "hook"], [*feeder, "-n", "1", "-o", "/dev/full/a.pdf"],
        ["scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none", "-s", "fault=jam", "-s", "fault-page=2"],
        ["scan", "--append", "-q"], ["capture", "-d", "virtual:camera"], ["preview", "-d", "virtual:flatbed"],
        ["jobs"], ["jobs", "--json"], ["list"], ["list", "--json"], ["show", "1"], ["show", "1", "--json"],
        ["search", "page"], ["search", "since:2020-01-01 page"], ["list", "--since", "2020-01-01"],
        ["pages", "1", "--rotate", "1", "90"], ["pages", "1", "--undo"], ["trash", "1"], ["restore", "1"],
        ["export", "1", "-o", folder + "/b.pdf"], ["archive", "check"], ["archive", "backup", folder + "/copy"],
        ["outbox"], ["outbox", "--json"], ["outbox", "retry"], ["outbox", "retry", "--due"], ["token", "add", "me"],
        ["token", "list"], ["devices"], ["doctor"], ["sinks"], ["separator", "-o", folder + "/s.pdf"],
    ]:
        trials.run(*words, what=moment, more=clock)
    # What was kept then is read with the right clock, and the other way round.
    for words in (["jobs"], ["list"], ["show", "1"], ["outbox"], ["token", "list"]):
        trials.run(*words, what="now, after " + moment)
sys.exit(trials.report())
