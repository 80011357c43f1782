#!/usr/bin/python3
"""Folders into which network scanners drop files, as feeders.

Each file that is whole is a sheet, or several: it is scanned, and moved into the folder `taken`.
"""

import io
import json
import os
import stat
import subprocess
import threading
import time
import warnings

import copystand_backend as copystand
from PIL import Image, ImageOps

CONFIG = os.environ.get("XDG_CONFIG_HOME") or os.path.expanduser("~/.config")
LIST = os.path.join(CONFIG, "copystand-scanfolder.txt")
ENDINGS = (".jpg", ".jpeg", ".png", ".tif", ".tiff", ".pdf")
#: Seconds for which a file must not grow before it counts as whole.
STILL = 2
#: Seconds that one page of a PDF may take.
PATIENCE = 120
warnings.simplefilter("error", Image.DecompressionBombWarning)


def folders():
    """The user's folders: lines of a name, a space and a path."""
    try:
        with open(LIST, encoding="utf-8") as file:
            words = [line.split(None, 1) for line in file if not line.startswith("#")]
    except FileNotFoundError:
        return {}
    return {name: path.strip() for name, path in (pair for pair in words if len(pair) == 2)}


def description(id, path):
    about = copystand.device(id, f"Scan folder {id}", "scanner", connection=path,
                             sources=["feeder"])
    if not os.access(path, os.R_OK | os.W_OK | os.X_OK):
        about.update(state="offline", advice=f"The folder {path} can't be used: connect its disk,"
                     " or correct its line in copystand-scanfolder.txt.")
    return about


class Folder:
    """The files that wait in a folder, and which page of one is next."""

    def __init__(self, path):
        self.path = path
        self._seen = {}

    def first_page(self, name, about):
        """The page of a file that is next: 0, unless it was begun before."""
        try:
            with open(self._note, encoding="utf-8") as file:
                begun = json.load(file)
            is_same = begun["file"] == [name, about.st_size, about.st_mtime_ns]
            return int(begun["page"]) if is_same else 0
        except (OSError, ValueError, KeyError, TypeError):
            return 0

    def note_page(self, name, about, page):
        """Notes which page is next, for the next run."""
        with open(self._note + "-new", "w", encoding="utf-8") as file:
            json.dump({"file": [name, about.st_size, about.st_mtime_ns], "page": page}, file)
        os.replace(self._note + "-new", self._note)

    @property
    def _note(self):
        return os.path.join(self.path, ".scanfolder-next")

    def files(self):
        """Names of the files that are whole, the oldest first, and whether others are arriving."""
        found, now = [], time.monotonic()
        for entry in os.scandir(self.path):
            about = entry.stat(follow_symlinks=False)
            is_ours = entry.name.lower().endswith(ENDINGS) and not entry.name.startswith(".")
            if is_ours and stat.S_ISREG(about.st_mode):
                mark = (about.st_size, about.st_mtime_ns)
                found.append((about.st_mtime_ns, entry.name, mark))
        before, self._seen = self._seen, {}
        whole = []
        for _, name, mark in sorted(found):
            known = before.get(name)
            self._seen[name] = known if known and known[0] == mark else (mark, now)
            is_old = time.time() - mark[1] / 1e9 > 5 * STILL
            if mark[0] and (is_old or now - self._seen[name][1] >= STILL):
                whole.append(name)
        return whole, len(whole) < len(found)

    def put_away(self, name, where):
        """Moves a file into a folder within, where it never replaces another."""
        goal = os.path.join(self.path, where)
        os.makedirs(goal, exist_ok=True)
        stem, ending = os.path.splitext(name)
        for number in range(1, 10_000):
            new = os.path.join(goal, name if number == 1 else f"{stem}-{number}{ending}")
            try:
                os.link(os.path.join(self.path, name), new, follow_symlinks=False)
            except FileExistsError:
                continue
            except OSError:  # a disk without hard links
                if os.path.lexists(new):
                    continue
                os.rename(os.path.join(self.path, name), new)
                return
            os.unlink(os.path.join(self.path, name))
            return


def pages_of(file, name):
    """Returns the number of pages of a file."""
    if name.lower().endswith(".pdf"):
        text = program(["pdfinfo"], file, name).decode(errors="replace")
        lines = [line.split() for line in text.splitlines()]
        return next(int(words[1]) for words in lines if words[:1] == ["Pages:"])
    with Image.open(file) as image:
        return getattr(image, "n_frames", 1)


def program(words, file, name):
    """Returns a program's output for a file."""
    file.seek(0)
    try:
        done = subprocess.run(
            [*words, f"/proc/self/fd/{file.fileno()}"], capture_output=True, timeout=PATIENCE,
            pass_fds=[file.fileno()], stdin=subprocess.DEVNULL,
        )
    except FileNotFoundError:
        raise copystand.Failure("unsupported", f"the program '{words[0]}' is missing",
                                "Install poppler-utils.")
    except subprocess.TimeoutExpired:
        raise copystand.Failure("damagedData", f"a page of '{name}' takes longer than {PATIENCE} s")
    if done.returncode:
        raise copystand.Failure("damagedData", f"'{name}' is no PDF that can be read")
    return done.stdout


