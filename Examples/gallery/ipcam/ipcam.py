#!/usr/bin/python3
"""Network cameras as capture devices: RTSP, or HTTP with JPEG pictures, by the program ffmpeg."""

import os
import time
import urllib.parse

import copystand_backend as copystand
import jpegs

CONFIG = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
LIST = os.path.join(CONFIG, "copystand-ipcam.txt")
SCHEMES = ("rtsp", "rtsps", "http", "https")
#: Seconds that a camera may take until its first picture.
PATIENCE = 10


def cameras():
    """The user's cameras: lines of a name, a space and an address."""
    try:
        with open(LIST, encoding="utf-8") as file:
            words = [line.split(None, 1) for line in file if not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {name: address.strip() for name, address in (pair for pair in words if len(pair) == 2)}


def without_password(address):
    """The address as it may be shown."""
    parts = urllib.parse.urlsplit(address)
    return urllib.parse.urlunsplit((parts.scheme, parts.netloc.split("@")[-1], parts.path, "", ""))


def description(id, address, **more):
    return copystand.device(
        id, f"Network camera {id}", "camera", connection=without_password(address),
        sources=["camera"], **more,
    )


class Camera(copystand.Device):
    def __init__(self, id, address):
        super().__init__(
            copystand.choice(
                "rotation", "Rotation", "none", ["none", "right", "half", "left"],
                help="How far pictures are turned, for a camera that hangs.",
            ),
            copystand.integer(
                "rate", "Pictures a second", 10, 1, 30,
                help="How many pictures are decoded; fewer take less of the processor.",
            ),
            copystand.choice(
                "transport", "Transport", "tcp", ["tcp", "udp"], isAdvanced=True,
                help="How RTSP sends pictures; with udp, lost packets are torn pictures.",
            ),
        )
        self.id, self.address = id, address
        self._stream, self._settings = None, None

    def describe(self):
        return description(self.id, self.address)

    def _words(self, rotation, rate, transport):
        turns = {"none": [], "right": ["transpose=1"], "half": ["hflip,vflip"],
                 "left": ["transpose=2"]}
        filters = ",".join(turns[rotation] + [f"fps={rate}"])
        ways = ["-rtsp_transport", transport] if self.address.startswith("rtsp") else []
        return [
            # No other protocols: an address comes from a user, and redirects from the network.
            "ffmpeg", "-nostdin", "-loglevel", "error", "-protocol_whitelist",
            "rtsp,rtsps,rtp,tcp,tls,udp,http,https,crypto", *ways, "-fflags", "nobuffer",
            "-i", self.address, "-an", "-vf", filters, "-f", "image2pipe", "-c:v", "mjpeg",
            "-q:v", "2", "-",
        ]

    def _next(self, sink, after):
        """The next picture; the stream is begun if need be, and kept for the next capture."""
        wanted = (sink["rotation"], sink["rate"], sink["transport"])
        if self._stream and self._settings != wanted:
            self._drop()
        found = self._stream.next(sink, after, PATIENCE) if self._stream else None
        if found:
            return found
        # There is no stream yet, or it has ended: an address of a single picture ends after that
        # picture.
        self._drop()
        self._stream = jpegs.Stream(self._words(*wanted), "Install ffmpeg.")
        self._settings = wanted
        found = self._stream.next(sink, 0, PATIENCE)
        if found:
            return found
        reason = self._stream.last_words.replace(self.address, without_password(self.address))
        self._drop()
        raise copystand.Failure(
            "offline", f"the camera '{self.id}' sends no picture: {reason}"[:500].rstrip("."),
            "Switch it on and check its address in copystand-ipcam.txt.",
        )

    def _drop(self):
        if self._stream:
            self._stream.stop()
        self._stream = None

    def capture(self, sink, mode, limit):
        number = self._stream.number if self._stream else 0
        count = 0
        while count < (limit or (1 if mode == "pages" else float("inf"))):
            jpeg, number = self._next(sink, number)
            if mode == "live":
                jpegs.send_live(sink, jpeg, time.monotonic())
            else:
                jpegs.send_page(sink, jpeg, label=time.strftime("%H:%M:%S"))
            count += 1

    def close(self):
        self._drop()


class Backend(copystand.Backend):
    def devices(self, quick):
        return [description(id, address) for id, address in cameras().items()]

    def open(self, id):
        address = cameras().get(id)
        if address is None and id.split(":")[0] in SCHEMES and "://" in id:
            address = id
        if address is None:
            raise copystand.Failure(
                "noSuchDevice", f"no camera is called '{id[:100]}'",
                "Add a line with its name and address to copystand-ipcam.txt.",
            )
        if address.split(":")[0] not in SCHEMES:
            raise copystand.Failure(
                "invalidValue", f"the camera '{id[:100]}' has the address"
                f" '{without_password(address)[:200]}', which is not one of {', '.join(SCHEMES)}",
                "Correct its line in copystand-ipcam.txt.",
            )
        return Camera(id, address)


if __name__ == "__main__":
    copystand.run(Backend("Network cameras", "1.0"))
