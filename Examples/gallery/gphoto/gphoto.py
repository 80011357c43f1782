#!/usr/bin/python3
"""Digital cameras on a USB cable or a network as capture devices, by the program gphoto2."""

import os
import re
import subprocess
import time

import copystand_backend as copystand
import jpegs

GPHOTO = os.environ.get("GPHOTO2", "gphoto2")
MISSING = "Install gphoto2."
CONFIG = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
LIST = os.path.join(CONFIG, "copystand-gphoto.txt")
#: Seconds that the camera may take for anything, and to say that it is there.
PATIENCE, LOOK = 30, 4
#: A line of `gphoto2 --auto-detect`: the model, blanks, and the port.
LINE = re.compile(r"^(.+?)\s{2,}((?:usb|ptpip|serial|disk|usbscsi):\S*)\s*$")
#: Options of ours, and what they are called in the cameras' configurations.
SETTINGS = {
    "iso": "ISO", "shutterspeed": "Shutter speed", "aperture": "Aperture",
    "whitebalance": "White balance", "imageformat": "Image format",
}


def gphoto(*words, sink=None, patience=PATIENCE):
    """Returns gphoto2's output as bytes. gphoto2 is killed when the capture of `sink` is
    canceled."""
    try:
        program = subprocess.Popen(
            [GPHOTO, *words], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
            stderr=subprocess.PIPE, env={**os.environ, "LC_ALL": "C"},
        )
    except FileNotFoundError:
        raise copystand.Failure("unsupported", f"the program '{GPHOTO}' is missing", MISSING)
    end = time.monotonic() + patience
    try:
        while True:
            if sink:
                sink.check()
            try:
                output, said = program.communicate(timeout=0.1)
                break
            except subprocess.TimeoutExpired:
                if time.monotonic() > end:
                    raise copystand.Failure("hung", f"gphoto2 did not answer within {patience} s",
                                            "Switch the camera off and on.")
    except copystand.Failure:
        program.kill()
        program.communicate()
        raise
    if program.returncode:
        raise failure(said)
    return output


def failure(said):
    """Returns the failure that gphoto2's messages on standard error mean."""
    text = said.decode(errors="replace")
    found = re.search(r"Error \((-\d+: '[^']*')\)", text)
    reason = found[1] if found else next(iter(text.strip().splitlines()), "it said nothing")
    if "Could not claim" in text:
        return copystand.Failure("busy", "another program uses the camera",
                                 "Close the window of the file manager that shows the camera.")
    if "Unknown model" in text or "Could not find the requested device" in text:
        return copystand.Failure("offline", "the camera does not answer", "Switch it on.")
    if "Unsupported operation" in text:
        return copystand.Failure("unsupported", "the camera can't be released by a computer")
    return copystand.Failure("inputOutput", f"gphoto2 failed: {reason}"[:500].rstrip("."))


def cameras():
    """Models by their ports."""
    text = gphoto("--auto-detect").decode(errors="replace")
    found = (LINE.match(line) for line in text.splitlines())
    return {match[2]: match[1] for match in found if match}


def serial_number(port):
    """The camera's own number, by which it has the same id at every port; None if it has none."""
    try:
        said = gphoto("--port", port, "--get-config", "serialnumber").decode(errors="replace")
    except copystand.Failure:
        return None
    found = re.search(r"^Current: *([\w.-]{4,64})$", said, re.M)
    return found[1] if found and found[1].strip("0") else None


