#!/usr/bin/python3
"""A reader that takes some time for a page: its words are `slow` and the size of the picture.

The seconds are in the file `seconds` beside this program.
"""

import json
import os
import socket
import time
from pathlib import Path

host = socket.socket(fileno=3)
rest, files = b"", []
while True:
    while b"\n" not in rest:
        data, more, _, _ = socket.recv_fds(host, 65536, 4)
        rest, files = rest + data, files + more
        if not data:
            raise SystemExit
    line, rest = rest.split(b"\n", 1)
    request = json.loads(line)
    number = request["request"]
    if request.get("fd"):
        os.close(files.pop(0))
        time.sleep(float(Path(__file__).with_name("seconds").read_text()))
        size = f"{request['picture']['width']}x{request['picture']['height']}"
        for row, word in enumerate(("slow", size)):
            top, bottom = 10 + 30 * row, 30 + 30 * row
            quad = [10, top, 90, top, 90, bottom, 10, bottom]
            words = [{"text": word, "quad": quad, "confidence": 1}]
            event = {"event": "line", "reading": number, "words": words}
            host.sendall(json.dumps(event).encode() + b"\n")
    answer = {"answer": number, "protocol": 1, "name": "Slow reader"}
    host.sendall(json.dumps(answer).encode() + b"\n")
