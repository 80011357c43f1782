#!/usr/bin/python3 -IS
"""A backend that follows the whole protocol except for one fault: the one whose name replaces the
value of FAULT.

It has one thread, which first handles the host's messages and then sends a piece of the granted
page. A capture that asks for three pages has a slow device, which stops in the middle of its first
page until the host sends a message.
"""

# Modules that are built into the interpreter: tests start this program thousands of times, and
# loading `json`, `os` and `signal` takes longer than everything else.
import _json, _socket, posix as os, select, sys, time

FAULT = globals().get("FAULT", "")


def faulty(name):
    return FAULT == name


def stay():
    while True:
        time.sleep(1000)


def crash():
    os.kill(os.getpid(), 9)


def leave():
    os._exit(9)


class Decoding:
    """The settings with which the interpreter's reader of JSON reads values."""

    strict, object_hook, object_pairs_hook, memo = True, None, None, {}
    parse_float, parse_int, parse_constant = float, int, float


scan = _json.make_scanner(Decoding)
encode = _json.make_encoder(
    None, None, _json.encode_basestring_ascii, None, ": ", ", ", False, False, True
)


def parse(line):
    """Returns the value of a line of JSON. Raises ValueError for other text."""
    text = line.decode().strip()
    try:
        value, end = scan(text, 0)
    except StopIteration:
        raise ValueError(text) from None
    if end != len(text):
        raise ValueError(text)
    return value


if faulty("startsSlowly"):
    time.sleep(3)
try:
    link = _socket.socket(fileno=3)
except OSError:
    sys.exit(0 if faulty("staysByHand") else 2)
poll = select.poll()
poll.register(3, select.POLLIN)
lines, rest, descriptors = [], b"", []
greeted, devices_seen, opened, handle, last_handle, captures = False, 0, {}, 0, 0, 0
capture, ended, kept, late = None, {}, [], None
LOCK = "\0copystand-check-" + __file__
locks = []

if faulty("closesOutput"):
    os.dup2(os.open("/dev/null", os.O_WRONLY), 2)


def send(data=b"", **fields):
    if data:
        fields["bytes"] = len(data)
    data = "".join(encode(fields, 0)).encode() + b"\n" + data
    while data:
        try:
            data = data[link.send(data) :]
        except OSError:
            gone()


def repeat(number, is_again, is_stray):
    """Answers twice, or answers a request that was not made."""
    if is_again:
        send(answer=number)
    if is_stray:
        send(answer=55555)


def fail(number, code, message=None):
    send(answer=number, error={"code": code, "message": message or "it is " + code})


def locked(name):
    """Returns True if this process gets a name that only one process can have."""
    lock = _socket.socket(_socket.AF_UNIX, _socket.SOCK_STREAM)
    try:
        lock.bind(LOCK + name)
    except OSError:
        return False
    locks.append(lock)
    return True


def gone():
    """The host is gone."""
    full = any(event & select.POLLHUP for _, event in poll.poll(0))
    if faulty("staysEarly") and not greeted:
        stay()
    if faulty("staysHalf") and not full:
        stay()
    if faulty("staysCut") and rest:
        stay()
    if faulty("staysOpen") and opened and not capture:
        stay()
    if faulty("staysWaiting") and capture and not capture.granted:
        stay()
    if faulty("staysMidPage") and capture and capture.granted:
        stay()
    if faulty("leavesLock") and opened:
        os.unlink(__file__ + ".lock")
    if faulty("crashesAtExit"):
        crash()
    os._exit(1 if faulty("exitsWithError") else 0)


def read(timeout):
    """Handles the host's messages, if any arrive in time."""
    global rest
    if not poll.poll(timeout):
        return False
    room = _socket.CMSG_SPACE(16)
    try:
        data, ancillary, _, _ = link.recvmsg(1 << 20, room, _socket.MSG_CMSG_CLOEXEC)
    except ConnectionResetError:
        # The host has closed the connection without reading everything.
        gone()
    for level, type, raw in ancillary:
        descriptors.extend(
            int.from_bytes(raw[i : i + 4], sys.byteorder) for i in range(0, len(raw) - 3, 4)
        )
    if not data:
        gone()
    if faulty("wholeReads") and len(data) < 100 and not data.endswith(b"\n") and not rest:
        leave()
    *new, rest = (rest + data).split(b"\n")
    lines.extend(new[:3] if faulty("threeAtOnce") else new)
    return True


