#!/usr/bin/python3
"""A reader without any library: each blot of ink is the word "ink". Write your own `blots`."""
import json, mmap, os, socket

host = socket.socket(fileno=3)
rest, files = b"", []


def runs(flags, gap):
    """The stretches of true flags, over gaps of less than `gap`, as (start, end)."""
    found = []
    for i, flag in enumerate(flags):
        if flag and found and i - found[-1][1] < gap:
            found[-1][1] = i + 1
        elif flag:
            found.append([i, i + 1])
    return found


def blots(pixels, form):
    """Lines of words: text, corners clockwise from the top left, confidence."""
    width, height, stride = form["width"], form["height"], form["stride"]
    rows = [pixels[y * stride:y * stride + width] for y in range(height)]
    for top, bottom in runs([min(row) < 128 for row in rows], 4):
        columns = [min(row[x] for row in rows[top:bottom]) < 128 for x in range(width)]
        quads = [[a, top, b, top, b, bottom, a, bottom] for a, b in runs(columns, 9)]
        yield [{"text": "ink", "quad": quad, "confidence": 1} for quad in quads]


while True:
    while b"\n" not in rest:
        data, more, _, _ = socket.recv_fds(host, 65536, 4)
        rest, files = rest + data, files + more
        if not data:
            raise SystemExit  # The host is gone.
    line, rest = rest.split(b"\n", 1)
    request = json.loads(line)
    answer = {"answer": request["request"], "protocol": 1, "name": "Ink blots"}
    if request.get("fd"):
        form, file = request["picture"], files.pop(0)
        with mmap.mmap(file, form["stride"] * form["height"], prot=mmap.PROT_READ) as pixels:
            for words in blots(pixels, form) if form["format"] == "gray8" else []:
                event = {"event": "line", "reading": request["request"], "words": words}
                host.sendall(json.dumps(event).encode() + b"\n")
        os.close(file)
    host.sendall(json.dumps(answer).encode() + b"\n")
