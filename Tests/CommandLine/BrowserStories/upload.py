"""Someone sends two photos from a phone, and finds the resulting document."""

from browser import PAGES, SAMPLES, Story

with Story() as story:
    story.open("scan")
    story.look("upload-empty")
    story.stumble()
    story.one("input[type=file]").send_keys("\n".join(str(SAMPLES / name) for name in PAGES[:2]))
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.follow(".card a[href^='#document/']")
    story.wait(
        lambda: len(story.all("main ol.pages li")) == 2 or len(story.all("[role=option]")) == 2,
        "two pages of one document",
    )
    story.wait(lambda: story.all(".text .word"), "words on the first page")
    # A file that is not a picture is reported and has no other effect.
    story.open("scan")
    (story.host.folder / "notes.txt").write_text("no picture")
    story.one("input[type=file]").send_keys(str(story.host.folder / "notes.txt"))
    story.wait(lambda: "Failed" in story.texts(".card strong"), "the note that it is not a picture")
    story.press("Scan more")
    story.quiet()
print("sent")
