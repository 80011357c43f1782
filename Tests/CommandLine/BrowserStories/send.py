"""Someone exports a document: as a PDF, to a sink that receives it immediately, and to a sink that
is offline and receives it later.
"""

import http.server
import json
import pathlib
import threading
import urllib.request

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
    pdf = urllib.request.urlopen(story.one("a[href*='format=pdf']").get_attribute("href"))
    assert pdf.headers["Content-Type"] == "application/pdf" and pdf.read(5) == b"%PDF-", pdf.headers

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
    (item,) = [
        item for item in json.loads(host.run("outbox", "--json"))["items"] if item["sink"] == "email"
    ]
    host.run("outbox", "drop", item["id"])
    story.open("scan")
    story.open("jobs")
    story.press("Try now")
    story.wait(lambda: "Nothing is waiting" in story.one("main").text, "an empty outbox")
    story.quiet()
print("sent out")
