"""A headless Chromium for selenium."""

import base64
from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


class Chromium(webdriver.Chrome):
    """A separate Chromium, with a profile in `folder`."""

    def __init__(self, folder: Path, language: str, dark: bool, text: int):
        options = webdriver.ChromeOptions()
        for argument in (
            "--headless=new",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-dev-shm-usage",
            "--force-prefers-reduced-motion",
            f"--user-data-dir={folder}",
            f"--lang={language}",
            *(["--force-dark-mode"] if dark else []),
        ):
            options.add_argument(argument)
        # Users who want large text set its size in the browser, in pixels.
        options.add_experimental_option(
            "prefs",
            {"intl.accept_languages": language, "webkit.webprefs.default_font_size": text},
        )
        options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
        super().__init__(options=options, service=Service("/usr/bin/chromedriver"))

    def set_colors(self, theme: str) -> None:
        """Sets the color scheme that the system asks pages for: light or dark."""
        self.execute_cdp_cmd(
            "Emulation.setEmulatedMedia",
            {
                "features": [
                    {"name": "prefers-color-scheme", "value": theme},
                    {"name": "prefers-reduced-motion", "value": "reduce"},
                ]
            },
        )

    def add_script(self, script: str) -> None:
        """Runs a script that the page's own policy would not allow from elsewhere."""
        self.execute_cdp_cmd("Runtime.evaluate", {"expression": script + "\n0"})

    def draw(self, address: str, width: int, height: int) -> bytes:
        """Returns a page's PNG, for a window with a view of that size."""
        self.set_window_size(width, height)
        self.execute_cdp_cmd(
            "Emulation.setDeviceMetricsOverride",
            {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False},
        )
        self.get(address)
        shot = self.execute_cdp_cmd("Page.captureScreenshot", {"format": "png"})
        self.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
        return base64.b64decode(shot["data"])

    def keep_downloads(self, folder: Path) -> None:
        """Lets the browser save downloads in a folder without asking."""
        self.execute_cdp_cmd(
            "Browser.setDownloadBehavior", {"behavior": "allow", "downloadPath": str(folder)}
        )
