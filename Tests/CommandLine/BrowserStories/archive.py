"""Someone filters the archive, deletes a document, finds it in the trash, and restores it. One
document has a title that is written as HTML.
"""

from browser import Story


def titles(story):
    return story.texts("main li a.title")


def choose(story, label: str, words: str) -> None:
    for option in story.all(f"main select[aria-label='{label}'] option"):
        if option.text == words:
            option.click()


with Story() as story:
    story.open("archive")
    story.look("archive-empty")
    for title, kind in (("<b>Rent</b>", "contract"), ("Water", "invoice"), ("Power", "invoice")):
        story.host.run("scan", "-d", "virtual:feeder", "-n", "1", "-p", "none", "-t", title, "-q")
        number = max(one["id"] for one in story.host.json("/api/v1/documents")["documents"])
        story.host.run("edit", str(number), "--type", kind, "-q")
    listed = story.host.json("/api/v1/documents")["documents"]
    water = next(one["id"] for one in listed if one["title"] == "Water")
    story.host.run("edit", str(water), "--field", "Meter=A-1074", "-q")
    story.open("scan")
    story.open("archive")
    story.wait(
        lambda: sorted(titles(story)) == ["<b>Rent</b>", "Power", "Water"], "all three documents"
    )
    # Each title is beside its picture.
    gaps = story.driver.execute_script(
        "return [...document.querySelectorAll('.found')].map((row) =>"
        " row.querySelector('.title').getBoundingClientRect().left -"
        " row.querySelector('.small').getBoundingClientRect().right)"
    )
    assert len(gaps) == 3 and all(8 <= gap <= 24 for gap in gaps), gaps
    # The list is filtered by a text in a field, and the address contains the text too.
    story.wait(lambda: story.one(".finding details:has(select)").is_displayed(), "the fields")
    story.follow(".finding details:has(select) summary")
    choose(story, "Field", "Meter (1)")
    story.one(".finding details input[type=text]").send_keys("a-107")
    story.wait(lambda: titles(story) == ["Water"], "the document with that meter")
    assert "field=Meter%3Da-107" in story.driver.current_url, story.driver.current_url
    assert "Meter: a-107" in story.texts(".finding summary")
    story.look("archive-field")
    story.one("main input[type=search]").send_keys("zephyr")
    story.wait(lambda: "No matches" in story.one("main").text, "no such word in it")
    story.follow("main .none a")
    story.wait(lambda: len(titles(story)) == 3, "all three documents")
    choose(story, "Type", "invoice")
    story.wait(lambda: sorted(titles(story)) == ["Power", "Water"], "the invoices")
    story.look("archive-narrowed")
    story.stumble()
    story.one("main input[type=search]").send_keys("water")
    story.wait(lambda: titles(story) == ["Water"], "the invoice by a word of its title")
    story.follow("main li a.title")
    story.press("Move document to trash")
    story.wait(
        lambda: "in the trash" in story.one("main .warn").text, "the note that it is in the trash"
    )
    story.open("scan")
    story.open("archive")
    story.wait(lambda: sorted(titles(story)) == ["<b>Rent</b>", "Power"], "the other two")
    story.press("Trash")
    story.wait(lambda: titles(story) == ["Water"], "the document in the trash")
    story.look("archive-trash")
    story.press("Restore")
    story.wait(lambda: "The trash is empty" in story.one("main").text, "an empty trash")
    story.press("Trash")
    story.wait(
        lambda: sorted(titles(story)) == ["<b>Rent</b>", "Power", "Water"], "all three again"
    )
    # A title is shown as text. A script that came into the page in another way would not run
    # either.
    assert not story.all("main b")
    story.driver.execute_script(
        "const one = document.createElement('script'); one.textContent = 'window.ran = true';"
        " document.body.append(one)"
    )
    assert not story.driver.execute_script("return window.ran")
    story.quiet("Content Security Policy")
print("kept")
