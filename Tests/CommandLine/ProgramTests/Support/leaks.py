"""What leaves a host, searched for the name of its user's home.

    leaks.py BIN FOLDER ENDINGS KINDS

The home, the spool, the archive, the folder for temporary files and the watched folder are in
folders with a name that nothing else has. Documents come by path, by standard input, by upload,
from a watched folder and from a scanner; some jobs fail. Then every GET route of the API's own
description, the event streams, eSCL, each file format of ENDINGS and the requests that destinations
get are searched for the name. KINDS are all kinds of sinks: each must be tried here, or be known to
get nothing but the same files and names as one that is. Prints the leaks, and what was searched.
"""

import email
import http.client
import http.server
import itertools
import json
import os
import re
import shutil
import socket
import socketserver
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.parse
from pathlib import Path

SECRET = "zzyzx"
PATIENCE = 120.0
# What these kinds send is what another kind sends, by another protocol.
ALIKE = {"s3", "rclone", "nextcloud", "ftps", "smb", "sftp", "immich", "ocr-service", "docspell"}
# A printer gets the file itself, on this machine.
LOCAL = {"print"}

program, root = f"{sys.argv[1]}/copystand", Path(sys.argv[2])
endings, kinds = sys.argv[3].split(","), set(sys.argv[4].split(","))
home = root / f"home of o'{SECRET}, (old)"
data = home / "in here"
variables = {
    "PATH": "/usr/bin:/bin",
    "HOME": str(home),
    "TMPDIR": str(root / f"tmp-{SECRET}"),
    "COPYSTAND_SPOOL": str(root / f"{SECRET} spool" / "jobs"),
    "COPYSTAND_OUTBOX": str(root / f"{SECRET} outbox" / "box"),
    "XDG_STATE_HOME": str(root / f"{SECRET} state"),
}
leaks: list[str] = []
searched = 0


def run(*words: str, status: tuple[int, ...] = (0,), given: bytes = b"") -> str:
    done = subprocess.run([program, *words], env=variables, input=given, capture_output=True)
    assert done.returncode in status, (words, done.returncode, done.stderr.decode())
    return done.stdout.decode()


def search(what: str, content: bytes) -> None:
    """Notes the name in bytes, also as UTF-16 and in an address."""
    global searched
    searched += 1
    lowered = content.lower()
    for form in (SECRET.encode(), SECRET.encode("utf-16-le"), SECRET.encode("utf-16-be")):
        at = lowered.find(form)
        if at >= 0:
            leaks.append(f"{what}: …{content[max(0, at - 60):at + 40]!r}…")
            return


def search_file(what: str, path: Path) -> None:
    content = path.read_bytes()
    search(what, content)
    if content.startswith(b"%PDF") and shutil.which("qpdf"):
        plain = subprocess.run(
            ["qpdf", "--qdf", "--object-streams=disable", str(path), "-"], capture_output=True
        )
        search(f"{what}, uncompressed", plain.stdout)


# MARK: The destinations


class Receiver(http.server.BaseHTTPRequestHandler):
    """Takes everything, and searches it."""

    protocol_version = "HTTP/1.1"
    got: dict[str, int] = {}

    def take(self) -> None:
        kind = self.path.split("/")[1]
        if self.headers.get("Transfer-Encoding", "") == "chunked":
            body = b""
            while size := int(self.rfile.readline(), 16):
                body += self.rfile.read(size)
                self.rfile.readline()
            self.rfile.readline()
        else:
            body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        search(f"request to {kind}", f"{self.path}\n{self.headers}".encode() + body)
        if body:
            Receiver.got[kind] = Receiver.got.get(kind, 0) + 1
            if kind.startswith("pdf"):
                pdf = root / "received.pdf"
                pdf.write_bytes(body)
                search_file(f"file for {kind}", pdf)
        # Paperless answers with a task, and follows it to the document.
        text = '"7a1b"' if "post_document" in self.path else (
            json.dumps([{"task_id": "7a1b", "status": "SUCCESS", "related_document": "12"}])
            if "tasks" in self.path else json.dumps({"id": 1, "results": [], "count": 0})
        )
        self.send_response(207 if self.command == "PROPFIND" else 201 if body else 200)
        self.send_header("Content-Length", str(len(text)))
        self.send_header("Content-Type", "application/json")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(text.encode())

    def log_message(self, *_: object) -> None: ...


for verb in ("GET", "POST", "PUT", "HEAD", "OPTIONS", "PROPFIND", "MKCOL", "MOVE", "DELETE"):
    setattr(Receiver, f"do_{verb}", Receiver.take)


