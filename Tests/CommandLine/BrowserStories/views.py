"""Every view is shown in light and dark colors, on a phone, a desktop and a very wide screen, at
200 % zoom, in English and in German: nothing is wider than the window, no word is cut off, and
axe finds nothing.

axe is used where COPYSTAND_AXE names its script; Scripts/test installs it. With
COPYSTAND_STORY_LENGTH=long, all four languages are shown in both colors, English with text twice
as large too, and axe looks at every size.
"""

import os
import re
from pathlib import Path

from browser import HERE, SAMPLES, SIZES, Story

AXE = os.environ.get("COPYSTAND_AXE")
IS_LONG = os.environ.get("COPYSTAND_STORY_LENGTH") == "long"
CUT_OFF = (HERE / "cutoff.js").read_text()
# The window of a desktop with everything twice as large.
ZOOMED = {"zoomed": (SIZES["desk"][0] // 2, SIZES["desk"][1] // 2)}
PAGE = HERE.parents[2] / "Sources/Host/WebPage/files"
# What is shown of a view, where that is more than its start.
PARTS = {
    "archive": (
        "archive",
        "archive?q=society&type=report",
        "archive?field=customer%3DQuill",
        "archive?in=trash",
    ),
    "document": ("document/1", "document/2", "document/4"),
    "settings": ("settings", "settings/profile/document"),
    # Who is signed in does not see it.
    "signin": (),
}


def views() -> list[str]:
    """The addresses to look at: of every view that the page has."""
    modules = re.findall(r'from "\./(\S+?\.js)"', (PAGE / "views.js").read_text())
    names = [
        re.search(r'^export const view = \{\s*name: "(\w+)"', (PAGE / module).read_text(), re.M)[1]
        for module in modules
    ]
    return [address for name in names for address in PARTS.get(name, (name,))]


def languages() -> list[str]:
    """The page's languages except English."""
    listed = re.search(r"languages = \[(.+?)\]", (PAGE / "words/words.js").read_text())[1]
    return re.findall(r'"(\w+)"', listed)[1:]


# The last one does not exist.
VIEWS = [*views(), "document/99"]
LANGUAGES = languages() if IS_LONG else languages()[:1]
RUN = """
    const done = arguments[0];
    axe.run(document, { resultTypes: ["violations"] }).then(
        ({ violations }) => done(violations.map(({ id, impact, nodes }) =>
            `${id} (${impact}) at ${nodes.slice(0, 3).map((one) => one.html.slice(0, 120))}`)),
        (problem) => done([String(problem)]));
"""


def violations(story) -> list[str]:
    if not story.driver.execute_script("return Boolean(window.axe)"):
        # The page's own policy allows no script from elsewhere; the browser's tools may.
        story.driver.add_script(Path(AXE).read_text())
    return story.driver.execute_async_script(RUN)


def look_at(story, name: str, asks_axe: bool) -> list[str]:
    """What is wrong with the view, at each size."""
    faults = []
    for size, window in (SIZES | ZOOMED).items():
        story.driver.set_window_size(*window)
        found = story.driver.execute_script(CUT_OFF, window[0] < 12 * story.text)
        if asks_axe and AXE and (IS_LONG or size in ("phone", "desk")):
            found += violations(story)
        faults += [f"{name} on a {size}: {one}" for one in found]
    story.driver.set_window_size(*SIZES["desk"])
    return faults


def look_through(story, name: str, asks_axe: bool) -> list[str]:
    faults = []
    for view in VIEWS:
        story.open(view)
        try:
            story.look(f"{name}-" + "".join(sign if sign.isalnum() else "-" for sign in view))
        except AssertionError as fault:
            # All faults are reported at the end.
            faults.append(str(fault))
        faults += look_at(story, f"{view}, {name}", asks_axe)
    return faults


def look_in_colors(story, name: str, themes: tuple[str, ...], asks_axe: bool) -> list[str]:
    faults = []
    for theme in themes:
        story.driver.set_colors(theme)
        faults += look_through(story, f"{name}-{theme}", asks_axe)
    story.driver.set_colors("light")
    return faults


with Story() as story:
    story.host.run("scan", "-d", "virtual:feeder", "-q", "-t", "Letters of the society")
    story.host.run("import", str(SAMPLES / "06-receipt.jpg"), "-p", "receipt", "-q")
    story.host.run("scan", "-d", "virtual:flatbed", "-q", "-t", "Thrown away")
    story.host.run("import", str(SAMPLES / "cards/three.jpg"), "-p", "card", "-q")
    story.host.run("edit", "1", "--type", "report", "--field", "Customer=Ada Quill", "-q")
    story.host.run("tag", "1", "museum", "-q")
    story.host.run("trash", "3", "-q")
    folder = story.host.folder / "accountant"
    story.host.run(
        "sinks", "add", "accountant", "--kind", "file", "--template", f"{folder}/{{title}}.pdf"
    )
    # A finished job is shown as it is after a scan.
    story.scan("document")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    faults = look_at(story, "a job that is done", True)
    faults += look_in_colors(story, "en", ("light", "dark"), True)
    # The view has selected documents and an open menu.
    story.open("archive")
    story.wait(lambda: story.all("main .found input"), "the documents")
    for box in story.all("main .found input")[:2]:
        box.click()
    faults += look_at(story, "selected documents", True)
    story.follow(".selected summary")
    faults += look_at(story, "a menu of the selection", True)
    story.open("document/1")
    story.press("Crop")
    story.wait(lambda: story.all(".cutting .handle"), "the frame")
    faults += look_at(story, "cropping", True)
    for language in LANGUAGES:
        with Story(language=language, host=story.host) as other:
            themes = ("light", "dark") if IS_LONG else ("light",)
            faults += look_in_colors(other, language, themes, IS_LONG)
            other.quiet("status of 404")
    if IS_LONG:
        with Story(text=32, host=story.host) as large:
            faults += look_in_colors(large, "large", ("light",), True)
            large.quiet("status of 404")
    assert not faults, "\n".join(faults)
    story.quiet("status of 404")
print("seen all over")