def network_cameras():
    """The user's cameras on a network: lines of a name, a space and an address."""
    try:
        with open(LIST, encoding="utf-8") as file:
            words = [line.split() for line in file if not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return dict(pair for pair in words if len(pair) == 2)


def place_in_network(address):
    """The words by which gphoto2 reaches the camera at a host, or at a port of one."""
    host, _, number = address.partition(":")
    # gphoto2 wants a port twice: commands and events have a connection each.
    port = f"ptpip:{host}:{number}:{number}" if number else f"ptpip:{host}"
    return ("--port", port, "--camera", "PTP/IP Camera")


def network_camera(id, address, looks=True):
    """Returns the camera's place and description. The camera is offline if it was asked and did not
    answer.
    """
    place, more, model = place_in_network(address), {}, None
    if looks:
        try:
            said = gphoto(*place, "--get-config", "cameramodel", patience=LOOK)
            found = re.search(r"^Current: *(.{1,100})$", said.decode(errors="replace"), re.M)
            model = found[1] if found else None
        except copystand.Failure as failure:
            if failure.code == "unsupported":
                raise
            more = {"state": "offline",
                    "advice": f"Nothing answers at {address}: switch the camera's network on."}
    name = f"{model}, {id}" if model else f"Camera {id}"
    if model:
        more["model"] = model
    return place, copystand.device(id, name, "camera", connection=address, sources=["camera"],
                                   **more)


def described(quick=False):
    """Descriptions of the cameras by their ids, each with the words that say where it is."""
    result = {id: network_camera(id, address, not quick)
              for id, address in network_cameras().items()}
    for port, model in cameras().items():
        id = serial_number(port) or re.sub(r"[^a-z0-9]+", "-", model.lower()).strip("-")
        while id in result:
            id += "-2"
        about = copystand.device(id, model, "camera", model=model, connection="USB",
                                 sources=["camera"])
        result[id] = (("--port", port), about)
    return result


def setting(place, name, title):
    """An option of the camera, as gphoto2 describes it; None if the camera has none."""
    try:
        said = gphoto(*place, "--get-config", name).decode(errors="replace")
    except copystand.Failure:
        return None
    choices = list(dict.fromkeys(re.findall(r"^Choice: \d+ (.+)$", said, re.M)))
    current = re.search(r"^Current: *(.*)$", said, re.M)
    if "Readonly: 1" in said or not current or current[1] not in choices:
        return None
    return copystand.choice(name, title, current[1], choices,
                            help=f"{title}, in the camera's own words.")


class Camera(copystand.Device):
    def __init__(self, place, about):
        found = (setting(place, name, title) for name, title in SETTINGS.items())
        super().__init__(*(option for option in found if option))
        self.place, self.about = place, about

    def describe(self):
        return self.about

    def changed(self, name, value):
        gphoto(*self.place, "--set-config-value", f"{name}={value}")

    def capture(self, sink, mode, limit):
        if mode == "live":
            return self._film(sink, limit)
        for number in range(limit or 1):
            sink.check()
            jpeg = gphoto(*self.place, "--capture-image-and-download", "--stdout",
                          "--force-overwrite", "--quiet", sink=sink)
            if not jpeg.startswith(b"\xff\xd8"):
                raise copystand.Failure("unsupported", "the camera's picture is no JPEG",
                                        "Set imageformat to a JPEG.")
            jpegs.send_page(sink, jpeg, label=time.strftime("%H:%M:%S"), expected=limit or 1)

    def _film(self, sink, limit):
        stream = jpegs.Stream(
            [GPHOTO, *self.place, "--capture-movie", "--stdout", "--quiet"], MISSING
        )
        count = number = 0
        try:
            while not limit or count < limit:
                found = stream.next(sink, number, 10)
                if not found:
                    # gphoto2 reports this with another text than other failures.
                    if not number and "Movie capture" in stream.last_words:
                        raise copystand.Failure("unsupported", "the camera has no live view")
                    raise failure(stream.last_words.encode())
                jpeg, number = found
                jpegs.send_live(sink, jpeg, time.monotonic())
                count += 1
        finally:
            stream.stop()


class Backend(copystand.Backend):
    def devices(self, quick):
        return [about for _, about in described(quick).values()]

    def open(self, id):
        address = network_cameras().get(id)
        if address:
            place, about = network_camera(id, address)
            if about.get("state"):
                raise copystand.Failure("offline", f"no camera answers at {address}",
                                        "Switch the camera's network on.")
            return Camera(place, about)
        known = described(quick=True)
        if id not in known:
            raise copystand.Failure("noSuchDevice", f"no camera is called '{id[:100]}'",
                                    "Switch it on, and see: gphoto2 --auto-detect")
        return Camera(*known[id])


if __name__ == "__main__":
    copystand.run(Backend("Digital cameras (gPhoto)", "1.0"))