class MailServer(socketserver.StreamRequestHandler):
    """Just enough of SMTP to take a message."""

    def handle(self) -> None:
        self.say("220 mail")
        while line := self.rfile.readline().decode(errors="replace").strip():
            verb = line.split()[0].upper()
            if verb == "DATA":
                self.say("354 go on")
                lines = list(iter(self.rfile.readline, b".\r\n"))
                search("e-mail", b"".join(lines))
                message = email.message_from_bytes(b"".join(lines))
                for part in message.walk():
                    if content := part.get_payload(decode=True):
                        search("attachment of the e-mail", content)
                Receiver.got["email"] = 1
            self.say("221 bye" if verb == "QUIT" else "250 fine")

    def say(self, words: str) -> None:
        self.wfile.write(f"{words}\r\n".encode())


def serve(server: socketserver.BaseServer) -> int:
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server.server_address[1]


web = serve(http.server.ThreadingHTTPServer(("127.0.0.1", 0), Receiver))
mail = serve(socketserver.ThreadingTCPServer(("127.0.0.1", 0), MailServer))

# MARK: The documents

for folder in (data, root / f"tmp-{SECRET}", root / "out", home / "watched", home / "kept"):
    folder.mkdir(parents=True, exist_ok=True)


def picture(name: str, shade: int) -> Path:
    rows = bytes((x * y + shade) % 251 for y in range(120) for x in range(90))
    path = data / name
    path.write_bytes(b"P5 90 120 255\n" + rows)
    return path


(home / "token").write_text("t\n")
(home / "token").chmod(0o600)
letter = picture("letter one.pgm", 1)
pdf = data / "report.pdf"
run("import", str(letter), "-p", "none", "-o", str(pdf))

for kind, more in {
    "hook": ["-k", "webhook"],
    "data": ["-k", "webhook", "--form", "json"],
    "put": ["-k", "webhook", "--form", "put", "--format", "json"],
    "pdf": ["-k", "webhook", "--form", "put"],
    "webdav": ["-k", "webdav"],
    "paperless": ["-k", "paperless", "--token-file", str(home / "token")],
}.items():
    run("sinks", "add", kind, *more, "--url", f"http://127.0.0.1:{web}/{kind}/")
run(
    "sinks", "add", "email", "-k", "email", "--url", f"smtp://127.0.0.1:{mail}", "--parameter",
    "from=a@example.org", "--parameter", "to=b@example.org", "--parameter", "encryption=none",
    status=(0, 2),
)
run("sinks", "add", "shelf", "-k", "file", "--template", f"{home}/kept/{{title}}.json")
run("sinks", "add", "broken", "-k", "exec", "--command", str(home / "no-such-program"))
run("sinks", "add", "loud", "-k", "exec", "--command", "/bin/ls", "--command", "{}")
listed = run("sinks", "list", "--json")
named = set(re.findall(r'"kind"\s*:\s*"([a-z0-9-]+)"', listed))
unknown = kinds - named - ALIKE - LOCAL
assert not unknown, (
    f"new kinds of sinks: {unknown}. Add a sink of each above in leaks.py, so that what it sends is"
    " searched, or name the kind in ALIKE there if another kind sends the same."
)

run("import", str(letter), "-p", "none")
run("import", str(pdf), "-p", "none")
run("import", str(data), "-p", "none", status=(0, 3, 4, 5))
run("import", "-", "-p", "none", given=picture("piped.pgm", 5).read_bytes())
shutil.copy(picture("watched.pgm", 9), home / "watched")
run("watch-folder", str(home / "watched"), "--once", "--still", "0", "-p", "none", status=(0, 3, 4))
scan = ["scan", "-d", "virtual:feeder", "-p", "none", "-r", "75"]
run(*scan, "-n", "1", "--sink", "archive", "-o", str(home / "kept" / "scan.pdf"))
# Jobs that stay: one jammed, and one whose file is gone since.
run(*scan, "-o", str(home / "kept" / "jam.pdf"), "--set", "fault=jam", "--set", "fault-page=2",
    status=(0, 3, 4, 5))
(home / "kept" / "jam.pdf").unlink(missing_ok=True)
(data / "broken.pdf").write_bytes(b"%PDF-1.4\nnonsense")
run("import", str(data / "broken.pdf"), "-p", "none", status=(2, 3, 4, 5, 6))

