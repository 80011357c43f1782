"""Three common tasks, on a desktop and on a phone, with every click counted: the feeder's
pages as a downloaded PDF, photos as a searchable PDF, and a document found by a word and
downloaded.
"""

import subprocess

from browser import PAGES, SAMPLES, SIZES, Story

MOST = 3


class Clicks:
    """Clicks as a person makes them: with the pointer, on visible elements."""

    def __init__(self, story: Story):
        self.story, self.count = story, 0

    def click(self, selector: str, words: str | None = None) -> None:
        """Clicks a visible element with this text."""

        def found():
            return [
                one
                for one in self.story.all(selector)
                if one.is_displayed() and (words is None or one.text.strip() == words)
            ]

        self.story.wait(found, f"{selector} '{words or ''}'")[0].click()
        self.count += 1


def downloaded(story) -> tuple[str, str]:
    """Returns the name and the text of the downloaded PDF. The file is removed, since the next one
    may have the same name.
    """
    file = story.downloaded(".pdf")
    words = subprocess.run(
        ["pdftotext", str(file), "-"], check=True, capture_output=True, text=True
    ).stdout
    file.unlink()
    return file.name, words


def click_pages(story, words: str) -> None:
    tool = "[data-keep=pagesPDF]"
    story.wait(lambda: story.texts(tool) == [words], f"a tool '{words}'")
    story.one(tool).click()


def some_pages(story) -> None:
    """Downloads two pages of a document, and then the one that is shown."""
    story.open("document/1")
    for number in (1, 3):
        story.one(f"[role=option][data-number='{number}'] .check").click()
    click_pages(story, "2 pages as PDF")
    name, words = downloaded(story)
    assert name.endswith(" p1,3.pdf") and words.count("\f") == 2, (name, words)
    story.open("document/1/2")
    click_pages(story, "Page as PDF")
    name, words = downloaded(story)
    assert name.endswith(" p2.pdf") and words.count("\f") == 1, (name, words)


def is_seen(story, selector: str) -> bool:
    """Returns true if a part of the element is in the window."""
    return story.driver.execute_script(
        "const box = document.querySelector(arguments[0])?.getBoundingClientRect();"
        " return Boolean(box) && box.height > 0 && box.top < innerHeight - 80 && box.bottom > 0",
        selector,
    )


def from_feeder(story) -> int:
    story.open("scan")
    for option in story.all("select[name=device] option"):
        if "feeder" in option.text:
            # The device of the last scan is already chosen, so no click is needed.
            option.click()
    clicks = Clicks(story)
    clicks.click("form.scanning button.main", "Scan")
    story.wait(lambda: is_seen(story, ".job.chosen .strip .sheet"), "a page in the window")
    clicks.click(".job.chosen a.main", "Download PDF")
    name, words = downloaded(story)
    # The file has the document's name.
    assert name.startswith("Scan of "), name
    assert "Aldermouth" in words, words
    return clicks.count


def from_photos(story) -> int:
    story.open("archive")
    clicks = Clicks(story)
    clicks.click("nav a[href='#scan']")
    # The button opens the system's file dialog, which counts as a click.
    story.one("input[type=file]").send_keys("\n".join(str(SAMPLES / name) for name in PAGES[:2]))
    clicks.count += 1
    clicks.click(".job.chosen a.main", "Download PDF")
    _, words = downloaded(story)
    assert "Aldermouth" in words, words
    return clicks.count


def by_word(story) -> int:
    story.open("scan")
    clicks = Clicks(story)
    clicks.click("nav a[href='#archive']")
    clicks.click("main input[type=search]")
    story.one("main input[type=search]").send_keys("ropewalk")
    story.wait(lambda: story.texts("main li mark"), "a hit")
    clicks.click("main li .get")
    _, words = downloaded(story)
    assert "Ropewalk" in words, words
    return clicks.count


with Story() as story:
    story.keep_downloads(story.host.folder / "downloads")
    for size in ("desk", "phone"):
        story.driver.set_window_size(*SIZES[size])
        for task in (from_feeder, from_photos, by_word):
            count = task(story)
            assert count <= MOST, f"{task.__name__} on a {size} takes {count} clicks"
    some_pages(story)
    story.quiet()
print("few")
