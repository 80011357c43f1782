"""Reads text with PP-OCR (the Python package rapidocr) for Copystand: lines of JSON on descriptor
3, as Docs/developers/ReaderProtocol.md describes. Nothing is downloaded: the models are part of the
package.
"""

import json
import logging
import mmap
import os
import socket

import cv2
import numpy as np
import rapidocr.inference_engine.onnxruntime.main as runtime
from rapidocr import RapidOCR
from rapidocr.ch_ppocr_rec.typings import TextRecInput

LONGEST_SIDE = 2000  # pixels; larger pictures take six times as long and read no better
LEAST_SIDE = 736  # pixels; smaller pictures are enlarged
LEAST_STEP = 32  # pixels; the network needs whole multiples of it
LEAST_SCORE = 0.5  # a line below this is not text
SPACE = 0.45  # a space is wider than gaps within words by this fraction of the letters' step
STEP = 1.3  # the step over a space is longer than this multiple of the usual one
MANY = 300  # lines; only tables have more
HEIGHT = 48  # pixels; lines are scaled to it for the network
WIDTH = 320  # pixels; the network was trained with lines at least this wide
SHORT = 160  # pixels; cells of large tables are only filled up to this width
SURE = 0.95  # the score from which such a cell is not read again


class Options(runtime.SessionOptions):
    """Makes waiting threads sleep; by default they keep a core busy."""

    def __init__(self):
        super().__init__()
        self.add_session_config_entry("session.intra_op.allow_spinning", "0")


class Cells:
    """Reads the lines of a page. Each takes at least as long as one of the width WIDTH. For a table
    of hundreds of cells that is too long: they are read as they are, and only those of which the
    network is not sure are read again with that width.
    """

    def __init__(self, recognizer):
        self.recognizer = recognizer

    def __call__(self, asked):
        if len(asked.img) <= MANY:
            return self.read(asked, WIDTH)
        found = self.read(asked, SHORT)
        unsure = [
            k
            for k, (crop, score) in enumerate(zip(asked.img, found.scores))
            if score < SURE and crop.shape[1] * HEIGHT < crop.shape[0] * WIDTH
        ]
        if unsure:
            crops = [asked.img[k] for k in unsure]
            again = self.read(TextRecInput(crops, asked.return_word_box), WIDTH)
            lines = list(zip(found.txts, found.scores, found.word_results))
            for k, line in zip(unsure, zip(again.txts, again.scores, again.word_results)):
                lines[k] = line
            found.txts, found.scores, found.word_results = zip(*lines)
        return found

    def read(self, asked, width):
        self.recognizer.rec_image_shape = [3, HEIGHT, width]
        return self.recognizer(asked)


class Lines:
    """Replaces rapidocr's own word boxes: finds spaces and words by the letters' places
    and the ink between them.
    """

    def __call__(self, crops, quads, result, _):
        self.found = []
        for crop, quad, text, score, info in zip(
            crops, quads, result.txts, result.scores, result.word_results
        ):
            columns = [column for word in info.word_cols for column in word]
            letters = [(i, c) for i, c in enumerate(text) if not c.isspace()]
            if score < LEAST_SCORE or not letters or len(letters) != len(columns) or crop.size == 0:
                continue
            width = crop.shape[1] / info.line_txt_len
            places = [(column + 0.5) * width for column in columns]
            words = cut(text, letters, places, ink(crop))
            confidences = [
                float(np.mean([info.confs[letters[k][0]] for k in word])) for word, _, _ in words
            ]
            self.found.append(
                [
                    {
                        "text": "".join(letters[k][1] for k in word),
                        "confidence": min(max(sure, 0.0), 1.0),
                        "quad": within(quad, crop.shape, left, right),
                    }
                    for (word, left, right), sure in zip(words, confidences)
                ]
            )
        # rapidocr's own words are ignored, but it requires a result for each line.
        result.word_results = ((("", 0.0, ()),),) * len(result.txts)
        return result


def ink(crop):
    """The columns of a line's picture that have ink."""
    gray = crop if crop.ndim == 2 else crop[:, :, 0]
    _, dark = cv2.threshold(gray, 0, 1, cv2.THRESH_BINARY_INV | cv2.THRESH_OTSU)
    if dark.mean() > 0.5:
        dark = 1 - dark
    inner = dark[int(len(dark) * 0.12) : max(int(len(dark) * 0.88), 1)]
    return inner.sum(axis=0) > max(1, 0.02 * len(inner))


def blank(columns, start, end):
    """The longest run of columns without ink between two places, as (start, end)."""
    best = (start, start)
    begin = None
    for x in range(max(start, 0), min(end, len(columns)) + 1):
        if x < min(end, len(columns)) and not columns[x]:
            begin = x if begin is None else begin
        elif begin is not None:
            if x - begin > best[1] - best[0]:
                best = (begin, x)
            begin = None
    return best