# What an earlier version wrote.
archive = home / ".local/share/copystand/archive.sqlite"
with sqlite3.connect(archive) as old:
    for page, text in old.execute("SELECT id, provenance FROM page").fetchall():
        known = json.loads(text)
        name = known["device"].replace(":", "/").split("/")[-1]
        if known["device"].startswith("file:"):
            known["device"] = f"file:{data}/{name}"
        problems = [f"'{data}/{name}' has no resolution."]
        old.execute(
            "UPDATE page SET provenance = ?, problems = ? WHERE id = ?",
            (json.dumps(known), json.dumps(problems), page),
        )

run("archive", "copy", str(archive.parent), str(root / "copied"))
with sqlite3.connect(root / "copied/archive.sqlite") as copied:
    for row in copied.execute("SELECT provenance, problems FROM page"):
        search("page of a copied archive", repr(row).encode())

# MARK: The host

log = open(root / "log", "w+")
host = subprocess.Popen(
    [program, "serve", "--listen", "127.0.0.1:0", "--token", "--share", "--share-port", "0"],
    env=variables, stdout=log, stderr=log, stdin=subprocess.DEVNULL,
)


def said(pattern: str) -> str:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if found := re.search(pattern, (root / "log").read_text()):
            return found.group(1)
        time.sleep(0.05)
    raise SystemExit(f"the host did not say {pattern}: {(root / 'log').read_text()}")


port, shared = int(said(r"Listening on \S+?:(\d+)")), int(said(r"scanners on port (\d+)"))
tokens = {"admin": said(r"not shown again: (\w+)")}
for scope in ("scan", "read"):
    tokens[scope] = run("token", "add", scope, "--scope", scope).strip()
tokens["own"] = run("token", "add", "own", "--scope", "scan", "--sees", "own").strip()


def ask(method: str, path: str, scope: str, body: object = None, port: int = port) -> tuple:
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    headers = {"Authorization": f"Bearer {tokens[scope]}"} if scope in tokens else {}
    if isinstance(body, dict):
        headers["Content-Type"], body = "application/json", json.dumps(body)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    content = answer.read()
    return answer.status, f"{answer.headers}".encode(), content


def told(method: str, path: str, scope: str, body: object = None) -> dict:
    """The JSON of an answer, after a search."""
    status, headers, content = ask(method, f"/api/v1{path}", scope, body)
    search(f"{method} {path} as {scope}", headers + content)
    return json.loads(content) if content.startswith(b"{") else {}


def listen(what: str, path: str, scope: str) -> None:
    """Searches a stream until the host ends."""
    connection = http.client.HTTPConnection("127.0.0.1", port)
    connection.request("GET", path, headers={"Authorization": f"Bearer {tokens[scope]}"})
    answer = connection.getresponse()

    def read() -> None:
        content = b""
        while piece := answer.read1(1 << 16):
            content = content[-200:] + piece
            search(what, content)

    threading.Thread(target=read, daemon=True).start()


listen("events", "/api/v1/events", "scan")


def ended(job: str, scope: str) -> dict:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        status = told("GET", f"/jobs/{job}", scope)
        if status.get("state") not in ("running", "waiting"):
            return status
        time.sleep(0.1)
    raise SystemExit(f"the job {job} does not end: {status}")


def uploaded(name: str, content: bytes, scope: str, **order: object) -> str:
    sent = told("POST", f"/uploads?name={urllib.parse.quote(name)}", scope, content)
    begun = told("POST", "/jobs", scope, {"uploads": [sent["id"]], "profile": "none", **order})
    return begun["id"]


order = {"device": "virtual:feeder", "profile": "none", "pages": 1}
jobs = [
    uploaded("upload.pgm", letter.read_bytes(), "scan"),
    uploaded("own.pgm", letter.read_bytes(), "own"),
    uploaded("report.pdf", pdf.read_bytes(), "scan"),
    uploaded("broken.pdf", b"%PDF-1.4\nnonsense", "scan"),
    uploaded("broken.jpg", b"\xff\xd8\xff\xe0 nonsense", "own"),
    told("POST", "/jobs", "scan", order)["id"],
]
states = [ended(job, "scan" if number not in (1, 4) else "own")["state"]
          for number, job in enumerate(jobs)]
assert "failed" in states and "completed" in states, states
watch = told("POST", "/jobs", "scan", {
    "device": "virtual:camera", "profile": "none",
    "watch": {"manual": True, "stills": "never"}})["id"]
listen("live events", f"/api/v1/jobs/{watch}/live/events", "scan")
preview = told("POST", "/previews", "scan", {"device": "virtual:flatbed"}).get("id", "none")
stored = [job["id"] for job in told("GET", "/jobs", "admin").get("stored", [])]
assert stored, "no job stayed in the spool"
for job in stored:
    told("POST", f"/jobs/{job}/resume", "scan")
    told("DELETE", f"/jobs/{job}", "scan")

