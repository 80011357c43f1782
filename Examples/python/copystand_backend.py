"""The classes that a Copystand backend in Python needs. Copy this file beside yours; it uses the
standard library only (Python 3.9).

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

Hosts know some options by name: `mode`, `resolution`, `source`, `paper`, `area` and `level` below
describe them. Raise `Failure` with a code of the protocol and a sentence for every failure. Methods
are called on threads of the backend's own: those of one device one after the other, but `capture`
runs in parallel, and so do different devices.
"""

from __future__ import annotations

import array
import json
import os
import queue
import signal
import socket
import sys
import threading
import time

TYPE_CHECKING = False
if TYPE_CHECKING:  # not at run time, because `typing` takes as long to load as everything else
    from typing import Any, Callable, Dict, Iterator, List, Optional, Sequence, Tuple, TypedDict
    from typing import Union

    Fields = Dict[str, Any]
    Number = Union[int, float]
    Bytes = Union[bytes, bytearray, memoryview]

    # Made by Scripts/protocol-schemas:

    class _ErrorFields(TypedDict):
        code: str
        message: str

    class ErrorFields(_ErrorFields, total=False):
        """A failure."""

        advice: str

    class MaximumAreaFields(TypedDict):
        """The fields of a nested object."""

        width: float
        height: float

    class _DeviceFields(TypedDict):
        id: str
        name: str
        kind: str

    class DeviceFields(_DeviceFields, total=False):
        """A device."""

        vendor: str
        model: str
        connection: str
        path: str
        format: str
        controls: List[str]
        sources: List[str]
        maximumArea: MaximumAreaFields
        state: str
        advice: str

    class _TypeFields(TypedDict):
        kind: str

    class TypeFields(_TypeFields, total=False):
        """The type of an option's values."""

        minimum: float
        maximum: float
        step: float
        choices: List[Union[str, int]]
        maximumLength: int

    class _OptionFields(TypedDict):
        name: str
        type: TypeFields

    class OptionFields(_OptionFields, total=False):
        """An option of a device."""

        title: str
        help: str
        group: str
        unit: str
        defaultValue: Union[bool, float, str]
        value: Union[bool, float, str]
        isActive: bool
        isReadOnly: bool
        isAdvanced: bool
        sensor: str
        hostPath: bool

    class MetadataFields(TypedDict, total=False):
        """A camera's settings for a frame."""

        exposure: float
        gain: float
        focus: float
        temperature: float
        monotonic: float

    class FactsFields(TypedDict, total=False):
        """Certain facts about a page."""

        origin: str
        size: str
        edgesArePaper: bool

    class _WordFields(TypedDict):
        text: str
        box: List[int]

    class WordFields(_WordFields, total=False):
        """A word of a page."""

        ends: str

    # End of what is made.

PROTOCOL = 1

#: The format of pages in each mode, of 8 bits a sample.
FORMATS = {"bilevel": "bilevel", "gray": "gray8", "color": "rgb8"}

#: Sheets of paper, upright: millimeters across and down.
PAPERS = {
    "a3": (297.0, 420.0),
    "a4": (210.0, 297.0),
    "a5": (148.0, 210.0),
    "a6": (105.0, 148.0),
    "b4": (250.0, 353.0),
    "b5": (176.0, 250.0),
    "jis-b4": (257.0, 364.0),
    "jis-b5": (182.0, 257.0),
    "letter": (215.9, 279.4),
    "legal": (215.9, 355.6),
    "tabloid": (279.4, 431.8),
    "executive": (184.15, 266.7),
    "half-letter": (139.7, 215.9),
    "card": (85.6, 53.98),
    "photo-10x15": (101.6, 152.4),
}

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
    """A failure, for the user.

    `code` is a code of the protocol, such as "offline", "busy", "jammed" or "feederEmpty";
    `message` is one sentence without a full stop that names the value; `advice` is the next step,
    if you know more than the code says.
    """

    def __init__(self, code: str, message: str, advice: Optional[str] = None) -> None:
        super().__init__(message)
        self.code, self.message, self.advice = code, message, advice

    def json(self) -> ErrorFields:
        fields: ErrorFields = {"code": self.code, "message": self.message[:4000]}
        if self.advice:
            fields["advice"] = self.advice
        return fields


