"""Two browsers are at one host: a scan in one is shown in the other, and so are changes to the
document.
"""

from browser import Story

with Story() as one, Story(language="de", dark=True, host=one.host) as other:
    other.open("scan")
    assert other.driver.execute_script("return document.documentElement.lang") == "de"
    one.scan()
    other.wait(
        lambda: "Fertig" in other.texts(".card strong"), "the end of the other browser's scan"
    )
    other.look("dark-german")
    for view in ("settings", "settings/profile/document", "live", "help"):
        other.open(view)
        other.look("dark-" + view.split("/")[-1])
    other.open("devices")
    other.press("Optionen")
    other.wait(lambda: "Helligkeit" in other.one("main").text, "the options in German")
    other.look("dark-devices")
    other.open("scan")
    for option in other.all("select[name=device] option"):
        if option.text == "Virtual flatbed":
            option.click()
    other.press("Vorschau")
    other.wait(lambda: other.all("svg.glass image"), "the picture of the glass")
    other.look("dark-preview")
    for story in (one, other):
        story.open("document/1")
        story.wait(lambda: story.all(".picture svg"), "the document")
    one.press("Delete")
    one.wait(lambda: len(one.all(".pages.review li")) == 2, "one page fewer")
    # The other browser still shows three pages; its next action applies to the document's current
    # state.
    other.press("Nach rechts drehen")
    other.wait(lambda: len(other.all(".pages.review li")) == 2, "the document as it is now")
    one.quiet()
    # The preview may be using the device when its options are checked.
    other.quiet("/check")
print("together")
