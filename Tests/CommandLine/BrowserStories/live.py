"""Someone uses a camera's live view: a page is found, one is captured automatically and one by
hand, the host is lost, the live view begins again, and the document is kept.
"""

from browser import PAGES, Story
from film import film


# The film's picture, made small.
PICTURE = """
    const canvas = Object.assign(document.createElement("canvas"), { width: 32, height: 18 });
    canvas.getContext("2d").drawImage(document.querySelector(".film img"), 0, 0, 32, 18);
    return canvas.toDataURL();
"""


def film_is_shown(story):
    return (
        story.driver.execute_script("return document.querySelector('.film img')?.naturalWidth ?? 0")
        > 0
    )


with Story() as story:
    story.host.stop()
    for name in PAGES:
        (story.host.folder / "pages" / name).unlink()
    film(story, story.host.folder / "pages")
    story.host.start()
    story.open("live")
    story.look("live-empty")
    story.press("Start")
    story.wait(lambda: film_is_shown(story), "the camera's picture")
    story.wait(
        lambda: story.one(".outline polygon").get_attribute("points"),
        "the found page over the picture",
    )
    story.wait(
        lambda: story.all(".strip .there"), "an automatically captured page and its picture"
    )
    # A captured page is not shown as ready for capture.
    story.wait(
        lambda: "Put the next page on top" in story.one(".state").text,
        "what to do after a capture",
    )
    pictures = set()
    story.wait(
        lambda: pictures.add(story.driver.execute_script(PICTURE)) or len(pictures) > 3,
        "a film that moves",
    )
    before = len(story.all(".strip li"))
    # The space bar captures, wherever the focus is, except in a field.
    story.driver.execute_script("document.activeElement.blur()")
    story.keys(" ")
    story.wait(lambda: len(story.all(".strip li")) > before, "a page that is captured by hand")
    story.look("live")

    # The camera's picture is also shown among the devices during live view.
    story.open("devices")
    story.wait(
        lambda: (
            story.driver.execute_script(
                "return document.querySelector('.device img.drawing')?.naturalWidth ?? 0"
            )
            > 0
        ),
        "the camera's newest picture",
    )
    story.look("devices-live")

    # A later visitor can watch, too.
    story.open("scan")
    story.open("live")
    story.wait(lambda: film_is_shown(story), "the picture of the running watch")
    story.wait(
        lambda: len(story.all(".strip .there")) > before, "the pages that were captured before"
    )

    story.quiet()
    # The network, the camera's program and the readers are lost during live view, which continues
    # with the next pages.
    before = len(story.all(".strip li"))
    story.lose(story.wire.cut, story.wire.mend)
    story.wait(lambda: film_is_shown(story), "the picture after all that")
    story.wait(
        lambda: len(story.all(".strip .there")) > before, "a page that is laid there after all that"
    )
    assert len(story.host.json("/api/v1/jobs")["jobs"]) == 1, "the same watch continues"

    story.host.kill()
    story.host.start()
    story.wait(
        lambda: "restarted" in story.one(".stage").text,
        "the message that the host restarted",
    )
    story.look("live-cut")
    story.press("Start")
    story.wait(lambda: story.all(".strip li"), "a page after the host came back")
    story.press("Finish")
    story.follow(".stage a[href^='#document/']")
    story.wait(lambda: story.all(".text .word"), "what is written on the pages")
    story.open("jobs")
    # The host delivers what it captured before it was killed, and the document is still open for
    # more pages.
    story.wait(
        lambda: [
            len(document["deliveries"]) for document in story.host.json("/api/v1/jobs")["jobs"]
        ]
        == [1, 1],
        "both documents",
    )
    assert not [
        text for text in story.texts("button") if text == "Deliver"
    ], "nothing is left to deliver"
    assert "can be continued" in story.one("main").text
    # The pages are not needed, so they are deleted after a confirmation.
    story.driver.execute_script("window.confirm = () => true")
    story.press("Delete")
    story.wait(lambda: "No interrupted jobs" in story.one("main").text, "nothing kept anymore")
    assert not story.host.json("/api/v1/jobs")["stored"]
print("live")