class Cancelled(Failure):
    """The host has canceled the capture: stop the device, and do not catch this."""

    def __init__(self) -> None:
        super().__init__("cancelled", "the capture was canceled")


def device(id: str, name: str, kind: str, **more: Any) -> DeviceFields:
    """Describes a device. `kind` is "scanner", "camera" or "files"; `more` may have vendor, model,
    connection, sources (a list), maximumArea (a dictionary with width and height in
    millimeters), state and advice.
    """
    fields: Any = {"id": id, "name": name, "kind": kind, **more}
    described: DeviceFields = fields
    return described


def metadata(
    exposure: Optional[float] = None,
    gain: Optional[float] = None,
    focus: Optional[float] = None,
    temperature: Optional[float] = None,
    monotonic: Optional[float] = None,
) -> MetadataFields:
    """A camera's settings for a frame, for `Sink.begin(metadata=...)`: seconds of exposure, the
    factor of amplification, diopters (0: infinity), degrees Celsius, and `time.monotonic()` at
    the exposure. None means unknown.
    """
    fields = {
        "exposure": exposure,
        "gain": gain,
        "focus": focus,
        "temperature": temperature,
        "monotonic": monotonic,
    }
    known: Any = {name: value for name, value in fields.items() if value is not None}
    described: MetadataFields = known
    return described


def path_bytes(text: str) -> bytes:
    """The bytes of a path that the host sent, such as an id: open, stat and similar functions
    accept them unchanged.
    """

    def part(character: str) -> bytes:
        byte = ord(character) - 0x10FF00
        if 0 < byte < 0x20 or 0x7F <= byte <= 0xFF:
            return bytes([byte])
        return character.encode()

    return b"".join(map(part, text))


def _option(name: str, title: str, value: Any, type: TypeFields, more: Fields) -> OptionFields:
    fields: Any = {"name": name, "title": title, "type": type}
    if value is not None:
        fields.update(value=value, defaultValue=value)
    fields.update(more)
    option: OptionFields = fields
    return option


def toggle(name: str, title: str, value: bool, **more: Any) -> OptionFields:
    """An option that is true or false. `more` may have help, group, unit, defaultValue (`value`
    unless given), isActive, isReadOnly, isAdvanced, sensor, hostPath.
    """
    return _option(name, title, value, {"kind": "toggle"}, more)


def integer(
    name: str, title: str, value: int, minimum: int, maximum: int, step: int = 1, **more: Any
) -> OptionFields:
    """An option with a whole number, in steps from the minimum."""
    type: TypeFields = {"kind": "integer", "minimum": minimum, "maximum": maximum, "step": step}
    return _option(name, title, value, type, more)


def number(
    name: str,
    title: str,
    value: float,
    minimum: float,
    maximum: float,
    step: Optional[float] = None,
    **more: Any,
) -> OptionFields:
    """An option with a number; in steps from the minimum if `step` is given."""
    type: TypeFields = {"kind": "number", "minimum": minimum, "maximum": maximum}
    if step is not None:
        type["step"] = step
    return _option(name, title, value, type, more)


def choice(name: str, title: str, value: Any, choices: Sequence[Any], **more: Any) -> OptionFields:
    """An option with one of some texts, or of some whole numbers."""
    kind = "choice" if isinstance(choices[0], str) else "integerChoice"
    return _option(name, title, value, {"kind": kind, "choices": list(choices)}, more)


def text(
    name: str, title: str, value: str, maximum_length: int = 1000, **more: Any
) -> OptionFields:
    """An option with text of at most this many UTF-8 bytes. Set hostPath=True if the text names a
    file or folder.
    """
    return _option(name, title, value, {"kind": "text", "maximumLength": maximum_length}, more)


