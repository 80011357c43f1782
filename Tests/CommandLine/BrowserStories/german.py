"""Someone whose browser is in German scans, looks at the steps and the devices, and reads error
messages in German.
"""

from browser import Story

with Story(language="de") as story:
    story.open("scan")
    assert story.driver.execute_script("return document.documentElement.lang") == "de"
    for name, wanted in (("device", "feeder"), ("profile", "Keine Bearbeitung")):
        for option in story.all(f"form:not(.drop) select[name={name}] option"):
            if wanted in option.text:
                option.click()
    story.press("Scannen")
    story.wait(lambda: "Fertig" in story.texts(".job strong"), "the job's end")
    assert "Seiten: 3" in story.texts(".job [role=status]"), story.texts(".job [role=status]")
    story.look("german-scan")
    story.stumble()

    story.open("settings/profile/document")
    story.wait(lambda: story.all(".steps li"), "the profile's steps")
    steps = story.one(".steps")
    assert "Auf das Papier zuschneiden" in steps.text and not steps.find_elements(
        "css selector", "[lang=en]"
    ), steps.text
    story.look("german-profile")

    story.open("devices")
    story.press("Optionen")
    story.wait(lambda: "Helligkeit" in story.one("main").text, "the options in German")
    story.look("german-devices")

    # The host's own message about this error is shown in English.
    story.open("document/99")
    story.wait(
        lambda: "Dieses Dokument gibt es nicht" in story.one("main [role=alert]").text,
        "the problem in German",
    )
    assert "99" in story.one("main [role=alert] [lang=en]").text
    story.quiet("status of 404")
print("deutsch")
