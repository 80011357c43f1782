#!/usr/bin/env python3
"""Puts edge cases of numbers into every field of a running host's API, as listed in its OpenAPI
description.

    number_edges.py ADDRESS [--seconds N]

Each edge case is used once in every path parameter, every query parameter, every field of every
body, every setting of a virtual device, every option of every step, and every number of a profile.
Each answer must be a success or a problem document with a status below 500, and the host must still
answer afterward. Every failure is printed; the exit status is 1 if there is one. Without --seconds
all edge cases are tried; with it, the fields are tried in turn until the time is over.
"""

import http.client
import json
import re
import sys
import time
import urllib.parse

# The most dangerous numbers come first, in case there is no time for all.
NUMBERS = [
    str(-(2**63)),
    str(2**63 - 1),
    "-1",
    "1e308",
    "-1e308",
    "0",
    "1e-320",
    "1e400",
    "9" * 1000,
    "0.5",
]
for bits in (63, 64, 53, 31, 32, 15, 16, 7, 8):
    limit = 2**bits
    NUMBERS += [
        str(number)
        for number in (limit, -limit, limit - 1, 1 - limit, limit + 1, -limit - 1)
        if str(number) not in NUMBERS
    ]
NUMBERS += ["1", "-0.0", "-1e400", "-" + "9" * 1000, "0." + "3" * 1000]
# Texts that JSON doesn't allow as a number, and values that are not numbers.
WORDS = ["NaN", "Infinity", "-Infinity", "true", "null"]
TOKENS = NUMBERS + WORDS + [json.dumps(text) for text in NUMBERS + WORDS]
TEXTS = NUMBERS + WORDS + ["1_000", "+1", "0x7f", "1e3", "١٢"]
MARK = "@@EDGE@@"

# The description can't say which items exist, so they are listed here. A body's name is its
# operation, followed by the path within it.
PLACES = {"documents": "1", "number": "1", "devices": "virtual:feeder", "profiles": "document"}
BODIES = {
    "POST /api/v1/jobs": [
        {"device": "virtual:feeder", "profile": "none", "pages": 1, "common": {"resolution": 75}},
        {"device": "virtual:camera", "profile": "none"},
    ],
}
# Members that can't be combined with a device, or that need another member.
APART = {"uploads"}
CAMERA = {"watch"}


