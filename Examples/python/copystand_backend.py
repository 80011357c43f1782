"""What a Copystand backend in Python needs. Copy this file beside yours; it uses the standard
library only (Python 3.9).

    import copystand_backend as copystand

    class Lamp(copystand.Device):
        def capture(self, sink, mode, limit):
            page = sink.begin("gray8", 2480, 3508, resolution=300)
            page.write(pixels)
            page.finish()

    class Lamps(copystand.Backend):
        def devices(self, quick):
            return [copystand.device("lamp", "Desk lamp scanner", "scanner")]

        def open(self, id):
            return Lamp(copystand.integer("gain", "Gain", 3, 1, 9))

    copystand.run(Lamps("Lamp scanners", "1.0"))

Raise `Failure` with a code of the protocol and a sentence for whatever goes wrong. Methods are
called on threads of the backend's own: those of one device one after the other, but `capture` runs
beside them, and devices run side by side.
"""

import array
import json
import os
import queue
import signal
import socket
import sys
import threading
import time

PROTOCOL = 1
_BITS = {
    "bilevel": 1,
    "gray8": 8,
    "gray16": 16,
    "rgb8": 24,
    "rgb16": 48,
    "yuyv": 16,
    "uyvy": 16,
    "nv12": 8,
    "jpeg": 0,
}
_LONGEST_SIDE = 65535
_PIECE = 1 << 20
_GATHERED = 512 << 10


class Failure(Exception):
    """What could not be done, for the person at the keyboard.

    `code` is one of the protocol, such as "offline", "busy", "jammed" or "feederEmpty"; `message`
    one sentence without a full stop that names the value; `advice` the next step, where you know
    better than the code tells.
    """

    def __init__(self, code, message, advice=None):
        super().__init__(message)
        self.code, self.message, self.advice = code, message, advice

    def json(self):
        fields = {"code": self.code, "message": self.message[:4000]}
        return {**fields, "advice": self.advice} if self.advice else fields


class Cancelled(Failure):
    """The host has cancelled the capture: stop the device and let this pass."""

    def __init__(self):
        super().__init__("cancelled", "the capture was cancelled")


def device(id, name, kind, **more):
    """Describes a device. `kind` is "scanner", "camera" or "files"; `more` is any of vendor, model,
    connection, sources (a list), maximumArea (a dictionary of width and height in millimetres),
    state and advice.
    """
    return {"id": id, "name": name, "kind": kind, **more}


def path_bytes(text):
    """The bytes of a path that the host sent, such as an id: open, stat and their like take them as
    they are.
    """

    def part(character):
        byte = ord(character) - 0x10FF00
        if 0 < byte < 0x20 or 0x7F <= byte <= 0xFF:
            return bytes([byte])
        return character.encode()

    return b"".join(map(part, text))


def _option(name, title, value, type, more):
    fields = {"name": name, "title": title, "type": type, **more}
    return fields if value is None else {**fields, "value": value, "defaultValue": value}


def toggle(name, title, value, **more):
    """An option that is true or false. `more` is any of help, group, unit, defaultValue, isActive,
    isReadOnly, isAdvanced, sensor, hostPath.
    """
    return _option(name, title, value, {"kind": "toggle"}, more)


def integer(name, title, value, minimum, maximum, step=1, **more):
    """An option with a whole number, in steps from the minimum."""
    return _option(
        name,
        title,
        value,
        {"kind": "integer", "minimum": minimum, "maximum": maximum, "step": step},
        more,
    )


def number(name, title, value, minimum, maximum, **more):
    """An option with a number."""
    return _option(
        name, title, value, {"kind": "number", "minimum": minimum, "maximum": maximum}, more
    )


def choice(name, title, value, choices, **more):
    """An option with one of some texts, or of some whole numbers."""
    kind = "choice" if isinstance(choices[0], str) else "integerChoice"
    return _option(name, title, value, {"kind": kind, "choices": list(choices)}, more)


def text(name, title, value, maximum_length=1000, **more):
    """An option with text of at most so many UTF-8 bytes. Say hostPath=True when it names a file or
    folder.
    """
    return _option(name, title, value, {"kind": "text", "maximumLength": maximum_length}, more)


def button(name, title, **more):
    """An action: setting it performs it (`Device.changed`)."""
    return _option(name, title, None, {"kind": "button"}, more)


