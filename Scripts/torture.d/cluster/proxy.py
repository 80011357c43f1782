"""A proxy before a store of objects. It fails on request."""

import http.client
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Headers that belong to one connection only.
OWN = ("connection", "transfer-encoding", "keep-alive", "content-length")


class StoreProxy:
    """Each request of one of the methods uses up a fault: "503", "cut" (half of a body arrives),
    "drop" (an upload is acknowledged and dropped), "lose" (it is dropped once a HEAD has found it).
    """

    def __init__(self, address="127.0.0.1"):
        self.goal, self.faults, self.methods = None, [], ()
        self.lost, self.shown = {}, set()
        self.lock = threading.Lock()
        proxy = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def log_message(self, *_):
                pass

            def do_any(self):
                proxy.carry(self)

            do_GET = do_HEAD = do_PUT = do_DELETE = do_any

        self.server = ThreadingHTTPServer((address, 0), Handler)
        self.endpoint = f"http://{address}:{self.server.server_port}"
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def meet(self, faults, *methods):
        with self.lock:
            self.faults, self.methods = faults, methods

    def unmet(self):
        with self.lock:
            return len(self.faults)

    def carry(self, request):
        body = request.rfile.read(int(request.headers.get("Content-Length") or 0))
        with self.lock:
            is_hit = self.faults and request.command in self.methods
            fault = self.faults.pop() if is_hit else None
            is_shown = request.command == "HEAD" and request.path in self.shown
            self.shown.discard(request.path)
        if fault == "503":
            return answer(request, 503, {}, b"<Error><Code>SlowDown</Code></Error>")
        if fault in ("drop", "lose"):
            self.lost[request.path] = body
            if fault == "lose":
                self.shown.add(request.path)
            return answer(request, 200, {}, b"")
        if is_shown:
            return answer(request, 200, {}, self.lost[request.path])
        server = http.client.HTTPConnection("127.0.0.1", self.goal, timeout=60)
        server.putrequest(request.command, request.path, skip_host=True, skip_accept_encoding=True)
        for name, value in request.headers.items():
            if name.lower() != "connection":
                server.putheader(name, value)
        if fault == "cut" and request.command == "PUT":
            server.endheaders(body[: len(body) // 2])
            server.close()
            return end(request)
        server.endheaders(body)
        found = server.getresponse()
        content = found.read()
        server.close()
        headers = {name: value for name, value in found.getheaders() if name.lower() not in OWN}
        # An answer to HEAD has the length of what it does not have.
        length = found.getheader("Content-Length") if request.command == "HEAD" else None
        answer(request, found.status, headers, content, length, is_cut=fault == "cut")

    def stop(self):
        self.server.shutdown()


def answer(request, status, headers, content, length=None, is_cut=False):
    request.send_response_only(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("Content-Length", length or str(len(content)))
    request.end_headers()
    if request.command != "HEAD":
        request.wfile.write(content[: len(content) // 2] if is_cut else content)
    if is_cut:
        end(request)


def end(request):
    request.wfile.flush()
    request.close_connection = True