# --- Devices ---

ONE = {
    "id": "one",
    "name": "One",
    "kind": "scanner",
    "sources": ["glass", "feeder"],
    "state": "ready",
}
AWAY = {
    "id": "away",
    "name": "Away",
    "kind": "camera",
    "state": "offline",
    "advice": "Switch it on.",
}


def list_devices(number, quick):
    global devices_seen
    if faulty("hangsAtDevices") and not quick:
        return
    if faulty("listsSlowly") and not quick:
        time.sleep(1)
    found, problem = [ONE, AWAY], {"code": "hung", "message": "one driver hung"}
    if faulty("badKind"):
        found.append({**AWAY, "id": "odd", "kind": "toaster"})
    if faulty("doubleDevice"):
        found.append(AWAY)
    if faulty("manyDevices") and not quick:
        found += [{**AWAY, "id": f"away{i}"} for i in range(1999)]
    if faulty("newNames"):
        found.append({**AWAY, "id": f"away{os.getpid()}"})
    if faulty("quickExtra") and quick:
        found.append({**AWAY, "id": "two"})
    if faulty("noAdvice"):
        found[1] = {**AWAY, "advice": ""}
    if faulty("brokenSecond"):
        found.append({**ONE, "id": "two"})
    if faulty("wordlessProblem"):
        problem["message"] = ""
    if faulty("noDevices"):
        found = []
    if faulty("noisy"):
        print("noise\n" * 100, flush=True)
    devices_seen += 1
    if devices_seen == 1:
        send(event="deviceAdded", device={**AWAY, "id": ""} if faulty("badEvent") else AWAY)
        send(event="log", level="info", message="devices were listed")
    send(answer=number, devices=found, problems=[problem])
    if faulty("answersTwice") and quick:
        send(answer=number, devices=found)
    if faulty("answersUnasked"):
        send(answer=55555)


def open_device(number, device):
    global last_handle
    if faulty("hangsAtOpen") and device == "one":
        return
    if faulty("opensUnknown") and "no-such" in device or faulty("opensStrange") and device == "":
        return send(answer=number, handle=77)
    if device == "two" and faulty("brokenSecond"):
        return fail(number, "internalFault")
    if device != "one":
        return fail(number, "noSuchDevice")
    if opened and faulty("sameHandle"):
        return send(answer=number, handle=last_handle)
    if opened or faulty("opensOnce") and last_handle:
        return fail(number, "busy")
    if faulty("stealsDevice") and not locked("one"):
        return fail(number, "inputOutput")
    if faulty("leavesLock"):
        try:
            os.close(os.open(__file__ + ".lock", os.O_CREAT | os.O_EXCL))
        except OSError:
            return fail(number, "busy")
    if faulty("leaksDescriptors"):
        os.open("/dev/null", os.O_RDONLY)
    last_handle += 1
    opened[last_handle] = Device()
    send(answer=number, handle=last_handle, device=AWAY if faulty("describesAnother") else ONE)


def close_device(number, message):
    if faulty("hangsAtClose"):
        return
    if capture:
        if faulty("deafClose"):
            return
        capture.end("cancelled")
    del opened[message["handle"]]
    while locks and faulty("stealsDevice"):
        locks.pop().close()
    if faulty("leavesLock"):
        os.unlink(__file__ + ".lock")
    send(answer=number)


# --- Options ---


