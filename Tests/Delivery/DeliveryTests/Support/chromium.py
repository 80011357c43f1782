"""Opens PDFs in Chromium, and prints for each whether a page is visible: a line `PATH seen` or
`PATH REASON`.
"""

import io
import sys
import time

from PIL import Image
from selenium import webdriver
from selenium.webdriver.chrome.service import Service

PATIENCE = 30


def shares(picture: Image.Image) -> tuple[float, float]:
    """Returns the fraction of the window, without tools and edges, that is as bright as paper, and
    the fraction that is as dark as ink.
    """
    width, height = picture.size
    # The viewer's sidebar is left of the page.
    part = picture.convert("L").crop(
        (width * 4 // 10, height // 10, width * 9 // 10, height * 7 // 10)
    )
    counts = part.histogram()
    total = part.width * part.height
    return sum(counts[200:]) / total, sum(counts[:120]) / total


def main() -> None:
    options = webdriver.ChromeOptions()
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--window-size=900,1200",
    ):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
    try:
        for path in sys.argv[1:]:
            driver.get("file://" + path)
            end = time.monotonic() + PATIENCE
            paper = ink = 0.0
            while time.monotonic() < end and not (paper > 0.5 and ink > 0.002):
                time.sleep(0.3)
                paper, ink = shares(Image.open(io.BytesIO(driver.get_screenshot_as_png())))
            said = driver.get_log("browser")
            if said:
                print(path, "warns:", said)
            elif paper > 0.5 and ink > 0.002:
                print(path, "seen")
            else:
                print(path, f"shows no page: {paper:.3f} paper, {ink:.3f} ink")
    finally:
        driver.quit()


if __name__ == "__main__":
    main()
