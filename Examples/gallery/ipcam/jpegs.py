"""JPEG pictures from a program that writes one after the other, and what is in one."""

import subprocess
import threading

import copystand_backend as copystand

#: The most bytes of one picture.
LARGEST = 64 << 20


def size(jpeg):
    """Width and height of a JPEG, from its frame header (ITU-T T.81, B.2.2)."""
    place = 2
    while place + 9 < len(jpeg) and jpeg[place] == 0xFF:
        if jpeg[place + 1] in (0xC0, 0xC1, 0xC2):
            height = int.from_bytes(jpeg[place + 5 : place + 7], "big")
            return int.from_bytes(jpeg[place + 7 : place + 9], "big"), height
        place += 2 + int.from_bytes(jpeg[place + 2 : place + 4], "big")
    raise copystand.Failure("damagedData", "the camera's picture is not a readable JPEG")


def decode(jpeg):
    """Format, width, height and pixels of a JPEG, by the program djpeg."""
    try:
        done = subprocess.run(["djpeg", "-pnm"], input=jpeg, capture_output=True)
    except FileNotFoundError:
        raise copystand.Failure(
            "unsupported", "the program 'djpeg' is missing", "Install libjpeg-turbo-progs."
        )
    parts = done.stdout.split(None, 4)[:3]
    if done.returncode or len(parts) < 3:
        raise copystand.Failure("damagedData", "the camera's picture is not a readable JPEG")
    kind, width, height = parts[0], int(parts[1]), int(parts[2])
    format, channels = ("gray8", 1) if kind == b"P5" else ("rgb8", 3)
    return format, width, height, done.stdout[-width * height * channels :]


def send_page(sink, jpeg, **more):
    """Sends a picture as a page; the JPEG goes along, and may be kept untouched."""
    format, width, height, pixels = decode(jpeg)
    page = sink.begin(format, width, height, facts={"origin": "photo"}, **more)
    page.write(pixels)
    page.finish(original=jpeg)


def send_live(sink, jpeg, time):
    """Sends a picture as a live frame, as it is."""
    width, height = size(jpeg)
    frame = sink.begin(
        "jpeg", width, height, capacity=width * height * 2 + 65536, time=time,
        metadata=copystand.metadata(monotonic=time),
    )
    if frame.wanted:
        frame.write(jpeg)
    frame.finish()


class Stream:
    """A program whose standard output is pictures, from its start until `stop`."""

    def __init__(self, words, missing):
        try:
            self._program = subprocess.Popen(
                words, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE
            )
        except FileNotFoundError:
            raise copystand.Failure(
                "unsupported", f"the program '{words[0]}' is missing", missing
            )
        self._news = threading.Condition()
        self._latest, self._number, self._is_over, self._words = b"", 0, False, b""
        threading.Thread(target=self._read, daemon=True).start()
        threading.Thread(target=self._listen, daemon=True).start()

    def next(self, sink, after, seconds):
        """The first picture later than number `after`, and its number; None if none came in so many
        seconds, or the program has ended.
        """
        waited = 0.0
        while waited < seconds:
            sink.check()
            with self._news:
                if self._number > after:
                    return self._latest, self._number
                if self._is_over:
                    return None
                self._news.wait(0.1)
            waited += 0.1
        return None

    @property
    def number(self):
        return self._number

    @property
    def last_words(self):
        """The last line that the program wrote to its standard error."""
        lines = self._words.decode(errors="replace").strip().splitlines()
        return lines[-1] if lines else "it said nothing"

    def stop(self):
        self._program.kill()
        self._program.wait()

    def _read(self):
        # FF D9 ends a picture: inside of one, a byte FF is always followed by 00 or a marker.
        rest = b""
        while True:
            piece = self._program.stdout.read1(1 << 18)
            if not piece or len(rest) > LARGEST:
                break
            *pictures, rest = (rest + piece).split(b"\xff\xd9")
            for picture in pictures:
                start = picture.find(b"\xff\xd8")
                if start >= 0:
                    with self._news:
                        self._latest = picture[start:] + b"\xff\xd9"
                        self._number += 1
                        self._news.notify_all()
        with self._news:
            self._is_over = True
            self._news.notify_all()

    def _listen(self):
        for line in self._program.stderr:
            self._words = (self._words + line)[-2000:]