class Device:
    def __init__(self):
        self.feeder, self.lists, self.was_set, self.pages, self.was_cancelled = (
            2,
            0,
            False,
            0,
            False,
        )
        words = ["Grey", "Full"] if faulty("ownWords") else ["gray", "color"]
        self.options = {
            name: {
                "name": name,
                "title": name.title(),
                "type": {"kind": kind, **type},
                "value": value,
            }
            for name, kind, type, value in [
                ("page-loaded", "toggle", {}, True),
                ("source", "choice", {"choices": ["glass", "feeder"]}, "glass"),
                ("mode", "choice", {"choices": words}, words[0]),
                ("resolution", "integerChoice", {"choices": [75, 150]}, 150),
                ("threshold", "integer", {"minimum": 0, "maximum": 100, "step": 5}, 50),
                ("brightness", "number", {"minimum": -100, "maximum": 100}, 0),
                ("note", "text", {"maximumLength": 20}, ""),
                ("gain", "integer", {"minimum": 1, "maximum": 9}, 3),
                ("lamp", "toggle", {}, True),
                ("unknown-height", "toggle", {}, False),
                ("count", "integer", {"minimum": 0, "maximum": 10}, 1),
                ("calibrate", "button", {}, None),
            ]
        }
        own = self.options
        own["page-loaded"].update(isReadOnly=not faulty("writableSensor"), sensor="paper")
        own["brightness"]["unit"] = "percent"
        if not faulty("unitless"):
            own["resolution"]["unit"] = "dpi"
        own["note"]["hostPath"] = True
        own["gain"]["hostPath"] = faulty("numberAsPath")
        own["count"].update(isReadOnly=True, value=11 if faulty("beyondRange") else 1)
        own["gain"]["isActive"] = faulty("setsInactiveLater")
        own["lamp"].update(defaultValue=7 if faulty("badDefault") else True)
        if not faulty("buttonValue"):
            del own["calibrate"]["value"]
        else:
            own["calibrate"]["value"] = True
        if faulty("wordless"):
            own["lamp"]["title"] = ""

    def value(self, name):
        return self.options[name]["value"]

    def list(self, number):
        if faulty("hangsAtOptions"):
            return
        if faulty("busyWhileWaiting") and capture:
            return fail(number, "busy")
        self.lists += 1
        found = list(self.options.values())
        if faulty("badOption"):
            found.append({"name": "odd", "title": "Odd", "type": {"kind": "magic"}})
        if faulty("doubleOption"):
            found.append(self.options["lamp"])
        if faulty("unsteady") and self.lists == 2 and not self.was_set:
            found = [{**option, "help": "Changed."} for option in found]
        send(answer=number, options=found)

    def takes(self, option, value):
        type, name = option["type"], option["name"]
        kind, is_number = (
            type["kind"],
            isinstance(value, (int, float)) and not isinstance(value, bool),
        )
        if option.get("isReadOnly") and not faulty("setsReadOnly"):
            return False
        is_refused = option.get("isActive") is False and not faulty("setsInactive")
        if is_refused and not faulty("setsInactiveLater"):
            return False
        if name == "brightness" and value == -100 and faulty("refusesLowest"):
            return False
        if name == "lamp" and value == 7 and faulty("takesAnyType"):
            return True
        if kind == "toggle":
            return isinstance(value, bool)
        if kind == "choice":
            return value in type["choices"] or faulty("takesAnyChoice") and isinstance(value, str)
        if kind == "integerChoice":
            return is_number and value in type["choices"]
        if kind == "text":
            return isinstance(value, str) and (len(value) <= 20 or faulty("takesLongText"))
        if kind == "button":
            return not faulty("refusesButton")
        if not is_number or kind == "integer" and value != int(value):
            return False
        if (
            kind == "integer"
            and value % type.get("step", 1)
            and not faulty("offStep")
            and value in range(0, 101)
        ):
            return False
        return type["minimum"] <= value <= type["maximum"] or faulty("clampsRange")

    def set(self, number, message):
        name, value = message["option"], message["value"]
        if faulty("hangsAtSet"):
            return
        self.was_set = True
        if name not in self.options:
            return send(answer=number) if faulty("setsUnknown") else fail(number, "noSuchOption")
        option = self.options[name]
        if not self.takes(option, value):
            if faulty("harmfulRefusal") and name == "lamp":
                option["value"] = not option["value"]
            return fail(number, "invalidValue")
        if option["type"]["kind"] == "button":
            return send(answer=number)
        type = option["type"]
        fits = value in type.get("choices", [value]) and (
            not isinstance(value, str) or len(value) <= 20
        )
        if type.get("kind") in ("integer", "number"):
            fits = type["minimum"] <= value <= type["maximum"]
        if type.get("kind") == "toggle":
            fits = isinstance(value, bool)
        if fits and not option.get("isReadOnly"):
            option["value"] = value
        if name == "mode" and faulty("substitutes"):
            option["value"] = "gray"
        told = option["value"]
        if name == "lamp" and faulty("tellsAnother"):
            told = not told
        reload = name == "mode"
        if reload:
            # With the fault, the option is active at first.
            self.options["gain"]["isActive"] = (value == "color") != faulty("setsInactiveLater")
        send(answer=number, value=told, reloadOptions=reload and not faulty("silentReload"))


