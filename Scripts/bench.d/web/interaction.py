"""Measures the time from a click, a key or a touch until Chromium has painted the effect: in an
archive of many documents, and in a long document.
"""

import time

from .page import browser

# Every interaction's longest event, from the input to the next paint, as reported by the browser
# itself (W3C Event Timing, in steps of 8 ms; shorter ones than 16 ms are not reported).
OBSERVE = """
window.interactions = [];
new PerformanceObserver((list) => {
    for (const { interactionId, duration } of list.getEntries())
        if (interactionId) interactions.push(duration);
}).observe({ type: "event", durationThreshold: 16 });
"""

# The time from a touch until the page that it opens is decoded and a frame has begun after it.
OPENING = """
window.opened = undefined;
const before = document.querySelector(".picture image")?.dataset.href;
addEventListener("pointerup", ({ timeStamp }) => {
    const look = async () => {
        const image = document.querySelector(".picture image");
        const address = image?.getAttribute("href");
        if (!address || image.dataset.href === before) return requestAnimationFrame(look);
        const picture = new Image();
        picture.src = address;
        await picture.decode();
        requestAnimationFrame(() =>
            requestAnimationFrame(() => window.opened = performance.now() - timeStamp));
    };
    look();
}, { once: true, capture: true });
"""


class Page:
    """A browser at a view of a host."""

    def __init__(self, address: str):
        self.driver = browser()
        self.address = address

    def open(self, view: str, ready: str) -> None:
        self.driver.get("about:blank")
        self.driver.get(f"{self.address}/#{view}")
        self.wait(lambda: self.driver.execute_script(f"return Boolean({ready})"), ready)
        # Loading the rest is not part of an interaction.
        time.sleep(2)

    def wait(self, condition, what: str):
        end = time.monotonic() + 60
        while not (value := condition()):
            assert time.monotonic() < end, f"waited 60 s for {what}"
            time.sleep(0.02)
        return value

    def one(self, selector: str):
        return self.driver.find_elements("css selector", selector)[0]

    def took(self, act) -> float:
        """The milliseconds from an input to the next paint; 16 for anything faster."""
        self.driver.execute_script("window.interactions.length = 0")
        act()
        time.sleep(1)
        return max(self.driver.execute_script("return window.interactions"), default=16)

    def opening(self, selector: str) -> float:
        """The milliseconds from a touch until a page is painted."""
        self.driver.execute_script(OPENING)
        box = self.driver.execute_script(
            "const one = document.querySelector(arguments[0]);"
            " one.scrollIntoView({ block: 'center', inline: 'center' });"
            " const { x, y, width, height } = one.getBoundingClientRect();"
            " return { x: x + width / 2, y: y + height / 2 };",
            selector,
        )
        time.sleep(1)
        for kind, points in (("touchStart", [box]), ("touchEnd", [])):
            self.driver.execute_cdp_cmd(
                "Input.dispatchTouchEvent", {"type": kind, "touchPoints": points}
            )
        return self.wait(lambda: self.driver.execute_script("return window.opened"), selector)


def interactions(address: str, view: str, ready: str, acts: list[tuple[str, str]]) -> dict:
    """The milliseconds from each act to the next paint: a key that is sent to an element, or a
    click on the element if there is no key.
    """
    page = Page(address)
    try:
        page.driver.set_window_size(1440, 900)
        page.open(view, ready)
        page.driver.execute_script(OBSERVE)
        return {
            (selector, keys): page.took(
                lambda: page.one(selector).send_keys(keys) if keys else page.one(selector).click()
            )
            for selector, keys in acts
        }
    finally:
        page.driver.quit()


def openings(address: str, view: str, ready: str, selectors: list[str]) -> list[float]:
    """The milliseconds from a touch on each of these until a page is painted, on a phone."""
    page = Page(address)
    try:
        page.driver.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": True},
        )
        page.driver.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": True})
        times = []
        for selector in selectors:
            page.open(view, ready)
            times.append(page.opening(selector))
        return times
    finally:
        page.driver.quit()
