"""Services that fail: every scanned document arrives once, as soon as they work again."""

import json
import socket
import subprocess
import sys
import urllib.request

from setup import AREA, ROOT, check

PEER = ROOT / "Tests/Delivery/DeliveryTests/Support/peer.py"
# The fault that the service shows at its first request, and whether only a person can fix it.
FAULTS = [
    ("closed", False),
    ("refuse", False),
    (500, False),
    (503, False),
    ({"status": 429, "headers": {"Retry-After": "2"}}, False),
    (413, True),
    (401, True),
    ("cut", False),
    ("half", False),
    ("huge", True),
    ("task", True),
    ("hang", False),
]
KINDS = ["webhook", "paperless", "webdav"]


def rounds(short):
    """Every fault of every kind of service that can have it; "hang" takes minutes, and is only part
    of the long form.
    """
    return [
        (kind, fault, refused)
        for kind in KINDS
        for fault, refused in FAULTS
        if (fault != "task" or kind == "paperless")
        and (fault not in ("half", "huge") or kind == "webhook")
        and not (short and fault == "hang")
    ]


class Peer:
    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, PEER], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.port = int(self.process.stdout.readline())
        self.url = f"http://127.0.0.1:{self.port}"

    def tell(self, path, value):
        urllib.request.urlopen(
            urllib.request.Request(self.url + path, json.dumps(value).encode(), method="POST")
        ).read()

    def seen(self):
        return json.load(urllib.request.urlopen(self.url + "/requests"))

    def stop(self):
        self.process.kill()
        self.process.wait()


def closed_port():
    """A port of this machine on which no one listens."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        return taken.getsockname()[1]


def arrived(kind, seen):
    """The documents that a service has; identical ones are counted once."""
    if kind == "webhook":
        return len({document["key"] for document in seen["documents"]})
    return len(
        seen["documents"]
        if kind == "paperless"
        else [name for name in seen["files"] if not name.endswith("/")]
    )


def one(setup, kind, fault, is_refused):
    peer = Peer()
    try:
        setup.sheets = 2
        (setup.folder / "token").write_text("secret\n")

        def add(url):
            place = {"webhook": "/hook", "paperless": "/paperless", "webdav": "/dav"}[kind]
            words = [
                "sinks",
                "add",
                "service",
                "-k",
                kind,
                "--url",
                url + place,
                "--token-file",
                "token",
            ]
            done = setup.run(*words, *(["--template", "{title}.pdf"] if kind == "webdav" else []))
            check(done.returncode == 0, f"sinks add: {done.stderr}")

        add(f"http://127.0.0.1:{closed_port()}" if fault == "closed" else peer.url)
        if fault == "task":
            peer.tell("/settings", {"task": "failure"})
        elif fault != "closed":
            peer.tell("/fault", [fault])
        words = [
            "scan",
            "-d",
            "virtual:feeder",
            *AREA,
            "-s",
            "pages=2",
            "-p",
            "plain",
            "-t",
            "Document",
            "-o",
            f"archive:{setup.home}/.local/share/copystand",
            "--sink",
            "service",
        ]
        done = setup.run(*words, limit=900)
        check(
            done.returncode == (5 if is_refused else 0),
            f"scan ends with {done.returncode}: {done.stderr}",
        )
        setup.check_nothing_left()
        whole = ["sheet 1", "sheet 2"]
        setup.check_archive([whole], receipts=False)
        waiting = setup.json("outbox", "list")["items"]
        check(len(waiting) == 1, f"the outbox has {len(waiting)} items")
        check("secret" not in done.stderr + done.stdout + json.dumps(waiting), "the token is shown")
        if fault == "closed":
            add(peer.url)
        peer.tell("/settings", {"task": "success"})
        done = setup.run("outbox", "retry", limit=300)
        check(done.returncode == 0, f"outbox retry ends with {done.returncode}: {done.stderr}")
        check(not setup.json("outbox", "list")["items"], "the outbox is not empty")
        check(
            arrived(kind, peer.seen()) == 1,
            f"the service has {arrived(kind, peer.seen())} documents",
        )
        receipts = setup.json("show", "1")["receipts"]
        check(
            len(receipts) == 1 and receipts[0]["sink"] == "service",
            f"the archive has the receipts {receipts}",
        )
        return f"{kind}, {fault}: waited{', refused' if is_refused else ''}, arrived once"
    finally:
        peer.stop()
