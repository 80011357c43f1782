#!/usr/bin/python3
"""A USB Video Class camera in user space, plugged into the running kernel by vhci_hcd (USB over
IP).

    usb_camera.py PICTURES.mjpeg FRAMES.yuyv

The kernel's own uvcvideo makes a /dev/video node of it: Motion JPEG of 1280 x 720 and YUYV of 640 x
480, 30 or 15 frames a second, with exposure, focus and brightness. SIGTERM unplugs it. Requests
come by the USB/IP protocol (Documentation/usb/usbip_protocol.rst). The answers follow the USB
Device Class Definition for Video Devices 1.1.
"""

import re
import select
import signal
import socket
import struct
import sys
import time

FRAME_30, FRAME_15 = 333_333, 666_666  # intervals in units of 100 ns
PAYLOAD = 16_384  # bytes of one transfer, its header of 2 included
IN_CONTROL, OUT_CONTROL = 0xA1, 0x21  # request types of the class
SET_CUR, GET_CUR, GET_MIN, GET_MAX, GET_RES, GET_LEN, GET_INFO, GET_DEF = (
    1,
    0x81,
    0x82,
    0x83,
    0x84,
    0x85,
    0x86,
    0x87,
)


def little(form: str, *values: int) -> bytes:
    return struct.pack("<" + form, *values)


def frame_descriptor(subtype: int, width: int, height: int, size: int) -> bytes:
    intervals = [FRAME_30, FRAME_15]
    return little(
        "BBBBBHHIIIIB",
        26 + 4 * len(intervals),
        0x24,
        subtype,
        1,
        0,
        width,
        height,
        size * 120,
        size * 240,
        size,
        intervals[0],
        len(intervals),
    ) + little(f"{len(intervals)}I", *intervals)


def configuration() -> bytes:
    """The configuration descriptor: a control interface (camera, processing unit, output), a
    streaming interface.
    """
    yuy2 = b"YUY2\x00\x00\x10\x00\x80\x00\x00\xaa\x00\x38\x9b\x71"
    formats = little("BBBBBBBBBBB", 11, 0x24, 6, 1, 1, 1, 1, 0, 0, 0, 0) + frame_descriptor(
        7, 1280, 720, 1_843_200
    )
    formats += little("BBBBB", 27, 0x24, 4, 2, 1) + yuy2 + little("BBBBBB", 16, 1, 0, 0, 0, 0)
    formats += frame_descriptor(5, 640, 480, 614_400) + little("BBBBBB", 6, 0x24, 0x0D, 1, 1, 4)
    header = little(
        "BBBBHBBBBBBBBB", 15, 0x24, 1, 2, 15 + len(formats), 0x81, 0, 3, 0, 0, 0, 1, 0, 0
    )
    # The camera's controls: auto exposure mode, exposure time, focus, auto focus.
    camera = little("BBBBHBBHHHB", 18, 0x24, 2, 1, 0x0201, 0, 0, 0, 0, 0, 3) + bytes([0x2A, 0, 2])
    processing = little("BBBBBHB", 12, 0x24, 5, 2, 1, 0, 2) + bytes([1, 0, 0, 0])  # brightness
    output = little("BBBBHBBB", 9, 0x24, 3, 3, 0x0101, 0, 2, 0)
    units = camera + processing + output
    control = little("BBBHHIBB", 13, 0x24, 1, 0x0110, 13 + len(units), 48_000_000, 1, 1) + units
    body = (
        little("BBBBBBBB", 8, 11, 0, 2, 14, 3, 0, 2)
        + little("BBBBBBBBB", 9, 4, 0, 0, 0, 14, 1, 0, 2)
        + control
    )
    body += little("BBBBBBBBB", 9, 4, 1, 0, 1, 14, 2, 0, 0) + header + formats
    body += little("BBBBHB", 7, 5, 0x81, 2, 512, 0)
    return little("BBHBBBBB", 9, 2, 9 + len(body), 2, 1, 0, 0x80, 250) + body


def strings() -> dict[int, bytes]:
    """The string descriptors."""
    table = {0: b"\x04\x03\x09\x04"}
    for index, text in ((1, "Copystand"), (2, "UVC document camera"), (3, "0001")):
        letters = text.encode("utf-16le")
        table[index] = bytes([len(letters) + 2, 3]) + letters
    return table


