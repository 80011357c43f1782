"""Someone presses Scan, sees the pages come in, opens the document, and finds it again by a word on it."""
from browser import Story

with Story() as story:
    story.open()
    story.look("scan-empty")
    story.scan("document")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.look("scan-done")
    story.one(".card a[href^='#document/']").click()
    words = story.wait(lambda: [word for word in story.texts(".text .word") if word.isalpha() and len(word) > 5], "words on the page")
    title = story.one("main h2").text
    assert story.all("rect.word"), "no word has a place on the picture"
    story.look("document")
    story.one("nav a[href='#archive']").click()
    story.one("input[type=search]").send_keys(words[0])
    hit = story.wait(lambda: story.all("main li mark"), f"a hit for '{words[0]}'")[0]
    assert hit.text.lower().startswith(words[0].lower()[:5]), hit.text
    story.look("archive-hits")
    story.wait(lambda: [link for link in story.all("main li a") if link.text == title], f"the document '{title}'")[0].click()
    story.wait(lambda: story.all("rect.word.sought"), "the word marked on the picture")
    story.quiet()
print("found")