def _fits(value, type):
    """Whether an option of that type takes the value, and what it takes, for the message."""
    kind, whole = type["kind"], isinstance(value, int) and not isinstance(value, bool)
    least, most = type.get("minimum", float("-inf")), type.get("maximum", float("inf"))
    if kind == "toggle":
        return isinstance(value, bool), "true or false"
    if kind == "integer":
        step = type.get("step", 1)
        takes = f"{least} to {most}" + (f" in steps of {step}" if step > 1 else "")
        return (
            whole and least <= value <= most and (value - max(least, -1 << 62)) % step == 0,
            takes,
        )
    if kind == "number":
        return (whole or isinstance(value, float)) and least <= value <= most, f"{least} to {most}"
    if kind in ("choice", "integerChoice"):
        same = isinstance(value, str) if kind == "choice" else whole
        return same and value in type["choices"], "one of " + ", ".join(map(str, type["choices"]))
    if kind == "text":
        most = type.get("maximumLength", 1 << 20)
        return (
            isinstance(value, str) and len(value.encode()) <= most,
            f"text of at most {most} bytes",
        )
    return True, "anything"


class Device:
    """An open device: derive from it and write `capture`; the rest has a default."""

    def __init__(self, *options):
        self._options = {option["name"]: option for option in options}

    def describe(self):
        """What the device is (`device(...)`), for one that is opened without being listed; None
        otherwise.
        """
        return None

    def options(self):
        """Every option as it is now."""
        return list(self._options.values())

    def option(self, name):
        """One option, whose fields may be changed, such as isActive or value."""
        if name not in self._options:
            raise Failure("noSuchOption", f"no option is called '{name}'")
        return self._options[name]

    def __getitem__(self, name):
        """The value of an option; a name that was never given is a KeyError, for it is the
        backend's own mistake.
        """
        return self._options[name]["value"]

    def set(self, name, value):
        """Checks a value, tells `changed`, keeps it; answers it, and whether other options changed
        with it.
        """
        option = self.option(name)
        fits, takes = _fits(value, option["type"])
        if option.get("isReadOnly"):
            raise Failure("invalidValue", f"option '{name}' can only be read")
        if option.get("isActive") is False:
            raise Failure(
                "invalidValue",
                f"option '{name}' has no effect with the current values of the other options",
            )
        if not fits:
            raise Failure("invalidValue", f"option '{name}' takes {takes}, not {value!r}")
        reload = bool(self.changed(name, value))
        if option["type"]["kind"] != "button":
            option["value"] = value
        return option.get("value"), reload

    def changed(self, name, value):
        """Brings a checked value to the device. Answer True when other options changed with it;
        raise `Failure` to refuse.
        """
        return False

    def capture(self, sink, mode, limit):
        """Captures frames into `sink` until the source is empty or `limit` (None: no limit) is
        reached.

        `mode` is "pages", in which none may be lost, or "live": frames at the device's own rate
        until cancelled.
        """
        raise Failure("unsupported", "this device can't capture")

    def close(self):
        """Releases the device; called once, after every capture has ended."""


class Backend:
    """A source of devices: derive from it and write `devices` and `open`."""

    def __init__(self, name, version):
        self.name, self.version = name, version
        self._wire = None

    def devices(self, quick):
        """The devices that can be seen now (a list of `device(...)`); with `quick`, those that can
        be seen at once.
        """
        raise NotImplementedError

    def open(self, id):
        """Opens a device (a `Device`); raise `Failure("noSuchDevice", ...)` when there is none of
        that id.
        """
        raise NotImplementedError

    def watch(self):
        """Called on a thread of its own when the host is there; may call `added` and `removed` for
        ever.
        """

    def added(self, device):
        """Tells the host that a device has come."""
        self._wire.send({"event": "deviceAdded", "device": device})

    def removed(self, id):
        """Tells the host that a device has gone."""
        self._wire.send({"event": "deviceRemoved", "id": id})

    def log(self, message, level="info"):
        """Writes to the host's log; `level` is debug, info, warning or error. What you print goes
        there too.
        """
        self._wire.send({"event": "log", "level": level, "message": message[:4000]})


def row_bytes(format, width):
    """The fewest bytes a row takes."""
    if format in ("yuyv", "uyvy"):
        return (width + 1) // 2 * 4
    return (width + 1) // 2 * 2 if format == "nv12" else (width * _BITS[format] + 7) // 8