DEVICE = little("BBHBBBBHHHBBBB", 18, 1, 0x200, 0xEF, 2, 1, 64, 0x1D6B, 0x0102, 0x100, 1, 2, 3, 1)
CONFIGURATION = configuration()
STRINGS = strings()


class Control:
    """A setting of the camera."""

    def __init__(self, size: int, least: int, most: int, step: int, default: int) -> None:
        self.size, self.least, self.most, self.step, self.default = size, least, most, step, default
        self.value = default

    def answer(self, request: int) -> bytes:
        if request == GET_INFO:
            return b"\x03"
        if request == GET_LEN:
            return little("H", self.size)
        number = {
            GET_CUR: self.value,
            GET_MIN: self.least,
            GET_MAX: self.most,
            GET_RES: self.step,
            GET_DEF: self.default,
        }[request]
        return number.to_bytes(self.size, "little", signed=number < 0)

    def set(self, data: bytes) -> None:
        self.value = int.from_bytes(data[: self.size], "little", signed=self.least < 0)


class Camera:
    """The state and behavior of the camera, without the transport of its requests."""

    def __init__(self, pictures: list[bytes], frames: list[bytes]) -> None:
        self.clips = {1: pictures, 2: frames}
        # The values by unit and selector. Auto exposure is a mask of modes: 1 manual, 8 aperture
        # priority.
        self.controls = {
            (1, 2): Control(1, 0, 0, 9, 8),
            (1, 4): Control(4, 3, 2047, 1, 250),
            (1, 6): Control(2, 0, 250, 5, 0),
            (1, 8): Control(1, 0, 1, 1, 1),
            (2, 2): Control(2, -64, 64, 1, 0),
        }
        self.probe = self.commit = self.negotiated(1, FRAME_30)
        self.format = 0  # 0 while it is not filming
        self.interval = FRAME_30
        self.start = 0.0
        self.count = 0

    @staticmethod
    def negotiated(form: int, interval: int) -> bytes:
        size = 1_843_200 if form == 1 else 614_400
        return little(
            "HBBIHHHHHIIIBBBB",
            1,
            form,
            1,
            interval,
            0,
            0,
            0,
            0,
            0,
            size,
            PAYLOAD,
            48_000_000,
            3,
            0,
            0,
            0,
        )

    def control_transfer(self, setup: bytes, data: bytes) -> bytes | None:
        """The answer on endpoint 0; None for a stall."""
        kind, request, value, index, _ = struct.unpack("<BBHHH", setup)
        if kind == 0x80 and request == 6:
            return {1: DEVICE, 2: CONFIGURATION, 3: STRINGS.get(value & 255)}.get(value >> 8)
        if kind in (0x80, 0x81, 0x82) and request == 0:
            return b"\0\0"
        if kind in (0, 1, 2) and request in (1, 3, 9, 11):
            if request in (1, 11):  # clear the endpoint, choose an interface: filming ends
                self.format = 0
            return b""
        if kind in (IN_CONTROL, OUT_CONTROL):
            if index & 255 == 1:
                return self.streaming(request, value >> 8, data)
            control = self.controls.get((index >> 8, value >> 8))
            if control is None:
                return None
            if request == SET_CUR:
                control.set(data)
                return b""
            return control.answer(request)
        return None

    def streaming(self, request: int, selector: int, data: bytes) -> bytes:
        """Answers probe and commit, by which a format is agreed on and chosen."""
        if request == GET_INFO:
            return b"\x03"
        if request == GET_LEN:
            return little("H", 34)
        if request != SET_CUR:
            return self.probe if selector == 1 else self.commit
        form = data[2] if data[2] in (1, 2) else 1
        interval = FRAME_30 if struct.unpack_from("<I", data, 4)[0] <= 500_000 else FRAME_15
        if selector == 1:
            self.probe = self.negotiated(form, interval)
        else:
            self.commit = self.negotiated(form, interval)
            self.format, self.interval, self.start, self.count = form, interval, time.monotonic(), 0
        return b""

    def due(self) -> float:
        """The time at which the next frame is due."""
        return self.start + (self.count + 1) * self.interval / 1e7

    def payloads(self) -> list[bytes]:
        """The next frame, cut into transfers: each begins with its header (length, flags)."""
        clip = self.clips[self.format]
        frame = clip[self.count % len(clip)]
        self.count += 1
        room = PAYLOAD - 2
        parts = [frame[at : at + room] for at in range(0, len(frame), room)]
        flags = 0x80 | self.count & 1  # which of two frames this transfer belongs to
        result = [bytes([2, flags | (2 if part is parts[-1] else 0)]) + part for part in parts]
        if len(result[-1]) == PAYLOAD:  # a full transfer does not end the frame
            result.append(bytes([2, flags | 2]))
        return result


