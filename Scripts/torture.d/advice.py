"""Kills the program while a job is appended to, resumed, discarded, or imported into a full target,
or while a document that was lost after its delivery is delivered again. Then the first advice of
`jobs` is followed.

Each test ends with a count: every page that had arrived must have been delivered, or still be in
the spool.
"""

import random
import shutil
from pathlib import Path

from full import SmallDisk
from setup import ROOT, check
from kills import kill

SITUATIONS = ["append", "resume", "discard", "lost", "import"]
PICTURES = 12


def sheets(count):
    return [f"sheet {number}" for number in range(1, count + 1)]


def only_job(setup):
    jobs = setup.jobs()
    check(len(jobs) <= 1, f"there are {len(jobs)} jobs")
    return jobs[0] if jobs else None


def follow(setup):
    """Does what `jobs` advises first, as long as that delivers something. Returns the job that is
    left, if any.
    """
    for _ in range(3):
        job = only_job(setup)
        if not job or job["undelivered"] == 0 and job["advice"][0]["action"] != "resume":
            return job
        first = job["advice"][0]
        check(
            first["action"] == "resume",
            f"{job['undelivered']} pages were never delivered, and the first advice is "
            f"{first['action']}",
        )
        done = setup.run(*first["command"].split()[1:])
        check(
            done.returncode == 0, f"{first['command']} ends with {done.returncode}: {done.stderr}"
        )
    raise AssertionError("the advice never ends")


def safe_pages(setup):
    """The number of pages in the spool, including those that are being synced."""
    return sum(len(pages) for pages in setup.spooled().values()) + len(setup.arrived())


def killed_scan(setup, random_, seconds):
    """Kills a scan. Returns the number of its safe pages, or None if the scan had ended or not
    begun.
    """
    page = random_.randint(1, setup.sheets)
    kill(setup, setup.scan_words("plain"), "host", random_.uniform(0, 0.2) * seconds, page)
    setup.check_whole_files()
    return safe_pages(setup) if only_job(setup) else None


def append(setup, random_, seconds):
    jam = random_.randint(2, setup.sheets)
    done = setup.run(*setup.scan_words("plain"), "-s", "fault=jam", "-s", f"fault-page={jam}")
    check(done.returncode == 4, f"a jam ends with {done.returncode}: {done.stderr}")
    words = [
        "scan",
        "--append",
        "-s",
        "fault=none",
        "-s",
        f"pages={setup.sheets}",
        "-n",
        str(setup.sheets),
    ]
    page = random_.choice([0, jam, random_.randint(jam, jam + setup.sheets - 1)])
    killed, _ = kill(setup, words, "host", random_.uniform(0, 0.3 if page else 1.1) * seconds, page)
    setup.check_whole_files()
    job = only_job(setup)
    if not job:
        total = jam - 1 + setup.sheets
        setup.check_delivered(sheets(total), was_shorter=1)
        return (
            f"{killed or 'nothing'} at page {page}: the whole document of {total} pages was there"
        )
    arrived = safe_pages(setup)
    check(job["pages"] == arrived, f"the job says {job['pages']} pages, and {arrived} had arrived")
    job = follow(setup)
    setup.check_delivered(sheets(arrived), was_shorter=2)
    if job:
        again = setup.run(
            "scan", "--append", job["id"], "-s", "fault=none", "-s", "pages=2", "-n", "2"
        )
        check(again.returncode == 0, f"scan --append ends with {again.returncode}: {again.stderr}")
        setup.check_delivered(sheets(arrived + 2), was_shorter=3)
    setup.check_nothing_left()
    return (
        f"{killed or 'nothing'} at page {page}: {arrived} pages had arrived, {arrived} were"
        " delivered once"
    )


def resume(setup, random_, seconds):
    arrived = killed_scan(setup, random_, seconds)
    if not arrived:
        return "the scan had ended, or had no page yet"
    job = only_job(setup)["id"]
    killed, _ = kill(setup, ["jobs", "resume", job], "host", random_.uniform(0, 1.1) * seconds)
    setup.check_whole_files()
    if only_job(setup):
        check(
            safe_pages(setup) == arrived,
            f"{arrived} pages had arrived, and the spool has {safe_pages(setup)}",
        )
    follow(setup)
    setup.check_delivered(sheets(arrived))
    setup.close_pile()
    return (
        f"{killed or 'nothing'} while it was resumed: {arrived} pages had arrived, {arrived} were"
        " delivered once"
    )


def discard(setup, random_, seconds):
    arrived = killed_scan(setup, random_, seconds)
    if not arrived:
        return "the scan had ended, or had no page yet"
    job = only_job(setup)
    if job["undelivered"]:
        check(
            job["undelivered"] == arrived,
            f"{arrived} pages had arrived, and {job['undelivered']} count as not delivered",
        )
        kill(setup, ["jobs", "discard", job["id"]], "host", random_.uniform(0, 0.1) * seconds)
        refused = setup.run("jobs", "discard", job["id"])
        check(refused.returncode == 2, f"jobs discard ends with {refused.returncode}")
        number = f"{arrived} page{'s were' if arrived > 1 else ' was'} never delivered"
        check(number in refused.stderr, f"the refusal does not say '{number}': {refused.stderr}")
        check(safe_pages(setup) == arrived, "a refused discard has changed the spool")
    killed, _ = kill(
        setup, ["jobs", "discard", "--force", job["id"]], "host", random_.uniform(0, 0.15) * seconds
    )
    if only_job(setup):
        check(
            safe_pages(setup) == arrived,
            f"{arrived} pages had arrived, and the spool has {safe_pages(setup)}",
        )
        follow(setup)
        setup.check_delivered(sheets(arrived))
        setup.close_pile()
        return f"{killed or 'nothing'}: {arrived} pages were kept as a whole, and delivered"
    return f"{killed or 'nothing'}: {arrived} pages were deleted as a whole, by force"


