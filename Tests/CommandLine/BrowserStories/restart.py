"""The host is killed in the middle of a scan and restarted: the page says so, the job continues
automatically, and no page is lost.
"""

from browser import Story

with Story() as story:
    story.scan("document")
    story.wait(
        lambda: "being processed" in story.texts(".card .strip .stage-word"),
        "a captured page that is being read",
    )
    story.host.kill()
    story.wait(lambda: "lost" in story.one("#link").text, "the page to say that the host is away")
    story.look("host-away")
    story.host.start()
    story.wait(lambda: not story.one("#link").text, "the host to be back")
    story.follow("nav a[href='#jobs']")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.look("jobs-done")
    story.follow(".card a[href^='#document/']")
    story.wait(lambda: story.all(".picture svg"), "the document")
print("back")
