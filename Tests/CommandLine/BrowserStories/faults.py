"""The paper jams, and the device's program crashes: the page shows the next step, and the scan
continues where it stopped.
"""

import json
import shutil
from pathlib import Path

from browser import HERE, Story


def install(data: Path) -> Path:
    """Puts the test's backend `stack` into the folder of a user's backends, and returns its
    folder."""
    folder = data / "copystand" / "backends" / "stack"
    folder.mkdir(parents=True)
    shutil.copy(HERE / "stack.py", folder)
    shutil.copy(
        HERE.parents[2] / "Examples" / "python" / "copystand_backend.py",
        folder,
    )
    (folder / "stack.py").chmod(0o755)
    (folder / "backend.json").write_text(
        json.dumps(
            {
                "id": "stack",
                "name": "Stack",
                "version": "1.0",
                "protocol": 1,
                "program": "stack.py",
                "serves": "A stack of paper",
            }
        )
    )
    return folder


def first_card(story):
    """The text on the card of the latest job."""
    return story.driver.execute_script(
        "return document.querySelector('[data-job]')?.innerText ?? ''"
    )


def scan(story) -> None:
    story.open("jobs")
    story.open("scan")
    for name, wanted in (("device", "stack"), ("profile", "nothing")):
        for option in story.all(f"select[name={name}] option"):
            if wanted in option.text.lower():
                option.click()
    story.press("Scan")


def documents(story) -> list[int]:
    """Returns the number of pages of each document in the archive, the latest document first."""
    return [document["pages"] for document in story.host.json("/api/v1/documents")["documents"]]


with Story() as story:
    story.host.stop()
    stack = install(story.host.folder / "XDG_DATA_HOME")
    story.host.start()

    # Sheet 3 is stuck; the document already has two pages.
    (stack / "jammed").write_text("3")
    scan(story)
    story.wait(lambda: story.all(".jam"), "what to do")
    words = story.one(".jam").text
    assert (
        "Remove the stuck sheet." in words and "Put sheet 3 and those after it back" in words
    ), words
    assert "jammed" in first_card(story)
    story.look("jam")
    assert documents(story) == [2], documents(story)
    # The next step is also shown in the other views.
    story.open("jobs")
    story.wait(lambda: story.all(".jam"), "what to do among the jobs")
    story.look("jam-jobs")
    story.open("scan")
    (stack / "jammed").unlink()
    story.press("Continue with the rest")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the end of the rest")
    story.wait(lambda: len(story.all("[data-job] .strip .there")) == 4, "four pages in the strip")
    story.look("jam-over")
    # The whole document has replaced the first part.
    assert documents(story) == [4], documents(story)
    assert not story.host.json("/api/v1/jobs")["stored"], "nothing is left in the spool"

    # The device's program crashes in the middle of sheet 2.
    (stack / "next").write_text("1")
    (stack / "crash").write_text("2")
    scan(story)
    story.wait(
        lambda: story.all(".jam") and "driver crashed" in story.one(".jam").text,
        "the message that its driver crashed",
    )
    story.look("crash")
    # The program still crashes, so the next step stays visible.
    story.driver.execute_script("document.querySelector('.jam').classList.add('before')")
    story.press("Continue with the rest")
    story.wait(
        lambda: story.all(".jam:not(.before) button:not(:disabled)"),
        "the next step after a second failure",
    )
    (stack / "crash").unlink()
    story.press("Continue with the rest")
    story.wait(lambda: "Done" in first_card(story), "the end of the rest")
    assert documents(story) == [4, 4], documents(story)
    story.quiet()
print("gone on")
