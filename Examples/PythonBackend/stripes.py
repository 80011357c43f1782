#!/usr/bin/env python3
"""A capture backend, a made-up feeder of striped pages. See Docs/developers/CaptureProtocol.md."""
import json, queue, socket, sys, threading

try:
    host = socket.socket(fileno=3)
except OSError:
    print("This is a Copystand backend, which Copystand starts by itself.", file=sys.stderr)
    sys.exit(2)
sending, grants, cancelled = threading.Lock(), queue.Queue(), threading.Event()
FEEDER = {"id": "feeder", "name": "Striped pages", "kind": "scanner", "sources": ["feeder"]}
PAGES = {"name": "pages", "title": "Pages in the feeder", "value": 3,
         "type": {"kind": "integer", "minimum": 1, "maximum": 100}}
handles, capturing = [], set()  # the open device, if it is open; the capture that runs, if any

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

def grant(here):
    """Waits until the host has room; answers that come too late are for frames that are over."""
    while True:
        message = grants.get()
        if (message.get("capture"), message.get("frame")) == (here["capture"], here["frame"]):
            return message

def capture(request):
    """Sends the pages, on a thread of its own, so that a cancel can be read meanwhile."""
    here = {"capture": request["request"]}
    for frame in range(1, min(request.get("limit", 100), PAGES["value"]) + 1):
        here["frame"] = frame
        send({"event": "frame", **here, "format": "gray8", "width": 200, "height": 300,
              "resolution": {"x": 25.4, "y": 25.4}, "label": f"sheet {frame}"})
        message = grant(here)
        if message["event"] == "refused":
            return {"error": message["error"]}
        for row in range(300):
            if cancelled.is_set():
                return failure("cancelled", "the capture was canceled")
            send({"event": "pixels", **here}, bytes([row * 8 % 256]) * 200)
        send({"event": "done", **here, "rows": 300})
    return {}

def answer_capture(request):
    result = capture(request)
    capturing.clear()
    send({"answer": request["request"], **result})

def answer(request):
    verb, result = request["verb"], {}  # the result of cancel and close is empty
    if verb == "hello":
        result = {"protocol": 1, "name": "Striped pages", "version": "1.0"}
    elif verb == "devices":
        result = {"devices": [FEEDER]}
    elif verb == "open" and request["device"] != "feeder":
        result = failure("noSuchDevice", f"there is no device '{request['device']}'")
    elif verb == "open" and handles:
        result = failure("busy", "the feeder is open already")
    elif verb == "open":
        handles.append(request["request"])
        result = {"handle": handles[0], "device": FEEDER}
    elif verb == "cancel":
        if request["capture"] in capturing:
            cancelled.set()  # a frame that waits is refused as well
    elif verb not in ("options", "set", "capture", "close"):
        result = failure("unsupported", f"no verb '{verb}' is known")
    elif request["handle"] not in handles:
        result = failure("noSuchDevice", "the feeder is not open")
    elif verb == "options":
        result = {"options": [PAGES]}
    elif verb == "set":
        result = set_option(request["option"], request["value"])
    elif verb == "close":
        handles.clear()
    elif capturing:
        result = failure("busy", "the feeder is already capturing")
    elif request.get("mode") == "live":
        result = failure("unsupported", "striped pages are no live picture")
    elif request.get("limit", 1) < 1:
        result = failure("invalidValue", f"a capture of {request['limit']} pages makes no sense")
    else:
        capturing.add(request["request"])
        cancelled.clear()
        return threading.Thread(target=answer_capture, args=[request], daemon=True).start()
    send({"answer": request["request"], **result})

for line in host.makefile("rb"):  # ends when the host is gone
    message = json.loads(line)
    if "event" in message:
        grants.put(message)
    else:
        answer(message)
