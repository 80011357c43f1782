"""Two people use one host: Ada sees the documents that are hers, and the office sees all. Nothing
of the office's document is on Ada's page until the office makes it hers.
"""

import socket

from browser import HISTORY, By, Keys, Story

OWNER = HISTORY + " input"
TAGS = "main select[aria-label=Tag] option"
TITLES = "main li a.title"
STATION = socket.gethostname()


def make_token(story, name: str, sees: str) -> str:
    """Makes a token in the settings, and returns it."""
    before = story.texts("input.code") and story.attribute("input.code", "value")
    story.one("form.row input[name=name]").send_keys(name)
    story.choose("select[name=sees]", sees)
    story.press("Make a token")
    story.wait(lambda: story.attribute("input.code", "value") != before, f"the token '{name}'")
    return story.attribute("input.code", "value")


def scan(story, page: str, title: str, tag: str) -> None:
    """Scans a sample page, and gives a title and a tag to its document."""
    story.host.feed(page)
    story.scan("document")
    story.wait(lambda: "Done" in story.texts(".job.chosen strong"), "the job's end")
    story.follow(".job.chosen a[href^='#document/']")
    story.one(".known input").send_keys(Keys.CONTROL, "a", Keys.NULL, title, Keys.TAB)
    story.wait(lambda: story.texts("main h2") == [title], "the title")
    story.one("input[data-keep=tag]").send_keys(tag + Keys.ENTER)
    story.wait(lambda: f"{tag} ×" in story.texts("button.tag"), f"the tag '{tag}'")


def found(story, word: str = "") -> list[str]:
    """The titles that the archive shows, of all documents or of those with a word."""
    story.open("help")
    story.open("archive" + (f"?q={word}" if word else ""))
    story.wait(lambda: story.all(".hits > li"), "documents, or the message that there are none")
    return sorted(story.texts(TITLES))


def check_archive(story, tags: dict[str, str]) -> None:
    """Checks that documents with these titles and tags are all that the archive shows and counts.
    """
    assert found(story) == sorted(tags), story.texts(TITLES)
    assert story.texts("main .count") == [f"Documents: {len(tags)}"], story.texts("main .count")
    offered = ["any tag", *sorted(f"{tag} (1)" for tag in tags.values())]
    story.wait(lambda: story.texts(TAGS) == offered, f"the tags {offered}")


def open_document(story, title: str) -> None:
    """Opens a document from the archive."""
    found(story)
    story.one("main").find_element(By.LINK_TEXT, title).click()
    story.wait(lambda: story.texts("main h2") == [title], f"the document '{title}'")


def own(story) -> None:
    """Ada scans, and sees her document alone."""
    assert not found(story) and "Nothing is archived" in story.one("main").text
    story.open("scan")
    assert not story.all("[data-job]"), "the office's job"
    scan(story, "01-letter.jpg", "Holiday", "sea")
    check_archive(story, {"Holiday": "sea"})
    assert found(story, "ropewalk") == ["Holiday"] and not found(story, "halloran")
    story.look("archive-own")
    story.open("document/1")
    assert "no document 1" in story.one("main [role=alert]").text
    open_document(story, "Holiday")
    assert [entry[1:] for entry in story.history()] == [["ada", STATION]] * 3, story.history()
    assert not story.all(OWNER) and "Owner: ada" in story.texts(HISTORY + " p")
    story.look("document-own")
    story.quiet("status of 404")


def give(story) -> None:
    """The office sees both documents, and makes its own one Ada's."""
    check_archive(story, {"Holiday": "sea", "Payroll": "secret"})
    open_document(story, "Payroll")
    acts = ["Changed: tags", "Changed: title", "Scanned"]
    assert story.history() == [[act, "office", STATION] for act in acts], story.history()
    assert story.attribute(OWNER, "value") == "office"
    story.look("document-owner")
    story.one(OWNER).send_keys(Keys.CONTROL, "a", Keys.NULL, "ada", Keys.TAB)
    story.wait(
        lambda: story.history()[0] == ["Changed: owner", "office", STATION], "the new owner"
    )
    assert story.attribute(OWNER, "value") == "ada" and len(story.history()) == 4
    story.quiet()


def both(story) -> None:
    """Ada sees the document that the office gave her, too, and can't give it to anyone."""
    check_archive(story, {"Holiday": "sea", "Payroll": "secret"})
    assert found(story, "halloran") == ["Payroll"]
    open_document(story, "Payroll")
    assert [entry[:2] for entry in story.history()][::3] == [
        ["Changed: owner", "office"],
        ["Scanned", "office"],
    ], story.history()
    assert not story.all(OWNER) and "Owner: ada" in story.texts(HISTORY + " p")
    story.quiet()


with Story(options=("--token",)) as story:
    story.sign_in()
    story.open("settings")
    ada = make_token(story, "ada", "only their own documents, and those that belong to everyone")
    office = make_token(story, "office", "all documents")
    story.look("settings-sees")
    story.enter(office)
    scan(story, "03-invoice.png", "Payroll", "secret")
    story.enter(ada)
    own(story)
    story.enter(office)
    give(story)
    story.enter(ada)
    both(story)
print("owned")
