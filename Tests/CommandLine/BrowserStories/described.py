"""Someone describes a document: names it, tags it, corrects its text, and leaves the view before
the end. Typed text is kept, nothing is done twice, and every change can be undone in any view.
"""

from browser import Keys, Story

LONG = "Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft"


def fill(story, selector: str, *keys: str) -> None:
    story.one(selector)

    def write() -> bool:
        story.focus(selector)
        story.keys(Keys.CONTROL, "a", Keys.NULL, *keys)
        return True

    # The page may be drawn again just then.
    story.wait(write, selector)


with Story() as story:
    story.host.run("scan", "-d", "virtual:feeder", "-q")
    story.open("archive")
    story.wait(lambda: story.all("main a.title"), "the document")
    story.follow("main a.title")
    story.wait(lambda: story.all(".picture svg"), "the document's first page")
    # The heading is visible, although the focus has moved into the view.
    assert story.driver.execute_script("return scrollY") == 0

    # The link that skips the list of views leads into the current view.
    before = story.driver.current_url
    story.focus(".skip")
    story.keys(Keys.ENTER)
    assert story.driver.switch_to.active_element.get_attribute("id") == "view"
    assert story.driver.current_url == before and story.all(".picture svg")

    # The title is the tab's name.
    fill(story, ".known input", LONG, Keys.TAB)
    story.wait(lambda: story.one("main h2").text == LONG, "the new title")
    story.wait(lambda: story.driver.title == LONG + " – Copystand", "the tab's new name")
    story.look("document-long-title")
    story.open("archive")
    story.wait(lambda: story.texts("main a.title") == [LONG], "the document by its new title")
    story.look("archive-long-title")
    story.open("document/1")
    story.wait(lambda: story.all(".known"), "the document")

    # The title is also a field in its own place.
    story.follow("button[aria-label=Rename]")
    fill(story, "input.renaming", "Lease", Keys.ENTER)
    story.wait(lambda: story.texts("main h2") == ["Lease"], "the title")
    fill(story, ".known input", "عقد الإيجار ٢٠٢٦", Keys.TAB)
    story.wait(lambda: story.one("main h2").text.startswith("عقد"), "a title from right to left")
    assert (
        story.driver.execute_script(
            "return getComputedStyle(document.querySelector('main h2')).direction"
        )
        == "rtl"
    )

    # The tags are added one after another, each once.
    for tag in ("tax", "2026"):
        fill(story, "[data-keep=tag]", tag, Keys.ENTER)
        story.wait(lambda: tag + " ×" in story.texts(".known .tag"), f"the tag {tag}")
    assert story.texts(".known .tag") == ["tax ×", "2026 ×"], story.texts(".known .tag")

    # A text that is being corrected is kept when the user moves to another page or view.
    story.press("Correct the text")
    fill(story, "textarea[aria-label='Text on this page']", "Left in the middle")
    story.keys(Keys.TAB)
    story.focus("button[aria-label='Next page']")
    story.keys(Keys.ENTER)
    story.wait(lambda: "The text is saved" in story.one("#told").text, "a note that it is kept")
    story.focus("button[aria-label='Previous page']")
    story.keys(Keys.ENTER)
    story.wait(lambda: story.texts(".text .word")[:1] == ["Left"], "the corrected text")
    story.press("Correct the text")
    fill(story, "textarea[aria-label='Text on this page']", "Left for the archive")
    story.follow("nav a[href='#archive']")
    story.one("input[type=search]").send_keys('"left for the archive"')
    story.wait(lambda: story.texts("main li mark"), "the text in the archive")

    # The way back from the document leads to the search.
    story.follow("main a.title")
    story.wait(lambda: story.all(".picture svg"), "the document")
    story.driver.back()
    story.wait(
        lambda: story.one("input[type=search]").get_attribute("value") == '"left for the archive"',
        "the search",
    )
    story.wait(lambda: story.texts("main li mark"), "what it finds")

    # A deleted tag is restored by the message's button, and by keys wherever the focus is.
    story.open("document/1")
    story.wait(lambda: len(story.all(".pages.review li")) == 3, "three pages")
    story.press("Delete")
    story.wait(lambda: "Pages deleted: 1" in story.one("#told").text, "a note that it is gone")
    story.wait(lambda: len(story.all(".pages.review li")) == 2, "two pages")
    story.follow("#told button")
    story.wait(lambda: len(story.all(".pages.review li")) == 3, "the page again")
    story.press("Delete")
    story.wait(lambda: len(story.all(".pages.review li")) == 2, "the page gone again")
    story.driver.execute_script("document.activeElement.blur()")
    story.keys(Keys.CONTROL, "z", Keys.NULL)
    story.wait(lambda: len(story.all(".pages.review li")) == 3, "the page once more")

    # Several pages are dragged together and keep their order.
    def order():
        return story.driver.execute_script(
            "return [...document.querySelectorAll('.pages.review image')]"
            ".map((one) => one.dataset.href)"
        )

    first, second, third = order()
    for number in (2, 3):
        story.follow(f".pages.review [data-number='{number}'] .check")
    story.wait(lambda: len(story.all("[role=option][aria-selected=true]")) == 2, "two pages")
    grip = story.all(".pages.review li")
    story.drag(grip[2], grip[0])
    story.wait(lambda: order() == [second, third, first], "both in front")

    # The page is enlarged.
    def width() -> float:
        return story.driver.execute_script(
            "return document.querySelector('.picture svg')?.getBoundingClientRect().width ?? 0"
        )

    before = story.wait(lambda: width(), "the page in its new order")
    story.focus("button[aria-label='Zoom in']")
    story.keys(Keys.ENTER)
    story.wait(lambda: width() > 1.4 * before, "the page half as large again")
    story.keys(Keys.ENTER)
    story.wait(lambda: width() > 1.9 * before, "the page twice as large")
    story.look("document-zoomed")
    story.focus("button[aria-label='Zoom out']")
    story.keys(Keys.ENTER, Keys.ENTER)
    story.wait(lambda: abs(width() - before) < 2, "the whole page")

    # A bilevel page is shown, too.
    story.host.run("scan", "-d", "virtual:flatbed", "-p", "none", "--mode", "bilevel", "-q")
    story.open("document/2")
    story.wait(
        lambda: story.driver.execute_async_script(
            "const done = arguments[0], image = document.querySelector('.picture image');"
            " if (!image?.getAttribute('href')) return done(false);"
            " const seen = new Image(); seen.src = image.getAttribute('href');"
            " seen.decode().then(() => done(seen.naturalWidth > 100), () => done(false))"
        ),
        "the picture of a bilevel page",
    )
    media = story.driver.execute_async_script(
        "const done = arguments[0]; fetch(document.querySelector('.picture image')"
        ".getAttribute('href')).then((answer) => done(answer.headers.get('Content-Type')))"
    )
    assert media == "image/png", media
    story.quiet()
print("described")