# --- Captures ---

# A page's picture as JPEG, and one of the same size that is nearly white.
ORIGINAL = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404"
    "050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ff"
    "c0000b080008001001011100ffc4001500010100000000000000000000000000000009ffc40016100003000000"
    "0000000000000000000000001461ffda0008010100003f0096cb40b43fffd9"
)
WHITE = bytes.fromhex(
    "ffd8ffe000104a46494600010100000100010000ffdb0043000302020302020303030304030304050805050404"
    "050a070706080c0a0c0c0b0a0b0b0d0e12100d0e110e0b0b1016101113141515150c0f171816141812141514ff"
    "c0000b080008001001011100ffc4001500010100000000000000000000000000000008ffc40016100003000000"
    "0000000000000000000000001461ffda0008010100003f00b25681687fffd9"
)


class Capture:
    def __init__(self, number, device, message):
        self.number, self.device, self.limit = number, device, message.get("limit")
        self.live = message.get("mode") == "live"
        self.frame, self.sent, self.granted, self.file, self.was_told, self.is_deaf = (
            0,
            0,
            None,
            None,
            False,
            False,
        )
        self.is_open = not self.live and device.value("unknown-height")
        self.is_color = device.value("mode") == "color" and not self.live
        self.is_color = self.is_color and not faulty("alwaysGray")
        self.dpi = 150 if faulty("oneResolution") else device.value("resolution")
        # Checks examine pages only in the capture of two pages.
        self.is_sample = not self.live and self.limit == 2
        self.is_live_sample = self.live and self.limit == 4
        self.total = self.most()

    def is_faulty(self, name):
        """Returns True if a fault of pages applies, in captures whose pages are checked."""
        return faulty(name) and (self.is_sample or self.is_live_sample)

    def most(self):
        if self.device.value("source") == "feeder" and not self.live:
            return self.device.feeder if self.limit is None else min(self.device.feeder, self.limit)
        if faulty("endlessLive") and self.is_live_sample:
            return 10**9
        most = self.limit or (10**9 if self.live else 1)
        return most + (
            faulty("oneMore") and self.is_sample or faulty("moreLive") and self.is_live_sample
        )

    def announce(self):
        if self.sent == self.total:
            return self.end()
        self.frame += 1
        if self.frame == 2 and (
            faulty("wrongNumber") and self.is_sample or faulty("wrongLive") and self.is_live_sample
        ):
            self.frame = 3
        self.width, self.height = (
            (4200, 4200) if self.is_sample and faulty("bigPieces") else (16, 8)
        )
        self.bytes = self.width * (3 if self.is_color else 1)
        self.stride = 8000 if faulty("wideStride") and self.is_sample else self.bytes
        self.granted, self.row, self.said = None, 0, False
        fields = {
            "format": "rgb8" if self.is_color else "gray8",
            "width": self.width,
            "label": "a page",
        }
        if not self.is_open and not (self.live and faulty("heightless")):
            fields["height"] = self.height
        if self.stride != self.bytes:
            fields["stride"] = self.stride
        if not self.live:
            fields["resolution"] = {"x": self.dpi, "y": self.dpi}
        if self.is_faulty("garbageLive") and self.live:
            fields.update(format="jpeg", capacity=1000)
        if self.is_sample:
            fields["expected"] = 0 if faulty("expectsNone") else 2
        if self.live:
            if faulty("stoppedClock") or faulty("milliseconds"):
                time.sleep(0.03)
            now = time.monotonic() * (1000 if faulty("milliseconds") else 1)
            fields["time"] = 0 if faulty("stoppedClock") else -now if faulty("backInTime") else now
        if not self.live:
            fields["facts"] = {"origin": "moon" if faulty("oddOrigin") else "scan"}
        if self.is_sample:
            if self.frame == 1:
                send(
                    b"%PDF-1.7",
                    event="source",
                    capture=self.number,
                    source=1,
                    mediaType="application/pdf",
                    size=8,
                )
            fields["source"] = {"document": 2 if faulty("unknownSource") else 1, "page": self.frame}
        self.tell("frame", **fields)
        if (
            faulty("early")
            and self.limit == 1
            and not self.live
            or faulty("earlyLive")
            and self.live
            and not self.limit
        ):
            self.tell("progress", rows=1)

    def tell(self, event, data=b"", **fields):
        send(data, event=event, capture=self.number, frame=self.frame, **fields)

    def grant(self, message, file):
        if message["way"] == "inline" and faulty("noInline"):
            return self.end("internalFault")
        if message["way"] == "drop":
            if faulty("sendsDropped"):
                self.tell("done", rows=self.height)
            return self.announce()
        self.granted, self.file, self.offset = message, file, message.get("offset", 0)

    def bytes_of(self, row):
        return bytes((row % 255 + 1,)) * self.bytes + bytes(self.stride - self.bytes)

    def put(self, first, last):
        """Writes rows."""
        data = b"".join(self.bytes_of(row) for row in range(first, last))
        if self.file is None:
            return self.tell("pixels", data)
        offset = 0 if faulty("ignoresOffset") else self.offset
        if self.is_faulty("narrowRows") and not self.live and not self.offset:
            for row in range(first, last):
                os.pwrite(self.file, self.bytes_of(row)[:-1], row * self.stride)
            return
        if self.is_faulty("missingRow") and not self.live and not self.offset and first <= 5 < last:
            data, first = self.bytes_of(last - 1), last - 1
        os.pwrite(self.file, data, offset + first * self.stride)

    def missing(self):
        """Returns the number of rows at the end that are never sent."""
        inline = self.file is None
        if faulty("shortInline") and self.is_sample and inline:
            return 1
        if faulty("missingLastRow") and self.is_sample and not inline and not self.offset:
            return 1
        if faulty("colorTorn") and self.is_color or faulty("tornLive") and self.is_live_sample:
            return 1
        return 0

    def piece(self):
        """Sends a part of the page. Returns False if it waits for the host."""
        half, end = self.height // 2, self.height - self.missing()
        if self.row == 0:
            if not (faulty("bigPieces") and self.is_sample and self.file is None):
                self.put(0, half)
                self.tell("progress", rows=half)
            self.row = half
            return True
        if self.limit == 3 and self.frame == 1 and not self.live and not self.said:
            self.said = True
            if faulty("deafWhileRows") and not kept:
                kept.append(True)
                time.sleep(2)
            elif read(20_000):
                return True
        whole = faulty("bigPieces") and self.is_sample and self.file is None
        self.put(0 if whole else half, end)
        if not self.live:
            self.tell("progress", rows=2 if self.is_faulty("fallingProgress") else end)
        if (
            self.is_faulty("growsFile")
            and not self.live
            and self.file is not None
            and not self.offset
        ):
            os.pwrite(self.file, b"x", self.height * self.stride)
        self.finish()
        return True

    def finish(self):
        global late
        rows, data, more = self.height, b"", {}
        if self.is_faulty("fewerRows") and not self.live:
            rows -= 1
        if self.is_open and faulty("openTorn"):
            rows += 1
        if self.is_sample:
            self.tell(
                "text",
                words=[
                    {
                        "text": "word",
                        "box": [0, 0, 0 if faulty("badWord") else 1, 1],
                        "ends": "block",
                    }
                ],
            )
        if self.is_sample:
            data, more = ORIGINAL, {"mediaType": "image/jpeg"}
        if self.is_sample and faulty("bigPieces"):
            data, more = b"", {}
        if self.is_sample and faulty("badOriginal"):
            data = b"GIF89a"
        if self.is_sample and faulty("garbageOriginal"):
            data = ORIGINAL[:2] + ORIGINAL[:1:-1]
        if self.is_sample and faulty("falseOriginal"):
            data = WHITE
        if self.is_faulty("garbageLive") and self.live:
            more = {"length": self.width * self.height}
        self.tell("done", data, rows=rows, **more)
        if self.file is not None and faulty("writesLate") and self.limit == 1:
            if late is not None:
                os.close(late)
            late = os.dup(self.file)
        if not self.live and self.device.value("source") == "feeder":
            self.device.feeder -= 1
        self.sent += 1
        self.release()
        self.announce()

    def release(self):
        if self.file is not None:
            if faulty("keepsFiles") and self.limit == 1:
                os.dup(self.file)
            os.close(self.file)
        self.file, self.granted = None, None

    def end(self, code=None):
        global capture
        self.release()
        ended[self.number] = code
        capture = None
        if code == "cancelled":
            self.device.was_cancelled = True
            if faulty("wrongCancelCode"):
                code = "internalFault"
        else:
            self.device.pages = self.device.pages + 1 if not code else 0
        if code:
            fail(self.number, code)
        else:
            send(answer=self.number)
            if self.limit == 1 and not self.live:
                repeat(self.number, faulty("answersCaptureTwice"), faulty("strayAfterCapture"))
        if code and faulty("talksOn") and not self.live and ended[self.number] == "cancelled":
            self.tell("progress", rows=1)

    def cancel(self, number, was_coalesced):
        is_waiting = not self.granted
        self.is_deaf = (
            faulty("deafLive")
            and self.live
            or faulty("deafAtOnce")
            and was_coalesced
            and is_waiting
            and not self.was_told
            or faulty("deafWaiting")
            and is_waiting
            and self.frame == 1
            and self.was_told
            and not self.live
            or faulty("deafGranted")
            and not is_waiting
            and self.row == 0
            and not self.live
            or faulty("deafMidPage")
            and not is_waiting
            and self.row > 0
            or faulty("deafBetween")
            and is_waiting
            and self.frame == 2
            and self.limit == 2
        )
        send(answer=number)
        if faulty("finishesFirst") and not is_waiting and self.row > 0 and not self.live:
            time.sleep(1.2)
            self.put(self.row, self.height)
            self.tell("done", rows=self.height)
        if not self.is_deaf:
            self.end("cancelled")


