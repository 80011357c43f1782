"""Someone captures small print on one device after another: the region of the picture is marked
once, and only that region is captured.
"""

from selenium.webdriver.common.action_chains import ActionChains

from browser import PAGES, Keys, Story


def part(story):
    """Returns the frame's left, top, width and height, in pixels of the film."""
    return [
        float(story.one("rect.frame").get_attribute(name)) for name in ("x", "y", "width", "height")
    ]


def region(story):
    """Returns the region of the picture that the host stores, as fractions of the picture."""
    return story.host.json("/api/v1/jobs")["jobs"][0]["region"]


def choose(story, selector: str, words: str) -> None:
    for option in story.all(f"{selector} option"):
        if words in option.text:
            option.click()


with Story() as story:
    # All pictures of a camera have the same size.
    story.host.stop()
    for name in PAGES[1:]:
        (story.host.folder / "pages" / name).unlink()
    story.host.start()
    story.open("live")
    choose(story, "select[name=what]", "the part that I mark")
    choose(story, "select[name=manual]", "only on request")
    choose(story, "select[name=profile]", "Document")
    story.press("Start")
    story.wait(lambda: story.all("rect.frame"), "the frame over the film")
    wide, high = [
        float(value) for value in story.one("svg.outline").get_dom_attribute("viewBox").split()[2:]
    ]

    # Each device has its shape, which the frame gets immediately and keeps.
    for name, aspect in (("MacBook", 8), ("iPhone", 5), ("Watch", 4), ("Mac mini", 8)):
        choose(story, ".beside select", name)
        width, height = part(story)[2:]
        assert abs(width / height - aspect) < 0.15, (name, width, height)
    handle = story.all(".outline .handle")[2]
    ActionChains(story.driver).drag_and_drop_by_offset(handle, -60, 30).perform()
    width, height = part(story)[2:]
    assert abs(width / height - 8) < 0.2, (width, height)
    story.driver.execute_script("document.querySelector('.outline .frame').focus()")
    before = part(story)
    story.keys(Keys.SHIFT, Keys.ARROW_UP, Keys.NULL)
    assert part(story)[1] < before[1] and part(story)[2:] == before[2:], (before, part(story))

    # A free frame is drawn over the upper half of the page.
    choose(story, ".beside select", "as I draw it")
    story.driver.execute_script("document.querySelector('.outline .handle').focus()")
    for _ in range(12):
        story.keys(Keys.SHIFT, Keys.ARROW_UP, Keys.NULL)
    left, top, width, height = part(story)
    story.wait(
        lambda: (
            region(story)
            and abs(region(story)["height"] - height / high) < 0.002
            and abs(region(story)["y"] - top / high) < 0.002
        ),
        "the host to know it",
    )
    story.press("Capture now")
    story.wait(
        lambda: (
            story.all(".latest img")
            and story.driver.execute_script(
                "return document.querySelector('.latest img').naturalWidth"
            )
            > 0
        ),
        "the captured part",
    )
    size = story.driver.execute_script(
        "const one = document.querySelector('.latest img'); return [one.naturalWidth,"
        " one.naturalHeight]"
    )
    assert abs(size[0] / size[1] - width / height) < 0.1 * width / height, (size, width, height)
    story.wait(lambda: story.all(".latest .read:not(.soft)"), "what is written on it")
    story.look("region")
    story.lose(story.wire.cut, story.wire.mend)

    # A second browser can change the same frame.
    story.open("scan")
    story.open("live")
    story.wait(lambda: story.all("rect.frame"), "the frame of the running watch")
    assert all(
        abs(one - other) <= 2 for one, other in zip(part(story), (left, top, width, height))
    ), (part(story), left, top, width, height)
    story.press("Finish")
    story.wait(lambda: story.all(".stage a[href^='#document/']"), "the document")
    page = story.host.json("/api/v1/documents/1")["pages"][0]
    assert abs(page["width"] - width) <= 2 and abs(page["height"] - height) <= 2, (
        page["width"],
        page["height"],
        width,
        height,
    )
    story.quiet()
print("drawn")
