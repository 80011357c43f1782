"""Someone has many tabs open at one host: all of them show its jobs, three show the camera's live
view, and two that show the same document agree.
"""

from browser import PAGES, Keys, Story

TABS = 8


def film_is_shown(story):
    return story.driver.execute_script(
        "return (document.querySelector('.film img')?.naturalWidth ?? 0) > 0"
    )


with Story() as story:
    story.host.stop()
    for name in PAGES[1:]:
        (story.host.folder / "pages" / name).unlink()
    story.host.start()
    story.open("live")
    for option in story.all("select[name=manual] option"):
        if option.text == "only on request":
            option.click()
    story.press("Start")
    story.wait(lambda: film_is_shown(story), "the camera's picture")
    # A browser opens at most six connections to a host, so one permanent connection per tab would
    # use them up.
    tabs = [story.driver.current_window_handle]
    for _ in range(TABS - 1):
        story.driver.switch_to.new_window("tab")
        story.open("live")
        story.wait(lambda: film_is_shown(story), f"the picture in tab {len(tabs) + 1}")
        tabs.append(story.driver.current_window_handle)
    before = len(story.host.json("/api/v1/jobs")["jobs"][0]["pages"])
    story.press("Capture now")
    story.wait(
        lambda: len(story.host.json("/api/v1/jobs")["jobs"][0]["pages"]) > before,
        "a page that the last tab has captured",
    )
    story.press("Finish")
    for tab in (tabs[-1], tabs[0], tabs[3]):
        story.driver.switch_to.window(tab)
        story.wait(lambda: story.all(".stage a[href^='#document/']"), "the end of the watch")

    # A document is open in two tabs: each shows changes from the other.
    for tab in tabs[:2]:
        story.driver.switch_to.window(tab)
        story.open("document/1")
        story.wait(lambda: story.all(".picture svg"), "the document")
    story.driver.execute_script("document.querySelector('.known input').focus()")
    story.keys(Keys.CONTROL, "a", Keys.NULL, "Seen by both", Keys.TAB)
    story.wait(lambda: story.one("main h2").text == "Seen by both", "the new title")
    story.driver.switch_to.window(tabs[0])
    story.wait(lambda: story.one("main h2").text == "Seen by both", "the title in the other tab")
    story.press("Turn right")
    story.driver.switch_to.window(tabs[1])
    story.wait(
        lambda: story.driver.execute_script(
            "return document.querySelector('.picture g').getAttribute('transform')"
        ).startswith("matrix(0 1 -1 0"),
        "the turned page in the first tab",
    )
    # If a tab has not received a change yet, its own change is refused, and the tab says so.
    story.driver.execute_script("""
        const real = window.fetch;
        window.isDeaf = true;
        window.fetch = (path, order = {}) =>
            window.isDeaf && (order.method ?? "GET") === "GET" && path.endsWith("documents/1")
            ? new Promise(() => {}) : real(path, order);
    """)
    story.host.run("edit", "1", "--title", "Not heard of", "-q")
    story.driver.execute_script("window.isDeaf = false")
    story.press("Turn left")
    story.wait(lambda: "changed elsewhere" in story.one("#told").text, "the word that it is stale")
    story.wait(lambda: story.one("main h2").text == "Not heard of", "the document as it is now")
    turned = story.host.json("/api/v1/documents/1")["pages"][0]["turn"]
    assert turned == 90, f"the refused turn was made: {turned}"
    # A text that is being corrected outlives what others do meanwhile.
    story.press("Correct the text")
    field = story.one("textarea[aria-label='Text on this page']")
    field.send_keys(Keys.CONTROL, "a", Keys.NULL, "Zephyr")
    story.host.run("edit", "1", "--note", "Meanwhile", "-q")
    story.wait(
        lambda: story.one("textarea[data-keep=note]").get_attribute("value") == "Meanwhile",
        "the note that a command wrote",
    )
    assert field.get_attribute("value") == "Zephyr"
    story.press("Save this text")
    story.wait(lambda: story.texts(".text .word") == ["Zephyr"], "the corrected text")
    # What a command changes is seen, too.
    story.host.run("edit", "1", "--title", "By a command", "-q")
    story.wait(lambda: story.one("main h2").text == "By a command", "what a command has changed")
    story.quiet("412")
print("agreed")
