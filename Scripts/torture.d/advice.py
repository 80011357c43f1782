"""Kills while a job is appended to, resumed, discarded, or imported into a full target; then what `jobs` advises first is done.

Each ends with a count: the pages that had arrived are those that were delivered and those that are still in the spool.
"""
import random
import shutil
from pathlib import Path

from full import SmallDisk
from house import ROOT, check
from kills import kill

SITUATIONS = ["append", "resume", "discard", "import"]
PICTURES = 12


def sheets(count):
    return [f"sheet {number}" for number in range(1, count + 1)]


def only_job(house):
    jobs = house.jobs()
    check(len(jobs) <= 1, f"there are {len(jobs)} jobs")
    return jobs[0] if jobs else None


def follow(house):
    """Does what `jobs` advises first, as long as that is to deliver; the job that is left, if one is."""
    for _ in range(3):
        job = only_job(house)
        if not job or job["undelivered"] == 0 and job["advice"][0]["action"] != "resume":
            return job
        first = job["advice"][0]
        check(first["action"] == "resume", f"{job['undelivered']} pages were never delivered, and the first advice is "
              f"{first['action']}")
        done = house.run(*first["command"].split()[1:])
        check(done.returncode == 0, f"{first['command']} ends with {done.returncode}: {done.stderr}")
    raise AssertionError("the advice never ends")


def safe_pages(house):
    """How many pages are in the spool, those included that are just being synced."""
    return sum(len(pages) for pages in house.spooled().values()) + len(house.arrived())


def killed_scan(house, random_, seconds):
    """A scan that is killed; the number of its pages that are safe, or nothing when it had ended or not begun."""
    page = random_.randint(1, house.sheets)
    kill(house, house.scan_words("plain"), "host", random_.uniform(0, 0.2) * seconds, page)
    house.check_whole_files()
    return safe_pages(house) if only_job(house) else None


def append(house, random_, seconds):
    jam = random_.randint(2, house.sheets)
    done = house.run(*house.scan_words("plain"), "-s", "fault=jam", "-s", f"fault-page={jam}")
    check(done.returncode == 4, f"a jam ends with {done.returncode}: {done.stderr}")
    words = ["scan", "--append", "-s", "fault=none", "-s", f"pages={house.sheets}", "-n", str(house.sheets)]
    page = random_.choice([0, jam, random_.randint(jam, jam + house.sheets - 1)])
    killed, _ = kill(house, words, "host", random_.uniform(0, 0.3 if page else 1.1) * seconds, page)
    house.check_whole_files()
    job = only_job(house)
    if not job:
        total = jam - 1 + house.sheets
        house.check_delivered(sheets(total), was_shorter=1)
        return f"{killed or 'nothing'} at page {page}: the whole document of {total} pages was there"
    arrived = safe_pages(house)
    check(job["pages"] == arrived, f"the job says {job['pages']} pages, and {arrived} had arrived")
    job = follow(house)
    house.check_delivered(sheets(arrived), was_shorter=2)
    if job:
        again = house.run("scan", "--append", job["id"], "-s", "fault=none", "-s", "pages=2", "-n", "2")
        check(again.returncode == 0, f"scan --append ends with {again.returncode}: {again.stderr}")
        house.check_delivered(sheets(arrived + 2), was_shorter=3)
    house.check_nothing_left()
    return f"{killed or 'nothing'} at page {page}: {arrived} pages had arrived, {arrived} were delivered once"


def resume(house, random_, seconds):
    arrived = killed_scan(house, random_, seconds)
    if not arrived:
        return "the scan had ended, or had no page yet"
    job = only_job(house)["id"]
    killed, _ = kill(house, ["jobs", "resume", job], "host", random_.uniform(0, 1.1) * seconds)
    house.check_whole_files()
    if only_job(house):
        check(safe_pages(house) == arrived, f"{arrived} pages had arrived, and the spool has {safe_pages(house)}")
    follow(house)
    house.check_delivered(sheets(arrived))
    house.close_pile()
    return f"{killed or 'nothing'} while it was resumed: {arrived} pages had arrived, {arrived} were delivered once"


