#!/usr/bin/env python3
"""A whole capture backend: a made-up feeder of striped pages. The protocol: Docs/CaptureProtocol.md."""
import json, queue, socket, sys, threading

try:
    host = socket.socket(fileno=3)
except OSError:
    sys.exit("This is a Copystand backend, which Copystand starts by itself.")
sending, grants, cancelled = threading.Lock(), queue.Queue(), threading.Event()
FEEDER = {"id": "feeder", "name": "Striped pages", "kind": "scanner", "sources": ["feeder"]}
PAGES = {"name": "pages", "title": "Pages in the feeder", "value": 3,
         "type": {"kind": "integer", "minimum": 1, "maximum": 100}}

def failure(code, message):
    return {"error": {"code": code, "message": message}}

def send(message, data=b""):
    if data:
        message["bytes"] = len(data)
    with sending:  # a message and its bytes stay together
        host.sendall(json.dumps(message).encode() + b"\n" + data)

def set_option(name, value):
    if name != "pages":
        return failure("noSuchOption", f"no option is called '{name}'")
    if type(value) is not int or not 1 <= value <= 100:
        return failure("invalidValue", f"option 'pages' takes 1 to 100, not {value!r}")
    PAGES["value"] = value
    return {"value": value}

def capture(request):
    """Sends the pages, on a thread of its own, so that a cancel can be read meanwhile."""
    here = {"capture": request["request"]}
    for frame in range(1, min(request.get("limit", 100), PAGES["value"]) + 1):
        here["frame"] = frame
        send({"event": "frame", **here, "format": "gray8", "width": 200, "height": 300,
              "resolution": {"x": 25.4, "y": 25.4}, "label": f"sheet {frame}"})
        grant = grants.get()  # waits until the host has room
        if grant["event"] == "refused":
            return {"error": grant["error"]}
        for row in range(300):
            if cancelled.is_set():
                return failure("cancelled", "the capture was cancelled")
            send({"event": "pixels", **here}, bytes([row * 8 % 256]) * 200)
        send({"event": "done", **here, "rows": 300})
    return {}

def answer(request):
    verb, result = request["verb"], {}  # an empty result answers cancel and close
    if verb == "hello":
        result = {"protocol": 1, "name": "Striped pages", "version": "1.0"}
    elif verb == "devices":
        result = {"devices": [FEEDER]}
    elif verb == "open" and request["device"] != "feeder":
        result = failure("noSuchDevice", f"there is no device '{request['device']}'")
    elif verb == "open":
        result = {"handle": 1, "device": FEEDER}
    elif verb == "options":
        result = {"options": [PAGES]}
    elif verb == "set":
        result = set_option(request["option"], request["value"])
    elif verb == "capture":
        result = capture(request)
    send({"answer": request["request"], **result})

for line in host.makefile("rb"):  # ends when the host is gone
    message = json.loads(line)
    if "event" in message:
        grants.put(message)
        continue
    if message["verb"] == "cancel":
        cancelled.set()
    if message["verb"] == "capture":
        cancelled.clear()
        threading.Thread(target=answer, args=[message], daemon=True).start()
    else:
        answer(message)
