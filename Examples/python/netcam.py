#!/usr/bin/python3
"""Network cameras that show a still picture at an address, as capture devices."""
import os
import subprocess
import time
import urllib.error
import urllib.request

import copystand_backend as copystand

# --- Which cameras there are ---

CONFIG = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
LIST = os.path.join(CONFIG, "netcam.txt")


def cameras():
    """The user's cameras: lines of a name, a space and an address."""
    try:
        with open(LIST, encoding="utf-8") as file:
            words = [line.split(None, 1) for line in file if not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {name: address.strip() for name, address in (pair for pair in words if len(pair) == 2)}


def description(id, address, **more):
    return copystand.device(id, f"Network camera {id}", "camera", connection=address,
                            sources=["camera"], **more)


# --- Fetching a picture ---

def fetch(address):
    """The bytes of the picture that the camera shows now."""
    try:
        with urllib.request.urlopen(address, timeout=8) as answer:
            return answer.read(64 << 20)
    except (urllib.error.URLError, OSError) as error:
        reason = getattr(error, "reason", error)
        raise copystand.Failure("offline", f"the camera at {address} does not answer: {reason}",
                                "Switch it on and check its address in netcam.txt.")


# --- Decoding it ---

def decode(jpeg, scale):
    """Format, width, height and pixels of a JPEG, by the program djpeg."""
    try:
        done = subprocess.run(["djpeg", "-pnm", "-scale", scale], input=jpeg, capture_output=True)
    except FileNotFoundError:
        raise copystand.Failure("unsupported", "the program 'djpeg' is missing",
                                "Install libjpeg-turbo-progs.")
    parts = done.stdout.split(None, 4)[:3]
    if done.returncode or len(parts) < 3:
        raise copystand.Failure("damagedData", "the camera's picture is not a readable JPEG")
    kind, width, height = parts[0], int(parts[1]), int(parts[2])
    format, channels = ("gray8", 1) if kind == b"P5" else ("rgb8", 3)
    return format, width, height, done.stdout[-width * height * channels:]


# --- Live frames stay JPEG ---

def size(jpeg):
    """Width and height of a JPEG, from its frame header (ITU-T T.81, B.2.2)."""
    place = 2
    while place + 9 < len(jpeg) and jpeg[place] == 0xFF:
        if jpeg[place + 1] in (0xC0, 0xC1, 0xC2):
            height = int.from_bytes(jpeg[place + 5:place + 7], "big")
            return int.from_bytes(jpeg[place + 7:place + 9], "big"), height
        place += 2 + int.from_bytes(jpeg[place + 2:place + 4], "big")
    raise copystand.Failure("damagedData", "the camera's picture is not a readable JPEG")


# --- An open camera and its options ---

SCALES = {"full": "8/8", "half": "4/8", "quarter": "2/8"}


class Camera(copystand.Device):
    def __init__(self, id, address):
        super().__init__(
            copystand.choice("size", "Size", "full", list(SCALES), help="How large pictures are.",
                             defaultValue="full"),
            copystand.toggle("repeat", "Repeat", False, help="Take pictures until stopped."),
            copystand.number("pause", "Pause", 1, 0, 3600, unit="seconds", isActive=False,
                             help="The time between two pictures."))
        self.id, self.address = id, address

    def describe(self):
        return description(self.id, self.address)

    def changed(self, name, value):
        if name == "repeat":
            self.option("pause")["isActive"] = value
        return name == "repeat"

    # --- Capturing ---

    def capture(self, sink, mode, limit):
        if mode == "live":
            return self.live(sink, limit)
        pictures = limit or (None if sink["repeat"] else 1)
        taken = tried = 0
        while pictures is None or taken < pictures:
            if tried and sink["repeat"]:
                sink.sleep(sink["pause"])
            tried += 1
            jpeg = fetch(self.address)
            sink.check()
            try:
                format, width, height, pixels = decode(jpeg, SCALES[sink["size"]])
            except copystand.Failure as failure:
                if failure.code != "damagedData" or not sink["repeat"]:
                    raise
                sink.skip(failure, f"picture {tried}")
                continue
            frame = sink.begin(format, width, height, label=time.strftime("%H:%M:%S"),
                               expected=pictures or taken + 1)
            frame.write(pixels)
            frame.finish(original=jpeg if sink["size"] == "full" else None)
            taken += 1

    def live(self, sink, limit):
        sent = 0
        while limit is None or sent < limit:
            jpeg = fetch(self.address)
            width, height = size(jpeg)
            frame = sink.begin("jpeg", width, height, capacity=width * height * 2 + 65536,
                               time=time.monotonic())
            frame.write(jpeg)
            frame.finish()
            sent += frame.wanted


# --- The backend ---

class Cameras(copystand.Backend):
    def devices(self, quick):
        return [self.look(id, address, quick) for id, address in cameras().items()]

    def look(self, id, address, quick):
        try:
            if not quick:
                fetch(address)
        except copystand.Failure as failure:
            return description(id, address, state="offline",
                               advice=f"{failure.message}. {failure.advice}")
        return description(id, address)

    def open(self, id):
        address = id if id.startswith(("http://", "https://")) else cameras().get(id)
        if not address:
            raise copystand.Failure("noSuchDevice", f"no camera is called '{id}'",
                                    f"Add a line to {LIST}.")
        return Camera(id, address)

    # --- Cameras that come and go ---

    def watch(self):
        known = cameras()
        while True:
            time.sleep(1)
            now = cameras()
            for id in known.keys() - now.keys():
                self.removed(id)
            for id in now.keys() - known.keys():
                self.added(description(id, now[id]))
            known = now


if __name__ == "__main__":
    copystand.run(Cameras("Network cameras", "1.0"))
