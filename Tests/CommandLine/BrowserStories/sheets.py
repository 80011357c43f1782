"""Someone captures sheet after sheet from the glass as one document, and splits a stack from the
feeder at separator sheets.
"""

import subprocess

from browser import By, Keys, Story


def choose(story, name: str, value: str) -> None:
    for option in story.all(f"select[name={name}] option"):
        if option.get_attribute("value") == value:
            option.click()


with Story(COPYSTAND_VIRTUAL_PAGES="") as story:
    story.open("scan")
    choose(story, "device", "virtual:flatbed")
    choose(story, "profile", "none")
    story.follow("input[name=several]")
    story.press("Scan")
    story.wait(lambda: story.all(".asks"), "the question for another sheet")
    story.look("scan-another")
    # The space bar captures a sheet without beginning another document.
    story.driver.find_element(By.TAG_NAME, "main").send_keys(Keys.SPACE)
    story.wait(
        lambda: (
            len(story.host.json("/api/v1/jobs")["jobs"][0]["pages"]) == 2 and story.all(".asks")
        ),
        "the question after the second sheet",
    )
    # This also works after a change of views, and from another view.
    story.open("jobs")
    story.press("Finish the document")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    [job] = story.host.json("/api/v1/jobs")["jobs"]
    assert [one["pages"] for one in job["deliveries"]] == [2], job
    assert not story.all(".asks")
    story.quiet()

with Story() as story:
    pages = story.host.folder / "pages"
    sheet = story.host.folder / "sheet.pdf"
    story.host.run("separator", "-o", str(sheet))
    subprocess.run(
        [
            "pdftoppm",
            "-r",
            "150",
            "-gray",
            "-png",
            "-singlefile",
            str(sheet),
            str(pages / "01-sheet"),
        ],
        check=True,
    )
    story.open("scan")
    choose(story, "device", "virtual:feeder")
    choose(story, "profile", "none")
    story.one("select[name=splitAt]").find_element(By.XPATH, "./ancestor::details/summary").click()
    choose(story, "splitAt", "barcode")
    field = story.one("input[name=pattern]")
    field.send_keys("(")
    story.press("Scan")
    story.wait(lambda: story.texts("form [role=alert]")[0], "why that is not a pattern")
    story.look("scan-splitting")
    story.stumble()
    choose(story, "splitAt", "separator")
    story.press("Scan")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    assert story.texts(".out a[href^='#document/']") == ["Document 1", "Document 2"]
    story.wait(lambda: len(story.all(".strip .there")) == 4, "the pages' pictures")
    story.look("scan-split")
    story.all(".out a[href^='#document/']")[1].click()
    story.wait(lambda: len(story.all(".pages.review > li")) == 2, "the second document's pages")
    story.quiet("status of 422")
print("one by one")
