"""Someone works with many documents together: they are tagged, downloaded as one ZIP file, merged,
deleted and restored, and the trash is emptied.
"""

import zipfile

from browser import SIZES, Keys, Story

TITLES = ("Rent", "Water", "Power", "Water")


def titles(story) -> list[str]:
    return story.texts("main li a.title")


def select(story, *names: str) -> None:
    for name in names:
        story.focus(f"main input[aria-label='Select “{name}”']:not(:checked)")
        story.keys(" ")
    story.wait(
        lambda: f"Documents selected: {len(names)}" in story.texts(".selected [role=status]"),
        "the selection",
    )


# The room between the list's end and the tools for selected documents.
FREE = """
    scrollTo(0, document.documentElement.scrollHeight);
    const top = document.querySelector(".selected").getBoundingClientRect().top;
    return top - document.querySelector("main .hits").getBoundingClientRect().bottom;
"""


with Story() as story:
    story.keep_downloads(story.host.folder / "downloads")
    for title in TITLES:
        story.host.run("scan", "-d", "virtual:feeder", "-n", "1", "-p", "none", "-t", title, "-q")
    story.open("archive")
    story.wait(lambda: titles(story) == list(reversed(TITLES)), "the documents, newest first")
    for option in story.all("main select[aria-label='Order'] option"):
        if option.text == "by title":
            option.click()
    story.wait(lambda: titles(story) == sorted(TITLES), "the documents by their titles")
    story.press("Tiles")
    story.look("archive-tiles")

    # The list stays where it is when the first document is selected, and ends above its tools.
    boxes = story.all("main .found input")
    before = [box.rect for box in boxes]
    boxes[0].click()
    story.wait(lambda: story.one(".selected").is_displayed(), "what can be done with it")
    assert [box.rect for box in boxes] == before, "the list moved"
    for size in ("phone", "tablet", "desk"):
        story.driver.set_window_size(*SIZES[size])
        story.wait(lambda: story.driver.execute_script(FREE) > 0, f"the list's end on a {size}")
    story.driver.execute_script("scrollTo(0, 0)")
    boxes[0].click()

    # The picture of a changed document is loaded again.
    def pictures() -> list[str]:
        return [one.get_attribute("src") for one in story.all("main .found img")]

    old = story.wait(pictures, "the pictures")
    story.host.run("edit", "1", "--type", "report", "-q")
    story.wait(
        lambda: len(pictures()) == len(old) and len({*pictures()} - {*old}) == 1, "a new picture"
    )

    # The documents are tagged together, and found by the tag, which is in the address.
    select(story, "Water", "Water")
    story.look("archive-selected")
    story.follow(".selected summary")
    story.one(".selected .menu input").send_keys("house" + Keys.ENTER)
    story.wait(lambda: "tag “house”: 2" in story.one("#told").text, "the message that both have it")
    story.driver.refresh()
    story.wait(lambda: titles(story) == sorted(TITLES), "the same order after a reload")
    story.wait(
        lambda: any(
            "house (2)" in text for text in story.texts("main select[aria-label=Tag] option")
        ),
        "the tag as a choice",
    )
    story.follow("main select[aria-label=Tag] option[value=house]")
    story.wait(lambda: titles(story) == ["Water", "Water"], "those with the tag")
    assert "tag=house" in story.driver.current_url
    # The way back from a document leads to the same list.
    story.follow("main a.title")
    story.follow(".heading a.button.bare")
    story.wait(lambda: titles(story) == ["Water", "Water"], "those with the tag again")
    assert "tag=house" in story.driver.current_url
    story.press("Save this search")
    story.follow("nav a[href='#archive']")
    story.open("help")
    story.open("archive")
    story.wait(lambda: len(titles(story)) == 4, "all documents")
    story.follow(".kept a")
    story.wait(lambda: titles(story) == ["Water", "Water"], "the saved search")

    # The documents are one ZIP file, in which two documents of the same name are two files.
    select(story, "Water", "Water")
    story.press("Download as ZIP")
    with zipfile.ZipFile(story.downloaded(".zip")) as files:
        assert files.testzip() is None
        assert sorted(files.namelist()) == ["Water (2).pdf", "Water.pdf"], files.namelist()
        assert all(files.read(name).startswith(b"%PDF-") for name in files.namelist())

    # After merging, the first selected document has the pages of both.
    story.open("help")
    story.open("archive")
    story.wait(lambda: len(titles(story)) == 4, "all documents")
    select(story, "Rent", "Power")
    story.press("Merge")
    story.wait(lambda: sorted(titles(story)) == ["Rent", "Water", "Water"], "one document fewer")
    rent = [
        one for one in story.host.json("/api/v1/documents")["documents"] if one["title"] == "Rent"
    ]
    assert [one["pages"] for one in rent] == [2], rent

    # The documents are deleted, restored, deleted again, and then permanently deleted.
    select(story, "Water", "Water")
    story.press("Move to trash")
    story.wait(lambda: titles(story) == ["Rent"], "what is left")
    story.follow("#told button")
    story.wait(lambda: len(titles(story)) == 3, "both again")
    select(story, "Water", "Water")
    story.press("Move to trash")
    story.wait(lambda: titles(story) == ["Rent"], "what is left")
    story.press("Trash")
    story.wait(lambda: sorted(titles(story)) == ["Power", "Water", "Water"], "the trash")
    story.look("archive-trash-full")
    story.driver.execute_script("window.confirm = () => true")
    story.driver.execute_script("document.querySelector('.found button.bare').click()")
    story.wait(lambda: len(titles(story)) == 2, "one deleted for good")
    story.press("Empty the trash")
    story.wait(lambda: "The trash is empty" in story.one("main").text, "an empty trash")
    assert story.host.json("/api/v1/documents?trash=true")["total"] == 0
    assert story.host.json("/api/v1/documents")["total"] == 1
    story.quiet()
print("many")
