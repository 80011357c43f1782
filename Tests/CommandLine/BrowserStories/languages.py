"""The page is used in French, in Spanish, and with text twice as large: every view fits, and what
is scanned in one language is found in another.
"""

from browser import Story

VIEWS = (
    "scan",
    "archive",
    "archive?q=society",
    "document/1",
    "jobs",
    "devices",
    "settings",
    "live",
)
WORDS = {
    "fr": ("Numériser", "Terminé", "Télécharger le PDF"),
    "es": ("Escanear", "Listo", "Descargar PDF"),
}


def look_through(story, name: str) -> None:
    for view in VIEWS + ("help", "more", "settings/profile/document"):
        story.open(view)
        story.look(f"{name}-{view.replace('/', '-').replace('?', '-')}")


with Story(language="fr") as story:
    scan, done, download = WORDS["fr"]
    story.open("scan")
    assert story.driver.execute_script("return document.documentElement.lang") == "fr"
    for option in story.all("form.scanning select[name=device] option"):
        if "feeder" in option.text:
            option.click()
    story.press(scan)
    story.wait(lambda: done in story.texts(".job strong"), "the job's end")
    story.wait(lambda: download in story.texts(".job.chosen a.main"), "the way to the PDF")
    look_through(story, "french")
    # The language is changed on the page, too.
    with Story(language="es", host=story.host) as other:
        scan, done, download = WORDS["es"]
        other.open("scan")
        assert scan in other.texts("form.scanning button.main")
        other.wait(lambda: done in other.texts(".job strong"), "the other browser's job")
        look_through(other, "spanish")
        other.open("settings")
        other.one("select[name=language] option[value=de]").click()
        other.wait(lambda: "Einstellungen" in other.texts("main h2"), "the page in German")
        other.quiet()
    with Story(host=story.host, text=32) as large:
        large.open("help")
        size = large.driver.execute_script(
            "return parseFloat(getComputedStyle(document.documentElement).fontSize)"
        )
        assert size >= 32, size
        look_through(large, "large")
        large.quiet()
    story.quiet()
print("spoken")
