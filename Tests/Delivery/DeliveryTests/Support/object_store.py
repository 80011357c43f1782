"""A store of objects on loopback that checks each signature with botocore, and fails on request.

Arguments: a folder for objects, a file with a list of faults, one of which is used up by each PUT:
a status as a number, "cut" (taken, and no answer), "part" (half of it is kept, and no answer),
"quota" (refused as Ceph does), or "none".
Prints its port. The bucket is
"scans"; key and secret are AKID and s3cret-word. `If-None-Match` is heeded. A time that is more
than a quarter of an hour off is refused.
"""

import datetime
import hashlib
import json
import pathlib
import re
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, unquote

from botocore.auth import S3SigV4Auth
from botocore.awsrequest import AWSRequest
from botocore.credentials import Credentials

root, faults_file = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])


def next_fault():
    faults = json.loads(faults_file.read_text()) if faults_file.exists() else []
    faults_file.write_text(json.dumps(faults[1:]))
    return faults[0] if faults else "none"


class Store(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def answer(self, status, headers=None):
        self.send_response(status)
        for name, value in (headers or {"Content-Length": "0"}).items():
            self.send_header(name, value)
        self.end_headers()

    def say(self, status, body):
        self.answer(status, {"Content-Length": str(len(body))})
        self.wfile.write(body)

    def list(self, query):
        """ListObjectsV2: lists at most `max-keys` keys with a prefix, after a given key."""
        keys = {}
        for note in root.glob("*.meta"):
            place, key = note.with_suffix(""), json.loads(note.read_text())["key"]
            if place.exists() and key.startswith(query.get("prefix", [""])[0]):
                keys[key] = place.stat()
        after = query.get("start-after", [""])[0]
        found = sorted(key for key in keys if key > after)
        most = int(query["max-keys"][0])
        entries = "".join(
            f"<Contents><Key>{key}</Key><LastModified>"
            + datetime.datetime.fromtimestamp(keys[key].st_mtime, datetime.timezone.utc).strftime(
                "%Y-%m-%dT%H:%M:%S.000Z"
            )
            + f"</LastModified><Size>{keys[key].st_size}</Size></Contents>"
            for key in found[:most]
        )
        cut = str(len(found) > most).lower()
        xml = f"<ListBucketResult><IsTruncated>{cut}</IsTruncated>{entries}</ListBucketResult>"
        return self.say(200, xml.encode())

    def is_signed(self, body):
        match = re.match(
            r"AWS4-HMAC-SHA256 Credential=AKID/(\d{8})/([a-z0-9-]+)/s3/aws4_request,"
            r" ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$",
            self.headers.get("Authorization", ""),
        )
        if (
            not match
            or self.headers.get("x-amz-content-sha256") != hashlib.sha256(body).hexdigest()
        ):
            return False
        signed = match[3].split(";")
        request = AWSRequest(
            method=self.command,
            url=f"http://{self.headers['Host']}{self.path}",
            headers={name: self.headers[name] for name in signed},
        )
        request.context["timestamp"] = self.headers["x-amz-date"]
        auth = S3SigV4Auth(Credentials("AKID", "s3cret-word"), "s3", match[2])
        canonical = auth.canonical_request(request)
        return auth.signature(auth.string_to_sign(request, canonical), request) == match[4]

    def is_timely(self):
        """Compares the time of signing with this clock, as stores do."""
        time = datetime.datetime.strptime(
            self.headers.get("x-amz-date", "19700101T000000Z"), "%Y%m%dT%H%M%S%z"
        )
        now = datetime.datetime.now(datetime.timezone.utc)
        return abs(now - time) < datetime.timedelta(minutes=15)

    def go(self):
        body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
        if not self.is_timely():
            return self.answer(403)
        if not self.is_signed(body):
            return self.answer(403)
        host = self.headers["Host"]
        path = unquote(self.path.split("?")[0])
        if self.command == "GET" and "?" in self.path:
            return self.list(parse_qs(self.path.split("?")[1]))
        key = path[1:] if host.startswith("scans.") else path.removeprefix("/scans/")
        place = root / hashlib.sha256(key.encode()).hexdigest()
        if self.command == "HEAD":
            if not place.exists():
                return self.answer(404)
            headers = json.loads((root / (place.name + ".meta")).read_text())
            return self.answer(
                200, {"Content-Length": str(place.stat().st_size), **headers["meta"]}
            )
        if self.command == "GET":
            if not place.exists():
                return self.answer(404)
            return self.say(200, place.read_bytes())
        if self.command == "DELETE":
            place.unlink(missing_ok=True)
            return self.answer(204)
        fault = next_fault()
        if isinstance(fault, int):
            return self.answer(fault)
        if fault == "quota":
            return self.say(403, b'<?xml version="1.0"?><Error><Code>QuotaExceeded</Code></Error>')
        if place.exists() and self.headers.get("If-None-Match") == "*":
            return self.answer(412)
        meta = {
            name: value
            for name, value in self.headers.items()
            if name.lower().startswith("x-amz-meta-")
        }
        (root / (place.name + ".meta")).write_text(json.dumps({"key": key, "meta": meta}))
        place.write_bytes(body[: len(body) // 2] if fault == "part" else body)
        if fault in ("cut", "part"):
            self.close_connection = True
            return None
        return self.answer(200)

    do_PUT = do_HEAD = do_GET = do_DELETE = go


server = ThreadingHTTPServer(("127.0.0.1", 0), Store)
print(server.server_address[1], flush=True)
threading.Thread(target=server.serve_forever, daemon=True).start()
sys.stdin.read()
