"""A page of a cookbook becomes entries: they are reviewed, edited, deleted, restored and saved with
the keyboard alone, and found again.
"""

from browser import Keys, Story

RECIPES = (
    (
        "Onion soup",
        (
            "Slice two pounds of onions and brown them slowly in butter. Add broth and wine, and"
            " let it simmer for an hour."
        ),
    ),
    (
        "Pea soup",
        (
            "Soak the dried peas over night. Boil them with a ham bone until they are soft, and"
            " season with marjoram."
        ),
    ),
    (
        "Plum cake",
        (
            "Spread the dough on a tray and cover it with halved plums. Bake it for forty minutes"
            " and dust it with sugar."
        ),
    ),
    (
        "Apple bread",
        (
            "Grate the apples and mix them with nuts, flour and honey. Bake the loaf for an hour at"
            " a low heat."
        ),
    ),
)
PAGE = "<body style='background:white;color:black;font:34px/1.5 serif;margin:110px'>" + "".join(
    f"<p style='margin:0 0 60px'><b>{number}. {title}</b><br>{text}</p>"
    for number, (title, text) in enumerate(RECIPES, 1)
)


def entries(story):
    return story.texts(".entries .opener")


with Story() as story:
    story.host.run(
        "sinks",
        "add",
        "shelf",
        "--kind",
        "file",
        "--template",
        f"{story.host.folder}/{{title}}.pdf",
    )
    story.send(story.drawn("cookbook.png", PAGE), profile="Entries")
    story.wait(lambda: len(entries(story)) == 4, f"four entries")
    assert [text.split(" · ")[0] for text in entries(story)] == ["1", "2", "3", "4"], entries(story)
    assert all(title in text for (title, _), text in zip(RECIPES, entries(story))), entries(story)
    story.look("entries")

    # An opened entry shows its fields and its place on the page.
    story.focus(".entries input[type=checkbox]")
    story.keys(Keys.ARROW_DOWN)
    story.keys(Keys.ENTER)
    story.wait(lambda: story.all(".entries .fields textarea"), "the entry's fields")
    story.keys(Keys.TAB)
    story.keys(Keys.ENTER)
    story.wait(lambda: not story.all(".entries .fields"), "the entry closed again")
    story.keys(Keys.ENTER)
    story.wait(lambda: story.all("rect.place"), "the entry's place on the page")
    story.look("entry-open")
    story.stumble()

    # An entry is edited; Tab moves the focus, and it stays there.
    story.keys(Keys.TAB)
    story.keys(Keys.TAB)
    story.keys(Keys.CONTROL, "a", Keys.NULL, "Zucchini soup", Keys.TAB)
    story.wait(lambda: "2 · Zucchini soup" in entries(story), "the new title")
    assert story.driver.switch_to.active_element.tag_name == "textarea"

    # Two entries are deleted and restored.
    story.focus("[data-entry='3'] input")
    story.keys(" ")
    story.keys(Keys.ARROW_DOWN)
    story.keys(" ")
    story.wait(lambda: "Selected: 2" in story.texts(".tools [role=status]"), "two selected entries")
    story.keys(Keys.DELETE)
    story.wait(lambda: len(entries(story)) == 2, "two entries gone")
    assert story.driver.switch_to.active_element.get_attribute("data-keep") == "choose-2"
    story.keys(Keys.CONTROL, "z", Keys.NULL)
    story.wait(lambda: len(entries(story)) == 4, "all four entries again")
    assert "2 · Zucchini soup" in entries(story), entries(story)

    # The entries are saved and sent, and found by the edited text.
    story.focus(".saving input[value=shelf]")
    story.keys(" ")
    story.focus(".saving button:not(:disabled)")
    story.keys(Keys.ENTER)
    for words in ("Marked as reviewed", "Delivered to shelf"):
        story.wait(
            lambda: any(words in text for text in story.texts(".receipts li")),
            f"the receipt '{words}'",
        )
    assert list(story.host.folder.glob("*.pdf")), "nothing came to the shelf"
    story.open("archive")
    story.one("input[type=search]").send_keys("zucchini")
    story.wait(
        lambda: "Pages found: 1" in story.texts("[role=status]"),
        "the document by the entry's new title",
    )
    story.look("archive-entry")
    story.follow("main li a.title")
    story.wait(lambda: "2 · Zucchini soup" in entries(story), "the entry as it was saved")
    story.quiet()
print("listed")