documents = told("GET", "/documents?limit=1000", "admin")["documents"]
assert len(documents) >= 7, documents
sinks = [one for one in told("GET", "/sinks", "admin")["sinks"] if one != "archive"]
for scope, document in itertools.product(("admin", "scan"), documents[:4]):
    told("POST", f"/documents/{document['id']}/send", scope, {"sinks": sinks})
for sink in sinks:
    told("POST", f"/sinks/{sink}/test", "scan")
missed = {"hook", "data", "put", "pdf", "webdav", "paperless", "email"} - set(Receiver.got)
assert not missed, f"nothing arrived at {missed}: {told('GET', '/outbox', 'admin')}"

# MARK: Every route that reads

described = json.loads(ask("GET", "/api/v1/openapi.json", "admin")[2])
items = [item["id"] for item in told("GET", "/outbox", "admin")["items"]] or ["none"]
numbers = [str(document["id"]) for document in documents]
whole = [told("GET", f"/documents/{number}", "scan") for number in numbers]
hashes = [page["image"] for document in whole for page in document["pages"]][:2]
devices = ["virtual:feeder", "virtual:flatbed", "virtual:camera", "nothing"]
places = {
    "documents": numbers, "jobs": [*jobs, *stored, watch], "previews": [preview], "outbox": items,
    "devices": devices, "sinks": [*sinks, "nothing"], "profiles": ["none", "document", "nothing"],
    "images": hashes,
}
# A stream has no end, and is read above.
streams = {"/api/v1/events", "/api/v1/jobs/{id}/live", "/api/v1/jobs/{id}/live/events"}
routes = 0
for route, methods in described["paths"].items():
    if "get" not in methods or route in streams:
        continue
    routes += 1
    group = route.split("/")[3] if route.count("/") > 2 else ""
    choices = []
    for part in re.findall(r"{(\w+)}", route):
        choices.append(["1", "99"] if part == "number" else places.get(group, ["nothing"]))
    needed = "&".join(
        f"{one['name']}=report" for one in methods["get"].get("parameters", [])
        if one["in"] == "query" and one.get("required")
    )
    queries = [f"?{needed}" if needed else ""]
    if route.endswith("/{id}"):
        queries.append("?text=true")
    for one in methods["get"].get("parameters", []):
        if one["name"] == "format":
            queries += [f"?format={choice}" for choice in one["schema"]["enum"]]
    for values, query in itertools.product(itertools.product(*choices), queries):
        path = route
        for value in values:
            path = re.sub(r"{\w+}", urllib.parse.quote(value, safe=""), path, count=1)
        for scope in ("admin", "scan", "read", "own", "nobody"):
            status, headers, content = ask("GET", path + query, scope)
            what = f"GET {path}{query} as {scope}: {status}"
            if scope == "admin" and re.fullmatch(r"/api/v1/documents/\d+", path) and status == 200:
                # Those who manage the host learn where a document is.
                answer = json.loads(content)
                for receipt in answer.pop("receipts"):
                    search(what, json.dumps({**receipt, "sink": "", "place": ""}).encode())
                content = json.dumps(answer).encode()
            if content.startswith(b"%PDF"):
                (root / "answer.pdf").write_bytes(content)
                search_file(what, root / "answer.pdf")
            search(what, headers + content)

for path in ("ScannerCapabilities", "ScannerStatus", "ScanBufferInfo", "nothing", "icon"):
    status, headers, content = ask("GET", f"/eSCL/{path}", "nobody", port=shared)
    search(f"eSCL {path}", headers + content)

host.terminate()
host.wait(PATIENCE)

# MARK: Every format

for ending, number in itertools.product(endings, numbers):
    name = f"export-{number}{ending}"
    run("export", number, "-o", str(root / "out" / name), status=(0, 3, 5))
for ending in endings:
    source = pdf if ending == ".pdf" else letter
    run("import", str(source), "-p", "none", "-o", str(root / "out" / f"direct{ending}"))
    made = [one for one in (root / "out").iterdir() if one.name.startswith("direct")
            and one.name.endswith(ending)]
    assert made, f"no file ends with {ending}"
for path in [*(root / "out").iterdir(), *(home / "kept").iterdir()]:
    search_file(f"file {path.name}", path)

print(f"{routes} routes, {len(endings)} formats and {len(named)} kinds of sinks were searched")
print("\n".join(dict.fromkeys(leaks)))
sys.exit(1 if leaks or searched < 500 else 0)