def button(name: str, title: str, **more: Any) -> OptionFields:
    """An action: setting it performs it (`Device.changed`)."""
    return _option(name, title, None, {"kind": "button"}, more)


# --- Options that hosts know by name ---


def mode(
    value: str = "color", choices: Sequence[str] = ("bilevel", "gray", "color"), **more: Any
) -> OptionFields:
    """The option `mode`; `FORMATS` has the format of each."""
    return choice("mode", "Mode", value, choices, **more)


def resolution(value: int, choices: Sequence[int], **more: Any) -> OptionFields:
    """The option `resolution`, in dots per inch."""
    return choice("resolution", "Resolution", value, choices, unit="dpi", **more)


def source(value: str, choices: Sequence[str], **more: Any) -> OptionFields:
    """The option `source`; the choices are the device's `sources`."""
    return choice("source", "Source", value, choices, **more)


def paper(value: str, width: float, height: float, **more: Any) -> OptionFields:
    """The option `paper`: the sheets that fit onto this many millimeters, "maximum" for the whole
    area, and "custom" for the area in the options of `area`. `PAPERS` has their sizes.
    """
    # Many glasses are a little shorter than A4.
    sheets = [n for n, (w, h) in PAPERS.items() if w <= width + 1.5 and h <= height + 1.5]
    return choice("paper", "Paper", value, sheets + ["maximum", "custom"], **more)


def area(width: float, height: float) -> List[OptionFields]:
    """The options `area-left`, `area-top`, `area-width` and `area-height`, up to this many
    millimeters.
    """
    sides = [("left", 0, width), ("top", 0, height), ("width", width, width)]
    return [
        number(f"area-{name}", f"Area: {name}", value, 0, most, unit="millimetres")
        for name, value, most in sides + [("height", height, height)]
    ]


def level(name: str, value: float = 0, **more: Any) -> OptionFields:
    """The option `brightness` or `contrast`, from -100 to 100 percent."""
    return number(name, name.capitalize(), value, -100, 100, unit="percent", **more)


def level_in(percent: float, lowest: float, highest: float) -> float:
    """A driver's value for a level: 0 percent is the middle of its range."""
    return lowest + (min(100.0, max(-100.0, percent)) + 100) / 200 * (highest - lowest)


# --- Devices ---


def _is_on_step(value: Number, type: TypeFields) -> bool:
    if "step" not in type:
        return True
    steps: float = (value - type.get("minimum", 0)) / type["step"]
    return abs(steps - round(steps)) < 1e-6


