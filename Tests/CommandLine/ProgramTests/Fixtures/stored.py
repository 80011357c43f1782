#!/usr/bin/python3
"""Makes the files that a version of Copystand stores, saves them as text, and restores them.

    stored.py make PROGRAM FOLDER     writes it with PROGRAM, and keeps it in FOLDER
    stored.py restore FOLDER HOME     puts it into HOME, where a program finds it

FOLDER has the folders config, data and state of a home. The archive's database is SQL, with
its index as it is stored. Text has @HOME@ where the program wrote the home's path. A version's
folder is made once, when it is released, and never again.
"""

from __future__ import annotations

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path

MARK = b"@HOME@"
#: Files that a program only needs while it runs, besides the empty files of its locks.
PASSING = {"archive.sqlite-wal", "archive.sqlite-shm", "claims"}
PARTS = ("config", "data", "state")


def variables(home: Path) -> dict[str, str]:
    return {
        "PATH": "/usr/bin:/bin",
        "HOME": str(home),
        **{f"XDG_{part.upper()}_HOME": str(home / part) for part in PARTS},
    }


def letter() -> bytes:
    """A PDF of one small page with a line of text."""
    words = b"BT /F1 10 Tf 8 60 Td (Invoice 2291 from Aldermouth) Tj ET"
    objects = [
        b"<</Type/Catalog/Pages 2 0 R>>",
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>",
        b"<</Type/Page/Parent 2 0 R/MediaBox[0 0 150 100]/Contents 4 0 R"
        b"/Resources<</Font<</F1 5 0 R>>>>>>",
        b"<</Length %d>>stream\n%s\nendstream" % (len(words), words),
        b"<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
    ]
    text, places = b"%PDF-1.4\n", []
    for number, one in enumerate(objects, 1):
        places.append(len(text))
        text += b"%d 0 obj\n%s\nendobj\n" % (number, one)
    start = len(text)
    text += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
    text += b"".join(b"%010d 00000 n \n" % place for place in places)
    text += b"trailer<</Size %d/Root 1 0 R>>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
    return text


def write_everything(program: str, home: Path) -> None:
    """Uses the program until each kind of data is stored."""

    def run(*words: str) -> None:
        done = subprocess.run(
            [program, *words], env=variables(home), cwd=home, capture_output=True, text=True
        )
        if done.returncode != 0:
            sys.exit(f"{words} ended with {done.returncode}: {done.stdout}{done.stderr}")

    small = ["-d", "virtual:flatbed", "--area", "0,0,20,20", "-r", "75", "--mode", "gray"]
    (home / "letter.pdf").write_bytes(letter())
    run("import", "letter.pdf", "-t", "Printer paper")
    run("edit", "1", "--type", "invoice", "--note", "Paid in May", "--field", "total=12.50")
    run("tag", "1", "office", "2026")
    run("pages", "1", "--rotate", "1", "90")
    run("scan", *small, "-p", "none", "-t", "Thrown away")
    run("trash", "2")
    run("device", "alias", "desk", "virtual:flatbed")
    run("device", "default", "desk")
    run("share", "desk", "--name", "The desk")
    run("profiles", "copy", "photo", "mine")
    run("token", "add", "kitchen", "--scope", "scan")
    run("sinks", "add", "shelf", "-k", "file", "--template", str(home / "shelf/{title}.pdf"))
    (home / "password").write_text("not so secret\n")
    run("sinks", "add", "cloud", "-k", "webdav", "--url", "https://cloud.invalid/dav",
        "--user", "ada", "--password-file", "password")  # fmt: skip
    # A file has the name of the sink's folder, so the document waits.
    (home / "shelf").write_text("")
    run("scan", *small, "-p", "none", "-t", "Waits", "--sink", "shelf")
    leave_job(program, home)