def begin(number, message):
    global capture, captures
    device = opened[message["handle"]]
    captures += 1
    if faulty("leaksMemory"):
        kept.append(b"x" * (1 << 20))
    if capture:
        return send(answer=number) if faulty("alwaysFree") else fail(number, "busy")
    limit = message.get("limit")
    if limit is not None and (not isinstance(limit, int) or limit < 1):
        if not faulty("takesAnyLimit"):
            return fail(number, "invalidValue")
        message["limit"] = 1
    is_live = message.get("mode") == "live"
    if is_live and faulty("brokenLive"):
        return fail(number, "internalFault")
    if not is_live and faulty("noPage"):
        return send(answer=number)
    if faulty("capturesOnce") and device.pages and limit == 1:
        return fail(number, "internalFault")
    if faulty("stuckAfterCancel") and device.was_cancelled:
        return fail(number, "busy")
    if not is_live and device.value("source") == "feeder" and not device.feeder:
        if faulty("endsEmpty"):
            return send(answer=number)
        return fail(number, "inputOutput" if faulty("wrongEmptyCode") else "feederEmpty")
    capture = Capture(number, device, message)
    capture.announce()


def cancel(number, target, was_coalesced):
    if capture and capture.number == target:
        return capture.cancel(number, was_coalesced)
    if faulty("ignoresLateCancel") and target in ended and ended[target] is None:
        return
    if faulty("ignoresSecondCancel") and ended.get(target):
        return
    if faulty("ignoresUnknownCancel") and target == 987654:
        return
    send(answer=number)


