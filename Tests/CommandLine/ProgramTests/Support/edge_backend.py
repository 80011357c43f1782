#!/usr/bin/python3 -IS
"""A backend with one scanner, whose messages are in messages.json beside it, each with the bytes
that follow it.
"""

import _socket
import json
import os

link = _socket.socket(fileno=3)
place = os.path.dirname(os.path.abspath(__file__))
with open(place + "/messages.json") as file:
    # The messages are texts, since an edge case may not be valid JSON.
    messages = json.load(file)
rest = b""


def line():
    global rest
    while b"\n" not in rest:
        more = link.recv(65536)
        if not more:
            os._exit(0)
        rest += more
    said, rest = rest.split(b"\n", 1)
    return json.loads(said)


def send(text, number):
    text, _, size = text.partition("#")
    data = text.replace("$REQUEST", str(number)).encode() + b"\n" + b"\7" * int(size or 0)
    link.sendall(data)


while True:
    asked = line()
    if "verb" not in asked:
        continue
    for text in messages.get(asked["verb"], ['{"answer":$REQUEST}']):
        send(text, asked["request"])
        if '"event":"frame"' in text:
            # The host answers where to write the frame, or closes the connection.
            line()