class Host:
    """A host, and its wrong answers."""

    def __init__(self, address):
        self.place = urllib.parse.urlsplit(address).netloc
        self.line = None
        self.failures = []
        self.asked = 0
        self.all = 0
        self.accepted = 0

    def ask(self, method, path, body=None):
        """The status, the media type and the bytes of an answer. Only the head is read of an answer
        that does not end.
        """
        for attempt in (0, 1):
            if self.line is None:
                self.line = http.client.HTTPConnection(self.place, timeout=60)
            try:
                headers = {"Content-Type": "application/json"} if body is not None else {}
                self.line.request(method, path, body, headers)
                answer = self.line.getresponse()
                kind = answer.getheader("Content-Type") or ""
                if kind.startswith(("text/event-stream", "multipart/")):
                    self.line.close()
                    self.line = None
                    return answer.status, kind, b""
                return answer.status, kind, answer.read()
            except (http.client.HTTPException, OSError):
                self.line.close()
                self.line = None
                # The host may have closed an idle connection; a second failure is the host's fault.
                if attempt:
                    raise

    def json(self, method, path, body=None):
        return json.loads(self.ask(method, path, body)[2])

    def probe(self, method, path, body=None):
        """Sends a request with an edge case, and records an answer that is not allowed."""
        self.asked += 1
        shown = f"{method} {path[:200]} {(body or '')[:300]}"
        try:
            status, kind, text = self.ask(method, path, body)
        except (http.client.HTTPException, OSError) as error:
            self.failures.append(f"{shown}: no answer: {error!r}")
            self.alive()
            return None
        if status >= 500:
            self.failures.append(f"{shown}: {status} {text[:300]!r}")
        elif status >= 400:
            if not kind.startswith("application/problem+json") or "detail" not in json.loads(text):
                self.failures.append(
                    f"{shown}: {status} without a problem document: {text[:300]!r}"
                )
        else:
            self.accepted += 1
            if method == "POST" and path == "/api/v1/jobs":
                self.stop(json.loads(text)["id"])
            elif method == "POST" and path.endswith("/review"):
                self.ask("POST", path.replace("/review", "/undo"), None)
        return status

    def stop(self, job):
        """Stops a job that an edge case has started, waits for its end, and discards its pages."""
        self.ask("POST", f"/api/v1/jobs/{job}/stop")
        for _ in range(600):
            state = self.json("GET", f"/api/v1/jobs/{job}").get("state")
            if state in ("completed", "stopped", "failed"):
                break
            time.sleep(0.05)
        else:
            self.failures.append(f"The job {job} does not end after it was stopped.")
        self.ask("DELETE", f"/api/v1/jobs/{job}")

    def alive(self):
        """Ends the run when the host no longer answers."""
        try:
            if self.ask("GET", "/health")[0] == 200:
                return
        except (http.client.HTTPException, OSError):
            pass
        self.failures.append("The host is gone.")
        self.end()

    def end(self):
        for failure in self.failures:
            print(failure)
        print(
            f"{self.asked} of {self.all} requests with edges of numbers, {self.accepted} accepted,"
            f" {len(self.failures)} wrong answers"
        )
        sys.exit(1 if self.failures else 0)


def resolved(schema, document):
    """A schema with references resolved. Of several alternatives, it is the first that isn't
    null."""
    if "$ref" in schema:
        return resolved(document["components"]["schemas"][schema["$ref"].split("/")[-1]], document)
    if "anyOf" in schema and "properties" not in schema:
        return resolved(next(s for s in schema["anyOf"] if s.get("type") != "null"), document)
    return schema


def sample(schema, document):
    """A value that fits a schema."""
    schema = resolved(schema, document)
    kind = schema.get("type")
    if "enum" in schema:
        return schema["enum"][0]
    if kind == "object":
        return {
            name: sample(schema["properties"][name], document)
            for name in schema.get("required", [])
        }
    if kind == "array":
        return [sample(schema["items"], document)]
    if kind in ("integer", "number"):
        return max(1, schema.get("minimum", 1)) * schema.get("multipleOf", 1)
    return {"boolean": True, "string": "1"}.get(kind, 1)


def marked(schema, document):
    """Values that fit a schema, each with the mark in one of its fields."""
    schema = resolved(schema, document)
    kind = schema.get("type")
    if kind == "object" and schema.get("properties"):
        for name, member in schema["properties"].items():
            beside = {
                other: sample(schema["properties"][other], document)
                for other in schema.get("required", [])
                if other != name
            }
            for value in marked(member, document):
                yield {**beside, name: value}
    elif kind == "object" and isinstance(schema.get("additionalProperties"), dict):
        for value in marked(schema["additionalProperties"], document):
            yield {"resolution": value}
    elif kind == "array":
        for value in marked(schema["items"], document):
            yield [value]
    elif kind != "object":
        yield MARK


def bodies(operation, schema, document):
    """The bodies of an operation, each with one mark."""
    for value in marked(schema, document):
        if operation == "POST /api/v1/jobs":
            if APART & set(value):
                yield value
            else:
                beside = BODIES[operation][1 if CAMERA & set(value) else 0]
                yield {**beside, **value}
        else:
            yield value


def numbers_of(value):
    """Copies of a JSON value, each with the mark instead of one of its numbers."""
    if isinstance(value, bool):
        return
    if isinstance(value, (int, float)):
        yield MARK
    elif isinstance(value, dict):
        for name, member in value.items():
            for changed in numbers_of(member):
                yield {**value, name: changed}
    elif isinstance(value, list):
        for index, member in enumerate(value):
            for changed in numbers_of(member):
                yield value[:index] + [changed] + value[index + 1 :]