# --- Messages ---


def event(message, file):
    name = message["event"]
    if name not in ("buffer", "refused") and faulty("diesOfUnknownEvent"):
        leave()
    mine = (
        capture
        and not capture.granted
        and not capture.is_deaf
        and message.get("capture") == capture.number
        and message.get("frame") == capture.frame
    )
    if not mine and name == "buffer" and faulty("diesOfStale"):
        leave()
    if mine and name == "buffer":
        return capture.grant(message, file)
    if file is not None:
        os.close(file)
    if mine and name == "refused":
        code = message["error"]["code"]
        if faulty("stubborn") and code == "tooLarge":
            capture.frame -= 1
            return capture.announce()
        capture.end(code)


def request(message, line, was_coalesced):
    global greeted, late
    number, verb = message["request"], message.get("verb")
    if faulty("diesOfTypes") and not isinstance(verb, str):
        crash()
    if faulty("diesOfNumbers") and message.get("handle") == -1:
        crash()
    if faulty("diesOfMissing") and verb == "open" and "device" not in message:
        crash()
    if late is not None and verb == "x-settle":
        os.pwrite(late, b"x" * 16, 0)
        os.close(late)
        late = None
    if verb == "hello":
        if faulty("silent"):
            return
        if faulty("oneAtATime") and not locked("all"):
            return fail(number, "busy")
        if faulty("refusesUnknownHello") and "later" in message:
            return fail(number, "unsupported")
        greeted = True
        version = message["protocol"] if faulty("copiesVersion") else 1
        capabilities = ["offsets"] if faulty("onlyOffsets") else ["descriptors", "offsets"]
        if faulty("inlineOnly"):
            capabilities = []
        return send(
            answer=number,
            protocol=version,
            name="" if faulty("nameless") else "Faulty",
            version="1",
            capabilities=capabilities,
        )
    if faulty("refusesUnknownField") and "later" in message and len(line) < 1000:
        return fail(number, "unsupported")
    if verb == "devices":
        list_devices(number, message.get("quick", False))
    elif verb == "open":
        open_device(number, message["device"])
        repeat(number, faulty("answersOpenTwice"), faulty("strayAfterOpen"))
    elif verb == "cancel":
        cancel(number, message["capture"], was_coalesced)
        repeat(number, faulty("answersCancelTwice"), faulty("strayAfterCancel"))
    elif verb in ("options", "set", "capture", "close"):
        if message["handle"] not in opened:
            is_listed = (
                faulty("takesAnyHandle")
                and message["handle"] == 987654
                or faulty("takesClosedHandle")
                and message["handle"] in range(1, last_handle + 1)
            )
            return (
                send(answer=number, options=[])
                if is_listed and verb == "options"
                else fail(number, "noSuchDevice")
            )
        if verb == "options":
            opened[message["handle"]].list(number)
            repeat(number, faulty("answersOptionsTwice"), faulty("strayAfterOptions"))
        elif verb == "set":
            opened[message["handle"]].set(number, message)
            repeat(number, faulty("answersSetTwice"), faulty("strayAfterSet"))
        elif verb == "capture":
            begin(number, message)
        else:
            close_device(number, message)
            repeat(number, faulty("answersCloseTwice"), faulty("strayAfterClose"))
    elif faulty("acceptsUnknownVerb"):
        send(answer=number)
    else:
        fail(number, "unsupported", "no verb is known." if faulty("fullStop") else None)


