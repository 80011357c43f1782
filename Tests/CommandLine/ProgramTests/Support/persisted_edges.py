"""Puts edge cases into every number of every file that the program stores: persisted_edges.py
PROGRAM HOME.
"""

import functools
import glob
import os
import re
import signal
import sqlite3
import subprocess
import sys

from edges import Trials, changed, write

trials = Trials(sys.argv[1], sys.argv[2])
home = trials.home
data = home + "/.local/share/copystand"
state = home + "/.local/state/copystand"
config = home + "/.config/copystand"


def made(*words, **more):
    """Runs a command that makes a file, and expects success."""
    ended = trials.run(*words, what="making", **more)
    if ended is None or ended.returncode not in (0, 5, 130):
        sys.exit(f"{words}: {ended and ended.stderr.decode()}")
    return ended


def killed_scan(*more):
    """Makes a job whose process is killed after its second page."""
    scan = subprocess.Popen(
        [
            trials.program,
            "scan",
            "-d",
            "virtual:feeder",
            "-p",
            "none",
            "-r",
            "75",
            "-s",
            "fault=slow",
            "-s",
            "fault-page=3",
            "-v",
            *more,
        ],
        env=trials.environment,
        cwd=home,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
    )
    for line in scan.stderr:
        if b"Page 2:" in line:
            break
    scan.send_signal(signal.SIGKILL)
    scan.wait()


feeder = ["scan", "-q", "-d", "virtual:feeder", "-r", "75", "-p", "none"]
made(*feeder, "-n", "3", "-t", "Edges")
made("pages", "1", "--rotate", "2", "90")
made("pages", "1", "--crop", "1", "10,10,200,200")
made("edit", "1", "--title", "Other", "--field", "number=7")
made("device", "alias", "front", "virtual:feeder")
made(
    "sinks",
    "add",
    "hook",
    "-k",
    "webhook",
    "--url",
    "http://127.0.0.1:9/",
    "--format",
    "jpg",
    "--largest-side",
    "1000",
)
made("sinks", "add", "run", "-k", "exec", "--command", "/bin/true", "--time-limit", "10")
made("token", "add", "me")
made("profiles", "copy", "document", "mine")
made(*feeder, "-n", "1", "--sink", "hook", "-o", home + "/sent.pdf")
killed_scan("-o", home + "/killed.pdf")
trials.run(
    "scan",
    "-d",
    "virtual:feeder",
    "-p",
    "none",
    "-r",
    "75",
    "-s",
    "fault=jam",
    "-s",
    "fault-page=3",
    "-o",
    home + "/jam.pdf",
    what="making",
)

# Returns the files with numbers, each with the commands that read it. {job} and {item} stand for
# the names of the job and the item of the file.
KINDS = [
    (
        "spool/*/job.json",
        [["jobs"], ["jobs", "--json"], ["scan", "--append", "{job}", "-d", "virtual:nothing"]],
    ),
    ("spool/*/page-*.json", [["jobs"], ["jobs", "resume", "{job}", "-o", "{new}.pdf"]]),
    ("spool/*/host", [["jobs"]]),
    (
        ".local/state/copystand/outbox/*/item.json",
        [["outbox"], ["outbox", "list", "--json"], ["outbox", "retry", "--due"]],
    ),
    (".config/copystand/devices.json", [["devices", "-b", "virtual"]]),
    (".config/copystand/sinks.json", [["sinks"], ["sinks", "test", "run"]]),
    (".config/copystand/tokens.json", [["token", "list"]]),
    (
        ".config/copystand/profiles/mine.json5",
        [["profiles", "check", "mine"], ["profiles", "list"]],
    ),
]

jobs = []
number = 0


def fresh():
    """Returns a name that no file has yet."""
    global number
    number += 1
    return f"{home}/new-{number}"


