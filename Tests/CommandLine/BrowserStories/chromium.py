"""A headless Chromium for selenium."""

from pathlib import Path

from selenium import webdriver
from selenium.webdriver.chrome.service import Service


def chromium(folder: Path, language: str, dark: bool, text: int) -> webdriver.Chrome:
    """A separate Chromium, with a profile in `folder`."""
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
    # Users who want large text set it in the browser, in pixels.
    options.add_experimental_option(
        "prefs",
        {"intl.accept_languages": language, "webkit.webprefs.default_font_size": text},
    )
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return webdriver.Chrome(options=options, service=Service("/usr/bin/chromedriver"))