def handle_line(line, was_coalesced):
    if (
        faulty("diesOfZeros")
        and line.startswith(b"\0")
        or faulty("diesOfGarbage")
        and line.startswith(b"no")
    ):
        crash()
    if (
        faulty("diesOfCut")
        and line.endswith(b"dev")
        or faulty("diesOfEndless")
        and len(line) > 2 << 20
    ):
        crash()
    if faulty("diesOfDepth") and b"[[[" in line:
        crash()
    if (
        faulty("shortLines")
        and len(line) > 500_000
        or faulty("asciiOnly")
        and any(byte > 127 for byte in line)
    ):
        leave()
    if faulty("takesVerbsAsWritten") and b"\\u00" in line:
        line = line.replace(b"\\u00", b"")
    try:
        message = parse(line)
    except UnicodeDecodeError:
        return crash() if faulty("diesOfUTF8") else None
    except (ValueError, RecursionError):
        return gone() if faulty("crashesAtExit") else None
    if not isinstance(message, dict):
        return crash() if faulty("diesOfNoObject") else None
    file = descriptors.pop(0) if message.get("fd") is True and descriptors else None
    try:
        if isinstance(message.get("event"), str):
            event(message, file)
        elif isinstance(message.get("request"), int):
            request(message, line, was_coalesced)
    except (KeyError, TypeError):
        fail(message.get("request"), "invalidValue")


count = 0
while True:
    if not lines:
        is_busy = capture and capture.granted and not capture.is_deaf
        if (
            not read(0 if is_busy else 2_000 if capture and faulty("impatient") else None)
            and not is_busy
        ):
            capture.end("internalFault")
        count = len(lines)
    if lines:
        # True for a message that arrived together with the message before.
        is_first = len(lines) == count
        line = lines.pop(0)
        before = capture
        handle_line(line, not is_first)
        if capture and (capture is before or not lines):
            capture.was_told = True
    elif capture and capture.granted and not capture.is_deaf:
        capture.piece()
