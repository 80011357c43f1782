"""A page is shown in black and white, and scanned again. A document gets the type and the tag of
similar documents.
"""

import urllib.request

from browser import SAMPLES, Keys, Story


def pages(story):
    return story.host.json("/api/v1/documents/1")["pages"]


def picture(story, page) -> bytes:
    with urllib.request.urlopen(story.host.address + "/api/v1/images/" + page["image"]) as answer:
        return answer.read()


def choose(story, look: str) -> None:
    story.choose("select[name=look]", look)


with Story() as story:
    story.host.run("scan", "-d", "virtual:feeder", "-q")
    story.open("document/1")
    story.wait(lambda: story.all(".picture svg"), "the page's picture")
    before = pages(story)
    choose(story, "Black and white")
    story.wait(lambda: pages(story)[0].get("look") == "bilevel", "the page in black and white")
    after = pages(story)
    # A PNG's header contains its depth and its kind of color: 1 bit of gray (ISO/IEC 15948,
    # 11.2.2).
    assert picture(story, after[0])[24:26] in (b"\x01\x00", b"\x01\x03")
    assert after[0]["words"] == before[0]["words"] and after[1:] == before[1:]
    story.wait(
        lambda: story.driver.execute_script(
            "return document.querySelector('.picture').outerHTML"
        ).count(after[0]["image"]),
        "the new picture",
    )
    story.look("look")
    # The look is set for several pages together; one of them already has it.
    story.focus(".pages.review [tabindex='0']")
    story.keys(Keys.CONTROL, "a", Keys.NULL)
    choose(story, "Clean")
    story.wait(
        lambda: [page.get("look") for page in pages(story)] == ["clean"] * len(before),
        "all pages clean",
    )
    story.press("Undo")
    story.wait(lambda: pages(story) == after, "what it was before")
    choose(story, "Original")
    story.wait(lambda: pages(story) == before, "the page as it was captured")

    # The second page is scanned again, and the feeder's first page replaces it.
    story.driver.execute_script("document.querySelectorAll('.pages.review li')[1].click()")
    story.wait(lambda: "2" in story.one(".zoom .soft").text, "the second page")
    story.press("Scan again")
    story.wait(lambda: story.all("form.merging select"), "the question for a device")
    for option in story.all("form.merging option"):
        if "feeder" in option.text:
            option.click()
    story.look("rescan")
    story.driver.execute_script("document.querySelector('form.merging button.main').click()")
    story.wait(lambda: pages(story)[1]["image"] != before[1]["image"], "another second page")
    assert pages(story)[1]["words"] == before[0]["words"]
    assert pages(story)[::2] == before[::2]
    story.wait(lambda: "was replaced" in story.one("#told").text, "the word for it")
    assert story.host.json("/api/v1/documents")["total"] == 1
    # The second page is replaced by a picture of this device.
    story.press("Scan again")
    story.one("form.merging input[type=file]").send_keys(str(SAMPLES / "06-receipt.jpg"))
    again = pages(story)[1]["image"]
    story.wait(lambda: pages(story)[1]["image"] != again, "the picture as the second page")
    # The tool undoes the changes, because the button in the last message undoes only one.
    for image in (again, before[1]["image"]):
        story.follow("[data-keep=undo]:not(:disabled)")
        story.wait(lambda: pages(story)[1]["image"] == image, "the page that was there before")
    assert pages(story) == before

    # The fields of similar documents are suggested.
    for _ in range(3):
        story.host.run("scan", "-d", "virtual:feeder", "-q")
    listed = [one["id"] for one in story.host.json("/api/v1/documents")["documents"]]
    for number in listed[:2]:
        story.host.run("edit", str(number), "--type", "report", "-q")
        story.host.run("tag", str(number), "board", "-q")
    story.open(f"document/{listed[2]}")
    story.wait(lambda: story.texts(".suggested .chip") == ["report", "board"], "what is offered")
    story.press("board")
    story.wait(lambda: story.texts("button.tag") == ["board ×"], "the tag")
    story.press("report")
    story.wait(lambda: not story.one(".suggested").is_displayed(), "nothing more to offer")
    assert story.host.json(f"/api/v1/documents/{listed[2]}")["document"]["type"] == "report"
    story.quiet()
print("looks changed")
