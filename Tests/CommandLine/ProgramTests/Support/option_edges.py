"""Gives every option of every command edge cases of numbers: option_edges.py PROGRAM HOME.

The options are listed in each command's help. The named files and devices don't exist, so no
command does much.
"""

import functools
import re
import sys

from edges import EDGES, Trials

trials = Trials(sys.argv[1], sys.argv[2])
# Commands that do not end by themselves, or that start a host, which does not end by itself.
STARTS = {"serve": ["--listen", "203.0.113.1:1"], "open": ["1"]}
# Each command with the words that it needs before its options.
NEEDED = {
    "DEVICE": "virtual:nothing",
    "ID": "1",
    "NAME": "nothing",
    "FILE": "nothing.png",
    "PATH": "nothing",
    "QUERY": "nothing",
    "JOB": "20261121-101500-k3fw",
    "SHELL": "bash",
    # No command can create this folder, so no watch of it begins.
    "DIR": "/proc/nowhere",
}


def commands(path=()):
    """Returns every command with its help."""
    said = trials.run(*path, "--help", what="help").stdout.decode()
    yield list(path), said
    listed = re.search(r"^Commands:\n((?:  .*\n)+)", said, re.M)
    for name in re.findall(r"^  ([a-z][a-z-]*) ", listed.group(1), re.M) if listed else []:
        yield from commands((*path, name))


def needed(said):
    """Returns values for the command's arguments."""
    usage = re.search(r"^Usage: copystand (.*?)\n\n", said, re.S | re.M).group(1)
    plain = re.sub(r"\[[^\]]*\]", "", usage)
    return [
        NEEDED.get(word.strip("."), "1")
        for word in plain.split()
        if re.fullmatch(r"[A-Z][A-Z]*\.*", word) and word.strip(".") != "COMMAND"
    ]


def options(said):
    """Returns each option that takes values, with the number of values."""
    listed = re.search(r"^Options:\n(.*?)\n\n", said, re.S | re.M)
    if listed:
        for name, values in re.findall(
            r"^ {2}(?:-\w, | {4})(--[a-z-]+)((?: \[?[A-Z][A-Z0-9,:_=]*\]?)+)", listed.group(1), re.M
        ):
            yield name, [value.strip("[]") for value in values.split()]


jobs = []


def later(*words, **more):
    """Runs the program as one of the jobs."""
    jobs.append(functools.partial(trials.run, *words, damaged=True, **more))


trials.run("scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none", "-n", "2", what="making")
for path, said in commands():
    words = STARTS.get(path[0], []) if path else []
    device = ["-d", "virtual:nothing"] if "--device" in said and path not in (["devices"],) else []
    for option, values in options(said):
        for place, value in enumerate(values):
            shapes = ["{}"]
            if "=" in value:
                shapes = ["a={}", "resolution={}", "crop.margin={}"]
            elif value.count(",") == 3:
                shapes = ["{},1,2,3", "0,0,{},{}"]
            elif ":" in value:
                shapes = ["{}:{}", "127.0.0.1:{}"]
            elif "TIME" in value or "SECONDS" in value:
                shapes = ["{}", "{}s", "{}h"]
            elif "PAGES" in value:
                shapes = ["{}", "{}-{}", "1-{}", "{}-"]
            for shape in shapes:
                for edge in EDGES:
                    given = ["1"] * len(values)
                    given[place] = shape.replace("{}", edge)
                    later(
                        *path,
                        *needed(said),
                        *([] if option == "--device" else device),
                        *words,
                        option,
                        *given,
                        what="option",
                        patience=30,
                    )
    # Arguments that may be numbers. A watched folder is not a number, and another command may have
    # made it, so the watch would not end.
    for place, _ in enumerate(needed(said) if path != ["watch-folder"] else []):
        for edge in EDGES:
            given = needed(said)
            given[place] = edge
            later(*path, *device, "--", *given, what="argument", patience=30)
# Options of existing devices, and areas in every unit, which are also applied.
for option in (
    "resolution",
    "threshold",
    "area-left",
    "area-width",
    "fault-page",
    "depth",
    "brightness",
):
    for edge in EDGES:
        later(
            "scan",
            "-q",
            "-d",
            "virtual:feeder",
            "-p",
            "none",
            "-n",
            "1",
            "-r",
            "75",
            "-s",
            f"{option}={edge}",
            what="setting",
        )
for edge in EDGES:
    for shape in ("{},0,10,10", "0,0,{},10", "{},{},{},{}", "0,0,10,{}"):
        later(
            "scan",
            "-q",
            "-d",
            "virtual:flatbed",
            "-p",
            "none",
            "-r",
            "75",
            "--area",
            shape.replace("{}", edge),
            what="area",
        )
    for option in ("--brightness", "--contrast", "-r", "-n"):
        later(
            "scan",
            "-q",
            "-d",
            "virtual:flatbed",
            "-p",
            "none",
            "-r",
            "75",
            option,
            edge,
            what="common",
            patience=120,
        )
    for kind in ("--renumber", "--split-after", "--merge", "--delete"):
        later("pages", "1", kind, edge, what="pages")
    later("pages", "1", "--move", "1", edge, what="pages")
    later("pages", "1", "--move", edge, "1", what="pages")
    later("pages", "1", "--crop", "1", f"{edge},0,10,{edge}", what="pages")
    later("list", "--since", edge, what="list")
    later("list", "--since", f"{edge}-01-01", what="list")
trials.all(jobs)
sys.exit(trials.report())