def picture(file, name, page, resolution):
    """A page of a file as an image, its resolution, and its JPEG where it is one as it stands."""
    if name.lower().endswith(".pdf"):
        words = ["pdftoppm", "-r", str(resolution), "-f", str(page + 1), "-l", str(page + 1)]
        return Image.open(io.BytesIO(program(words, file, name))), resolution, None
    file.seek(0)
    image = Image.open(file)
    image.seek(page)
    dpi = image.info.get("dpi", (0, 0))[0]
    original = None
    if image.format == "JPEG" and image.mode in ("L", "RGB"):
        if image.getexif().get(0x0112, 1) == 1:
            file.seek(0)
            original = file.read()
    image.getexif()  # of a TIFF, only before its pixels are read
    image.load()
    return ImageOps.exif_transpose(image), float(dpi) if 50 <= dpi <= 4800 else None, original


def pixels(image):
    """A format of the protocol, and the image's bytes in it."""
    if image.mode == "1":  # there 1 is white, here it is black
        return "bilevel", bytes(byte ^ 255 for byte in image.tobytes())
    if image.mode == "I;16":
        return "gray16", image.tobytes()
    if image.mode in ("L", "RGB"):
        return {"L": "gray8", "RGB": "rgb8"}[image.mode], image.tobytes()
    if image.mode in ("RGBA", "LA", "PA") or "transparency" in image.info:
        image = image.convert("RGBA")
        paper = Image.new("RGBA", image.size, "white")
        image = Image.alpha_composite(paper, image)
    return "rgb8", image.convert("RGB").tobytes()


class ScanFolder(copystand.Device):
    def __init__(self, id, path):
        super().__init__(
            copystand.integer("pdf-resolution", "Resolution of PDFs", 300, 75, 600, unit="dpi",
                              help="How finely the pages of a PDF are drawn."),
            copystand.toggle("page-loaded", "File waiting", False, isReadOnly=True,
                             sensor="paper", help="Whether a file waits."),
            copystand.toggle("scan-button", "File arrived", False, isReadOnly=True,
                             sensor="button", help="Whether a file came since this was read."),
        )
        self.id, self.folder = id, Folder(path)
        self._over, self._lock = threading.Event(), threading.Lock()
        self._waiting = set(self._files()[0])
        threading.Thread(target=self._watch, daemon=True).start()

    def describe(self):
        return description(self.id, self.folder.path)

    def options(self):
        files, _ = self._files()
        self.option("page-loaded")["value"] = bool(files)
        read = [dict(option) for option in super().options()]
        self.option("scan-button")["value"] = False  # a press counts once
        return read

    def _files(self):
        with self._lock:
            try:
                return self.folder.files()
            except OSError as error:
                raise copystand.Failure(
                    "offline", f"the folder '{self.folder.path}' can't be read: {error.strerror}",
                    "Connect its disk.",
                )

    def _watch(self):
        """Reports a press when a file has come, as if someone had pressed the scanner's button."""
        while not self._over.wait(1):
            try:
                files = set(self._files()[0])
            except copystand.Failure:
                continue
            if files - self._waiting:
                self.report("page-loaded", True)
                self.report("scan-button", True)
            self._waiting = files

    def _wait(self, sink):
        """The files that are whole; waits for those that arrive."""
        while True:
            files, are_arriving = self._files()
            if files or not are_arriving:
                return files
            sink.sleep(0.2)

    def capture(self, sink, mode, limit):
        if mode != "pages":
            raise copystand.Failure("unsupported", "a folder has no live view")
        count = self.refused = 0
        while not limit or count < limit:
            files = self._wait(sink)
            if not files:
                if count or self.refused:
                    return
                raise copystand.Failure(
                    "feederEmpty", f"no file waits in '{self.folder.path}'",
                    "Scan into this folder at the scanner.",
                )
            count += self._take(sink, files[0], limit and limit - count)

    def _take(self, sink, name, limit):
        """Sends the pages of a file, at most `limit`; how many it were."""
        count, place = 0, os.path.join(self.folder.path, name)
        try:
            with open(os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC), "rb") as file:
                pages, about = pages_of(file, name), os.fstat(file.fileno())
                for page in range(self.folder.first_page(name, about), pages):
                    if limit and count >= limit:
                        return count  # the next capture goes on here
                    self._send(sink, file, name, page, pages)
                    count += 1
                    if page + 1 < pages:
                        self.folder.note_page(name, about, page + 1)
            where = "taken"
        except copystand.Failure as error:
            # One page may be too large for the host; if it refuses the next, it wants none.
            self.refused += error.code == "tooLarge"
            if error.code not in ("damagedData", "tooLarge") or self.refused > 1:
                raise
            sink.skip(error, label=name)
            where = "damaged"
        except Exception as error:  # what the library raises for damaged files, it does not say
            sink.skip(copystand.Failure("damagedData", f"'{name}' can't be read: {error}"[:500],
                                        "It is in the folder 'damaged' now."), label=name)
            where = "damaged"
        self.folder.put_away(name, where)
        return count

    def _send(self, sink, file, name, number, pages):
        image, dpi, original = picture(file, name, number, sink["pdf-resolution"])
        format, rows = pixels(image)
        label = name if pages == 1 else f"{name}, page {number + 1}"
        facts = {"origin": "scan", **({"size": "stated"} if dpi else {})}
        page = sink.begin(format, image.width, image.height, resolution=dpi, label=label,
                          facts=facts)
        page.write(rows)
        page.finish(original=original)

    def close(self):
        self._over.set()


class Backend(copystand.Backend):
    def devices(self, quick):
        return [description(id, path) for id, path in folders().items()]

    def open(self, id):
        path = folders().get(id)
        if path is None:
            raise copystand.Failure(
                "noSuchDevice", f"no folder is called '{id[:100]}'",
                "Add a line with its name and path to copystand-scanfolder.txt.",
            )
        return ScanFolder(id, path)


if __name__ == "__main__":
    copystand.run(Backend("Scan folders", "1.0"))
