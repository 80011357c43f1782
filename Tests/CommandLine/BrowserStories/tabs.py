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
    # What a command changes is seen, too.
    story.host.run("edit", "1", "--title", "By a command", "-q")
    story.wait(lambda: story.one("main h2").text == "By a command", "what a command has changed")
    story.quiet()
print("agreed")
