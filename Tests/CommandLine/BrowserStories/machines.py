"""Two stations and the workers of one archive, each in a network of its own: workers read what is
scanned at a station, and it is found and reviewed at the other. What is scanned at a station while
the database can't be reached from there arrives later.
"""

import itertools
import json
import subprocess
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from browser import HERE, Host, Keys, Story

sys.path.append(str(HERE.parents[2] / "Scripts/torture.d"))
from cluster.database import Database
from cluster.machines import NAMED
from cluster.network import Line, Network
from setup import TortureSetup

DATABASE = "10.77.100.1"
STATE = ".job.chosen .top strong"
# What is said about a job that stayed on its station.
KEPT = "main li.card > p"
PLACE = ".job.chosen .place:not([hidden])"
TITLES = "main li a.title"
# The exit code where the story can't be tried.
SKIPPED = 77


class Station(Host):
    """A host with a name and a network of its own, which leaves its pages to workers."""

    def __init__(self, folder: Path, name: str, network: Network, machine: str, archive: str):
        folder.mkdir()
        self.network, self.machine, self.prefix = network, machine, (*NAMED, name)
        super().__init__(folder, ("--process", "later"), COPYSTAND_ARCHIVE=archive)

    def start(self) -> None:
        with self.network:
            super().start()


class Office:
    """The machines. Stations and workers reach the database, and browsers reach the stations."""

    def __init__(self, folder: Path, ends: ExitStack):
        self.folder, self.ends, self.numbers = folder, ends, itertools.count()
        self.networks = {
            name: Network() for name in ("database", "hall", "desk", "workers", "browsers")
        }
        for network in self.networks.values():
            ends.callback(network.end)
        self.archive = self.start_database()
        self.connect("workers", "database", DATABASE)
        self.workers = TortureSetup(folder / "workers", Path(sys.argv[1]))
        ends.callback(self.workers.close)
        self.workers.prefix = [*NAMED, "workers"]
        self.workers.environment["COPYSTAND_ARCHIVE"] = self.archive
        self.command("archive", "init", self.archive, "--images", str(folder / "images"))

    def start_database(self) -> str:
        """Starts the server, and returns the archive's address."""
        self.networks["database"].add_address(DATABASE)
        with self.networks["database"]:
            database = Database(self.folder / "database", listen="*").make()
        self.ends.callback(database.end)
        return database.address(DATABASE)

    def connect(self, client: str, server: str, address: str) -> Line:
        """Connects the networks of these names."""
        networks = self.networks[client], self.networks[server]
        return Line(next(self.numbers), *networks, address)

    def add_station(self, name: str, machine: str) -> tuple[Station, Line]:
        """Starts a station at an address. Returns its connection to the database, too."""
        line = self.connect(name, "database", DATABASE)
        self.networks[name].add_address(machine)
        self.connect("browsers", name, machine)
        station = Station(self.folder / name, name, self.networks[name], machine, self.archive)
        self.ends.callback(station.stop)
        return station, line

    def command(self, *words: str) -> str:
        """What a command says on the workers' machine."""
        with self.networks["workers"]:
            done = self.workers.run(*words)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def work(self) -> None:
        """Starts the workers."""
        with self.networks["workers"]:
            process = self.workers.start("work", "-j", "2")
        self.ends.callback(process.wait)
        self.ends.callback(process.terminate)


def obstacle() -> str | None:
    """Why the story can't be tried on this machine."""
    if found := Database.obstacle():
        return found
    probe = ["/usr/bin/unshare", "--net", "--uts", "ip", "link", "add", "type", "veth"]
    done = subprocess.run(probe, capture_output=True, text=True)
    return f"networks can't be made here: {done.stderr.strip()}" if done.returncode else None


def scan(story, *pages: str) -> None:
    """Scans a stack without waiting for its end."""
    story.host.feed(*pages)
    story.scan("document")
    story.wait(lambda: story.all(STATE), "the job")


def left(hall, desk) -> None:
    """Stacks are scanned at both stations, and wait for workers."""
    scan(hall, "01-letter.jpg", "06-receipt.jpg")
    hall.wait(lambda: hall.texts(STATE) == ["Scanned"], "the end of the scan")
    hall.wait(lambda: hall.texts(PLACE) == ["Waiting for a reader"], "where the pages are")
    scan(desk, "03-invoice.png")
    desk.wait(lambda: desk.texts(STATE) == ["Scanned"], "the end of the scan")
    before = "Waiting for a reader, 2 pages ahead of yours"
    desk.wait(lambda: desk.texts(PLACE) == [before], "how many pages are before")
    for story in (hall, desk):
        assert not story.all(".job.chosen .out a"), "a link to a document that is not there"


