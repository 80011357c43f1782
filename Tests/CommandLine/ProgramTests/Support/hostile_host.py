"""A host that misbehaves: hostile_host.py MODE RECORD. Writes each request's line,
Last-Event-ID and token to RECORD.
"""

import json
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

mode, record = sys.argv[1:]
JOB = {
    "id": "j1",
    "profile": "none",
    "devices": [],
    "created": "",
    "isWatch": False,
    "state": "running",
    "message": "Scanning",
    "notices": [],
    "pages": [],
    "deliveries": [],
}
DONE = {
    **JOB,
    "state": "completed",
    "message": "1 page",
    "deliveries": [{"sink": "archive", "document": "7", "pages": 1}],
    "pages": [{"number": 1, "stage": "finished", "words": 3, "problems": []}],
}
PAGE = {
    "number": 1,
    "device": "x",
    "width": 1,
    "height": 1,
    "resolution": 1,
    "words": 3,
    "isBlank": False,
    "barcodes": [],
    "found": [],
    "steps": [],
    "problems": [],
}
RESULT = {"ending": "completed", "pages": [PAGE], "skipped": [], "delivered": [], "failed": []}
streams = 0


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def send(self, status, body, kind="application/json", **headers):
        body = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {"Content-Type": kind, "Content-Length": len(body), **headers}.items():
            self.send_header(name.replace("_", "-"), value)
        self.end_headers()
        self.wfile.write(body)

    def begin(self, kind, length=None):
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Connection", "close")
        if length is not None:
            self.send_header("Content-Length", length)
        self.end_headers()
        self.close_connection = True

    def handle_request(self):
        global streams
        length = int(self.headers.get("Content-Length") or 0)
        self.rfile.read(length)
        with open(record, "a") as file:
            print(
                self.command,
                self.path,
                self.headers.get("Last-Event-ID"),
                self.headers.get("Authorization"),
                file=file,
            )
        path = self.path.split("?")[0]
        if mode == "json":
            return self.send(200, {"hits": 3})
        if mode == "html":
            return self.send(200, b"<html>A router</html>", "text/html")
        if mode == "missing":
            return self.send(404, b"<html>Not found</html>", "text/html")
        if mode == "numbers":
            return self.send(
                200, {"order": "rank", "total": 10**40, "totalIsOpen": False, "hits": []}
            )
        if mode == "terminal":
            return self.send(
                422,
                {
                    "status": 422,
                    "code": "refused",
                    "detail": "no\x1b[2J\x07 way",
                    "title": "",
                    "type": "",
                },
                "application/problem+json",
            )
        if mode == "endless":
            self.begin("application/json")
            while True:
                self.wfile.write(b" " * 65536)
        if mode == "hang":
            time.sleep(600)
        if mode == "trickle":
            self.begin("application/json", 1000)
            time.sleep(600)
        if mode.startswith("redirect:"):
            return self.send(302, b"", Location=mode.removeprefix("redirect:"))
        if path == "/api/v1/jobs":
            return self.send(202, JOB)
        if path == "/api/v1/jobs/j1":
            return self.send(200, JOB)
        if path == "/api/v1/jobs/j1/result":
            return self.send(200, RESULT)
        if path == "/api/v1/events":
            streams += 1
            return self.events()
        if path == "/api/v1/documents/7/export":
            return self.export()
        return self.send(
            404, {"status": 404, "code": "not-found", "detail": "nothing", "title": "", "type": ""}
        )

    def events(self):
        if mode == "no-stream":
            return self.send(200, JOB)
        self.begin("text/event-stream")
        if mode == "endless-event":
            while True:
                self.wfile.write(b"data: " + b"x" * 65536)
        if mode == "wrong-event":
            return self.wfile.write(b"event: job\ndata: [1, 2\n\n")
        if mode == "other-job":
            return self.wfile.write(
                b"event: job\ndata: " + json.dumps({**DONE, "id": 5}).encode() + b"\n\n"
            )
        if mode == "flap":
            return None
        if mode == "silent":
            time.sleep(600)
        # The connection is cut twice: after event 5, and before any event.
        if mode == "cut" and streams == 1:
            return self.wfile.write(
                b"id: r-5\nevent: job\ndata: " + json.dumps(JOB).encode() + b"\n\n"
            )
        if mode == "cut" and streams == 2:
            return None
        self.wfile.write(b"id: r-6\nevent: job\ndata: " + json.dumps(DONE).encode() + b"\n\n")

    def export(self):
        if mode == "short-file":
            self.begin("application/pdf", 1000)
            return self.wfile.write(b"%PDF-")
        if mode == "no-length":
            self.begin("application/pdf")
            return self.wfile.write(b"%PDF-")
        if mode == "html-file":
            return self.send(500, b"oh", "text/plain")
        return self.send(200, b"%PDF-whole", "application/pdf")

    do_GET = do_POST = do_DELETE = handle_request


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
server.daemon_threads = True
print(f"Listening on http://127.0.0.1:{server.server_port} now", file=sys.stderr, flush=True)
server.serve_forever()
