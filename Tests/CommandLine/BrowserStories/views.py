"""Every view is shown in light and dark colors, on a phone, a desktop and a very wide screen, at
200 % zoom, in English and in German: nothing is wider than the window, no word is cut off, and
axe finds nothing.

axe is used where COPYSTAND_AXE names its script; Scripts/test installs it.
"""

import os
from pathlib import Path

from browser import HERE, SAMPLES, SIZES, Story

AXE = os.environ.get("COPYSTAND_AXE")
CUT_OFF = (HERE / "cutoff.js").read_text()
# The window of a desktop with everything twice as large.
ZOOMED = {"zoomed": (SIZES["desk"][0] // 2, SIZES["desk"][1] // 2)}
VIEWS = (
    "scan",
    "live",
    "archive",
    "archive?q=society&type=report",
    "archive?field=customer%3DQuill",
    "archive?in=trash",
    "document/1",
    "document/2",
    "document/4",
    "jobs",
    "devices",
    "settings",
    "settings/profile/document",
    "help",
    "more",
    "document/99",
)
RUN = """
    const done = arguments[0];
    axe.run(document, { resultTypes: ["violations"] }).then(
        ({ violations }) => done(violations.map(({ id, impact, nodes }) =>
            `${id} (${impact}) at ${nodes.slice(0, 3).map((one) => one.html.slice(0, 120))}`)),
        (problem) => done([String(problem)]));
"""


def colors(story, theme: str) -> None:
    story.driver.execute_cdp_cmd(
        "Emulation.setEmulatedMedia",
        {
            "features": [
                {"name": "prefers-color-scheme", "value": theme},
                {"name": "prefers-reduced-motion", "value": "reduce"},
            ]
        },
    )


def violations(story) -> list[str]:
    if not story.driver.execute_script("return Boolean(window.axe)"):
        # The page's own policy allows no script from elsewhere; the browser's tools may.
        story.driver.execute_cdp_cmd(
            "Runtime.evaluate", {"expression": Path(AXE).read_text() + "\n0"}
        )
    return story.driver.execute_async_script(RUN)


def look_at(story, name: str, asks_axe: bool) -> list[str]:
    """What is wrong with the view, at each size."""
    faults = []
    for size, window in (SIZES | ZOOMED).items():
        story.driver.set_window_size(*window)
        found = story.driver.execute_script(CUT_OFF)
        if asks_axe and AXE and size in ("phone", "desk"):
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
    for theme in ("light", "dark"):
        colors(story, theme)
        faults += look_through(story, theme, True)
    colors(story, "light")
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
    with Story(language="de", host=story.host) as german:
        faults += look_through(german, "german", False)
        assert not faults, "\n".join(faults)
        german.quiet("status of 404")
    story.quiet("status of 404")
print("seen all over")