class Frame:
    """A frame that was begun: write its pixels, top row first, then finish it."""

    def __init__(self, sink, number, fields, grant, descriptor):
        self._sink, self._number, self._fields = sink, number, fields
        self._way, self._descriptor = grant["way"], descriptor
        self._most, self._written, self._offset = grant.get("most", 0), 0, grant.get("offset", 0)
        # Small writes are gathered, so that a few messages carry many rows; slow ones are sent on
        # as they come.
        self._gathered, self._last = bytearray(), time.monotonic()
        #: False when the host drops this live frame: then nothing need be written.
        self.wanted = self._way != "drop"

    def write(self, data):
        """Adds the next bytes; they need not end at a row's end."""
        self._sink.check()
        data = memoryview(data).cast("B")
        if not self.wanted:
            return
        if self._written + len(self._gathered) + len(data) > self._most:
            raise Failure(
                "tooLarge",
                f"frame {self._number} has more bytes than the {self._most} that were announced",
            )
        if len(data) < _GATHERED:
            self._gathered += data
            if len(self._gathered) >= _GATHERED or time.monotonic() - self._last > 0.25:
                self._flush()
        else:
            self._flush()
            self._store(data)

    def _flush(self):
        gathered, self._gathered, self._last = self._gathered, bytearray(), time.monotonic()
        self._store(memoryview(gathered))

    def _store(self, data):
        while data:
            piece = data[:_PIECE]
            if self._way == "inline":
                self._sink.send({"event": "pixels", "frame": self._number}, piece)
            else:
                piece = piece[: os.pwrite(self._descriptor, piece, self._offset + self._written)]
            self._written += len(piece)
            data = data[len(piece) :]
            if self._way == "fd" and self._fields["format"] != "jpeg":
                self._sink.send({"event": "progress", "frame": self._number, "rows": self._rows()})

    def text(self, words, partial=False):
        """Tells words that the page brings along, each a dict of text, box and perhaps ends;
        `partial`: there may be more on it.
        """
        self._sink.check()
        for start in range(0, len(words) if self.wanted else 0, 100):
            fields = {"partial": True} if partial else {}
            self._sink.send(
                {
                    "event": "text",
                    "frame": self._number,
                    "words": words[start : start + 100],
                    **fields,
                }
            )

    def finish(self, original=None):
        """Ends the frame. `original`: the bytes of the JPEG it was decoded from, which the host may
        keep untouched.
        """
        self._sink.check()
        self._flush()
        fields = {
            "event": "done",
            "frame": self._number,
            "rows": self._fields.get("height") or self._rows(),
        }
        if self.wanted:
            if self._written < self._least(fields["rows"]) or not fields["rows"]:
                raise Failure(
                    "damagedData",
                    f"frame {self._number} is torn: only {self._written} bytes of it came",
                )
            if self._fields["format"] == "jpeg":
                fields["length"] = self._written
            if original:
                fields["mediaType"] = "image/jpeg"
            self._sink.send(fields, original or b"")
        self.release()
        self._sink.over(self.wanted)

    def release(self):
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None

    def _stride(self):
        return self._fields.get("stride") or row_bytes(
            self._fields["format"], self._fields["width"]
        )

    def _rows(self):
        """Whole rows written so far; the last one needs no padding."""
        stride = self._stride()
        rest = self._written % stride >= row_bytes(self._fields["format"], self._fields["width"])
        return min(self._written // stride + rest, self._fields.get("height") or _LONGEST_SIDE)

    def _least(self, rows):
        if self._fields["format"] == "jpeg":
            return 1
        color = (rows + 1) // 2 if self._fields["format"] == "nv12" else 0
        return self._stride() * (rows + color - 1) + row_bytes(
            self._fields["format"], self._fields["width"]
        )


class Sink:
    """Where a capture puts its frames."""

    def __init__(self, wire, capture, limit):
        self._wire, self._capture, self._limit = wire, capture, limit
        self._number, self._finished, self._open = 1, 0, None
        self._grants = queue.Queue()
        self._cancel = threading.Event()

    def begin(self, format, width, height=None, resolution=None, **more):
        """Announces a frame, waits until the host has room for it, and answers a `Frame`.

        `resolution` is in dots per inch; `more` is any of stride, label, expected, time, problems,
        capacity (for "jpeg") and facts, such as {"origin": "scan", "size": "measured"}. Raises
        `Failure("tooLarge", ...)` for a frame beyond the host's limits: another may be begun, or
        the page skipped.
        """
        self.check()
        if self._open:
            raise Failure("internalFault", f"frame {self._number} was started and not finished")
        if self._limit and self._finished >= self._limit:
            raise Failure("internalFault", f"a frame was begun after the last of {self._limit}")
        fields = {"format": format, "width": width, **more}
        if height:
            fields["height"] = height
        if resolution:
            fields["resolution"] = {"x": resolution, "y": resolution}
        self.send({"event": "frame", "frame": self._number, **fields})
        message, descriptor = self._grants.get()
        if message is None:
            raise Cancelled()
        if message["event"] == "refused":
            error = message.get("error", {})
            if error.get("code") == "cancelled":
                raise Cancelled()
            raise Failure(
                error.get("code", "internalFault"),
                error.get("message", "the host refused the frame"),
            )
        self._open = Frame(self, self._number, fields, message, descriptor)
        return self._open

    def skip(self, failure, label=None):
        """Reports a page that can't be captured while those after it can; one that was begun is
        thrown away.
        """
        self.check()
        fields = {"event": "skipped", "frame": self._number, "error": failure.json()}
        self.send({**fields, "label": label} if label else fields)
        if self._open:
            self._open.release()
        self.over(False)

    @property
    def cancelled(self):
        """True once the host has cancelled the capture."""
        return self._cancel.is_set()

    def check(self):
        """Raises `Cancelled` once the host has cancelled the capture; call it in loops
        that take long.
        """
        if self.cancelled:
            raise Cancelled()

    def sleep(self, seconds):
        """Waits; raises `Cancelled` as soon as the capture is cancelled."""
        if self._cancel.wait(seconds):
            raise Cancelled()

    # What follows is this file's own.

    @property
    def number(self):
        return self._number

    def send(self, fields, data=b""):
        self._wire.send({**fields, "capture": self._capture}, data)

    def over(self, counts):
        self._open, self._number, self._finished = None, self._number + 1, self._finished + counts

    def deliver(self, message, descriptor):
        self._grants.put((message, descriptor))

    def cancel(self):
        self._cancel.set()
        self._grants.put((None, None))

    def end(self):
        if self._open:
            self._open.release()
        while not self._grants.empty():
            descriptor = self._grants.get()[1]
            if descriptor is not None:
                os.close(descriptor)


class _Lane:
    """An open device: its requests one after the other, a capture beside them."""

    def __init__(self, device):
        self.device, self.sink, self.thread = device, None, None
        self.requests = queue.Queue()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self):
        while True:
            work = self.requests.get()
            if work is None:
                return
            work()

    def stop_capture(self):
        sink, thread = self.sink, self.thread
        if sink:
            sink.cancel()
        if thread and thread.ident:
            thread.join()


