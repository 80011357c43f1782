"""Someone uses the page for the first time, and is never left alone: after a scan the form is there
again, what is edited is shown everywhere, nothing covers a button, and files keep their names.
"""

import http.server
import re
import shutil
import threading

from browser import PAGES, SAMPLES, SIZES, Story

# Windows of laptops, in which a document's pages, tools and view must fit.
LAPTOPS = ((1280, 720), (1440, 900))
# What is under the message at the foot of the page, as texts.
COVERED = """
    const own = document.getElementById("told").getBoundingClientRect();
    if (!own.height) return ["no message"];
    return [...document.querySelectorAll(
        "main :is(a[href], button, input, select, textarea, summary), nav a")]
        .filter((one) => one.checkVisibility({ opacityProperty: true }))
        .filter((one) => {
            const { left, right, top, bottom } = one.getBoundingClientRect();
            return left < own.right && right > own.left && top < own.bottom && bottom > own.top;
        })
        .map((one) => one.textContent || one.getAttribute("aria-label") || one.name);
"""
# What of a document is not in the window, and whether its tools take more than one row.
OUTSIDE = """
    const box = (selector) => document.querySelector(selector).getBoundingClientRect();
    const found = [".pages.review", ".paper", ".paper .zoom", ".tools"].filter((selector) => {
        const { top, bottom } = box(selector);
        return top < 0 || bottom > innerHeight;
    });
    const tops = [...document.querySelectorAll(".tools > :is(button, label)")]
        .map((one) => Math.round(one.getBoundingClientRect().top));
    if (new Set(tops).size !== 1) found.push(`rows of tools at ${[...new Set(tops)]}`);
    const bar = document.querySelector(".tools");
    if (bar.scrollWidth > bar.clientWidth + 1) found.push("tools beside the window");
    return found;
"""