def give_title(story, job: str, title: str) -> None:
    """Follows a job to its document, and gives that a title."""
    story.wait(lambda: story.texts(f"{job} .top strong") == ["Done"], "the end of the reading")
    story.follow(f"{job} a[href^='#document/']")
    story.one(".known input").send_keys(Keys.CONTROL, "a", Keys.NULL, title, Keys.TAB)
    story.wait(lambda: story.texts("main h2") == [title], "the title")


def find(story, word: str, title: str) -> None:
    """Finds a document by a word, and opens its page with the word marked."""
    story.open("help")
    story.open("archive?q=" + word)
    story.wait(lambda: story.texts("main li mark") == [word], f"the word '{word}'")
    assert story.texts(TITLES) == [title], story.texts(TITLES)
    story.follow(TITLES)
    story.wait(lambda: story.texts(".text mark") == [word], f"'{word}' in the text")
    assert len(story.all(".picture rect.sought")) == 1, f"'{word}' on the picture"


def review(hall, desk) -> None:
    """What is changed at one station is shown at the other, where the document is open, too."""
    desk.press("Correct the text")
    desk.one("textarea[aria-label='Text on this page']").send_keys(
        Keys.CONTROL, "a", Keys.NULL, "Quixotic correction"
    )
    desk.press("Save this text")
    hall.wait(lambda: hall.texts(".text .word") == ["Quixotic", "correction"], "the new text")
    desk.press("Mark as reviewed")
    hall.wait(lambda: "Reviewed" in hall.texts("button:disabled"), "the reviewed document")


def check_history(office, hall, desk) -> None:
    """The document's history names each person and station, on both pages and in the command."""
    acts = [
        ["Changed: reviewed", "bob", "desk"],
        ["Changed: text", "bob", "desk"],
        ["Changed: title", "ada", "hall"],
        ["Scanned", "ada", "hall"],
    ]
    for story in (hall, desk):
        story.wait(lambda: story.history() == acts, "the whole history")
    number = desk.driver.current_url.rpartition("#document/")[2].split("/")[0]
    told = json.loads(office.command("archive", "history", number, "--json"))["entries"]
    wanted = [["changed", *by] for _, *by in acts[:3]] + [["scanned", "ada", "hall"]]
    assert [[one["action"], one["name"], one["station"]] for one in told] == wanted, told


def parted(office, hall, desk, line: Line) -> None:
    """A station that the database does not answer keeps its pages until they can arrive."""
    line.part("silent")
    scan(hall, "05-notice.jpg")
    hall.wait(lambda: hall.texts(STATE) == ["Waiting for the archive"], "the end of the scan")
    assert "stays here until" in hall.one(".job.chosen").text, hall.one(".job.chosen").text
    hall.open("jobs")
    said = "The archive's server did not answer. The pages are delivered as soon as it does."
    hall.wait(lambda: hall.texts(KEPT + ":last-child") == [said], "why the pages are still here")
    assert "Pages: 1" in hall.texts(KEPT)[0], hall.texts(KEPT)
    hall.look("jobs-parted")
    line.heal("silent")
    hall.wait(lambda: not hall.all(KEPT), "nothing to be here any more")
    hall.open("scan")
    give_title(hall, ".job:first-child", "Notice")
    find(desk, "stuck", "Notice")
    desk.open("archive")
    desk.wait(lambda: desk.texts("main .count") == ["Documents: 3"], "how many documents there are")
    assert sorted(desk.texts(TITLES)) == ["Invoice", "Letter", "Notice"], desk.texts(TITLES)
    office.command("archive", "check")


def run(folder: Path, ends: ExitStack) -> None:
    """Starts the machines, and a browser at each station."""
    office = Office(folder, ends)
    station, line = office.add_station("hall", "10.77.101.1")
    other, _ = office.add_station("desk", "10.77.101.2")
    ends.enter_context(office.networks["browsers"])
    hall, desk = (ends.enter_context(Story(host=host)) for host in (station, other))
    hall.enter(station.run("token", "add", "ada").strip())
    desk.enter(other.run("token", "add", "bob").strip())
    left(hall, desk)
    office.work()
    give_title(hall, ".job.chosen", "Letter")
    give_title(desk, ".job.chosen", "Invoice")
    find(hall, "Halloran", "Invoice")
    find(desk, "Ottilie", "Letter")
    find(hall, "Ottilie", "Letter")
    review(hall, desk)
    check_history(office, hall, desk)
    hall.quiet()
    parted(office, hall, desk, line)
    hall.quiet("status of 503")
    desk.quiet()


if __name__ == "__main__":
    if why := obstacle():
        print(f"machines: skipped: {why}", file=sys.stderr)
        sys.exit(SKIPPED)
    with ExitStack() as ends:
        folder = Path(ends.enter_context(tempfile.TemporaryDirectory(ignore_cleanup_errors=True)))
        # The database's files belong to another user.
        folder.chmod(0o755)
        run(folder, ends)
    print("shared")