def discard(house, random_, seconds):
    arrived = killed_scan(house, random_, seconds)
    if not arrived:
        return "the scan had ended, or had no page yet"
    job = only_job(house)
    if job["undelivered"]:
        check(job["undelivered"] == arrived, f"{arrived} pages had arrived, and {job['undelivered']} count as not delivered")
        kill(house, ["jobs", "discard", job["id"]], "host", random_.uniform(0, 0.1) * seconds)
        refused = house.run("jobs", "discard", job["id"])
        check(refused.returncode == 2, f"jobs discard ends with {refused.returncode}")
        number = f"{arrived} page{'s were' if arrived > 1 else ' was'} never delivered"
        check(number in refused.stderr, f"the refusal does not say '{number}': {refused.stderr}")
        check(safe_pages(house) == arrived, "a refused discard has changed the spool")
    killed, _ = kill(house, ["jobs", "discard", "--force", job["id"]], "host", random_.uniform(0, 0.15) * seconds)
    if only_job(house):
        check(safe_pages(house) == arrived, f"{arrived} pages had arrived, and the spool has {safe_pages(house)}")
        follow(house)
        house.check_delivered(sheets(arrived))
        house.close_pile()
        return f"{killed or 'nothing'}: {arrived} pages were kept as a whole, and delivered"
    return f"{killed or 'nothing'}: {arrived} pages were deleted as a whole, by force"


def import_(house, random_, seconds):
    shutil.copytree(ROOT / "Plugins/FileImport", house.folder / "backends/file", ignore=shutil.ignore_patterns("*.swift"),
                    dirs_exist_ok=True)
    card = house.folder / "card"
    card.mkdir()
    names = [f"{number:02}.pgm" for number in range(1, PICTURES + 1)]
    for name in names:
        (card / name).write_bytes(b"P5\n60 40\n255\n" + random_.randbytes(2400))
    house.disk.leave(random_.randrange(4096, 90_000))
    words = ["import", "card", "-p", "plain", "-t", "Document", "-o", "full/document.json", "-o", "full/document.pdf"]
    page = random_.choice([0, 0, random_.randint(1, PICTURES)])
    moment = random_.uniform(0, 0.3) * seconds if page else 60
    killed, status = kill(house, words, "host", moment, page)
    arrived = house.spooled()
    pages = sum(len(found) for found in arrived.values()) + len(house.arrived())
    job = only_job(house)
    is_taken = random_.random() < 0.5
    if is_taken:
        shutil.rmtree(card)
    house.disk.make_space()
    if job:
        if not killed:
            check(pages == PICTURES, f"the import into a full target keeps {pages} of {PICTURES} pages")
        if not pages and is_taken:
            return f"{killed}: no page yet, and the files were taken away"
        follow(house)
    document = house.folder / "full/document.json"
    if not document.exists():
        check(killed and not job, f"the import ends with {status}, and there is neither a document nor a job")
        return f"{killed}: not begun"
    count = len(house.labels(document))
    wanted = pages if job and is_taken else PICTURES
    check(count == wanted, f"{count} pages were delivered instead of {wanted}")
    house.check_pdf(house.folder / "full/document.pdf", count)
    left = [path.name for path in (house.folder / "full").iterdir() if not path.name.startswith(".")]
    check(sorted(left) == ["document.json", "document.pdf"], f"the folder has {left}")
    taken = ", the files were taken away" if is_taken else ""
    return f"{killed or 'nothing'} with {pages} of {PICTURES} pages in the spool{taken}: {count} were delivered once"


def one(house, situation, seed, number, seconds):
    """One situation; in words what came of it."""
    random_ = random.Random(f"{seed}/{situation}/{number}")
    house.sheets = 8
    house.add_shelf()
    if situation != "import":
        return {"append": append, "resume": resume, "discard": discard}[situation](house, random_, seconds)
    house.disk = SmallDisk(house.folder / "full", size=128 << 10)
    try:
        return import_(house, random_, seconds)
    finally:
        house.disk.remove()
