"""A Nextcloud on loopback that accepts files and fails on request.

It follows "Chunked file upload", version 2, of Nextcloud's developer manual, and otherwise RFC 4918
and RFC 9110. Arguments: the folder that it serves, a file with a list of faults. Prints its port.
User and password are ada and s3cret-word. Each PUT and each MOVE uses up a fault: a status as a
number, "cut" (done, and no answer), "expire" (all pieces are thrown away before it), or "none".
"""

import base64
import json
import pathlib
import re
import shutil
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import unquote, urlsplit

root, faults_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
uploads = root.parent / "uploads"
uploads.mkdir(exist_ok=True)
FILES, UPLOADS = "/remote.php/dav/files/ada", "/remote.php/dav/uploads/ada"
LEAST, MOST = 5 << 20, 5 << 30
lock = threading.Lock()


def next_fault():
    faults = json.loads(faults_file.read_text()) if faults_file.exists() else []
    faults_file.write_text(json.dumps(faults[1:]))
    return faults[0] if faults else "none"


def place(address):
    """Returns the path below the served folder, or None if it is not one of the user's files."""
    path = unquote(urlsplit(address).path)
    if not path.startswith(FILES) or ".." in path.split("/"):
        return None
    return root / path[len(FILES) :].lstrip("/")


class Nextcloud(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, body=b""):
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)

    def go(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = self.rfile.read(length)
        if len(body) < length:
            # An interrupted request is not counted.
            self.close_connection = True
            return
        expected = "Basic " + base64.b64encode(b"ada:s3cret-word").decode()
        if self.headers.get("Authorization") != expected:
            return self.answer(401)
        with lock:
            fault = next_fault() if self.command in ("PUT", "MOVE") else "none"
            if isinstance(fault, int):
                return self.answer(fault)
            if fault == "expire":
                shutil.rmtree(uploads)
                uploads.mkdir()
            path = unquote(urlsplit(self.path).path)
            if path.startswith(UPLOADS + "/"):
                status = self.upload(path[len(UPLOADS) + 1 :], body)
            else:
                status = self.file(place(self.path), body)
        if fault == "cut":
            self.close_connection = True
            return self.connection.close()
        if isinstance(status, bytes):
            return self.answer(200, status)
        return self.answer(status)

    def file(self, goal, body):
        if goal is None:
            return 404
        if self.command == "PROPFIND":
            return 207 if goal.is_dir() else 404
        if self.command == "MKCOL":
            if goal.exists():
                return 405
            if not goal.parent.is_dir():
                return 409
            goal.mkdir()
            return 201
        if self.command in ("GET", "HEAD"):
            return goal.read_bytes() if goal.is_file() else 404
        if self.command == "DELETE":
            goal.unlink()
            return 204
        if self.command == "PUT":
            # Like a proxy with a limit for the size of requests.
            if len(body) > 10_000_000:
                return 413
            if goal.exists() and self.headers.get("If-None-Match") == "*":
                return 412
            return self.place(goal, body)
        return 405

    def place(self, goal, body):
        if not goal.parent.is_dir():
            return 409
        is_new = not goal.exists()
        goal.write_bytes(body)
        return 201 if is_new else 204

    def upload(self, path, body):
        """Handles requests for a folder of pieces; all of them name the destination."""
        name, _, piece = path.partition("/")
        folder = uploads / name
        goal = place(self.headers.get("Destination") or "")
        if goal is None:
            return 400
        if self.command == "MKCOL" and not piece:
            if folder.exists():
                return 405
            folder.mkdir()
            return 201
        if not folder.is_dir():
            return 404
        if self.command == "PUT":
            if not re.fullmatch("[0-9]{1,5}", piece) or not 1 <= int(piece) <= 10000:
                return 400
            (folder / piece).write_bytes(body)
            return 201
        if self.command == "MOVE" and piece == ".file":
            pieces = sorted(folder.iterdir(), key=lambda each: int(each.name))
            sizes = [each.stat().st_size for each in pieces]
            if any(not LEAST <= size <= MOST for size in sizes[:-1]):
                return 400
            if sum(sizes) != int(self.headers.get("OC-Total-Length") or sum(sizes)):
                return 400
            if goal.exists() and self.headers.get("Overwrite") == "F":
                return 412
            status = self.place(goal, b"".join(each.read_bytes() for each in pieces))
            if status in (201, 204):
                shutil.rmtree(folder)
            return status
        return 405

    do_GET = do_HEAD = do_PUT = do_DELETE = do_MKCOL = do_MOVE = do_PROPFIND = go


server = ThreadingHTTPServer(("127.0.0.1", 0), Nextcloud)
server.daemon_threads = True
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