def cut(text, letters, places, columns):
    """The words of a line: the numbers of each word's letters, and its left and right end."""
    gaps = [blank(columns, int(a), int(b)) for a, b in zip(places, places[1:])]
    spaced = [letters[k + 1][0] - letters[k][0] > 1 for k in range(len(gaps))]
    widths = [b - a for a, b in gaps]
    steps = [b - a for a, b in zip(places, places[1:])]
    narrow = [w for w, s in zip(widths, spaced) if not s] or [0]
    step = float(np.median([d for d, s in zip(steps, spaced) if not s] or [0]))
    usual = float(np.median(narrow))
    known = [w for w, s in zip(widths, spaced) if s]
    # The width of most spaces of the line or, if there are none, half the width of a letter.
    least = max(usual + SPACE * step, (usual + float(np.median(known))) / 2 if known else 0)
    ends = [
        k
        for k in range(len(gaps))
        if spaced[k] or (step > 0 and widths[k] >= least and steps[k] > STEP * step)
    ]
    words = []
    first = 0
    for k in ends + [len(letters) - 1]:
        left = gaps[first - 1][1] if first else 0
        right = gaps[k][0] if k < len(gaps) else len(columns)
        words.append((range(first, k + 1), left, right))
        first = k + 1
    return words


def within(quad, shape, left, right):
    """The corners of a part of a line, by its ends in the line's picture."""
    height, width = shape[:2]
    top_left, top_right, bottom_right, bottom_left = (np.array(p, float) for p in quad)
    if np.linalg.norm(top_left - bottom_left) >= 1.5 * np.linalg.norm(top_left - top_right):
        # The picture of an upright line was turned.
        top_left, top_right, bottom_right, bottom_left = (
            top_right,
            bottom_right,
            bottom_left,
            top_left,
        )
    a, b = min(left / width, 1), min(max(right, left + 1) / width, 1)
    corners = [
        top_left + a * (top_right - top_left),
        top_left + b * (top_right - top_left),
        bottom_left + b * (bottom_right - bottom_left),
        bottom_left + a * (bottom_right - bottom_left),
    ]
    return [float(v) for corner in corners for v in corner]


class Host:
    """The connection to the host."""

    def __init__(self):
        self.socket = socket.socket(fileno=3)
        self.rest = b""
        self.files = []

    def next(self):
        """The next message; None if the host has ended."""
        while b"\n" not in self.rest:
            data, files, _, _ = socket.recv_fds(self.socket, 1 << 16, 4)
            if not data:
                return None
            self.rest += data
            self.files += files
        line, self.rest = self.rest.split(b"\n", 1)
        return json.loads(line)

    def send(self, message):
        self.socket.sendall(json.dumps(message).encode() + b"\n")


def picture(host, form):
    """The picture that came with the message, in gray. The descriptor is closed."""
    file = host.files.pop(0)
    try:
        size = form["stride"] * form["height"]
        with mmap.mmap(file, size, prot=mmap.PROT_READ) as memory:
            rows = np.frombuffer(memory, np.uint8, size).reshape(form["height"], form["stride"])
            if form["format"] == "bilevel":
                gray = (1 - np.unpackbits(rows, axis=1)[:, : form["width"]]) * np.uint8(255)
            else:
                gray = rows[:, : form["width"]].copy()
            del rows
            return gray
    finally:
        os.close(file)


def main():
    logging.disable(logging.CRITICAL)
    host = Host()
    threads = len(os.sched_getaffinity(0))
    runtime.SessionOptions = Options
    engine = RapidOCR(
        params={
            "Global.max_side_len": LONGEST_SIDE,
            "Global.use_cls": False,
            "Global.log_level": "critical",
            "Global.text_score": 0.0,
            "EngineConfig.onnxruntime.intra_op_num_threads": threads,
            # Lines that are read together are filled up to the longest of them.
            "Rec.rec_batch_num": 1,
        }
    )
    engine.text_rec = Cells(engine._load_rec_model())
    engine.text_det = detector = engine._load_det_model()
    engine.cal_rec_boxes = lines = Lines()
    while (request := host.next()) is not None:
        number, verb = request["request"], request["verb"]
        answer = {"answer": number}
        if verb == "hello":
            answer |= {
                "protocol": 1,
                "name": "PP-OCR",
                "version": "3.10.0",
                "capabilities": ["rotated"],
            }
        elif verb == "read":
            gray = picture(host, request["picture"])
            lines.found = []
            detector.limit_side_len = LEAST_STEP if request.get("keepsSize") else LEAST_SIDE
            engine(cv2.cvtColor(gray, cv2.COLOR_GRAY2BGR), return_word_box=True)
            height, width = gray.shape
            for words in lines.found:
                for word in words:
                    word["quad"] = [
                        min(max(v, 0), height if i % 2 else width)
                        for i, v in enumerate(word["quad"])
                    ]
                host.send({"event": "line", "reading": number, "words": words})
        elif verb != "prepare":
            answer["error"] = {"code": "unsupported", "message": f"there is no verb '{verb}'"}
        host.send(answer)


if __name__ == "__main__":
    main()
