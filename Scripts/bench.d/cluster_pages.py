"""Measures adding to a shared archive from several stations, and searching in it as it grows.

The pages of `archive-program-for-tests` are added by the program once, and then copied within the
database, a few documents to each of 24 months, until there are enough.
"""

import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

#: Stations that add at the same time, each of so many documents of so many pages.
STATIONS, DOCUMENTS, PAGES = 4, 20, 25
#: Pages that the program adds itself, and the months among which their copies are.
MODEL, MONTHS = 20_000, 24
#: The shares of all pages at which sizes and searches are measured.
SHARES = (0.1, 0.3, 1)
RUNS = 40


def adding_rows(server, programs: str) -> list[str]:
    """Adds from several processes, each page with a picture of its own."""
    with tempfile.TemporaryDirectory() as folder:
        address = made(server, "adding", f"{programs}/copystand", folder)
        began = time.monotonic()
        stations = [
            subprocess.Popen(
                [
                    *(f"{programs}/archive-program-for-tests", "add", address),
                    *(str(DOCUMENTS), str(PAGES), str(number)),
                ],
                stdout=subprocess.DEVNULL,
            )
            for number in range(STATIONS)
        ]
        if any([station.wait() for station in stations]):
            raise SystemExit("a station could not add its pages")
        pages = STATIONS * DOCUMENTS * PAGES
        rate = pages / (time.monotonic() - began)
    return [
        f"| pages added a second by {STATIONS} stations, each page with a picture of its own"
        f" | {rate:.0f} | at least 300 |"
    ]


def search_rows(server, programs: str, pages: int) -> list[str]:
    """Sizes and searches of an archive that grows to so many pages."""
    program = f"{programs}/archive-program-for-tests"
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        address = made(server, "growing", f"{programs}/copystand", folder)
        subprocess.run(
            [program, "fill", address, str(MODEL)], check=True, stdout=subprocess.DEVNULL
        )
        queries = wanted(server)
        copies = 0
        for share in SHARES:
            copies = grow(server, copies, round(pages * share / MODEL) - 1)
            rows += measured(server, program, address, queries, MODEL * (copies + 1))
    return rows


def made(server, name: str, program: str, folder: str) -> str:
    """The address of a new archive with its pictures in a folder."""
    address = server.make(name)
    subprocess.run(
        [program, "archive", "init", address, "--images", f"{folder}/images"],
        check=True,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    return address


def wanted(server) -> dict[str, str]:
    """The queries, with the maximum time of each in milliseconds."""
    words = server.ask(
        "growing", "SELECT body FROM copystand.leaf WHERE body LIKE 'page611 %' LIMIT 1"
    ).split()
    return {
        "page777": "50",
        f'"{words[0]} {words[1]}"': "50",
        "page777*": "50",
        "half": "150",
        "hundredth": "",
        '"needle haystack"': "",
        "half hundredth": "",
    }


def grow(server, copies: int, goal: int) -> int:
    """Copies the program's pages until there are so many copies of them."""
    if goal <= copies:
        return copies
    began = time.monotonic()
    server.ask("growing", "DROP INDEX IF EXISTS copystand.leaf_tokens")
    for number in range(copies + 1, goal + 1):
        server.ask("growing", copying(number))
    server.ask(
        "growing",
        "SET maintenance_work_mem = '512MB'; CREATE INDEX leaf_tokens ON copystand.leaf"
        " USING gin (tokens) WITH (gin_pending_list_limit = 1024)",
    )
    server.ask("growing", "VACUUM ANALYZE")
    print(f"  {goal} copies in {time.monotonic() - began:.0f} s", file=sys.stderr)
    return goal


def copying(number: int) -> str:
    """Copies every page of the program's, with ids of another month.

    No reference needs to be checked, and no page has pages that belong to it.
    """
    month = f"(240 + {number % MONTHS})::bigint"
    page = f"({month} << 40) + (page & 1099511627775) + {number} * {MODEL}"
    document = f"document + {number} * {MODEL}"
    months = f"interval '1 month' * {number % MONTHS}"
    created = f"extract(epoch FROM timestamp '2020-01-02' + {months})"
    return f"""
        SET search_path = copystand, pg_catalog;
        SET session_replication_role = replica;
        SET synchronous_commit = off;
        BEGIN;
        SELECT make_room({month});
        INSERT INTO document (id, title, type, note, created, added, changed, pages)
        SELECT {document.replace("document", "id")}, title, type, note, {created}, added, changed,
            pages FROM document WHERE id < {MODEL};
        INSERT INTO page (id, image, thumbnail, width, height, resolution, text, provenance,
            problems)
        SELECT {page.replace("page", "id")}, image, thumbnail, width, height, resolution, text,
            provenance, problems FROM page WHERE id < {MODEL} * 2;
        INSERT INTO leaf (id, document, position, page, body, broken, about, indexed, frame,
            corrected, tokens)
        SELECT {page.replace("page", "id")}, {document}, position, {page}, body, broken, about,
            indexed, frame, corrected, tokens FROM leaf WHERE id < {MODEL} * 2;
        COMMIT
    """


def measured(server, program: str, address: str, queries: dict[str, str], pages: int) -> list[str]:
    """The rows of an archive of so many pages: its size, and its searches."""
    output = subprocess.run(
        [program, "search", address, str(RUNS), *queries],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    print(output, file=sys.stderr)
    tables = size(server, "r", "^(leaf|page)_[0-9]")
    index = size(server, "i", "^leaf_.*tokens")
    rows = [f"| {pages:,} pages: GB of rows, of the index over the words | {tables}, {index} | |"]
    found = re.findall(r"_ms (\S+)\n +.*: (\d+)( and more)? pages, by (\w+)", output)
    for (query, most), (time_, matches, more, order) in zip(queries.items(), found, strict=True):
        what = f"{int(matches):,}{more} matches, {'ranked' if order == 'rank' else 'newest first'}"
        rows.append(f"| `{query}`, {what}, ms | {time_} | {most and f'at most {most} '}|")
    return rows


def size(server, kind: str, names: str) -> str:
    """The gigabytes of relations of that kind whose names match."""
    return server.ask(
        "growing",
        "SELECT round(sum(pg_table_size(oid)) / 1e9, 2) FROM pg_class"
        f" WHERE relkind = '{kind}' AND relname ~ '{names}'",
    )