def _fits(value: Any, type: TypeFields) -> Tuple[bool, str]:
    """Returns whether an option of the type accepts the value, and the accepted values for the
    message."""
    kind, whole = type["kind"], isinstance(value, int) and not isinstance(value, bool)
    least, most = type.get("minimum", float("-inf")), type.get("maximum", float("inf"))
    if kind == "toggle":
        return isinstance(value, bool), "true or false"
    if kind in ("integer", "number"):
        step = type.get("step", 1 if kind == "integer" else None)
        takes = f"{least} to {most}" + (f" in steps of {step}" if step not in (None, 1) else "")
        is_number = whole or (kind == "number" and isinstance(value, float))
        return is_number and least <= value <= most and _is_on_step(value, type), takes
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
    """An open device: derive from this class and write `capture`; the rest has a default."""

    def __init__(self, *options: OptionFields) -> None:
        self._options = {option["name"]: option for option in options}
        self._tell: Optional[Callable[[Fields], None]] = None

    def describe(self) -> Optional[DeviceFields]:
        """The description of the device (`device(...)`), for one that is opened without being
        listed; None otherwise.
        """
        return None

    def options(self) -> List[OptionFields]:
        """Every option with its present value. Called only when the host reads the options.
        Override it to query sensors, and raise `Failure` if they can't be read.
        """
        return list(self._options.values())

    def option(self, name: str) -> OptionFields:
        """One option, whose fields may be changed, such as isActive or value."""
        if name not in self._options:
            raise Failure("noSuchOption", f"no option is called '{name}'")
        return self._options[name]

    def __getitem__(self, name: str) -> Any:
        """The value of an option; an unknown name is a KeyError, because it is a mistake of the
        backend.
        """
        return self._options[name]["value"]

    def report(self, name: str, value: Any = None) -> None:
        """Reports that an option has changed without the host: a press of a button, a sensor, an
        automatic value. The value is stored too; without a value, the host reads the options.
        """
        if value is not None:
            self.option(name)["value"] = value
        if self._tell:
            self._tell({"option": name} if value is None else {"option": name, "value": value})

    def set(self, name: str, value: Any) -> Tuple[Any, bool]:
        """Checks a value, calls `changed`, and stores the value. Returns it, and whether other
        options changed too.
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

    def changed(self, name: str, value: Any) -> Optional[bool]:
        """Sends a checked value to the device. Return True if other options changed too; raise
        `Failure` to refuse the value.
        """
        return False

    def capture(self, sink: Sink, mode: str, limit: Optional[int]) -> None:
        """Captures frames into `sink` until the source is empty or `limit` (None: no limit) is
        reached.

        `mode` is "pages", in which no page may be lost, or "live": frames at the device's own rate
        until canceled. `sink[name]` is the value of an option when the capture began: the host may
        change the option meanwhile.
        """
        raise Failure("unsupported", "this device can't capture")

    def cancel(self) -> None:
        """Called on another thread when the capture is canceled: end a call in which the capture
        waits, and return immediately. Not needed if the capture only waits in `sink.sleep`.
        """

    def close(self) -> None:
        """Releases the device; called once, after every capture has ended."""


class Backend:
    """A source of devices: derive from this class and write `devices` and `open`."""

    def __init__(self, name: str, version: str) -> None:
        self.name, self.version = name, version
        self._wire: Optional[_Wire] = None

    def devices(self, quick: bool) -> Sequence[Union[DeviceFields, Failure]]:
        """The devices that can be seen now (a list of `device(...)`); with `quick`, those that are
        found without waiting. A `Failure` in the list is a problem that kept others from being
        found.
        """
        raise NotImplementedError

    def open(self, id: str) -> Device:
        """Opens a device (a `Device`); raise `Failure("noSuchDevice", ...)` when there is no device
        with that id.
        """
        raise NotImplementedError

    def watch(self) -> None:
        """Called on a separate thread once the host is connected; may call `added`, `updated` and
        `removed` forever.
        """

    def added(self, device: DeviceFields) -> None:
        """Reports that a device has come."""
        self._send({"event": "deviceAdded", "device": device})

    def updated(self, device: DeviceFields) -> None:
        """Reports that a device has changed: it is busy now, for example."""
        self._send({"event": "deviceChanged", "device": device})

    def removed(self, id: str) -> None:
        """Reports that a device has gone."""
        self._send({"event": "deviceRemoved", "id": id})

    def log(self, message: str, level: str = "info") -> None:
        """Writes to the host's log; `level` is debug, info, warning or error. Printed text goes
        there too.
        """
        self._send({"event": "log", "level": level, "message": message[:4000]})

    def _send(self, fields: Fields) -> None:
        if self._wire:
            self._wire.send(fields)


def row_bytes(format: str, width: int) -> int:
    """The fewest bytes a row takes."""
    if format in ("yuyv", "uyvy"):
        return (width + 1) // 2 * 4
    return (width + 1) // 2 * 2 if format == "nv12" else (width * _BITS[format] + 7) // 8


class Frame:
    """A frame that was begun: write its pixels, top row first, then finish it."""

    def __init__(
        self, sink: Sink, number: int, fields: Fields, grant: Fields, descriptor: Optional[int]
    ) -> None:
        self._sink, self._number, self._fields = sink, number, fields
        self._way: str = grant["way"]
        self._descriptor = descriptor
        self._most: int = grant.get("most", 0)
        self._offset: int = grant.get("offset", 0)
        self._written = 0
        # Small writes are gathered, so that a few messages carry many rows; slow ones are sent on
        # as they come.
        self._gathered, self._last = bytearray(), time.monotonic()
        #: False when the host drops this live frame, so that nothing need be written.
        self.wanted = self._way != "drop"

    def write(self, pixels: Bytes) -> None:
        """Adds the next bytes; they need not end at a row's end."""
        self._sink.check()
        data = memoryview(pixels).cast("B")
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

    def _flush(self) -> None:
        gathered, self._gathered, self._last = self._gathered, bytearray(), time.monotonic()
        self._store(memoryview(gathered))

    def _store(self, data: memoryview) -> None:
        while data:
            piece = data[:_PIECE]
            if self._way == "inline":
                self._sink.send({"event": "pixels", "frame": self._number}, piece)
            else:
                place = self._offset + self._written
                piece = piece[: os.pwrite(self._descriptor or 0, piece, place)]
            self._written += len(piece)
            data = data[len(piece) :]
            if self._way == "fd" and self._fields["format"] != "jpeg":
                self._sink.send({"event": "progress", "frame": self._number, "rows": self._rows()})

    def text(self, words: List[WordFields], partial: bool = False) -> None:
        """Reports words of the page's own text, each a dict with text, box and perhaps ends. With
        `partial`, the page may show more text than these words.
        """
        self._sink.check()
        for start in range(0, len(words) if self.wanted else 0, 100):
            fields: Fields = {"partial": True} if partial else {}
            self._sink.send(
                {
                    "event": "text",
                    "frame": self._number,
                    "words": words[start : start + 100],
                    **fields,
                }
            )

    def finish(self, original: Optional[bytes] = None) -> None:
        """Ends the frame. `original`: the bytes of the JPEG that it was decoded from, which the
        host may keep unchanged.
        """
        self._sink.check()
        self._flush()
        fields: Fields = {
            "event": "done",
            "frame": self._number,
            "rows": self._fields.get("height") or self._rows(),
        }
        if self.wanted:
            if self._written < self._least(fields["rows"]) or not fields["rows"]:
                raise Failure(
                    "damagedData",
                    f"frame {self._number} is incomplete: only {self._written} bytes of it came",
                )
            if self._fields["format"] == "jpeg":
                fields["length"] = self._written
            if original:
                fields["mediaType"] = "image/jpeg"
            self._sink.send(fields, original or b"")
        self.release()
        self._sink.over(self.wanted)

    def release(self) -> None:
        if self._descriptor is not None:
            os.close(self._descriptor)
        self._descriptor = None

    def _stride(self) -> int:
        stride: int = self._fields.get("stride", 0)
        return stride or row_bytes(self._fields["format"], self._fields["width"])

    def _rows(self) -> int:
        """Whole rows written so far; the last one needs no padding."""
        stride = self._stride()
        rest = self._written % stride >= row_bytes(self._fields["format"], self._fields["width"])
        height: int = self._fields.get("height") or _LONGEST_SIDE
        return min(self._written // stride + rest, height)

    def _least(self, rows: int) -> int:
        if self._fields["format"] == "jpeg":
            return 1
        color = (rows + 1) // 2 if self._fields["format"] == "nv12" else 0
        return self._stride() * (rows + color - 1) + row_bytes(
            self._fields["format"], self._fields["width"]
        )


class Sink:
    """The destination of a capture's frames."""

    def __init__(self, wire: _Wire, capture: int, limit: Optional[int]) -> None:
        self._wire, self._capture, self._limit = wire, capture, limit
        self._number, self._finished = 1, 0
        self._open: Optional[Frame] = None
        self._grants: queue.Queue[Tuple[Optional[Fields], Optional[int]]] = queue.Queue()
        self._cancel = threading.Event()
        self._settings: Fields = {}

    def keep(self, options: Dict[str, OptionFields]) -> None:
        self._settings = {n: o["value"] for n, o in options.items() if "value" in o}

    def __getitem__(self, name: str) -> Any:
        """The value that an option had when the capture began."""
        return self._settings[name]

    def begin(
        self,
        format: str,
        width: int,
        height: Optional[int] = None,
        resolution: Optional[float] = None,
        **more: Any,
    ) -> Frame:
        """Announces a frame, waits until the host has room for it, and returns a `Frame`.

        `resolution` is in dots per inch; `more` may have stride, label, expected, time, problems
        (sentences for users), capacity (for "jpeg"), metadata (`metadata(...)`) and facts, such as
        {"origin": "scan", "size": "measured"}. Raises `Failure("tooLarge", ...)` for a frame beyond
        the host's limits: then begin another frame, or skip the page.
        """
        self.check()
        if self._open:
            raise Failure("internalFault", f"frame {self._number} was started and not finished")
        if self._limit and self._finished >= self._limit:
            raise Failure("internalFault", f"a frame was begun after the last of {self._limit}")
        fields: Fields = {"format": format, "width": width, **more}
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

    def skip(self, failure: Failure, label: Optional[str] = None) -> None:
        """Reports a page that can't be captured; later pages can still be captured. A frame that
        was begun is discarded.
        """
        self.check()
        fields = {"event": "skipped", "frame": self._number, "error": failure.json()}
        self.send({**fields, "label": label} if label else fields)
        if self._open:
            self._open.release()
        self.over(False)

    @property
    def cancelled(self) -> bool:
        """True once the host has canceled the capture."""
        return self._cancel.is_set()

    def check(self) -> None:
        """Raises `Cancelled` once the host has canceled the capture; call it in loops that take
        long.
        """
        if self.cancelled:
            raise Cancelled()

    def sleep(self, seconds: float) -> None:
        """Waits; raises `Cancelled` as soon as the capture is canceled."""
        if self._cancel.wait(seconds):
            raise Cancelled()

    # The following attributes are internal.

    @property
    def number(self) -> int:
        return self._number

    @property
    def is_open(self) -> bool:
        return self._open is not None

    def send(self, fields: Fields, data: Bytes = b"") -> None:
        self._wire.send({**fields, "capture": self._capture}, data)

    def over(self, counts: bool) -> None:
        self._open, self._number, self._finished = None, self._number + 1, self._finished + counts

    def deliver(self, message: Fields, descriptor: Optional[int]) -> None:
        self._grants.put((message, descriptor))

    def cancel(self) -> None:
        self._cancel.set()
        self._grants.put((None, None))

    def end(self) -> None:
        if self._open:
            self._open.release()
        while not self._grants.empty():
            descriptor = self._grants.get()[1]
            if descriptor is not None:
                os.close(descriptor)


class _Lane:
    """An open device: its requests run one after the other, with a capture in parallel."""

    def __init__(self, device: Device) -> None:
        self.device = device
        self.sink: Optional[Sink] = None
        self.thread: Optional[threading.Thread] = None
        self.requests: queue.Queue[Optional[Callable[[], None]]] = queue.Queue()
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            work = self.requests.get()
            if work is None:
                return
            work()

    def cancel(self, sink: Sink) -> None:
        if not sink.cancelled:
            sink.cancel()
            self.device.cancel()

    def stop_capture(self) -> None:
        sink, thread = self.sink, self.thread
        if sink:
            self.cancel(sink)
        if thread and thread.ident:
            thread.join()


class _Wire:
    """The connection to the host."""

    def __init__(self, socket_: socket.socket, backend: Backend) -> None:
        self._socket, self._backend = socket_, backend
        self._sending = threading.Lock()
        self._lanes: Dict[int, _Lane] = {}
        self._sinks: Dict[int, Tuple[Sink, _Lane]] = {}
        self._handle, self._greeted = 0, False
        self._descriptors: List[int] = []
        self._rest = b""

    def send(self, message: Fields, data: Bytes = b"") -> None:
        if len(data):
            message["bytes"] = len(data)
        line = json.dumps(message, separators=(",", ":")).encode() + b"\n"
        with self._sending:  # a message and its bytes stay together
            self._socket.sendall(line)
            if len(data):
                self._socket.sendall(data)

    def serve(self) -> None:
        """Reads requests until the host is gone."""
        for line in self._lines():
            message = json.loads(line)
            descriptor = self._descriptors.pop(0) if message.get("fd") else None
            if "event" in message:
                known = self._sinks.get(message.get("capture"))
                if (
                    known
                    and message["event"] in ("buffer", "refused")
                    and message.get("frame") == known[0].number
                ):
                    known[0].deliver(message, descriptor)
                elif descriptor is not None:
                    os.close(descriptor)
            elif isinstance(message.get("request"), int) and isinstance(message.get("verb"), str):
                self._take(message)
            else:
                raise ValueError(f"neither a request nor an event: {line[:120]!r}")

    def wind_down(self) -> None:
        """Ends captures and closes devices when the host is gone; with a thread for each device, so
        that one that hangs delays no other.
        """

        def close() -> None:
            for lane in list(self._lanes.values()):
                lane.stop_capture()
                lane.device.close()

        thread = threading.Thread(target=close, daemon=True)
        thread.start()
        thread.join(1.5)

    def _lines(self) -> Iterator[bytes]:
        while True:
            data, ancillary, _, _ = self._socket.recvmsg(
                65536, socket.CMSG_SPACE(16), socket.MSG_CMSG_CLOEXEC
            )
            for level, type, raw in ancillary:
                if level == socket.SOL_SOCKET and type == socket.SCM_RIGHTS:
                    numbers: array.array[int] = array.array("i")
                    numbers.frombytes(raw[: len(raw) - len(raw) % numbers.itemsize])
                    self._descriptors += numbers
            if not data:
                return
            *lines, self._rest = (self._rest + data).split(b"\n")
            yield from lines

    def _take(self, request: Fields) -> None:
        verb = request["verb"]
        if verb in ("options", "set", "capture", "close"):
            self._take_of_device(verb, request)
        elif verb == "cancel":
            known = self._sinks.get(request["capture"])
            if known:
                known[1].cancel(known[0])
            self._answer(request, lambda _: {})
        else:
            verbs = {"hello": self._hello, "devices": self._devices, "open": self._open}
            work = verbs.get(verb, self._unknown)
            threading.Thread(target=self._answer, args=(request, work), daemon=True).start()

    def _take_of_device(self, verb: str, request: Fields) -> None:
        lane = self._lanes.get(request["handle"])
        if not lane:
            return self._answer(request, self._no_device)
        own = lane
        if verb == "capture":
            self._capture(request, own)
        elif verb == "options":
            own.requests.put(lambda: self._answer(request, lambda _: self._options(own)))
        elif verb == "set":
            own.requests.put(lambda: self._answer(request, lambda r: self._set(own, r)))
        else:
            del self._lanes[request["handle"]]
            own.requests.put(lambda: self._answer(request, lambda _: self._close(own)))
            own.requests.put(None)

    def _answer(self, request: Fields, work: Callable[[Fields], Fields]) -> None:
        """Runs a request, and answers it exactly once."""
        try:
            result = work(request)
        except Failure as failure:
            result = {"error": failure.json()}
        except Exception as fault:
            import traceback  # only here, because it takes as long to load as everything else

            traceback.print_exc()
            result = {"error": Failure("internalFault", f"{type(fault).__name__}: {fault}").json()}
        try:
            self.send({"answer": request["request"], **result})
        except OSError:
            pass  # the host is gone; the reader ends the program

    def _hello(self, request: Fields) -> Fields:
        if not self._greeted:
            self._greeted = True
            threading.Thread(target=self._backend.watch, daemon=True).start()
        return {
            "protocol": PROTOCOL,
            "name": self._backend.name,
            "version": self._backend.version,
            "capabilities": ["descriptors", "offsets"],
        }

    def _devices(self, request: Fields) -> Fields:
        found = list(self._backend.devices(request.get("quick", False)))
        problems = [entry.json() for entry in found if isinstance(entry, Failure)]
        fields: Fields = {"devices": [d for d in found if not isinstance(d, Failure)]}
        return {**fields, "problems": problems} if problems else fields

    def _open(self, request: Fields) -> Fields:
        device = self._backend.open(request["device"])
        self._handle += 1
        handle = self._handle
        self._lanes[handle] = _Lane(device)
        device._tell = lambda f: self.send({"event": "optionChanged", "handle": handle, **f})
        description = device.describe()
        return {"handle": handle, "device": description} if description else {"handle": handle}

    def _options(self, lane: _Lane) -> Fields:
        return {"options": lane.device.options()}

    def _set(self, lane: _Lane, request: Fields) -> Fields:
        value, reload = lane.device.set(request["option"], request["value"])
        fields = {"reloadOptions": reload}
        return fields if value is None else {**fields, "value": value}

    def _close(self, lane: _Lane) -> Fields:
        lane.stop_capture()
        lane.device.close()
        return {}

    def _capture(self, request: Fields, lane: _Lane) -> None:
        id, limit = request["request"], request.get("limit")
        if lane.sink:
            return self._answer(request, self._busy)
        if limit is not None and limit < 1:
            return self._answer(request, self._no_limit)
        mode = request.get("mode", "pages")
        if mode not in ("pages", "live"):
            return self._answer(request, self._no_mode)
        sink = lane.sink = Sink(self, id, limit)
        self._sinks[id] = (sink, lane)

        def capture(_: Fields) -> Fields:
            try:
                sink.check()
                lane.device.capture(sink, mode, limit)
                if sink.is_open:
                    raise Failure("internalFault", "a frame was started and not finished")
                return {}
            finally:
                del self._sinks[id]
                sink.end()
                lane.sink = None

        def start() -> None:
            # This runs on the device's own thread, so that exactly the options that were set before
            # the capture count.
            sink.keep(lane.device._options)
            thread.start()

        thread = threading.Thread(target=self._answer, args=(request, capture), daemon=True)
        lane.thread = thread
        lane.requests.put(start)

    def _no_device(self, request: Fields) -> Fields:
        raise Failure("noSuchDevice", f"no open device has the handle {request.get('handle')}")

    def _no_mode(self, request: Fields) -> Fields:
        raise Failure("unsupported", f"there is no capture of the mode {request['mode']!r}")

    def _busy(self, request: Fields) -> Fields:
        raise Failure("busy", "the device is already capturing")

    def _no_limit(self, request: Fields) -> Fields:
        raise Failure("invalidValue", f"a capture of {request['limit']} frames makes no sense")

    def _unknown(self, request: Fields) -> Fields:
        raise Failure("unsupported", f"no verb '{request.get('verb')}' is known")


def _connect(name: str) -> socket.socket:
    """The connection: descriptor 3 or, in a debugger, one to the host at COPYSTAND_ATTACH."""
    path = os.environ.get("COPYSTAND_ATTACH")
    try:
        if not path:
            return socket.socket(fileno=3)
        host = socket.socket(socket.AF_UNIX)
        host.connect(path)
        return host
    except OSError as error:
        known = f"no host waits at COPYSTAND_ATTACH={path}: {error.strerror}"
        usual = f"{name}: a Copystand backend. Copystand starts it when needed."
        print(known if path else f"{usual}\nTry: copystand backends", file=sys.stderr)
        sys.exit(2)


def run(backend: Backend) -> None:
    """Serves a `Backend` to the host that started this program, until the host goes away; then the
    program ends.
    """
    host = _connect(f"{backend.name} {backend.version}")
    host.set_inheritable(False)
    signal.signal(
        signal.SIGHUP, lambda *_: signal.alarm(2)
    )  # the host has died: there is only time to close devices
    if hasattr(sys.stdout, "reconfigure"):  # printed text goes into the host's log, line by line
        sys.stdout.reconfigure(line_buffering=True)
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
    os._exit(status)  # without waiting for threads that a device may block