class Plug:
    """The cable: requests of the kernel's virtual host controller."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        self.socket, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
        for end in (self.socket, theirs):
            end.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 1 << 20)
        # Port 0, this socket, device id, high speed.
        with open("/sys/devices/platform/vhci_hcd.0/attach", "w") as attach:
            attach.write(f"0 {theirs.fileno()} {0x10001} 3")
        theirs.close()
        self.waiting: list[tuple[int, int]] = []  # transfers that want frames: number, room
        self.queue: list[bytes] = []

    def receive(self, size: int) -> bytes:
        data = b""
        while len(data) < size:
            piece = self.socket.recv(size - len(data))
            if not piece:
                raise EOFError
            data += piece
        return data

    def complete(
        self, number: int, status: int, data: bytes = b"", length: int | None = None
    ) -> None:
        """Sends USBIP_RET_SUBMIT."""
        size = len(data) if length is None else length
        self.socket.sendall(
            struct.pack(">IIIIIiIIII", 3, number, 0, 0, 0, status, size, 0, 0, 0) + b"\0" * 8 + data
        )

    def film(self) -> float:
        """Fills waiting transfers with the data that are due. Returns the time until more data are
        due."""
        if not self.camera.format:
            self.queue = []
            return 0.05
        if not self.queue and time.monotonic() >= self.camera.due():
            self.queue = self.camera.payloads()
        while self.queue and self.waiting:
            number, room = self.waiting.pop(0)
            self.complete(number, 0, self.queue.pop(0)[:room])
        return 0.05 if self.queue else max(0.0, min(0.05, self.camera.due() - time.monotonic()))

    def take(self) -> None:
        """Reads one request: USBIP_CMD_SUBMIT or USBIP_CMD_UNLINK."""
        header = self.receive(48)
        command, number, _, direction, endpoint = struct.unpack_from(">IIIII", header)
        if command == 1:
            length = struct.unpack_from(">I", header, 24)[0]
            data = self.receive(length) if direction == 0 and length else b""
            if endpoint != 0:
                self.waiting.append((number, length))
                return
            answer = self.camera.control_transfer(header[40:48], data)
            if answer is None:
                self.complete(number, -32)
            elif direction == 1:
                self.complete(number, 0, answer[:length])
            else:
                self.complete(number, 0, b"", length)
        elif command == 2:
            other = struct.unpack_from(">I", header, 20)[0]
            status = -104 if any(entry[0] == other for entry in self.waiting) else 0
            self.waiting = [entry for entry in self.waiting if entry[0] != other]
            self.socket.sendall(struct.pack(">IIIIIi", 4, number, 0, 0, 0, status) + b"\0" * 24)

    def run(self) -> None:
        while True:
            if select.select([self.socket], [], [], self.film())[0]:
                self.take()


class Unplugged(Exception):
    pass


def unplug(*_: object) -> None:
    raise Unplugged


def main() -> int:
    pictures = open(sys.argv[1], "rb").read()
    starts = [match.start() for match in re.finditer(b"\xff\xd8\xff", pictures)] + [len(pictures)]
    frames = open(sys.argv[2], "rb").read()
    size = 640 * 480 * 2
    camera = Camera(
        [pictures[one:other] for one, other in zip(starts, starts[1:])],
        [frames[at : at + size] for at in range(0, len(frames) - size + 1, size)],
    )
    signal.signal(signal.SIGTERM, unplug)
    plug = Plug(camera)
    try:
        plug.run()
    except (Unplugged, EOFError, BrokenPipeError, ConnectionResetError):
        plug.socket.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