class Service(http.server.BaseHTTPRequestHandler):
    """Accepts everything from anyone with the token, and keeps the paths."""

    paths = []

    def do_POST(self):
        self.rfile.read(int(self.headers.get("Content-Length") or 0))
        isKnown = self.headers["Authorization"] == "Bearer open sesame"
        self.paths.append((self.path, isKnown))
        self.send_response(200 if isKnown else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_OPTIONS = do_GET = do_HEAD = do_POST

    def log_message(self, *_):
        """Nothing else may be in a story's output."""


def captions(story) -> list[str]:
    """The words under the pages of the newest job."""
    return story.driver.execute_script(
        "return [...document.querySelector('.job').querySelectorAll('.strip .soft')].map((one) =>"
        " one.textContent)"
    )


def shapes(story) -> list[bool]:
    """Whether each page of the newest job is wider than tall, by its drawing."""
    return story.driver.execute_script(
        "return [...document.querySelector('.job').querySelectorAll('.strip svg.sheet')]"
        ".map(({ viewBox: { baseVal } }) => baseVal.width > baseVal.height)"
    )


def scan(story) -> None:
    story.scan()
    # As long as pages are captured and read, the bar is not full.
    part = "return [...document.querySelectorAll('.job.chosen progress')].map((one) => one.position)"
    full = []
    story.wait(
        lambda: (
            full.extend(one for one in story.driver.execute_script(part) if one >= 1)
            or "Done" in story.texts(".job.chosen strong")
        ),
        "the job's end",
    )
    assert not full or max(full) <= 1 and len(full) < 3, full


def after_a_scan(story) -> None:
    """What can be done next is there, on a desk and on a phone."""
    for size in ("desk", "phone"):
        story.driver.set_window_size(*SIZES[size])
        assert story.one("form.scanning button.main").is_displayed(), size
        assert story.one(".job.chosen a.main").is_displayed(), size
    more = [one for one in story.all("[data-more]") if one.is_displayed()]
    assert [one.text for one in more] == ["Scan more"], "no next step on a phone"
    story.driver.set_window_size(*SIZES["desk"])
    title = story.host.json("/api/v1/documents/1")["document"]["title"]
    assert re.fullmatch(r"Scan of \d{4}-\d\d-\d\d, \d\d:\d\d", title), title


def fits(story) -> None:
    for width, height in LAPTOPS:
        # The window's own frame is beside its view.
        story.driver.set_window_size(width, height)
        inner = story.driver.execute_script("return [innerWidth, innerHeight]")
        story.driver.set_window_size(2 * width - inner[0], 2 * height - inner[1])
        outside = story.driver.execute_script(OUTSIDE)
        assert not outside, f"{width} × {height}: {outside}"
    story.driver.set_window_size(*SIZES["desk"])


def edits(story) -> None:
    """The page that is looked at stays, and a job's card shows the document as it is now."""
    story.follow(".job.chosen a[href='#document/1']")
    story.wait(lambda: len(story.all(".pages.review li")) == 3, "three pages")
    fits(story)
    story.press("Turn right")
    wide = "return document.querySelector('.picture svg').viewBox.baseVal"
    story.wait(
        lambda: (
            story.driver.execute_script(f"{wide}.width") > story.driver.execute_script(f"{wide}.height")
        ),
        "the page on its side",
    )
    story.driver.execute_script("document.querySelectorAll('.pages.review li')[2].click()")
    story.wait(lambda: "Page 3 of 3" in story.texts(".zoom .soft"), "the last page")
    story.press("Delete")
    story.wait(lambda: "Page 2 of 2" in story.texts(".zoom .soft"), "the page beside it")
    assert not story.driver.execute_script(COVERED), "a message over a button"
    story.follow("#told button:not(.closing)")
    story.wait(lambda: "Page 3 of 3" in story.texts(".zoom .soft"), "the page that is back")
    story.press("Delete")
    story.wait(lambda: "Page 2 of 2" in story.texts(".zoom .soft"), "the page gone again")
    for view in ("jobs", "scan"):
        story.open(view)
        story.wait(lambda: shapes(story) == [True, False], f"the pages as they are, in {view}")


def goes_out(story, folder) -> None:
    """Where a document went, and when, stays in its head."""
    story.open("document/1")
    story.wait(lambda: story.all(".picture svg"), "the page")
    story.follow(".heading .menu:has(.icon) summary")
    story.press("shelf")
    sign = r"Delivered to shelf, .*\d\d? ?(AM|PM)?"
    story.wait(
        lambda: any(re.search(sign, text) for text in story.texts(".delivered")), "the sign"
    )
    assert not story.driver.execute_script(COVERED), "a message over a button"
    assert list(folder.iterdir()), "nothing came to the folder"
    story.driver.refresh()
    story.wait(
        lambda: any(re.search(sign, text) for text in story.texts(".delivered")), "it later"
    )


def uploads(story) -> None:
    names = ("Rent 2026.jpg", "Water bill.jpg")
    files = [story.host.folder / name for name in names]
    for file, sample in zip(files, PAGES, strict=False):
        shutil.copy(SAMPLES / sample, file)
    story.open("scan")
    story.one("input[type=file]").send_keys("\n".join(map(str, files)))
    story.wait(
        lambda: [text.split(" · ")[0] for text in captions(story)] == list(names),
        "the pages with the names of their files",
    )
    story.wait(lambda: "Done" in story.texts(".job.chosen strong"), "the job's end")


def destinations(story) -> None:
    """A folder is added at the host, and the page says how; a service is changed."""
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{service.server_port}"
    (story.host.folder / "token").write_text("open sesame\n")
    story.host.run(
        "sinks", "add", "desk", "-k", "webhook", "--url", address + "/in",
        "--token-file", str(story.host.folder / "token"),
    )  # fmt: skip
    story.open("settings")
    assert "sudo" not in story.one("main").text, "what only an administrator can do"
    story.follow("section[aria-label='Where documents go'] > details > summary")
    story.follow("select[name=kind] option[value=file]")
    said = story.one("section[aria-label='Where documents go']").text
    assert "copystand sinks add" in said and "--kind file" in said, said
    story.look("sink-folder")
    story.follow("button[aria-label='Change “desk”']")
    field = story.one(".changing input[name='setting.url']")
    assert field.get_attribute("value") == address + "/in"
    secret = story.one(".changing input[name='setting.token']")
    assert secret.get_attribute("value") == "" and "unchanged" in secret.get_attribute("placeholder")
    story.look("sink-changing")
    field = story.one(".changing input[name='setting.url']")
    field.clear()
    field.send_keys("http://localhost:9/in")
    story.driver.execute_script("document.querySelector('.changing button.main').click()")
    story.wait(
        lambda: "again" in story.one(".changing .bad").text, "that the token is not sent elsewhere"
    )
    field.clear()
    field.send_keys(address + "/other")
    story.driver.execute_script("document.querySelector('.changing button.main').click()")
    story.wait(lambda: any("/other" in text for text in story.texts(".rows li")), "the new address")
    story.driver.execute_script(
        "document.querySelector(\"button[aria-label='Test “desk”']\").click()"
    )
    story.wait(
        lambda: any("It works" in text for text in story.texts(".rows [role=status]")),
        "the service's answer",
    )
    assert Service.paths[-1] == ("/other", True), Service.paths
    service.shutdown()
    service.server_close()


with Story() as story:
    out = story.host.folder / "shelf"
    out.mkdir()
    story.host.run("sinks", "add", "shelf", "-k", "file", "--template", f"{out}/{{title}}.pdf")
    scan(story)
    after_a_scan(story)
    story.look("scan-done")
    edits(story)
    goes_out(story, out)
    uploads(story)
    destinations(story)
    story.quiet("status of 422")
print("at home")
