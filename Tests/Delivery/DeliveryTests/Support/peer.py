"""A service to deliver to, that fails on request: paperless-ngx, Immich, Docspell, WebDAV, a
webhook, an issuer of OAuth2 tokens and an OCR service in one.

Prints its port. All requests are kept and listed by GET /requests. POST /fault sets a list of
faults, one of which is used up by each delivering request: a status as a number, "hang", "cut" (no
answer after the whole request was read), "torn" (no answer, and half of the file is there), "empty"
(no answer, and an empty file is there), "half" (an incomplete answer), "huge", "echo" (the request
itself), {"status": 429, "headers": {...}}, or "none".
"""

import base64
import hashlib
import html
import json
import re
import sys
import threading
import time
import uuid
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, quote, quote_plus, unquote, urlsplit

from open_services import OpenServices, parts

requests, faults, files, documents, tasks = [], [], {}, [], []
settings = {
    "version": 10,
    "task": "success",
    "looks": 0,
    "token": None,
    "echo": "raw",
    "serial": "C02XK0",
    "echo_status": 500,
    "listed": "ours",
    "page": 100,
    "docspell": True,
    "refresh": "refresh-token-1",
    "access": "fresh-token-1",
}
lock = threading.Lock()


def others():
    """Tasks of other people's documents, each with a different result."""
    new = settings["version"] == 10
    states = ["success", "failure", "revoked", "started", "pending"]
    return [
        {
            "task_id": str(uuid.uuid4()),
            "task_file_name": f"other-{n}.pdf",
            "status": s if new else s.upper(),
            "result_data": {"document_id": 900 + n, "duplicate_of": 900 + n},
            "related_document": str(900 + n),
            "result": f"a duplicate (#{900 + n})",
        }
        for n, s in enumerate(states)
    ]


