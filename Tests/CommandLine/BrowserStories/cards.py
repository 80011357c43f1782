"""A stack of cards is counted and valued: names and values are corrected with the keyboard, the
total is updated, and everything is saved.
"""

from browser import Keys, Story

CARDS = (("Storm Giant", "3.20 EUR"), ("Moss Elf", ""), ("Sea Drake", "1.05 EUR"))
CARD = """<body style='margin:0;background:#26302c'>
<div style='position:absolute;left:228px;top:132px;width:744px;height:1036px;background:#fbfaf5;
color:black;font:bold 64px sans-serif;text-align:center;border-radius:8px'>
<p style='margin:70px 0 40px'>{name}</p>
<div style='margin:0 60px;height:420px;background:#9fc4d8'></div>
<p style='font:34px/1.4 serif;margin:50px 70px'>When this card comes into play, draw two more and rest.</p>
<p style='font:bold 48px sans-serif'>{value}</p></div>"""


def heading(story):
    return story.one("section[aria-label=Cards] h3").text


def pages(story):
    return len(story.all(".pages.review li"))


with Story() as story:
    pictures = [
        story.drawn(f"{number}.png", CARD.format(name=name, value=value), 1200, 1300)
        for number, (name, value) in enumerate(CARDS, 1)
    ]
    story.send(*pictures, profile="Cards")
    story.wait(lambda: len(story.all(".cardrow")) == 3, "three cards")
    assert heading(story) == "Cards: 3 · total 4.25 EUR · without a value: 1", heading(story)
    names = story.driver.execute_script(
        "return [...document.querySelectorAll('[data-keep^=title-]')].map((one) => one.value)"
    )
    assert names == [name for name, _ in CARDS], names
    story.look("cards")
    story.stumble()

    # Enter moves from value to value, and the total is updated.
    story.focus("[data-value]")
    story.keys(Keys.CONTROL, "a", Keys.NULL, "10,00 EUR", Keys.ENTER)
    story.wait(lambda: "total 11.05 EUR" in heading(story), "the new total")
    assert story.driver.switch_to.active_element.get_attribute("data-keep") == "value-2"
    story.keys("2", Keys.ENTER)
    story.wait(lambda: heading(story) == "Cards: 3 · total 13.05 EUR", "a total of all three")
    story.keys(Keys.CONTROL, "a", Keys.NULL, "mint", Keys.TAB)
    story.wait(
        lambda: story.all("[data-value][aria-invalid=true]"), "the note that this is not an amount"
    )
    assert heading(story) == "Cards: 3 · total 13.05 EUR", heading(story)
    story.look("cards-wrong")
    story.focus("[data-keep=value-3]")
    story.keys(Keys.CONTROL, "a", Keys.NULL, "1.05 EUR", Keys.TAB)
    story.wait(lambda: not story.all("[data-value][aria-invalid=true]"), "the amount taken")

    # A card is removed and restored together with its page.
    story.focus("[data-entry='2'] input")
    story.keys(Keys.DELETE)
    story.wait(
        lambda: heading(story) == "Cards: 2 · total 11.05 EUR" and pages(story) == 2,
        "the card and its page gone",
    )
    story.keys(Keys.CONTROL, "z", Keys.NULL)
    story.wait(
        lambda: heading(story) == "Cards: 3 · total 13.05 EUR" and pages(story) == 3,
        "the card and its page again",
    )

    story.press("Mark as reviewed")
    story.wait(lambda: "Reviewed" in story.texts("button:disabled"), "the session saved")
    fields = {
        field["name"]: field["value"] for field in story.host.json("/api/v1/documents/1")["fields"]
    }
    assert (fields["cards"], fields["total-value"]) == ("3", "13.05 EUR"), fields
    story.quiet()
print("counted")
