"""A proxy before a real host that keeps its answers and repeats them with one number or date
changed.

hostile_proxy.py UPSTREAM FOLDER. Each kept answer has a line in FOLDER/index: its key, and how many
kinds of numbers and dates it has. Those at the same place in the elements of a list are of one
kind. FOLDER/order says what is changed: KEY KIND EDGE, where KIND counts from 0, or is "all".
"""

import http.client
import json
import os
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

upstream, folder = sys.argv[1:]
MOST = 2**53
# A reader could mistake the first ones for valid values; the others are invalid and must be
# refused.
NUMBERS = [
    "-1",
    str(MOST),
    str(-MOST),
    "1e-320",
    "-9223372036854775808",
    "9223372036854775807",
    "18446744073709551615",
    "1e308",
    "-1e308",
    "9" * 1000,
    "-" + "9" * 1000,
    '"NaN"',
    "null",
    "1e400",
]
DATES = [
    "+500000-01-01T00:00:00Z",
    "-0001-01-01T00:00:00Z",
    "9999999999999-12-31T23:59:59Z",
    "9999-99-99T99:99:99Z",
    "",
]
DATE = re.compile(r"\d{4}-\d\d-\d\dT")
kept, lock = {}, threading.Lock()


def leaves(value, path=""):
    """The places of all numbers and dates, each as (container, key, kind)."""
    items = (
        value.items()
        if isinstance(value, dict)
        else enumerate(value) if isinstance(value, list) else []
    )
    for key, item in items:
        if (
            isinstance(item, (int, float))
            and not isinstance(item, bool)
            or isinstance(item, str)
            and DATE.match(item)
        ):
            yield value, key, f"{path}/{'' if isinstance(value, list) else key}"
        yield from leaves(item, f"{path}/{'' if isinstance(value, list) else key}")


def kinds(values):
    return list(dict.fromkeys(kind for value in values for _, _, kind in leaves(value)))


def changed(text, kind, edge):
    value = json.loads(text)
    for container, key, its in list(leaves(value)):
        if kind in (None, its):
            container[key] = f"edge-{'d' if isinstance(container[key], str) else 'n'}"
    text = json.dumps(value).replace('"edge-d"', json.dumps(DATES[edge % len(DATES)]))
    return text.replace('"edge-n"', NUMBERS[edge % len(NUMBERS)])


def values(media, body):
    if media.startswith("text/event-stream"):
        return [
            json.loads(line[6:]) for line in body.decode().split("\n") if line.startswith("data: ")
        ]
    return [json.loads(body)] if "json" in media else []


def changed_answer(media, body, place, edge):
    kind = None if place == "all" else kinds(values(media, body))[int(place)]
    if not media.startswith("text/event-stream"):
        return changed(body, kind, edge).encode()
    lines = body.decode().split("\n")
    return "\n".join(
        "data: " + changed(line[6:], kind, edge) if line.startswith("data: ") else line
        for line in lines
    ).encode()


class Proxy(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *words):
        pass

    def handle_request(self):
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        key = f"{self.command}:{self.path.split('?')[0]}"
        with lock:
            known = kept.get(key)
        if known is None:
            return self.pass_on(key, body)
        status, kind, answer = known
        order = (
            open(folder + "/order").read().split()
            if os.path.exists(folder + "/order")
            else ["", "", "0"]
        )
        if order[0] == key:
            answer = changed_answer(kind, answer, order[1], int(order[2]))
        self.begin(status, kind, len(answer))
        self.wfile.write(answer)

    def begin(self, status, kind, length):
        self.send_response(status)
        self.send_header("Content-Type", kind)
        if length is None:
            self.send_header("Connection", "close")
            self.close_connection = True
        else:
            self.send_header("Content-Length", str(length))
        self.end_headers()

    def pass_on(self, key, body):
        host = http.client.HTTPConnection(upstream.removeprefix("http://"))
        headers = {
            name: self.headers[name]
            for name in ("Content-Type", "Accept", "Last-Event-ID")
            if name in self.headers
        }
        host.request(self.command, self.path, body or None, headers)
        answer = host.getresponse()
        kind = answer.headers.get("Content-Type", "")
        taken = b""
        if kind.startswith("text/event-stream"):
            self.begin(answer.status, kind, None)
            try:
                while piece := answer.read1(65536):
                    taken += piece
                    self.wfile.write(piece)
            except OSError:
                pass
            # An event that was cut off because the client left is not kept.
            taken = taken[: taken.rfind(b"\n\n") + 2]
            self.keep(key, answer.status, kind, taken)
        else:
            taken = answer.read()
            self.keep(key, answer.status, kind, taken)
            self.begin(answer.status, kind, len(taken))
            self.wfile.write(taken)

    def keep(self, key, status, kind, taken):
        with lock:
            if key not in kept:
                kept[key] = (status, kind, taken)
                with open(folder + "/index", "a") as index:
                    print(key, len(kinds(values(kind, taken))), file=index)

    do_GET = do_POST = do_DELETE = handle_request


server = ThreadingHTTPServer(("127.0.0.1", 0), Proxy)
server.daemon_threads = True
print(f"Listening on http://127.0.0.1:{server.server_port} now", file=sys.stderr, flush=True)
server.serve_forever()