def filled(path, edge=None, at=None):
    """A path with existing values for its parameters, except one that is an edge case."""

    def value(match):
        name = match.group(1)
        if name == at:
            return urllib.parse.quote(edge, safe="")
        group = path.split("/")[3] if path.count("/") > 2 else ""
        return PLACES.get(name) or PLACES.get(group) or "1"

    return re.sub(r"\{(\w+)\}", value, path)


def cases(host, document):
    """For each field, the requests that put an edge case into it."""
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            method = method.upper()
            for parameter in operation.get("parameters", []):
                name = parameter["name"]
                if parameter["in"] == "path":
                    yield [(method, filled(path, edge, name), None) for edge in TEXTS]
                else:
                    yield [
                        (method, filled(path) + f"?{name}=" + urllib.parse.quote(edge), None)
                        for edge in TEXTS
                    ]
            schema = (
                operation.get("requestBody", {})
                .get("content", {})
                .get("application/json", {})
                .get("schema")
            )
            if schema:
                for body in bodies(f"{method} {path}", schema, document):
                    yield bodied(method, filled(path), body)
    order = {"device": "virtual:feeder", "profile": "none", "pages": 1}
    for device in ("feeder", "flatbed", "camera"):
        place = f"/api/v1/devices/virtual:{device}"
        for option in host.json("GET", place + "/options").get("options", []):
            wish = {option["name"]: MARK}
            yield bodied("POST", place + "/check", {"settings": wish})
            yield bodied(
                "POST",
                "/api/v1/jobs",
                {**order, "device": f"virtual:{device}", "settings": wish},
                TEXTS,
            )
    coarse = {
        **order,
        "profile": "document",
        "omittedSteps": ["text"],
        "common": {"resolution": 75},
    }
    for step in host.json("GET", "/api/v1/steps")["steps"]:
        for option in step["options"]:
            if option["type"] == "number":
                change = {f"{step['name']}.{option['name']}": MARK}
                yield bodied("POST", "/api/v1/jobs", {**coarse, "steps": change}, TEXTS)
    for profile in host.json("GET", "/api/v1/profiles")["profiles"]:
        form = host.json("GET", f"/api/v1/profiles/{profile['name']}/form")
        for changed in numbers_of(form):
            yield bodied("POST", "/api/v1/profile-check", changed)
            yield bodied("PUT", "/api/v1/profiles/edges", changed)
    for word in ("since", "before"):
        yield [
            ("GET", "/api/v1/search?q=" + urllib.parse.quote(f"{word}:{edge}{rest}"), None)
            for edge in TEXTS
            for rest in ("", "-01", "-01-01")
        ]
        yield [
            ("GET", f"/api/v1/documents?{word}=" + urllib.parse.quote(f"2026-{edge}-{edge}"), None)
            for edge in TEXTS
        ]


def bodied(method, path, body, texts=None):
    text = json.dumps(body)
    tokens = TOKENS if texts is None else [json.dumps(edge) for edge in texts]
    return [(method, path, text.replace(json.dumps(MARK), token)) for token in tokens]


def main():
    host = Host(sys.argv[1])
    end = time.monotonic() + float(sys.argv[3]) if "--seconds" in sys.argv[2:] else float("inf")
    document = host.json("GET", "/api/v1/openapi.json")
    fields = [case for case in cases(host, document) if case]
    host.all = sum(len(case) for case in fields)
    # One edge case for each field in turn, so that a short run tries some in every field.
    for turn in range(max(len(case) for case in fields)):
        for case in fields:
            if time.monotonic() >= end:
                host.end()
            if turn < len(case):
                host.probe(*case[turn])
        host.alive()
    host.end()


main()
