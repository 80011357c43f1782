"""On a station of a shared archive, someone scans and sees where the pages are: they wait for a
reader behind those of another scan, and become a document when a worker has read them. The archive
shows them on their way.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

from browser import HERE, Story

sys.path.append(str(HERE.parent / "ProgramTests/Support"))
from station import Database

SERVER = HERE.parents[1] / "Delivery/ArchiveTests/Support/postgresql.sh"


def state(story) -> list[str]:
    return story.texts(".job.chosen .place:not([hidden])")


def read(story) -> None:
    """Scans twice, lets a worker read, and follows the second scan."""
    host = story.host
    # Somebody's scan from another command waits first.
    host.run("scan", "-d", "virtual:feeder", "-p", "none", "--process", "later", "-t", "First", "-q")
    story.scan()
    story.wait(lambda: "Scanned" in story.texts(".job.chosen .top strong"), "the end of the scan")
    story.wait(
        lambda: state(story) == ["Waiting for a reader, 3 pages ahead of yours"],
        "how many pages are before",
    )
    assert not story.all(".job.chosen .out a"), "a link to a document that is not there"
    story.look("scan-waiting")
    story.open("archive")
    arriving = "section.arriving p"
    story.wait(lambda: len(story.texts(arriving)) == 2, "what is on its way")
    assert "pages before it: 3" in story.texts(arriving)[1], story.texts(arriving)
    story.look("archive-arriving")
    story.open("scan")
    story.wait(lambda: state(story) or story.texts(".job .place:not([hidden])"), "the place again")
    # The page learns from the host's events that a worker has read them.
    host.run("work", "-j", "1", "--until-idle")
    link = ".job a[href^='#document/']"
    story.wait(lambda: "Done" in story.texts(".job .top strong"), "the end of the reading")
    story.wait(lambda: story.all(link), "the link to the document")
    assert not story.texts(".job .place:not([hidden])"), "a place of what is done"
    story.follow(link)
    story.wait(lambda: story.all(".picture svg"), "the document")
    # A page that its profile does not read says so.
    assert "has not been read" in story.one(".text").text, story.one(".text").text
    story.open("archive")
    story.wait(lambda: len(story.all("main .found")) == 2, "both documents")
    assert not story.one("section.arriving").is_displayed()
    story.quiet()


with tempfile.TemporaryDirectory() as folder:
    database = Database(str(SERVER))
    try:
        pictures = str(Path(folder) / "pictures")
        subprocess.run(
            [f"{sys.argv[1]}/copystand", "archive", "init", database.address, "--images", pictures],
            check=True,
            capture_output=True,
        )
        serve = ("--process", "later")
        with Story(options=serve, COPYSTAND_ARCHIVE=database.address) as story:
            read(story)
    finally:
        database.end()
print("read by others")
