#!/usr/bin/python3
"""A camera on a network, for tests of clients of PTP/IP (CIPA DC-005, ISO 15740).

ptpip_camera.py PICTURE PORTFILE

It takes one picture after the other, each of which is PICTURE, and writes its port to PORTFILE.
"""
import os
import socket
import struct
import sys
import threading

PICTURE = open(sys.argv[1], "rb").read()
OK, NO_OPERATION, BAD_HANDLE, NO_PROPERTY = 0x2001, 0x2005, 0x2009, 0x200A
STORE, ISO = 0x00010001, 0x500F
ISOS = [100, 200, 400]


def text(words):
    """A string of PTP: its length, and UTF-16."""
    units = (words + "\0").encode("utf-16-le")
    return bytes([len(words) + 1]) + units


def array(code, values):
    return struct.pack(f"<I{len(values)}{code}", len(values), *values)


class Camera:
    """The camera's properties."""

    def __init__(self):
        self.iso, self.objects, self.next, self.tell = 100, {}, 1, lambda code, *values: None
        self.operations = {
            0x1001: self.describe, 0x1002: self.nothing, 0x1003: self.nothing,
            0x1004: lambda: (OK, array("I", [STORE])), 0x1005: self.store,
            0x1006: lambda *_: (OK, None, len(self.objects)),
            0x1007: lambda *_: (OK, array("I", list(self.objects))), 0x1008: self.about,
            0x1009: self.read, 0x100B: self.delete, 0x100E: self.release,
            0x1014: self.describe_property, 0x1015: self.read_property,
        }

    def nothing(self, *_):
        return OK, None

    def describe(self):
        codes = sorted([*self.operations, 0x1016])
        return OK, (
            struct.pack("<HIH", 100, 0, 100) + text("") + struct.pack("<H", 0)
            + array("H", codes) + array("H", [0x4002, 0x400D]) + array("H", [ISO])
            + array("H", [0x3801]) + array("H", [0x3801])
            + text("Lamp") + text("Lamp 1") + text("1.0") + text("0a1b2c3d"))

    def store(self, _):
        return OK, struct.pack("<HHHQQI", 4, 2, 0, 1 << 30, 1 << 29, 1000) + text("card") + text("")

    def about(self, handle):
        picture = self.objects.get(handle)
        if picture is None:
            return BAD_HANDLE, None
        numbers = struct.pack("<IHHIHIIIIIIIHII", STORE, 0x3801, 0, len(picture), 0x3801, 0, 0, 0,
                              0, 0, 24, 0, 0, 0, handle)
        return OK, numbers + text(f"LAMP{handle:04}.JPG") + text("20260101T000000") * 2 + text("")

    def read(self, handle):
        picture = self.objects.get(handle)
        return (OK, picture) if picture is not None else (BAD_HANDLE, None)

    def delete(self, handle, *_):
        return (OK, None) if self.objects.pop(handle, None) else (BAD_HANDLE, None)

    def release(self, *_):
        handle, self.next = self.next, self.next + 1
        self.objects[handle] = PICTURE
        threading.Timer(0.05, self.released, [handle]).start()
        return OK, None

    def released(self, handle):
        self.tell(0x4002, handle)
        self.tell(0x400D)

    def describe_property(self, code):
        if code != ISO:
            return NO_PROPERTY, None
        return OK, (struct.pack("<HHBHHB", ISO, 4, 1, 100, self.iso, 2)
                    + struct.pack(f"<H{len(ISOS)}H", len(ISOS), *ISOS))

    def read_property(self, code):
        return (OK, struct.pack("<H", self.iso)) if code == ISO else (NO_PROPERTY, None)

    def set_property(self, code, data):
        if code != ISO:
            return NO_PROPERTY
        self.iso = struct.unpack("<H", data)[0]
        return OK


def packet(kind, body):
    return struct.pack("<II", len(body) + 8, kind) + body


def whole(link, count):
    data = b""
    while len(data) < count:
        piece = link.recv(count - len(data))
        if not piece:
            raise EOFError
        data += piece
    return data


def take(link):
    length, kind = struct.unpack("<II", whole(link, 8))
    return kind, whole(link, length - 8)


def serve(link, camera):
    """A connection: of commands, or of events."""
    try:
        kind, body = take(link)
        if kind == 3:
            link.sendall(packet(4, b""))
            camera.tell = lambda code, *values: link.sendall(
                packet(8, struct.pack(f"<HI{len(values)}I", code, 0, *values)))
            while True:
                if take(link)[0] == 13:
                    link.sendall(packet(14, b""))
        name = "Lamp\0".encode("utf-16-le")
        link.sendall(packet(2, struct.pack("<I", 1) + bytes(16) + name + struct.pack("<I", 0x10000)))
        while True:
            kind, body = take(link)
            if kind == 6:
                command(link, camera, body)
    except (EOFError, OSError):
        pass


def command(link, camera, body):
    phase, code, number = struct.unpack("<IHI", body[:10])
    values = struct.unpack(f"<{(len(body) - 10) // 4}I", body[10:])
    data, results = None, ()
    if phase == 2:
        data = b""
        while True:
            kind, part = take(link)
            data += part[4:] if kind in (10, 12) else b""
            if kind == 12:
                break
    if code == 0x1016:
        status, answer = camera.set_property(values[0], data), None
    elif code in camera.operations:
        status, answer, *results = camera.operations[code](*values)
    else:
        status, answer = NO_OPERATION, None
    if answer is not None:
        link.sendall(packet(9, struct.pack("<IQ", number, len(answer))))
        link.sendall(packet(12, struct.pack("<I", number) + answer))
    link.sendall(packet(7, struct.pack(f"<HI{len(results)}I", status, number, *results)))


server = socket.create_server(("127.0.0.1", 0))
with open(sys.argv[2] + ".new", "w") as file:
    file.write(str(server.getsockname()[1]))
os.rename(sys.argv[2] + ".new", sys.argv[2])
lamp = Camera()
while True:
    connection, _ = server.accept()
    threading.Thread(target=serve, args=(connection, lamp), daemon=True).start()
