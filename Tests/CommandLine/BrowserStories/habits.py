"""Someone who scans the same things every day: the page remembers the device and its settings,
shows what a scan will do, scans by a shortcut, and passes the result to the system's share sheet
and to a service.
"""

from browser import Story

SHARE = """
window.shared = [];
navigator.canShare = () => true;
navigator.share = async ({ files }) => {
  for (const file of files) shared.push([file.name, file.type, file.size]);
};
"""


def choose(story, name: str, value: str) -> None:
    for option in story.all(f"form.scanning select[name={name}] option"):
        if option.get_attribute("value") == value:
            option.click()


def plan(story) -> str:
    return story.one(".plan").text


with Story(COPYSTAND_VIRTUAL_PAGES="") as story:
    folder = story.host.folder / "accountant"
    folder.mkdir()
    story.host.run(
        "sinks", "add", "accountant", "--kind", "file", "--template", f"{folder}/{{title}}.pdf"
    )
    story.open("scan")
    choose(story, "device", "virtual:feeder")
    # What the device does automatically is shown before it does it.
    story.wait(
        lambda: plan(story) == "feeder · A4 · gray · 300 dpi → Document", "what is in effect"
    )
    assert "Automatic: gray" in story.texts("select[name=mode] option")
    choose(story, "source", "feeder-duplex")
    choose(story, "resolution", "150")
    choose(story, "profile", "none")
    wanted = "feeder, both sides · A4 · gray · 150 dpi → Nothing"
    story.wait(lambda: plan(story) == wanted, "what will happen")

    # The next visit finds the settings.
    story.driver.refresh()
    story.wait(lambda: story.all(".plan") and plan(story) == wanted, "them at the next visit")
    story.driver.execute_script(SHARE)

    # A shortcut begins with one press what is filled in now.
    story.one("input[aria-label='Name of the shortcut']")
    story.driver.execute_script(
        "document.querySelector(\"input[aria-label='Name of the shortcut']\")"
        ".closest('details').open = true"
    )
    name = story.one("input[aria-label='Name of the shortcut']")
    # A name is proposed, which says what the shortcut does.
    story.wait(lambda: name.get_attribute("value") == plan(story), "the proposed name")
    name.clear()
    name.send_keys("Receipts → accountant")
    story.press("Save")
    story.wait(lambda: story.all(".shortcuts button"), "the shortcut")
    choose(story, "source", "flatbed")
    story.look("scan-shortcut")
    story.follow(".shortcuts button")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    [job] = story.host.json("/api/v1/jobs")["jobs"]
    assert job["profile"] == "none" and job["devices"] == ["virtual:feeder"], job
    # The feeder has ten sheets, and their backs were captured too.
    assert len(job["pages"]) == 20, len(job["pages"])

    # The share sheet gets a PDF that is called as the document is.
    story.press("Share")
    [[name, kind, size]] = story.wait(
        lambda: story.driver.execute_script("return shared.length ? shared : undefined"),
        "the file that is shared",
    )
    title = story.host.json("/api/v1/documents/1")["document"]["title"]
    called = title.replace(":", "-") + ".pdf"
    assert (name, kind) == (called, "application/pdf") and size > 10_000, (name, size)
    story.follow(".job.chosen .menu summary")
    story.press("accountant")
    story.wait(lambda: "Delivered to accountant" in story.one("#told").text, "the answer")
    assert list(folder.iterdir()), "nothing came to the accountant"
    story.press("Scan more")
    story.wait(lambda: story.one("form.scanning").is_displayed(), "the form again")

    story.quiet()
print("as always")
