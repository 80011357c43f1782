#!/usr/bin/python3
"""A relay between a host and a reader that validates every message against the protocol's schema.

Arguments: the schema, the reader's program, and a file that gets a line for each violation and then
a line for each message's kind.
"""
import json
import os
import select
import socket
import subprocess
import sys

import jsonschema

schema, program, log = sys.argv[1:]
with open(schema) as file:
    definitions = json.load(file)["$defs"]
host = socket.socket(fileno=3)
ours, theirs = socket.socketpair()
child = subprocess.Popen(
    ["/bin/sh", "-c", f'exec "$0" 3<&{theirs.fileno()} 3>&{theirs.fileno()}', program],
    pass_fds=[theirs.fileno()],
)
theirs.close()
asked = {}


def kind(message, side):
    """Returns the schema of a message; for an answer, the schema for its request."""
    if side == "fromHost":
        asked[message.get("request")] = message.get("verb")
        return str(message.get("verb"))
    if "event" in message:
        return str(message["event"])
    return "refusal" if "error" in message else f"{asked.get(message.get('answer'))}Answer"


def judge(line, side):
    message = json.loads(line)
    name = kind(message, side)
    with open(log, "a") as file:
        if name not in definitions:
            file.write(f"violation: {name} is no message\n")
            return
        rule = {"$defs": definitions, "$ref": f"#/$defs/{name}"}
        for error in jsonschema.Draft202012Validator(rule).iter_errors(message):
            file.write(f"violation: {name}: {error.message}\n")
        file.write(f"{name}\n")


rests = {host: b"", ours: b""}
while True:
    for source in select.select([host, ours], [], [])[0]:
        data, files, _, _ = socket.recv_fds(source, 65536, 4)
        if not data:
            child.terminate()
            raise SystemExit
        target, side = (ours, "fromHost") if source is host else (host, "fromReader")
        *lines, rests[source] = (rests[source] + data).split(b"\n")
        for line in lines:
            judge(line, side)
        socket.send_fds(target, [data], files)
        for file in files:
            os.close(file)
