"""A document is reviewed with the keyboard alone: pages are moved, turned, deleted, split off and
corrected, and everything is undone. Then pages are dragged, split off and merged.
"""

from browser import Keys, Story


def numbers(story):
    """Returns the pages in the grid, identified by their pictures, since the numbers always
    count from one."""
    return story.driver.execute_script(
        "return [...document.querySelectorAll('.pages.review image')].map((one) =>"
        " one.dataset.href)"
    )


with Story() as story:
    story.host.run("scan", "-d", "virtual:feeder", "-q")
    story.open("document/1")
    story.wait(lambda: story.all(".picture svg"), "the page's picture")
    before = numbers(story)
    assert len(before) >= 3, before
    story.driver.execute_script("document.querySelector('.pages.review [tabindex=\"0\"]').focus()")
    story.keys(Keys.ARROW_RIGHT)
    story.keys(Keys.ALT, Keys.ARROW_LEFT, Keys.NULL)
    story.wait(lambda: numbers(story) == [before[1], before[0], *before[2:]], "page 2 in front")
    story.keys("r")
    story.wait(
        lambda: story.driver.execute_script(
            "const [, , w, h] = document.querySelector('.pages.review"
            " svg').getAttribute('viewBox').split(' ').map(Number); return w > h"
        ),
        "page 1 on its side",
    )
    story.keys(Keys.ARROW_RIGHT)
    story.keys(" ")
    story.wait(lambda: len(story.all("[role=option][aria-selected=true]")) == 1, "a selected page")
    story.look("review")
    story.stumble()
    story.keys(Keys.DELETE)
    story.wait(lambda: numbers(story) == [before[1], *before[2:]], "the selected page gone")
    # The tool undoes the changes, because the button in the last message undoes only one.
    for _ in range(3):
        story.follow("[data-keep=undo]:not(:disabled)")
    story.wait(lambda: numbers(story) == before, "all as it was captured")
    story.press("Redo")
    story.wait(lambda: numbers(story) == [before[1], before[0], *before[2:]], "the move made again")

    story.press("Crop")
    story.wait(lambda: story.all(".handle"), "four handles")
    story.look("cutting")
    story.driver.execute_script("document.querySelector('.handle').focus()")
    for _ in range(10):
        story.keys(Keys.SHIFT, Keys.ARROW_RIGHT, Keys.NULL)
    captured = story.driver.execute_script(
        "return document.querySelector('.picture svg').getAttribute('viewBox')"
    )
    story.press("Keep this part")
    story.wait(
        lambda: (
            not story.all(".handle")
            and story.all(".picture svg")
            and story.driver.execute_script(
                "return document.querySelector('.picture svg').getAttribute('viewBox')"
            )
            != captured
        ),
        "a narrower page",
    )

    story.press("Correct the text")
    story.one("textarea[aria-label='Text on this page']").send_keys(
        Keys.CONTROL, "a", Keys.NULL, "Quixotic correction"
    )
    story.press("Save this text")
    story.wait(
        lambda: story.texts(".text .word") == ["Quixotic", "correction"], "the corrected words"
    )

    title = story.one(".known input")
    title.send_keys(Keys.CONTROL, "a", Keys.NULL, "Looked through", Keys.TAB)
    story.wait(lambda: story.one("main h2").text == "Looked through", "the new title")
    # Tab moves the focus, and it stays there although the view is redrawn.
    assert story.driver.switch_to.active_element.get_attribute("data-keep") == "type"
    story.press("Mark as reviewed")
    story.wait(
        lambda: "Reviewed" in story.texts("button:disabled"), "the reviewed document"
    )
    story.wait(
        lambda: any("Marked as reviewed" in text for text in story.texts(".receipts li")),
        "the receipt",
    )

    # Pages are dragged with the mouse, the document is split in two, and one half is merged again.
    order = numbers(story)
    grip = story.all(".pages.review li")
    story.drag(grip[-1], grip[0])
    story.wait(lambda: numbers(story) == [order[-1], *order[:-1]], "the last page in front")
    # An undone deletion shows the page that is back.
    story.driver.execute_script("document.querySelector('.pages.review li').click()")
    story.wait(lambda: "Page 1 of" in story.one(".zoom .soft").text, "the first page")
    story.press("Split after")
    story.wait(lambda: len(numbers(story)) == 1, "the pages before the split")
    story.wait(
        lambda: "a separate document" in story.one("#told").text,
        "the note where the others are",
    )
    story.press("Add a document")
    story.one(".merging input").send_keys("nowhere")
    story.wait(
        lambda: not story.one(".merging select").is_displayed(), "the message that nothing is found"
    )
    story.one(".merging input").send_keys(Keys.CONTROL, "a", Keys.NULL, "looked")
    story.wait(
        lambda: story.one(".merging select").is_displayed(), "the document that was split off"
    )
    story.look("merging")
    story.press("Add its pages")
    story.wait(lambda: numbers(story) == [order[-1], *order[:-1]], "all pages in one document")
    story.wait(lambda: not story.all(".merging"), "the end of merging")
    story.open("archive")
    story.one("input[type=search]").send_keys("quixotic")
    story.wait(
        lambda: story.texts("main li mark") == ["Quixotic"], "the corrected word in the archive"
    )
    story.quiet()
print("reviewed")
