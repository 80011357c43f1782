"""Someone gives a scanner a name and makes it the default, undoes both, and reads why a device
can't be used. The scanner is shared on the network, with straightened pages and their text.
"""

import json

from browser import Keys, Story


def tags(story) -> list[str]:
    return story.texts("section[aria-label='Virtual flatbed'] .names button.tag")


def name(story, text: str) -> None:
    story.one("section[aria-label='Virtual flatbed'] .names input").send_keys(text + Keys.ENTER)


with Story(COPYSTAND_VIRTUAL_PAGES="") as story:
    story.open("devices")
    name(story, "desk")
    story.wait(lambda: tags(story) == ["desk ×"], "the name")
    assert (
        story.driver.switch_to.active_element.get_attribute("aria-label")
        == "A name of your own for Virtual flatbed"
    )
    # A colon separates a backend from its device.
    name(story, "a:b")
    story.wait(lambda: "can't be a device's name" in story.one("#told").text, "why it is not a name")
    story.follow("button[aria-label='Use Virtual flatbed by default']")
    story.wait(
        lambda: (
            story.one("button[aria-label='Use Virtual flatbed by default']").get_attribute(
                "aria-pressed"
            )
            == "true"
        ),
        "the default device",
    )
    assert story.host.run("device", "default").strip() == "virtual:flatbed"
    story.look("devices-named")
    story.stumble()
    story.wait(lambda: tags(story) == ["desk ×"], "the name that was given before")
    story.open("scan")
    assert story.attribute("select[name=device]", "value") == "virtual:flatbed"
    assert "desk" in story.texts("select[name=device] option")
    # Changes by a command are shown when the view is opened.
    story.host.run("device", "alias", "attic", "virtual:feeder")
    story.open("devices")
    story.wait(
        lambda: "attic ×" in story.texts(".names button.tag"), "the name from the command line"
    )
    story.follow("button[aria-label='Remove the name desk']")
    story.wait(lambda: tags(story) == [], "the name gone")
    story.follow("button[aria-label='Use Virtual flatbed by default']")
    story.wait(
        lambda: (
            story.one("button[aria-label='Use Virtual flatbed by default']").get_attribute(
                "aria-pressed"
            )
            == "false"
        ),
        "no default device",
    )
    # The scanner is shared on the network, and the processing of its pages there is set.
    flatbed = "section[aria-label='Virtual flatbed']"
    assert not story.all(f"{flatbed} select"), "a choice for a device that is not shared"
    story.follow("button[aria-label='Share Virtual flatbed on the network']")
    profile = f"{flatbed} select[aria-label*='scanned from Virtual flatbed']"
    story.wait(lambda: story.all(profile), "the choice of what is done with its pages")
    assert story.attribute(profile, "value") == "none"
    assert not story.all(f"{flatbed} input[type=checkbox]:checked")

    def share() -> dict:
        (only,) = json.loads(story.host.run("share", "--json"))["shares"]
        return only

    story.follow(f"{profile} option[value=document]")
    story.wait(lambda: share().get("profile") == "document", "the profile")
    story.follow(f"{flatbed} input[type=checkbox]")
    story.wait(lambda: share().get("readsText") is True, "text in its PDFs")
    story.look("devices-shared")
    story.stumble()
    story.wait(lambda: story.all(profile), "the choice again")
    assert story.attribute(profile, "value") == "document"
    assert story.all(f"{flatbed} input[type=checkbox]:checked")
    story.follow("button[aria-label='Share Virtual flatbed on the network']")
    story.wait(lambda: not story.all(profile), "the end of the share")
    story.quiet("status of 422")

    # A listed device that can't be used shows the reason and advice.
    story.host.stop()
    story.host.environment["COPYSTAND_VIRTUAL_PAGES"] = gone = str(story.host.folder / "gone")
    story.host.start()
    story.wait(lambda: story.texts("#link") == [""], "the host to be there again")
    story.open("scan")
    story.open("devices")
    said = story.wait(
        lambda: [
            text for text in story.texts("section[aria-label='Virtual flatbed']") if gone in text
        ],
        "what is wrong with the scanner",
    )[0]
    assert "Fix or unset COPYSTAND_VIRTUAL_PAGES" in said, said
    story.look("devices-offline")
print("named")