class Peer(OpenServices, BaseHTTPRequestHandler):
    documents, settings = documents, settings
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b"", headers=None):
        if not isinstance(body, bytes):
            body = json.dumps(body).encode()
        self.send_response(status)
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def body(self):
        if self.headers.get("Transfer-Encoding") == "chunked":
            taken = b""
            while size := int(self.rfile.readline(), 16):
                part = self.rfile.read(size)
                if len(part) < size:
                    raise ConnectionError
                taken += part
                self.rfile.readline()
            self.rfile.readline()
            return taken
        if self.command in ("PUT", "POST") and "Content-Length" not in self.headers:
            raise ConnectionError
        length = int(self.headers.get("Content-Length") or 0)
        taken = self.rfile.read(length)
        if len(taken) < length:
            # A request that breaks off does not count.
            raise ConnectionError
        return taken

    def break_off(self):
        self.close_connection = True
        self.connection.close()

    def handle_any(self):
        try:
            taken = self.body()
        except (ConnectionError, ValueError):
            return self.break_off()
        url = urlsplit(self.path)
        if url.path == "/fault":
            with lock:
                faults[:] = json.loads(taken)
            return self.answer(200)
        if url.path == "/settings":
            settings.update(json.loads(taken))
            return self.answer(200)
        if url.path == "/requests":
            return self.answer(
                200, {"requests": requests, "documents": documents, "files": sorted(files)}
            )
        requests.append(
            {
                "method": self.command,
                "path": self.path,
                "headers": {k.lower(): v for k, v in self.headers.items()},
                "bytes": len(taken),
            }
        )
        if settings["token"] and self.headers.get("Authorization") != settings["token"]:
            return self.answer(401, {"detail": "Invalid token."})
        fault = "echo" if settings.get("echo_always") else "none"
        if self.command in ("POST", "PUT"):
            with lock:
                fault = faults.pop(0) if faults else "none"
        if isinstance(fault, int):
            return self.answer(fault, {"detail": "on request"})
        if isinstance(fault, dict):
            return self.answer(fault["status"], {"detail": "on request"}, fault.get("headers"))
        if fault == "echo":
            return self.answer(
                settings["echo_status"], self.echoes(), {"Content-Type": "text/plain"}
            )
        if fault == "hang":
            time.sleep(3600)
        if fault == "huge":
            self.send_response(200)
            self.end_headers()
            try:
                while True:
                    self.wfile.write(b" " * 65536)
            except OSError:
                return self.break_off()
        if fault == "refuse":
            return self.break_off()
        if fault in ("torn", "empty"):
            files[unquote(url.path)] = taken[: len(taken) // 2] if fault == "torn" else b""
            return self.break_off()
        result = self.route(url, taken)
        if fault == "cut":
            return self.break_off()
        if fault == "half":
            self.send_response(200)
            self.send_header("Content-Length", "1000")
            self.end_headers()
            self.wfile.write(b'{"id": ')
            return self.break_off()
        self.answer(*result)

    def echoes(self):
        """Returns the sent credentials in the form of settings["echo"]."""
        sent = [
            self.headers[name] for name in ("Authorization", "X-Api-Key") if name in self.headers
        ] + [self.path]
        words = [word for line in sent for word in [line] + line.split(" ")[1:]]
        forms = {
            "raw": lambda t: t,
            "upper": str.upper,
            "json": json.dumps,
            "html": lambda t: html.escape(t, quote=True),
            "url": lambda t: quote(t, safe=""),
            "url-lower": lambda t: re.sub("%..", lambda m: m[0].lower(), quote(t, safe="")),
            "plus": quote_plus,
            "twice": lambda t: quote(quote(t, safe=""), safe=""),
            "unicode": lambda t: json.dumps("".join(f"\\u{ord(c):04x}" for c in t)),
            "codes": lambda t: "".join(f"&#{ord(c)};" for c in t),
            "codes-hex": lambda t: "".join(f"&#x{ord(c):X};" for c in t),
            "percent": lambda t: "".join(f"%{ord(c):02x}" for c in t),
            "base64": lambda t: base64.b64encode(("x" + t).encode()).decode(),
            "url-base64": lambda t: base64.urlsafe_b64encode(t.encode()).decode(),
            "hex": lambda t: t.encode().hex(),
            "hex-upper": lambda t: t.encode().hex().upper(),
            "wrapped": lambda t: "\r\n".join(t[i : i + 9] for i in range(0, len(t), 9)),
            "c": lambda t: t.replace("/", "\\/"),
            "basic": lambda t: (
                base64.b64decode(t + "===").decode(errors="replace")
                if re.fullmatch("[A-Za-z0-9+/]{8,}=*", t)
                else ""
            ),
            "edge": lambda t: "x" * 395 + t,
            "mojibake": lambda t: t,
        }
        if settings["echo"] != "mojibake":
            # The server reads headers as Latin-1, and the client has sent UTF-8.
            words = [word.encode("latin-1").decode(errors="replace") for word in words]
        return "\n".join(forms[settings["echo"]](word) for word in words).encode()

    def route(self, url, taken):
        if url.path.startswith("/paperless/"):
            accepted = self.headers.get("Accept", "")
            if f"version={settings['version']}" not in accepted:
                return 406, {"detail": "Invalid version"}
            return self.paperless(url, taken)
        if url.path.startswith("/immich/"):
            return self.immich(url.path.removeprefix("/immich"), taken)
        if url.path.startswith("/docspell/"):
            return self.docspell(url.path.removeprefix("/docspell"), taken)
        if url.path == "/dav" or url.path.startswith("/dav/"):
            return self.dav(unquote(url.path), taken)
        if url.path == "/moved":
            return 307, b"", {"Location": "/hook"}
        if url.path == "/elsewhere":
            # The same machine under another name, which a client can't recognize.
            return 307, b"", {"Location": f"http://localhost:{self.server.server_port}/hook"}
        if url.path == "/echo-elsewhere":
            token = (self.headers["Authorization"] or "").split(" ")[-1]
            return 302, b"", {"Location": f"http://localhost:1/{'x' * 150}{token}?{url.query}"}
        if url.path == "/token":
            return self.token(parse_qs(taken.decode()))
        if url.path == "/hook" and self.command == "OPTIONS":
            return 204, b""
        if url.path in ("/hook", "/process-serial"):
            form = (
                parts(self.headers, taken)
                if "multipart" in (self.headers["Content-Type"] or "")
                else {}
            )
            documents.append(
                {
                    "key": self.headers.get("Idempotency-Key"),
                    "query": parse_qs(url.query),
                    "sha256": {k: hashlib.sha256(v[0][1]).hexdigest() for k, v in form.items()},
                    "metadata": json.loads(form["metadata"][0][1]) if "metadata" in form else None,
                }
            )
            return 200, {
                "id": len(documents),
                "serial_number": settings["serial"],
                "prices": {"market": 12.5},
                "ok": True,
            }
        return 404, {"detail": "no such place"}

    def paperless(self, url, taken):
        if url.path.endswith("/post_document/"):
            form = parts(self.headers, taken)
            name, content = form["document"][0]
            task = str(uuid.uuid4())
            document = {
                "id": len(documents) + 1,
                "title": form["title"][0][1].decode(),
                "original_file_name": name,
                "sha256": hashlib.sha256(content).hexdigest(),
                "tags": [t[1].decode() for t in form.get("tags", [])],
            }
            tasks.append(
                {"task_id": task, "looks": settings["looks"], "document": document, "name": name}
            )
            if settings["task"] == "success":
                documents.append(document)
            return 200, task
        if url.path.endswith("/api/documents/"):
            wanted = parse_qs(url.query).get("original_filename__iexact", [None])[0]
            return 200, {
                "results": [d for d in documents if wanted in (None, d["original_file_name"])]
            }
        if url.path.endswith("/api/tasks/"):
            wanted = parse_qs(url.query).get("task_id", [None])[0]
            found = [t for t in tasks if wanted in (None, t["task_id"])]
            reports = {"none": lambda: [], "others": others, "ours": lambda: [], "all": others}[
                settings["listed"]
            ]()
            if settings["listed"] in ("ours", "all"):
                reports += [r for t in found if (r := self.report(t))]
            if settings["version"] != 10:
                return 200, reports
            start = settings["page"] * (int(parse_qs(url.query).get("page", ["1"])[0]) - 1)
            more = start + settings["page"] < len(reports)
            return 200, {
                "count": len(reports),
                "next": "http://elsewhere/?page=2" if more else None,
                "results": reports[start : start + settings["page"]],
            }
        return 404, {"detail": "no such place"}

    def report(self, task):
        if task["looks"] > 0:
            task["looks"] -= 1
            return None if task["looks"] % 2 else {"task_id": task["task_id"], "status": "started"}
        new = settings["version"] == 10
        common = {"task_id": task["task_id"], "task_file_name": task["name"]}
        if settings["task"] == "failure":
            return {
                **common,
                "status": "failure" if new else "FAILURE",
                "result": "the file is no PDF",
            }
        if settings["task"] == "revoked":
            return {**common, "status": "revoked" if new else "REVOKED"}
        if settings["task"] == "no-number":
            return {**common, "status": "success" if new else "SUCCESS"}
        if settings["task"] == "duplicate" and not new:
            return {
                **common,
                "status": "FAILURE",
                "result": "Not consuming it: It is a duplicate of May (#77).",
                "related_document": "77",
            }
        if settings["task"] == "duplicate":
            return {**common, "status": "failure", "result_data": {"duplicate_of": 77}}
        number = task["document"]["id"]
        if new:
            return {**common, "status": "success", "result_data": {"document_id": number}}
        return {**common, "status": "SUCCESS", "related_document": str(number)}

    def dav(self, path, taken):
        if self.command == "PROPFIND":
            return 207, b"<multistatus/>"
        if self.command == "MKCOL":
            files[path.rstrip("/") + "/"] = b""
            return 201, b""
        if self.command in ("GET", "HEAD"):
            return (200, files[path]) if path in files else (404, b"")
        if self.command == "DELETE":
            return (204, b"") if files.pop(path, None) is not None else (404, b"")
        parent = path.rsplit("/", 1)[0] + "/"
        if parent != "/dav/" and parent not in files:
            return 409, b""
        if path in files and self.headers.get("If-None-Match") == "*":
            return 412, b""
        files[path] = taken
        return 201, b""

    do_GET = do_POST = do_PUT = do_HEAD = do_OPTIONS = do_PROPFIND = do_MKCOL = handle_any
    do_DELETE = handle_any


server = ThreadingHTTPServer(("127.0.0.1", 0), Peer)
server.daemon_threads = True
print(server.server_address[1], flush=True)
# The server ends with the test that started it.
threading.Thread(target=lambda: (sys.stdin.read(), server.shutdown()), daemon=True).start()
server.serve_forever()
