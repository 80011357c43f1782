"""Measures the time until Chromium has painted a camera's picture, by the number that is drawn in
it.
"""

import time
from statistics import median

from .page import browser

# A number's bits are squares along the upper edge of the picture, white for 1.
BITS, SQUARE = 5, 64

# The page's picture is read before each of the browser's frames; it is painted when the next frame
# begins.
WATCH = """
const done = arguments[arguments.length - 1], [bits, square, milliseconds] = arguments;
// Each picture of the film is an element of its own.
const film = document.querySelector(".film");
const canvas = document.createElement("canvas");
[canvas.width, canvas.height] = [bits, 1];
const context = canvas.getContext("2d", { willReadFrequently: true });
const seen = [], end = performance.now() + milliseconds;
let shown, waiting;
function frame() {
    const now = performance.timeOrigin + performance.now();
    if (waiting !== undefined) seen.push([waiting, now]);
    waiting = undefined;
    for (let bit = 0; bit < bits; bit += 1)
        context.drawImage(
            film.querySelector("img"), (bit + .25) * square, .25 * square, square / 2, square / 2,
            bit, 0, 1, 1);
    const { data } = context.getImageData(0, 0, bits, 1);
    const number = [...Array(bits).keys()]
        .reduce((sum, bit) => sum + (data[4 * bit] > 127 ? 1 << bit : 0), 0);
    if (number !== shown) waiting = shown = number;
    performance.now() < end ? requestAnimationFrame(frame) : done(seen);
}
requestAnimationFrame(frame);
"""


def mark(picture, number: int) -> None:
    """Draws a number into a picture of OpenCV's."""
    for bit in range(BITS):
        picture[:SQUARE, bit * SQUARE : (bit + 1) * SQUARE] = 255 if number >> bit & 1 else 0


def painted(address: str, log, seconds: float) -> dict:
    """The milliseconds from a picture's capture to the browser's frame after the one in which it
    was drawn: the median and the 99th percentile.

    `log` is the camera's file of moments (CLOCK_MONOTONIC) and numbers; a number is used again
    after a second, and no picture takes that long.
    """
    driver = browser()
    try:
        driver.set_script_timeout(seconds + 60)
        driver.get(address + "/#live")
        for _ in range(300):
            if driver.execute_script(
                "return document.querySelector('.film img')?.naturalWidth ?? 0"
            ):
                break
            time.sleep(0.1)
        time.sleep(2)
        seen = driver.execute_async_script(WATCH, BITS, SQUARE, seconds * 1000)
    finally:
        driver.quit()
    offset = time.time() - time.monotonic()
    taken = [
        (float(moment) + offset, int(number))
        for moment, number in map(str.split, log.read_text().splitlines())
    ]
    lags = []
    for number, milliseconds in seen:
        moments = [
            moment
            for moment, other in taken
            if other == number and 0 <= milliseconds / 1000 - moment < 1
        ]
        if moments:
            lags.append(milliseconds - max(moments) * 1000)
    lags.sort()
    return {
        "median": median(lags),
        "late": lags[int(len(lags) * 0.99)],
        "rate": len(seen) / seconds,
        "matched": len(lags) / max(1, len(seen)),
    }
