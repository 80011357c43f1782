"""Someone presses Scan, sees the pages arrive, opens the document, and finds it again by a word on
it.
"""

import urllib.error
import urllib.request

from browser import Story


def pictures(story):
    """Returns the addresses of the pages whose pictures are in the strip."""
    return story.driver.execute_script(
        "return [...document.querySelectorAll('.strip .there img')].map((one) => one.src)"
    )


with Story() as story:
    story.open()
    story.look("scan-empty")
    story.scan("document")
    # Each page is shown as soon as it has arrived, long before its text is read.
    came = story.wait(
        lambda: [address for address in pictures(story) if "/jobs/" in address],
        "the picture of a page that came in",
    )
    with urllib.request.urlopen(came[0]) as answer:
        tag = answer.headers["ETag"]
        assert answer.headers["Content-Type"] == "image/jpeg" and answer.read(3) == b"\xff\xd8\xff"
    try:
        urllib.request.urlopen(urllib.request.Request(came[0], headers={"If-None-Match": tag}))
        raise AssertionError("a picture that is known is sent again")
    except urllib.error.HTTPError as error:
        assert error.code == 304, error.code
    story.look("scan-coming-in")
    story.wait(lambda: len(pictures(story)) == 3, "all three pages in the strip")
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.wait(
        lambda: all("/documents/" in address for address in pictures(story)),
        "the pages as they are in the document",
    )
    story.look("scan-done")
    story.follow(".card a[href^='#document/']")
    words = story.wait(
        lambda: [word for word in story.texts(".text .word") if word.isalpha() and len(word) > 5],
        "words on the page",
    )
    title = story.one("main h2").text
    assert story.all("rect.word"), "no word has a place on the picture"
    story.look("document")
    story.stumble()
    story.follow("nav a[href='#archive']")
    story.one("input[type=search]").send_keys(words[0])
    hit = story.wait(lambda: story.all("main li mark"), f"a hit for '{words[0]}'")[0]
    assert hit.text.lower().startswith(words[0].lower()[:5]), hit.text
    story.look("archive-hits")
    story.wait(
        lambda: [link for link in story.all("main li a.title") if link.text == title],
        f"the document '{title}'",
    )[0].click()
    story.wait(lambda: story.all("rect.word.sought"), "the word marked on the picture")
    story.quiet()
print("found")
