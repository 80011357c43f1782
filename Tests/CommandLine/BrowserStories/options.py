"""Someone sets options that only this device has, sees which values the device refuses, and finds
the options unchanged at the next visit.
"""

from browser import Story


def choose(story, selector: str, value: str) -> None:
    for option in story.all(selector + " option"):
        if option.get_attribute("value") == value:
            option.click()


def fill(story, name: str, text: str) -> None:
    field = story.one(f"[data-option={name}]")
    field.clear()
    field.send_keys(text)


def folds(story) -> None:
    """Opens the device's options, including those for experts."""
    unfold(story, "details.fold summary")
    story.wait(lambda: story.all("[data-option=contrast]"), "the device's options")
    unfold(story, "details.fold details.fold summary")


def unfold(story, selector: str) -> None:
    # Scrolls an element out from under the fixed row of buttons.
    summary = story.one(selector)
    story.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", summary)
    summary.click()


def ended(story, words: str) -> None:
    story.wait(lambda: words in story.texts(".card strong"), f"a job that is '{words}'")


with Story(COPYSTAND_VIRTUAL_PAGES="") as story:
    story.open("scan")
    choose(story, "select[name=device]", "virtual:feeder")
    choose(story, "select[name=profile]", "none")
    folds(story)
    fill(story, "contrast", "500")
    story.wait(
        lambda: story.one("[data-option=contrast]").get_attribute("aria-invalid") is not None,
        "the message that 500 % is too much",
    )
    assert "-100" in story.one("[data-wrong=contrast]").text
    story.look("scan-options")
    story.stumble()
    fill(story, "contrast", "20")
    story.wait(
        lambda: story.one("[data-option=contrast]").get_attribute("aria-invalid") is None,
        "the message that 20 % is fine",
    )
    choose(story, "[data-option=fault]", "jam")
    fill(story, "fault-page", "2")
    story.wait(lambda: "(3 changed)" in story.one("details.fold summary").text, "how many are set")
    story.press("Scan")
    ended(story, "Interrupted")
    assert len(story.host.json("/api/v1/jobs")["jobs"][0]["pages"]) == 1

    # The options are kept, and reset together.
    story.open("archive")
    story.open("scan")
    story.wait(
        lambda: "(3 changed)" in story.one("details.fold summary").text, "what was set for the feeder"
    )
    folds(story)
    assert story.one("[data-option=contrast]").get_attribute("value") == "20"
    story.press("Reset all")
    story.wait(lambda: "changed)" not in story.one("details.fold summary").text, "nothing set anymore")
    story.wait(
        lambda: story.one("[data-option=contrast]").get_attribute("value") == "0",
        "the usual contrast",
    )
    choose(story, "select[name=profile]", "none")
    story.press("Scan")
    ended(story, "Done")

    story.press("Scan more")

    # A scan that takes too long is stopped, and the page can be used in the meantime.
    unfold(story, "details.fold details.fold summary")
    choose(story, "[data-option=fault]", "slow")
    fill(story, "row-delay", "1000")
    story.wait(lambda: "(2 changed)" in story.one("details.fold summary").text, "how many are set")
    story.press("Scan")
    ended(story, "Scanning")
    story.follow("nav a[href='#devices']")
    story.wait(lambda: story.all("section.device"), "the devices, while one of them is slow")
    story.follow("nav a[href='#scan']")
    story.press("Stop")
    story.wait(lambda: not story.all("progress:not([hidden])"), "the end of what was stopped")
    ended(story, "Stopped")
    # The options of a busy device are not checked, and the page says so.
    story.quiet("status of 409")
print("set")
