"""Someone previews the glass and marks a part of it by mouse and by keys, and only that part is
scanned.
"""

from selenium.webdriver.common.action_chains import ActionChains

from browser import Keys, Story


def part(story):
    """Returns the frame's left, top, width and height, in millimeters of the glass."""
    return [
        float(story.one("rect.frame").get_attribute(name)) for name in ("x", "y", "width", "height")
    ]


def choose(story, name: str, words: str) -> None:
    for option in story.all(f"select[name={name}] option"):
        if option.text == words:
            option.click()


with Story(COPYSTAND_VIRTUAL_PAGES="") as story:
    story.open("scan")
    choose(story, "device", "Virtual feeder")
    choose(story, "source", "feeder")
    choose(story, "device", "Virtual flatbed")
    choose(story, "profile", "Nothing")
    story.press("Preview")
    story.wait(lambda: story.all("rect.frame"), "the picture of the glass with a frame")
    assert part(story) == [0, 0, 216, 300], part(story)
    assert "whole glass" in story.one(".preview output").text

    # The mouse draws the frame from the upper left to the middle.
    glass = story.one("svg.glass")
    story.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", glass)
    wide, high = glass.rect["width"], glass.rect["height"]
    ActionChains(story.driver).move_to_element_with_offset(
        glass, int(-wide * 0.4), int(-high * 0.4)
    ).click_and_hold().move_to_element_with_offset(glass, 0, 0).move_by_offset(
        1, 1
    ).release().perform()
    drawn = part(story)
    assert all(abs(one - wanted) < 4 for one, wanted in zip(drawn, (21.6, 30, 86.4, 120))), drawn
    story.look("preview")
    story.stumble()

    # Keys move the frame, and then a corner.
    story.driver.execute_script("document.querySelector('rect.frame').focus()")
    story.keys(Keys.ARROW_RIGHT, Keys.ARROW_RIGHT, Keys.ARROW_UP)
    moved = part(story)
    assert moved == [drawn[0] + 2, drawn[1] - 1, drawn[2], drawn[3]], (drawn, moved)
    story.keys(Keys.TAB)
    assert story.driver.switch_to.active_element.get_attribute("aria-label") == "Upper left corner"
    story.keys(Keys.SHIFT, Keys.ARROW_RIGHT, Keys.NULL)
    left, top, wide, high = part(story)
    assert (left, wide) == (moved[0] + 10, moved[2] - 10), (moved, part(story))

    story.press("Scan")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    job = story.host.json("/api/v1/jobs")["jobs"][0]
    page = job["pages"][0]
    # The default resolution is 300 dots per inch.
    for got, wanted in ((page["width"], wide), (page["height"], high)):
        assert abs(got - wanted / 25.4 * 300) <= 8, (page, part(story))
    story.look("preview-scanned")

    # The whole preview can be shown again, and it can be closed.
    story.press("The whole glass")
    assert part(story) == [0, 0, 216, 300], part(story)
    story.press("Close")
    assert not story.all(".preview")
    story.quiet()

with Story(COPYSTAND_VIRTUAL_FAULT="open:error") as story:
    story.open("scan")
    choose(story, "device", "Virtual flatbed")
    story.press("Preview")
    story.wait(
        lambda: "failed, as requested" in story.one(".preview .bad").text, "why there is no picture"
    )
    # The device cannot be asked for its options either.
    story.quiet("/check - Failed to load resource: the server responded with a status of 502")
print("looked")