class _Wire:
    """The connection to the host."""

    def __init__(self, socket_, backend):
        self._socket, self._backend = socket_, backend
        self._sending = threading.Lock()
        self._lanes, self._sinks, self._handle, self._greeted = {}, {}, 0, False
        self._descriptors, self._rest = [], b""

    def send(self, message, data=b""):
        if len(data):
            message["bytes"] = len(data)
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._sending:  # a message and its bytes stay together
            self._socket.sendall(line)
            if len(data):
                self._socket.sendall(data)

    def serve(self):
        """Reads requests until the host is gone."""
        for line in self._lines():
            message = json.loads(line)
            descriptor = self._descriptors.pop(0) if message.get("fd") else None
            if "event" in message:
                sink = self._sinks.get(message.get("capture"))
                if (
                    sink
                    and message["event"] in ("buffer", "refused")
                    and message.get("frame") == sink.number
                ):
                    sink.deliver(message, descriptor)
                elif descriptor is not None:
                    os.close(descriptor)
            elif isinstance(message.get("request"), int) and isinstance(message.get("verb"), str):
                self._take(message)
            else:
                raise ValueError(f"neither a request nor an event: {line[:120]!r}")

    def wind_down(self):
        """Ends captures and closes devices when the host is gone; a thread so that a device that
        hangs holds up nobody.
        """

        def close():
            for lane in list(self._lanes.values()):
                lane.stop_capture()
                lane.device.close()

        thread = threading.Thread(target=close, daemon=True)
        thread.start()
        thread.join(1.5)

    def _lines(self):
        while True:
            data, ancillary, _, _ = self._socket.recvmsg(
                65536, socket.CMSG_SPACE(16), socket.MSG_CMSG_CLOEXEC
            )
            for level, type, raw in ancillary:
                if level == socket.SOL_SOCKET and type == socket.SCM_RIGHTS:
                    numbers = array.array("i")
                    numbers.frombytes(raw[: len(raw) - len(raw) % numbers.itemsize])
                    self._descriptors += numbers
            if not data:
                return
            *lines, self._rest = (self._rest + data).split(b"\n")
            yield from lines

    def _take(self, request):
        verb, lane = request.get("verb"), self._lanes.get(request.get("handle"))
        if verb in ("options", "set", "capture", "close") and not lane:
            self._answer(request, self._no_device)
        elif verb == "cancel":
            sink = self._sinks.get(request["capture"])
            if sink:
                sink.cancel()
            self._answer(request, lambda _: {})
        elif verb == "capture":
            self._capture(request, lane)
        elif verb in ("options", "set"):
            work = self._options if verb == "options" else self._set
            lane.requests.put(lambda: self._answer(request, lambda _: work(lane, request)))
        elif verb == "close":
            del self._lanes[request["handle"]]
            lane.requests.put(lambda: self._answer(request, lambda _: self._close(lane)))
            lane.requests.put(None)
        else:
            work = {"hello": self._hello, "devices": self._devices, "open": self._open}.get(
                verb, self._unknown
            )
            threading.Thread(target=self._answer, args=(request, work), daemon=True).start()

    def _answer(self, request, work):
        """Runs a request, and answers it exactly once."""
        try:
            result = work(request)
        except Failure as failure:
            result = {"error": failure.json()}
        except Exception as fault:
            import traceback  # only here, for it takes as long to load as all else

            traceback.print_exc()
            result = {"error": Failure("internalFault", f"{type(fault).__name__}: {fault}").json()}
        try:
            self.send({"answer": request["request"], **result})
        except OSError:
            pass  # the host is gone; the reader ends the program

    def _hello(self, request):
        if not self._greeted:
            self._greeted = True
            threading.Thread(target=self._backend.watch, daemon=True).start()
        return {
            "protocol": PROTOCOL,
            "name": self._backend.name,
            "version": self._backend.version,
            "capabilities": ["descriptors", "offsets"],
        }

    def _devices(self, request):
        return {"devices": list(self._backend.devices(request.get("quick", False)))}

    def _open(self, request):
        device = self._backend.open(request["device"])
        self._handle += 1
        handle = self._handle
        self._lanes[handle] = _Lane(device)
        description = device.describe()
        return {"handle": handle, "device": description} if description else {"handle": handle}

    def _options(self, lane, request):
        return {"options": lane.device.options()}

    def _set(self, lane, request):
        value, reload = lane.device.set(request["option"], request["value"])
        fields = {"reloadOptions": reload}
        return fields if value is None else {**fields, "value": value}

    def _close(self, lane):
        lane.stop_capture()
        lane.device.close()
        return {}

    def _capture(self, request, lane):
        id, limit = request["request"], request.get("limit")
        if lane.sink:
            return self._answer(request, self._busy)
        if limit is not None and limit < 1:
            return self._answer(request, self._no_limit)
        sink = lane.sink = self._sinks[id] = Sink(self, id, limit)

        def capture(_):
            try:
                sink.check()
                lane.device.capture(sink, request.get("mode", "pages"), limit)
                if sink._open:
                    raise Failure("internalFault", "a frame was started and not finished")
                return {}
            finally:
                del self._sinks[id]
                sink.end()
                lane.sink = None

        lane.thread = threading.Thread(target=self._answer, args=(request, capture), daemon=True)
        lane.requests.put(lane.thread.start)

    def _no_device(self, request):
        raise Failure("noSuchDevice", f"no open device has the handle {request.get('handle')}")

    def _busy(self, request):
        raise Failure("busy", "the device is already capturing")

    def _no_limit(self, request):
        raise Failure("invalidValue", f"a capture of {request['limit']} frames makes no sense")

    def _unknown(self, request):
        raise Failure("unsupported", f"no verb '{request.get('verb')}' is known")


def run(backend):
    """Serves a `Backend` to the host that started this program, until the host goes away; then the
    program ends.
    """
    try:
        host = socket.socket(fileno=3)
    except OSError:
        print(
            f"{backend.name} {backend.version}: a Copystand backend."
            " Copystand starts it when needed.\nTry: copystand backends",
            file=sys.stderr,
        )
        sys.exit(2)
    os.set_inheritable(3, False)
    signal.signal(
        signal.SIGHUP, lambda *_: signal.alarm(2)
    )  # the host has died: there is time to close devices, not more
    sys.stdout.reconfigure(
        line_buffering=True
    )  # what is printed goes into the host's log, line by line
    wire = backend._wire = _Wire(host, backend)
    status = 0
    try:
        wire.serve()
    except (ValueError, KeyError, TypeError, AttributeError, IndexError) as fault:
        print(f"the host's message can't be read: {fault}", file=sys.stderr)
        status = 1
    except OSError:
        pass
    wire.wind_down()
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(status)  # without waiting for threads that a device may hold
