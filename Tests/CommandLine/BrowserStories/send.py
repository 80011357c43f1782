"""Someone exports a document: to a sink that receives it immediately, and to a sink that is offline
and receives it later. What waits is shown on the document and in the settings.
"""

import http.server
import json
import pathlib
import threading

from browser import Story


class Service(http.server.BaseHTTPRequestHandler):
    """Accepts every request."""

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *words):
        pass


with Story() as story:
    host = story.host
    (host.folder / "out").mkdir()
    service = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Service)
    port = service.server_port
    service.server_close()
    host.run(
        "sinks", "add", "shelf", "--kind", "file", "--template", f"{host.folder}/out/{{title}}.pdf"
    )
    host.run("sinks", "add", "desk", "--kind", "webhook", "--url", f"http://127.0.0.1:{port}/")

    # Contacts in the address book can be chosen as targets.
    host.run("sinks", "addresses", "add", "bob", "bob@example.org")
    story.open("scan")
    assert "bob by e-mail" not in story.one("main").get_attribute("textContent")
    host.run(
        "sinks", "add", "email", "--kind", "email", "--url", "smtp://127.0.0.1:1",
        "--parameter", "from=scans@example.org", "--parameter", "to=ada@example.org",
    )  # fmt: skip

    story.scan()
    story.wait(lambda: "Done" in story.texts(".card strong"), "the job's end")
    story.follow(".card a[href^='#document/']")
    story.look("document-out")
    for name in ("shelf", "desk", "email:bob"):
        story.follow(f".saving input[value='{name}']")
    story.press("Mark as reviewed and send")
    for words in (
        "Marked as reviewed",
        "Delivered to shelf",
        "Not yet delivered to desk",
        "Not yet delivered to bob by e-mail",
    ):
        story.wait(
            lambda: any(words in text for text in story.texts(".receipts li")),
            f"the receipt '{words}'",
        )
    story.look("document-sent")
    assert list((host.folder / "out").iterdir()), "nothing came to the folder"

    story.wait(
        lambda: story.texts("main .waits") == ["2 deliveries are waiting"], "the sign of what waits"
    )
    story.driver.execute_script("scrollTo(0, 0); document.querySelector('main .waits').click()")
    focused = story.driver.switch_to.active_element
    assert focused.text == "Try now" and len(story.all(".deliveries li")) == 2, focused.text
    story.open("settings")
    story.look("settings-waiting")
    story.driver.execute_script(
        "window.confirm = () => true; [...document.querySelectorAll('.deliveries li')]"
        ".find((one) => one.textContent.includes('email')).querySelector('button:last-child').click()"
    )
    story.wait(
        lambda: story.texts(".deliveries > strong") == ["1 delivery is waiting"], "one of them gone"
    )
    story.follow(".deliveries li a[href='#document/1']")
    story.wait(lambda: story.texts("main .waits") == ["1 delivery is waiting"], "the sign for one")

    story.open("jobs")
    service = http.server.ThreadingHTTPServer(("127.0.0.1", port), Service)
    threading.Thread(target=service.serve_forever, daemon=True).start()
    story.look("outbox")
    story.stumble()
    # The note of a running upload is shown.
    waiting = json.loads(host.run("outbox", "--json"))["items"]
    note = pathlib.Path(waiting[0]["folder"], "sending")
    story.wait(
        lambda: note.write_text(f"{8:20d}") and " MB sent" in story.one("main").text,
        "how much is sent",
    )
    story.press("Try now")
    story.wait(lambda: "Nothing is waiting" in story.one("main").text, "an empty outbox")
    # The document has the receipt of what was delivered later.
    story.open("document/1")
    story.wait(
        lambda: any("Delivered to desk" in text for text in story.texts(".receipts li")),
        "the later receipt",
    )
    assert not story.one("main .waits").is_displayed()
    story.quiet()
print("sent out")
