"""The network is cut in the middle of a scan: the host continues, and the page continues once the
network is back.
"""

from browser import Story

with Story() as story:
    story.scan("document")
    story.wait(lambda: story.all(".strip .there"), "the first page")
    story.wire.cut()
    story.wait(lambda: "lost" in story.one("#link").text, "the page to tell that the host is away")
    story.look("network-cut")
    # Pressing the button anyway shows the error, and the button can be pressed again.
    story.press("Scan")
    story.wait(lambda: "does not answer" in story.one("#told").text, "why nothing is scanned")
    story.wait(
        lambda: story.host.json("/api/v1/jobs")["jobs"][0]["state"] == "completed",
        "the job's end, which nobody sees",
    )
    assert "Done" not in story.texts(".card strong")
    story.wire.mend()
    story.wait(lambda: not story.one("#link").text, "the host to be back")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.wait(lambda: len(story.all(".strip .there")) == 3, "every page")
    story.quiet("ERR_", "events")
print("mended")
