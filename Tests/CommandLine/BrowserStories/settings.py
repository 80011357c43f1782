"""Someone makes a profile, adds and tests a service, and makes and removes a token.
"""

import http.server
import threading

from browser import Keys, Story


class Service(http.server.BaseHTTPRequestHandler):
    """A service that accepts requests with the password."""

    def do_OPTIONS(self):
        self.send_response(200 if self.headers["Authorization"] == "Bearer open sesame" else 401)
        self.send_header("Content-Length", "0")
        self.end_headers()

    do_GET = do_HEAD = do_OPTIONS

    def log_message(self, *words):
        pass


def fill(story, selector: str, text: str) -> None:
    field = story.one(selector)
    field.clear()
    field.send_keys(text)


def pictures(story) -> list[str]:
    """Returns the painted sample page before and after the steps."""
    return story.driver.execute_script(
        "return [...document.querySelectorAll('.samples:not([aria-busy]) canvas')]"
        ".map((one) => one.toDataURL())"
    )


with Story(options=("--token",)) as story:
    story.open()
    story.look("sign-in")
    assert story.texts("#link") == [""], "when signing in, the host is not away"
    story.one("input[name=token]").send_keys("mistyped" + Keys.ENTER)
    story.wait(
        lambda: "does not know the token" in story.one("form .bad").text,
        "the message that the token is wrong",
    )
    story.one("input[name=token]").clear()
    story.sign_in()
    story.open("settings")
    story.look("settings")

    # A built-in profile is copied and changed mostly with the keyboard.
    story.follow("a[href='#settings/profile/document']")
    story.wait(lambda: story.all(".steps li"), "the profile's steps")
    story.wait(
        lambda: "The profile is valid." in story.texts("[role=status]"),
        "the message that nothing is wrong",
    )
    assert "can't be changed" in story.one("main").text
    fill(story, "input[name=title]", "Letters")
    fill(story, "input[name=name]", "letters")
    before = story.texts(".steps strong")
    story.driver.execute_script("document.querySelector('[data-step=deskew] summary').focus()")
    story.keys(Keys.ENTER)
    angle = "[data-step=deskew] [data-option=maximum]"
    fill(story, angle, "99")
    story.wait(
        lambda: story.one(angle).get_attribute("aria-invalid") == "true",
        "the message that 99 degrees are too many",
    )
    assert "99 was given" in story.one("[data-step=deskew] [data-wrong=maximum]").text
    story.look("profile-wrong")
    story.stumble()
    # A sample page shows the effect of the steps before anything is saved.
    sample = story.wait(lambda: pictures(story), "the sample before and after")
    assert sample[0] != sample[1], "the steps change nothing"
    assert "Crop to the paper" in story.one(".sample > p").text, story.one(".sample > p").text
    fill(story, angle, "5")
    story.wait(
        lambda: story.one(angle).get_attribute("aria-invalid") is None,
        "the message that 5 degrees are fine",
    )
    story.driver.execute_script(
        "document.querySelector('[data-step=crop] [data-act=remove]').click()"
    )
    story.wait(
        lambda: "Crop to the paper" not in story.one(".sample > p").text, "the sample uncropped"
    )
    uncropped = pictures(story)
    assert uncropped[0] == sample[0] and uncropped[1] != sample[1]
    story.look("profile-sample")
    story.follow("select[aria-label='Add a step'] option[value=crop]")
    story.wait(lambda: pictures(story) == sample, "the sample cropped again")
    story.driver.execute_script(
        "document.querySelector('[data-step=deskew] [data-act=later]').focus()"
    )
    story.keys(Keys.ENTER)
    after = story.texts(".steps strong")
    assert (
        sorted(after) == sorted(before)
        and after.index("Straighten") == before.index("Straighten") + 1
    ), (before, after)
    story.press("Save this profile")
    story.wait(lambda: "Letters" in story.texts(".rows strong"), "the new profile in the list")
    assert story.host.run("profiles", "show", "letters").count('"maximum": 5') == 1
    story.open("scan")
    assert "Letters" in story.texts("select[name=profile] option")
    story.open("settings/profile/letters")
    story.wait(lambda: story.all(".steps li"), "the profile's steps")
    assert story.texts(".steps strong") == after

    # One service can be reached, and one can't.
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    story.open("settings")
    story.follow("main summary")
    fill(story, "input[name=name]", "desk")
    for option in story.all("select[name=kind] option"):
        if option.get_attribute("value") == "webhook":
            option.click()
    address = f"http://127.0.0.1:{service.server_port}/in"
    fill(story, "input[name='setting.url']", address.replace("//", "//ada:secret@"))
    fill(story, "input[name='setting.token']", "open sesame")
    story.press("Add a destination")
    story.wait(
        lambda: "user name" in story.one("details .bad").text,
        "the message that the address must not have a user name",
    )
    story.look("sink-refused")
    fill(story, "input[name='setting.url']", address)
    fill(story, "input[name='setting.token']", "open sesame")
    story.press("Add a destination")
    story.wait(lambda: "desk" in story.texts(".rows strong"), "the new service")
    assert "open sesame" not in story.driver.page_source
    story.press("Test")
    story.wait(
        lambda: any("It works" in text for text in story.texts(".rows [role=status]")),
        "the service's answer",
    )
    story.look("settings-tested")
    service.shutdown()
    service.server_close()
    story.press("Test")
    story.wait(lambda: story.all(".rows .bad"), "the message that it is away")

    # A token is shown once and grants access until it is removed.
    fill(story, "form.row input[name=name]", "kitchen")
    story.press("Make a token")
    token = story.wait(lambda: story.one("input.code").get_attribute("value"), "the token")
    assert len(token) == 44, token
    story.look("settings-token")
    story.open("scan")
    story.open("settings")
    story.wait(lambda: "kitchen" in story.texts(".rows strong"), "the token by its name")
    assert token not in story.driver.page_source
    assert story.host.answer("/api/v1/jobs", token) == 200
    story.driver.execute_script(
        "window.confirm = () => true; document.querySelector('button[aria-label*=kitchen]').click()"
    )
    story.wait(lambda: "kitchen" not in story.texts(".rows strong"), "the token gone")
    assert story.host.answer("/api/v1/jobs", token) == 401

    # A user who may only scan sees no button for changes of the host, and a user who may only read
    # sees none for changes of documents.
    scan, read = (
        story.host.run("token", "add", "tablet").strip(),
        story.host.run("token", "add", "guest", "--scope", "read").strip(),
    )
    story.enter(scan)
    story.open("settings")
    story.wait(
        lambda: "does not allow making tokens" in story.one("main").text,
        "the word that others give out tokens",
    )
    words = [
        one.text.strip()
        for one in story.all("main button, main summary, main a.button")
        if one.is_displayed()
    ]
    assert set(words) == {"Test", "Sign out", "Licenses of its components"}, words
    story.look("settings-scan")
    story.scan()
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.enter(read)
    assert [one.text for one in story.all("nav a") if one.is_displayed()] == ["Archive", "Help"]
    story.open("archive")
    story.wait(lambda: story.all(".hits a"), "the document")
    story.follow(".hits a")
    story.wait(lambda: story.all(".picture svg"), "the document's first page")
    shown = [
        one
        for one in story.all("main .in-pages button, main .in-about button, main .heading button")
        if one.is_displayed() and one.is_enabled()
    ]
    assert not [one for one in shown if one.text.strip()], [one.text for one in shown]
    story.look("document-read")
    story.quiet("status of 422")
print("settled")
