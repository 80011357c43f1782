"""Opens the page in a headless Chromium, and measures its first paint, the bytes on the wire, and
the smoothness of scrolling a long review.
"""

import time
from statistics import median

# The frames while the wheel turns through the grid, and the time of each by the browser's own
# clock.
SCROLL = """
const done = arguments[arguments.length - 1], times = [];
const list = document.querySelector(".pages.review");
let last = performance.now(), start = last;
function frame(now) {
    times.push(now - last);
    last = now;
    list.scrollBy(0, 40);
    if (now - start < 8000) requestAnimationFrame(frame);
    else done({times: times.slice(1), height: list.scrollHeight, at: list.scrollTop,
               there: document.querySelectorAll(".pages.review image[href]").length});
}
requestAnimationFrame(frame);
"""


def browser():
    from selenium import webdriver
    from selenium.webdriver.chrome.service import Service

    options = webdriver.ChromeOptions()
    for word in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=1280,900",
    ):
        options.add_argument(word)
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))


def first_paint(address: str, runs: int) -> tuple[float, int, int]:
    """Milliseconds until something is painted, the bytes of the page and its files on the wire, and
    how many files they are.
    """
    paints, size, files = [], 0, 0
    for _ in range(runs):
        driver = browser()
        try:
            # The browser's own start is not part of the page.
            driver.get("about:blank")
            driver.get(address)
            for _ in range(100):
                paint = driver.execute_script(
                    "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ??"
                    " null"
                )
                if paint is not None:
                    break
                time.sleep(0.1)
            paints.append(paint)
            entries = driver.execute_script(
                "return [...performance.getEntriesByType('navigation'),"
                " ...performance.getEntriesByType('resource')].filter((one) =>"
                " !one.name.includes('/api/')).map((one) => one.transferSize)"
            )
            size, files = sum(entries), len(entries)
        finally:
            driver.quit()
    return median(paints), size, files


def scrolling(address: str) -> dict:
    """Measures how the review of a long document scrolls."""
    driver = browser()
    try:
        driver.set_script_timeout(60)
        driver.get(address + "/#document/1")
        for _ in range(300):
            if (
                driver.execute_script(
                    "return document.querySelectorAll('.pages.review > li').length"
                )
                > 400
            ):
                break
            time.sleep(0.1)
        time.sleep(1)
        return driver.execute_async_script(SCROLL)
    finally:
        driver.quit()