def lost(setup, random_, seconds):
    jam = random_.randint(2, setup.sheets)
    done = setup.run(*setup.scan_words("plain"), "-s", "fault=jam", "-s", f"fault-page={jam}")
    check(done.returncode == 4, f"a jam ends with {done.returncode}: {done.stderr}")
    arrived, archive = jam - 1, setup.home / ".local/share/copystand"
    places = {
        "json": setup.out / "document.json",
        "pdf": setup.out / "document.pdf",
        "archive": archive,
        "shelf": setup.shelf / "Document.json",
    }
    gone = random_.sample(sorted(places), random_.randint(1, len(places)))
    for name in gone:
        shutil.rmtree(places[name]) if places[name].is_dir() else places[name].unlink()
    job = only_job(setup)
    # Text alone does not replace a picture.
    wanted = arrived if {"pdf", "archive"} <= set(gone) else 0
    check(
        job["undelivered"] == wanted,
        f"without {gone} {job['undelivered']} pages count as lost instead of {wanted}",
    )
    if wanted:
        refused = setup.run("jobs", "discard", job["id"])
        check(refused.returncode == 2, f"jobs discard ends with {refused.returncode}")
    killed, _ = kill(
        setup, ["jobs", "resume", job["id"]], "host", random_.uniform(0, 1.1) * seconds
    )
    setup.check_whole_files()
    check(
        only_job(setup) and safe_pages(setup) == arrived,
        f"the spool has {safe_pages(setup)} of {arrived} pages",
    )
    follow(setup)
    check(setup.labels(places["json"]) == sheets(arrived), "document.json was not delivered again")
    setup.check_pdf(places["pdf"], arrived)
    shelf = [setup.labels(path) for path in setup.shelf.iterdir() if not path.name.startswith(".")]
    check(shelf == [sheets(arrived)], f"the shelf has {shelf}")
    setup.check_archive([sheets(arrived)], receipts="archive" not in gone)
    setup.close_pile()
    return (
        f"{killed or 'nothing'} after {', '.join(gone)} had gone: {arrived} pages are in every"
        " place again"
    )


def import_(setup, random_, seconds):
    shutil.copytree(
        ROOT / "Plugins/FileImport",
        setup.folder / "backends/file",
        ignore=shutil.ignore_patterns("*.swift"),
        dirs_exist_ok=True,
    )
    card = setup.folder / "card"
    card.mkdir()
    names = [f"{number:02}.pgm" for number in range(1, PICTURES + 1)]
    for name in names:
        (card / name).write_bytes(b"P5\n60 40\n255\n" + random_.randbytes(2400))
    setup.disk.leave(random_.randrange(4096, 90_000))
    words = [
        "import",
        "card",
        "-p",
        "plain",
        "-t",
        "Document",
        "-o",
        "full/document.json",
        "-o",
        "full/document.pdf",
    ]
    page = random_.choice([0, 0, random_.randint(1, PICTURES)])
    moment = random_.uniform(0, 0.3) * seconds if page else 60
    killed, status = kill(setup, words, "host", moment, page)
    arrived = setup.spooled()
    pages = sum(len(found) for found in arrived.values()) + len(setup.arrived())
    job = only_job(setup)
    is_taken = random_.random() < 0.5
    if is_taken:
        shutil.rmtree(card)
    setup.disk.make_space()
    if job:
        if not killed:
            check(
                pages == PICTURES,
                f"the import into a full target keeps {pages} of {PICTURES} pages",
            )
        if not pages and is_taken:
            return f"{killed}: no page yet, and the files were taken away"
        follow(setup)
    document = setup.folder / "full/document.json"
    if not document.exists():
        check(
            killed and not job,
            f"the import ends with {status}, and there is neither a document nor a job",
        )
        return f"{killed}: not begun"
    count = len(setup.labels(document))
    wanted = pages if job and is_taken else PICTURES
    check(count == wanted, f"{count} pages were delivered instead of {wanted}")
    setup.check_pdf(setup.folder / "full/document.pdf", count)
    left = [
        path.name for path in (setup.folder / "full").iterdir() if not path.name.startswith(".")
    ]
    check(sorted(left) == ["document.json", "document.pdf"], f"the folder has {left}")
    taken = ", the files were taken away" if is_taken else ""
    return (
        f"{killed or 'nothing'} with {pages} of {PICTURES} pages in the spool{taken}: {count} were"
        " delivered once"
    )


def one(setup, situation, seed, number, seconds):
    """Tests one situation, and returns the result in words."""
    random_ = random.Random(f"{seed}/{situation}/{number}")
    setup.sheets = 8
    setup.add_shelf()
    if situation != "import":
        situations = {"append": append, "resume": resume, "discard": discard, "lost": lost}
        return situations[situation](setup, random_, seconds)
    setup.disk = SmallDisk(setup.folder / "full", size=128 << 10)
    try:
        return import_(setup, random_, seconds)
    finally:
        setup.disk.remove()
