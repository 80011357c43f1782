"""On a phone, the page can be installed, opens while the host is off, and accepts photos that the
phone's other programs share. The rarely needed views are under the last tab.
"""

import base64
import json
import urllib.request

from browser import SAMPLES, SIZES, Story

with Story() as story:
    # The page has what makes it installable.
    with urllib.request.urlopen(story.host.address + "/copystand.webmanifest") as answer:
        assert answer.headers["Content-Type"] == "application/manifest+json", answer.headers
        manifest = json.load(answer)
    assert manifest["display"] == "standalone" and manifest["share_target"]["method"] == "POST"
    for icon in manifest["icons"]:
        with urllib.request.urlopen(f"{story.host.address}/{icon['src']}") as answer:
            assert answer.headers["Content-Type"] == icon["type"], icon
    story.open("archive")
    if not story.is_firefox:
        problems = story.driver.execute_cdp_cmd("Page.getInstallabilityErrors", {})
        assert problems["installabilityErrors"] == [], problems

    # The tabs are at the bottom, where the thumb reaches them.
    story.driver.set_window_size(*SIZES["phone"])
    tabs = [one for one in story.all("nav a") if one.is_displayed()]
    assert [one.text for one in tabs] == ["Scan", "Live", "Archive", "Jobs", "More"], tabs
    height = story.driver.execute_script("return innerHeight")
    assert all(one.rect["y"] > height - 90 and one.rect["height"] >= 44 for one in tabs)
    tabs[-1].click()
    story.wait(lambda: story.all("main a[href='#devices']"), "the other views")
    story.look("more")
    story.driver.set_window_size(*SIZES["phone"])
    story.follow("main a[href='#devices']")
    story.wait(lambda: story.all("section.device"), "the devices")
    marked = [one.text for one in story.all("nav a[aria-current]") if one.is_displayed()]
    assert marked == ["More"], marked

    # If the page is opened while the host is off, it says so, and continues automatically.
    story.wait(
        lambda: story.driver.execute_async_script(
            "const done = arguments[0];"
            " navigator.serviceWorker.ready.then(() => caches.open('page-1'))"
            ".then((store) => store.match('/archive/results.js')).then((kept) => done(Boolean(kept)))"
        ),
        "the page's files to be kept",
    )
    story.wire.cut()
    story.driver.refresh()
    story.wait(lambda: "does not answer" in story.one("main").text, "that the host is away")
    story.wire.mend()
    story.wait(lambda: story.all("section.device"), "the devices, when the host is back")
    story.driver.get_log("browser")

    # A photo that another program shares waits under its name, and becomes a document when someone
    # presses. The browser comes by itself with what was shared, as if an address was typed.
    photo = base64.b64encode((SAMPLES / "01-letter.jpg").read_bytes()).decode()
    key = story.driver.execute_async_script(
        "const [photo, done] = arguments;"
        " const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));"
        " const file = new File([bytes], 'IMG_1.jpg', { type: 'image/jpeg' });"
        " import('/scan/shared.js').then(({ keep }) => keep([file])).then(done)",
        photo,
    )
    story.open("scan")
    assert "IMG_1.jpg" not in story.one("main").text, "a share that the host has not confirmed"
    story.driver.get(f"{story.wire.address}/share/{key}")
    story.wait(lambda: "IMG_1.jpg" in story.texts(".shared li"), "the photo's name")
    story.look("shared")
    story.driver.set_window_size(*SIZES["phone"])
    assert story.host.json("/api/v1/documents")["documents"] == [], "nobody has pressed"
    story.press("Scan these files")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the photo as a document")
    story.wait(lambda: not story.one(".shared").is_displayed(), "the end of the share")
    assert len(story.host.json("/api/v1/documents")["documents"]) == 1
    # One tap makes a page fill the screen.
    story.follow(".job.chosen .strip a[href]")
    picture = story.wait(lambda: story.all(".picture svg"), "the page")[0]
    assert picture.rect["width"] > 0.8 * SIZES["phone"][0] * 0.9, picture.rect
    # A swipe shows the next page.
    story.host.run("scan", "-d", "virtual:feeder", "-p", "none", "-q")
    story.open("document/2")
    story.wait(lambda: "Page 1 of 3" in story.texts(".zoom .soft"), "the first page")
    # The small pictures are above the tabs, within reach of the thumb; a tap shows a page.
    strip, tabs = story.one(".in-pages").rect, story.one("nav").rect
    assert height / 2 < strip["y"] and strip["y"] + strip["height"] <= tabs["y"] + 4, (strip, tabs)
    story.follow(".pages.review li:nth-child(2)")
    story.wait(lambda: "Page 2 of 3" in story.texts(".zoom .soft"), "the page that was tapped")
    story.follow(".pages.review li:nth-child(1)")
    story.wait(lambda: "Page 1 of 3" in story.texts(".zoom .soft"), "the first page again")
    story.swipe((SIZES["phone"][0] * 0.8, 350), by=-180)
    story.wait(lambda: "Page 2 of 3" in story.texts(".zoom .soft"), "the second page")

    # A finger pulls a corner of the crop up, and the page does not scroll meanwhile. What can be
    # pressed then is in the window.
    story.follow("[data-keep=cut]")
    corner = story.wait(lambda: story.all(".handle"), "the corners")[2]
    story.driver.execute_script("arguments[0].scrollIntoView({ block: 'center' })", corner)
    before = corner.rect
    at = story.driver.execute_script(
        "const box = arguments[0].getBoundingClientRect();"
        " return [box.x + box.width / 2, box.y + box.height / 2]",
        corner,
    )
    top = story.driver.execute_script("return scrollY")
    story.swipe((at[0] - 4, at[1]), by=-80, down=-160)
    left, up = (before[name] - corner.rect[name] for name in ("x", "y"))
    assert 40 < left < 110 and 120 < up < 200, (left, up)
    assert story.driver.execute_script("return scrollY") == top, "the page scrolled"
    story.driver.execute_script("scrollTo(0, 0)")
    foot = story.one("nav").rect["y"]
    for button in story.all(".cutting button"):
        assert button.rect["y"] + button.rect["height"] < foot, button.text
    story.press("Cancel")

    # More photos are added to the document of the last one, in the same place.
    story.open("scan")
    story.one("form.drop input[type=file]").send_keys(str(SAMPLES / "01-letter.jpg"))
    story.wait(lambda: "Add pages" in story.texts(".job.chosen .out label"), "the way to add pages")
    documents = len(story.host.json("/api/v1/documents")["documents"])
    story.one(".job.chosen .out input[type=file]").send_keys(str(SAMPLES / "02-minutes.jpg"))
    story.wait(lambda: len(story.all(".job.chosen .strip li")) == 2, "two pages in one document")
    story.wait(lambda: "The pages were added." in story.one("#told").text, "that they were added")
    assert len(story.host.json("/api/v1/documents")["documents"]) == documents
    assert story.texts(".job.chosen .top strong") == ["Done"]
    # Nothing is in the trash that nobody put there.
    assert story.host.json("/api/v1/documents?trash=true")["total"] == 0
    # A file without a page is reported and shown, and the document stays as it is.
    before_it = len(story.all(".job"))
    (story.host.folder / "notes.txt").write_text("no picture")
    story.one(".job.chosen .out input[type=file]").send_keys(str(story.host.folder / "notes.txt"))
    story.wait(lambda: "notes.txt" in story.one("#told").text, "that it is not a picture")
    story.wait(lambda: len(story.all(".job")) == before_it + 1, "the job that failed")
    assert [len(card.find_elements("css selector", ".strip li")) for card in story.all(".job")][
        1
    ] == 2
    story.quiet("status of 404")
print("in the pocket")