def put(pattern, path, whole, text, what, commands):
    """Replaces a file's text, runs the commands that read it, and restores the file."""
    folder, kept = os.path.dirname(path), home + "/kept"
    isJob = pattern.startswith("spool")
    if isJob:
        subprocess.run(["rm", "-rf", kept])
        subprocess.run(["cp", "-a", folder, kept], check=True)
    for words in commands:
        write(path, text)
        said = trials.run(
            *[word.format(job=folder.split("/")[-1], new=fresh()) for word in words],
            what=what,
            damaged=True,
        )
        if words == ["jobs"] and said is not None:
            for other in os.listdir(home + "/spool"):
                if re.match(r"\d{8}-", other) and other not in said.stdout.decode():
                    trials.failures.append(f"{what}: {other} is not listed")
        if isJob:
            # A resumed job is no longer in the spool.
            subprocess.run(["rm", "-rf", folder])
            subprocess.run(["cp", "-a", kept, folder], check=True)
    write(path, whole)


for pattern, commands in KINDS:
    files = sorted(glob.glob(f"{home}/{pattern}"))
    if not files and not pattern.endswith("host"):
        trials.failures.append(f"no file is kept at {pattern}")
    # A page's note is like another's.
    for path in files[:3]:
        with open(path) as file:
            whole = file.read()
        for before, old, edge, text in changed(whole):
            name = (re.findall(r'"([^"]*)"\s*:[^"]*$', before) or ["?"])[-1]
            what = f"{pattern} with {name} {edge[:40]} instead of {old}"
            jobs.append(functools.partial(put, pattern, path, whole, text, what, commands))

# The archive has numbers in columns, and in the JSON and the texts of columns.
database = data + "/archive.sqlite"
READERS = [
    ["list", "--json"],
    ["show", "1", "--json"],
    ["search", "page"],
    ["export", "1", "-o", "{new}.pdf"],
]


def read(what):
    for words in READERS:
        trials.run(*[word.format(new=fresh()) for word in words], what=what, damaged=True)


def column_edges():
    """Returns a table, a column and its first value for each number in the archive.
    """
    link = sqlite3.connect(database)
    tables = [row[0] for row in link.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
    for table in tables:
        if table.startswith(("sqlite_", "search")) or "_data" in table or "fts" in table:
            continue
        try:
            columns = [row[1] for row in link.execute(f'PRAGMA table_info("{table}")')]
            rows = link.execute(f'SELECT * FROM "{table}" LIMIT 3').fetchall()
        except sqlite3.Error:
            continue
        for index, column in enumerate(columns):
            for value in dict.fromkeys(row[index] for row in rows):
                if isinstance(value, (int, float)):
                    for edge in [
                        -(2**63),
                        2**63 - 1,
                        -1,
                        0,
                        1e308,
                        -1e308,
                        float("inf"),
                        "9" * 1000,
                        None,
                        2**40,
                    ]:
                        yield table, column, value, edge
                elif isinstance(value, str) and value[:1] in "{[":
                    for before, old, edge, text in changed(value):
                        yield table, column, value, text
                elif isinstance(value, bytes) and len(value) < 100_000:
                    # In numbers of varying length, each place gets the largest number that fits.
                    for place in range(0, min(len(value), 24)):
                        for edge in (
                            b"\xff" * 9 + b"\x01",
                            b"\xfe" + b"\xff" * 8 + b"\x01",
                            b"\x80",
                        ):
                            yield table, column, value, value[:place] + edge + value[place + 1 :]
    link.close()


def store(table, column, value, edge):
    """Puts an edge case into the archive, reads it, and restores the archive."""
    link = sqlite3.connect(database)
    try:
        link.execute("PRAGMA ignore_check_constraints = 1")
        link.execute("PRAGMA foreign_keys = 0")
        link.execute(f'UPDATE "{table}" SET "{column}" = ? WHERE "{column}" IS ?', (edge, value))
        link.commit()
    except sqlite3.Error:
        # The archive itself refuses the value.
        return
    finally:
        link.close()
    shown = str(edge)[-60:] if isinstance(edge, str) else edge
    read(f"archive {table}.{column} {str(value)[:60]} -> {shown}")


def stored(*change):
    store(*change)
    for end in ("", "-wal", "-shm"):
        if os.path.exists(database + end):
            os.unlink(database + end)
    with open(database, "wb") as file:
        file.write(whole)


whole = open(database, "rb").read()
jobs += [functools.partial(stored, *change) for change in list(column_edges())]
trials.all(jobs)
sys.exit(trials.report())
