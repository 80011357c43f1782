"""`watch-folder`, killed at any moment between a file's arrival and its move to `done`.

    killed_watch.py BIN FOLDER

After the next start each file is in `done` and has one document, or it is in `failed` and has none.
Half of the kills come when the archive has just got the document. Prints how many of these came
before the file was moved.
"""

import json
import os
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from pathlib import Path

program, root = f"{sys.argv[1]}/copystand", Path(sys.argv[2])
home, watched = root / "home", root / "watched"
variables = {"PATH": "/usr/bin:/bin", "HOME": str(home), "TMPDIR": str(root)}
archive = home / ".local/share/copystand/archive.sqlite"
words = [program, "watch-folder", str(watched), "--once", "--still", "0", "-p", "none"]
chance = random.Random(7)
hits = 0
known: set[str] = set()


def documents() -> int:
    if not archive.exists():
        return 0
    try:
        with sqlite3.connect(f"file:{archive}?mode=ro", uri=True) as database:
            return database.execute("SELECT count(*) FROM document").fetchone()[0]
    except sqlite3.OperationalError:
        return 0


def picture(number: int) -> Path:
    rows = bytes((x * y + 17 * number) % 251 for y in range(120) for x in range(90))
    path = root / f"page {number}.pgm"
    path.write_bytes(b"P5 90 120 255\n" + rows)
    return path


home.mkdir(), watched.mkdir()
for number in range(24):
    file = picture(number)
    shutil.copy(file, watched)
    before, waits = documents(), number % 2 == 0
    process = subprocess.Popen(
        words, env=variables, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        start_new_session=True,
    )
    deadline = time.monotonic() + (60 if waits else chance.uniform(0, 1))
    while process.poll() is None and time.monotonic() < deadline:
        if waits and documents() > before:
            break
        time.sleep(0.001)
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()
    claimed = list(watched.glob(f".copystand/work-*/{file.name}"))
    hits += bool(claimed) and documents() > before
    subprocess.run(words, env=variables, capture_output=True)
    is_done, is_failed = ((watched / place / file.name).exists() for place in ("done", "failed"))
    assert is_done != is_failed, f"{file.name}: done {is_done}, failed {is_failed}"
    more = documents() - before
    assert more == is_done, f"{file.name}: {more} documents, done {is_done}, failed {is_failed}"
    listed = subprocess.run([program, "jobs", "--json"], env=variables, capture_output=True).stdout
    jobs = {job["id"] for job in json.loads(listed)["jobs"]}
    assert is_failed or jobs <= known, f"{file.name} is done, and its job is left: {jobs - known}"
    known |= jobs
print(hits)