def leave_job(program: str, home: Path) -> None:
    """Ends a scan by force while its second page is on the glass."""
    scan = subprocess.Popen(
        [program, "scan", "-d", "virtual:feeder", "--area", "0,0,20,20", "-r", "75", "--mode",
         "gray", "-p", "none", "-s", "fault=slow", "-s", "fault-page=2", "-s", "row-delay=1000",
         "-o", "interrupted.tiff"],
        env=variables(home), cwd=home, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    for _ in range(600):
        if list(home.glob("state/copystand/spool/*/page-0002.*")):
            break
        time.sleep(0.1)
    else:
        sys.exit("the second page never began")
    os.kill(scan.pid, signal.SIGKILL)
    scan.wait()


def dump(path: Path) -> str:
    """A database as SQL. The index uses the program's own tokenizer, so it is only noted in the
    schema, and its tables are written unchanged.
    """
    base = sqlite3.connect(path)
    schema = base.execute("SELECT name, type, sql FROM sqlite_schema WHERE sql NOT NULL").fetchall()
    indexes = [(name, sql) for name, _, sql in schema if sql.upper().startswith("CREATE VIRTUAL")]
    schema = [one for one in schema if (one[0], one[2]) not in indexes]
    lines = ["PRAGMA foreign_keys = OFF;"]
    for pragma in ("application_id", "user_version"):
        lines.append(f"PRAGMA {pragma} = {base.execute(f'PRAGMA {pragma}').fetchone()[0]};")
    lines += [f"{sql};" for name, _, sql in schema if name != "sqlite_sequence"]
    for name in (name for name, kind, _ in schema if kind == "table"):
        if name == "sqlite_sequence":
            lines.append(f"DELETE FROM {name};")
        columns = [row[1] for row in base.execute(f"PRAGMA table_info({name})")]
        values = " || ', ' || ".join(f'quote("{column}")' for column in columns)
        for (row,) in base.execute(f"SELECT {values} FROM {name}"):
            lines.append(f"INSERT INTO {name} VALUES ({row});")
    lines.append("PRAGMA writable_schema = ON;")
    for name, sql in indexes:
        (row,) = base.execute("SELECT quote(?)", [sql]).fetchone()
        lines.append(
            "INSERT INTO sqlite_schema (type, name, tbl_name, rootpage, sql) "
            f"VALUES ('table', '{name}', '{name}', 0, {row});"
        )
    lines.append("PRAGMA writable_schema = OFF;")
    return "\n".join(lines) + "\n"


def make(program: str, folder: Path) -> None:
    with tempfile.TemporaryDirectory() as name:
        home = Path(name).resolve() / "home"
        home.mkdir(mode=0o700)
        write_everything(str(Path(program).resolve()), home)
        for path in sorted(p for part in PARTS for p in (home / part).rglob("*") if p.is_file()):
            if PASSING & set(path.parts) or not path.stat().st_size:
                continue
            target = folder / path.relative_to(home)
            target.parent.mkdir(parents=True, exist_ok=True)
            content = path.read_bytes()
            if content.startswith(b"SQLite format 3"):
                target = target.with_suffix(".sql")
                content = dump(path).encode()
            for written in (str(home), str(home).replace("/", "\\/")):
                content = content.replace(written.encode(), MARK)
            target.write_bytes(content)


def restore(folder: Path, home: Path) -> None:
    os.umask(0o077)
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        target = home / path.relative_to(folder)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = path.read_bytes().replace(MARK, str(home).encode())
        if path.suffix == ".sql":
            base = sqlite3.connect(target.with_suffix(".sqlite"))
            base.execute("PRAGMA journal_mode = WAL")
            base.executescript(content.decode())
            base.close()
        else:
            target.write_bytes(content)


def main() -> None:
    match sys.argv[1:]:
        case ["make", program, folder]:
            make(program, Path(folder))
        case ["restore", folder, home]:
            restore(Path(folder), Path(home))
        case _:
            sys.exit(__doc__)


if __name__ == "__main__":
    main()
