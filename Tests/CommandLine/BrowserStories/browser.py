"""A headless browser with its own host, and the checks that every story makes of every view.

STORY.py BIN [FOLDER]     runs a story with the programs in BIN, in an empty folder

It is Chromium, or Firefox where COPYSTAND_STORY_BROWSER=firefox.
"""

import contextlib
import json
import os
import random
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.parse
import urllib.request
from pathlib import Path

from selenium.common.exceptions import StaleElementReferenceException
from selenium.webdriver.common.action_chains import ActionChains
from selenium.webdriver.common.actions import interaction
from selenium.webdriver.common.actions.action_builder import ActionBuilder
from selenium.webdriver.common.actions.pointer_input import PointerInput
from selenium.webdriver.common.by import By
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.support.select import Select

from chromium import Chromium
from firefox import Firefox
from wire import Wire

sys.path.append(str(Path(__file__).resolve().parents[3] / "Scripts/lib"))
from processes import children

# Busy machines are slow, but a successful story never takes nearly this long.
PATIENCE = float(os.environ.get("COPYSTAND_STORY_PATIENCE", "240"))
SIZES = {
    "phone": (360, 740),
    "tablet": (820, 1180),
    "desk": (1440, 900),
    "wall": (2560, 1440),
}
HERE = Path(__file__).resolve().parent
CHECKS = (HERE / "accessibility.js").read_text()
# Ends two frames after the visible pictures have been loaded.
DRAWN = """
    const done = arguments[0];
    const isSeen = ({ top, bottom }) => bottom > 0 && top < innerHeight;
    const look = () =>
        [...document.images].every((one) => one.complete || !isSeen(one.getBoundingClientRect()))
        ? requestAnimationFrame(() => requestAnimationFrame(() => done()))
        : requestAnimationFrame(look);
    look();
"""
DROP = """
    const [item, place] = arguments, dataTransfer = new DataTransfer();
    for (const [one, name] of [[item, "dragstart"], [place, "dragover"], [place, "drop"]]) {
        one.dispatchEvent(new DragEvent(name, { bubbles: true, cancelable: true, dataTransfer }));
    }
"""
# The owner and history of a document.
HISTORY = ".in-about > details:last-child"
SAMPLES = HERE.parents[2] / "Samples"
PAGES = ("01-letter.jpg", "02-minutes.jpg", "03-invoice.png")


def unused_port() -> str:
    """One below those that the kernel gives to connections, so that none of them has it when the
    host starts again.
    """
    for port in random.sample(range(20_000, 32_000), 100):
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
            return str(port)
    raise AssertionError("none of a hundred ports between 20000 and 32000 is free")


class Host:
    """`copystand serve` in a separate home, with a virtual feeder of three sample pages."""

    # The address where it listens, and the words before the program that say where it runs.
    machine = "127.0.0.1"
    prefix: tuple[str, ...] = ()

    def __init__(self, folder: Path, options: tuple[str, ...] = (), **environment: str):
        self.folder = folder
        self.options = options
        pages = folder / "pages"
        pages.mkdir()
        self.feed(*PAGES)
        self.environment = {
            **os.environ,
            "HOME": str(folder),
            "COPYSTAND_SPOOL": str(folder / "spool"),
            "COPYSTAND_VIRTUAL_PAGES": str(pages),
            **{
                name: str(folder / name)
                for name in ("XDG_DATA_HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_CACHE_HOME")
            },
            **environment,
        }
        self.port = unused_port()
        self.start()

    def feed(self, *names: str) -> None:
        """Puts sample pages into the feeder, instead of those that are in it."""
        pages = self.folder / "pages"
        for old in pages.iterdir():
            old.unlink()
        for name in names:
            shutil.copy(SAMPLES / name, pages)

    def run(self, *arguments: str) -> str:
        """Runs another command of the same user."""
        return subprocess.run(
            [f"{sys.argv[1]}/copystand", *arguments],
            env=self.environment,
            check=True,
            capture_output=True,
            text=True,
        ).stdout

    def start(self) -> None:
        """Starts the host at its earlier address."""
        with open(self.folder / "log", "w") as log:
            self.process = subprocess.Popen(
                [
                    *self.prefix,
                    f"{sys.argv[1]}/copystand",
                    "serve",
                    "--listen",
                    f"{self.machine}:{self.port}",
                    *self.options,
                ],
                env=self.environment,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=log,
            )
        end = time.monotonic() + PATIENCE
        while not (
            found := re.search(rf"http://{self.machine}:(\d+)", (self.folder / "log").read_text())
        ):
            assert self.process.poll() is None and time.monotonic() < end, (
                self.folder / "log"
            ).read_text()
            time.sleep(0.05)
        self.port = found.group(1)
        self.address = f"http://{self.machine}:{self.port}"

    @property
    def token(self) -> str:
        """Returns the first token, which the host shows after its first start."""
        end = time.monotonic() + PATIENCE
        while not (
            found := re.search(r"not shown again: (\w+)", (self.folder / "log").read_text())
        ):
            assert time.monotonic() < end, (self.folder / "log").read_text()
            time.sleep(0.05)
        return found.group(1)

    def answer(self, path: str, token: str) -> int:
        """Returns the status of the answer to a program that sends a token."""
        request = urllib.request.Request(
            self.address + path, headers={"Authorization": "Bearer " + token}
        )
        try:
            with urllib.request.urlopen(request) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code

    def json(self, path: str):
        """Returns the JSON that a program gets from an address."""
        with urllib.request.urlopen(self.address + path) as answer:
            return json.load(answer)

    def kill(self) -> None:
        """Kills the host, as in a power cut."""
        self.process.kill()
        self.process.wait()

    def kill_helpers(self) -> None:
        """Kills the backends and readers that the host has started, as if they had crashed."""
        for child in children(self.process.pid):
            with contextlib.suppress(ProcessLookupError):
                os.kill(child, signal.SIGKILL)

    def stop(self) -> None:
        """Ends the host as systemd would."""
        self.process.terminate()
        self.process.wait(timeout=PATIENCE)


class Story:
    """A browser at a host. The host is a new one, or that of another story. `text` is the
    browser's text size, `options` those of `copystand serve`."""

    def __init__(
        self,
        language: str = "en",
        dark: bool = False,
        host: Host | None = None,
        options: tuple[str, ...] = (),
        text: int = 16,
        **environment: str,
    ):
        # The browser's processes may still write while they end.
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.host, self.is_guest = (
            host or Host(Path(self.folder.name), options, **environment),
            host is not None,
        )
        # The browser reaches the host through a connection that can be cut.
        self.wire = Wire(int(self.host.port), self.host.machine)
        self.text = text
        self.pictures = os.environ.get("COPYSTAND_SCREENSHOTS")
        place = Path(self.folder.name) / "browser"
        self.is_firefox = os.environ.get("COPYSTAND_STORY_BROWSER") == "firefox"
        if self.is_firefox:
            self.driver = Firefox(place, language, dark, text, PATIENCE)
        else:
            self.driver = Chromium(place, language, dark, text)
        self.driver.set_window_size(*SIZES["desk"])

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if error is not None:
            print(
                f"at {self.driver.current_url}:"
                f" {self.driver.find_element(By.TAG_NAME, 'body').text[:6000]}",
                file=sys.stderr,
            )
        self.driver.quit()
        if not self.is_guest:
            self.host.stop()
        self.folder.cleanup()

    def open(self, view: str = "") -> None:
        """Opens a view by its address."""
        self.driver.get(self.wire.address + "/" + (f"#{view}" if view else ""))
        self.wait(lambda: self.all("main h2"), "a view's heading")
        self.wait(lambda: not self.all("main [aria-busy=true]"), "what the view shows")
        self.wait(lambda: not self.all("[data-waiting]"), "the devices")

    def sign_in(self) -> None:
        """Signs in with the first token, which the host shows when it starts."""
        self.open()
        self.one("input[name=token]").send_keys(self.host.token + Keys.ENTER)
        self.wait(lambda: self.all("select[name=device]"), "the view after signing in")
        # The browser logs that access without a token is refused.
        self.driver.get_log("browser")

    def enter(self, token: str) -> None:
        """Signs in again with another token."""
        self.driver.delete_all_cookies()
        self.driver.get(self.wire.address + "/#archive")
        self.driver.refresh()
        self.one("input[name=token]").send_keys(token + Keys.ENTER)
        self.wait(
            lambda: self.driver.execute_script(
                "return !document.querySelector('input[name=token]') &&"
                " !!document.querySelector('main input[type=search]')"
            ),
            "the archive after signing in",
        )
        self.driver.get_log("browser")

    def all(self, selector: str):
        return self.driver.find_elements(By.CSS_SELECTOR, selector)

    def one(self, selector: str):
        return self.wait(lambda: self.all(selector), selector)[0]

    def follow(self, selector: str) -> None:
        """Clicks on the first element of the selector. If the page redraws it in the meantime,
        the search begins again."""
        self.wait(lambda: [link.click() or link for link in self.all(selector)[:1]], selector)

    def attribute(self, selector: str, name: str) -> str | None:
        """An attribute of the first element of the selector. If the page redraws it in the
        meantime, the search begins again."""
        return self.wait(
            lambda: [one.get_attribute(name) for one in self.all(selector)[:1]], selector
        )[0]

    def choose(self, selector: str, words: str) -> None:
        """Chooses the option with these words. If the page redraws the field in the meantime, the
        search begins again."""
        self.wait(
            lambda: [
                Select(one).select_by_visible_text(words) or one for one in self.all(selector)[:1]
            ],
            selector,
        )

    def texts(self, selector: str) -> list[str]:
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((one) =>"
            " one.textContent.trim())",
            selector,
        )

    def button(self, words: str):
        """Presses the enabled button with exactly this text."""
        found = self.wait(
            lambda: [one for one in self.all("button:not(:disabled)") if one.text.strip() == words],
            f"a button '{words}'",
        )
        return found[0]

    def press(self, words: str) -> None:
        self.wait(
            lambda: self.driver.execute_script(
                "const one = [...document.querySelectorAll('button:not(:disabled)')].find((one) =>"
                " one.textContent.trim() === arguments[0]);if (!one) return false;"
                " one.scrollIntoView({ block: 'center' }); one.click(); return true;",
                words,
            ),
            f"a button '{words}'",
        )

    def scan(self, profile: str = "nothing") -> None:
        """Starts scanning the feeder's three pages without waiting for the end. The profile is
        given by its title in lowercase.
        """
        self.open("scan")
        for name, wanted in (("device", "feeder"), ("profile", profile)):
            for option in self.all(f"select[name={name}] option"):
                if wanted in option.text.lower():
                    option.click()
        self.press("Scan")

    def drawn(self, name: str, html: str, width: int = 1240, height: int = 1754) -> Path:
        """A picture of a page that is written as HTML, as if sent by a device or a person."""
        address = "data:text/html;charset=utf-8," + urllib.parse.quote(html)
        picture = self.host.folder / name
        picture.write_bytes(self.driver.draw(address, width, height))
        self.driver.set_window_size(*SIZES["desk"])
        return picture

    def keep_downloads(self, folder: Path) -> None:
        """Lets the browser save downloads in a new folder without asking."""
        folder.mkdir()
        self.downloads = folder
        self.driver.keep_downloads(folder)

    def downloaded(self, ending: str) -> Path:
        """Waits for a downloaded file with this ending, until it is complete."""

        def complete() -> list[Path]:
            # Firefox makes an empty file with the final name at first.
            if any(one.suffix in (".crdownload", ".part") for one in self.downloads.iterdir()):
                return []
            return [one for one in self.downloads.glob("*" + ending) if one.stat().st_size]

        return self.wait(complete, f"a downloaded file *{ending}")[0]

    def drag(self, item, place) -> None:
        """Drags an element to another one.

        Firefox's remote protocol begins to drag and never drops. Therefore this function sends the
        page the events of a drop.
        """
        if self.is_firefox:
            self.driver.execute_script(DROP, item, place)
        else:
            ActionChains(self.driver).drag_and_drop(item, place).perform()

    def swipe(self, start: tuple[float, float], by: float, down: float = 0) -> None:
        """Moves a finger sideways, and down."""
        finger = PointerInput(interaction.POINTER_TOUCH, "finger")
        (x, y), steps = start, 8
        finger.create_pointer_move(0, x, y)
        finger.create_pointer_down(button=0)
        for step in range(1, steps + 1):
            finger.create_pointer_move(50, x + by * step / steps, y + down * step / steps)
        finger.create_pointer_up(button=0)
        actions = ActionBuilder(self.driver, mouse=finger)
        actions.perform()

    def send(self, *pictures: Path, profile: str) -> None:
        """Sends pictures from this browser, and opens the resulting document."""
        self.open("scan")
        for option in self.all("form.drop select option"):
            if option.text == profile:
                option.click()
        self.one("input[type=file]").send_keys("\n".join(str(picture) for picture in pictures))
        self.wait(lambda: "Done" in self.texts(".card strong"), "the job's end")
        self.follow(".card a[href^='#document/']")
        self.wait(lambda: self.all(".picture svg"), "the document's first page")

    def history(self) -> list[list[str]]:
        """What was done with the open document, the latest first: each time what, by whom, and on
        which station.
        """
        if not self.all(HISTORY + "[open]"):
            self.follow(HISTORY + " summary")
        self.wait(lambda: self.all(HISTORY + " li"), "the history")
        return self.driver.execute_script(
            "return [...document.querySelectorAll(arguments[0])].map((one) =>"
            " [one.firstChild.textContent, ...one.lastChild.textContent.split(' · ').slice(1)])",
            HISTORY + " li",
        )

    def stumble(self) -> None:
        """Causes several failures one after another while someone works, and leaves the page open:
        the network is cut, the backends and readers die, somebody else opens the same view, and the
        host is killed and restarted.
        """
        self.lose(self.wire.cut, self.wire.mend)
        self.lose(self.host.kill, self.host.start)

    def lose(self, ends, begins) -> None:
        """The host restarts, then the backends and readers die, and somebody else opens the same
        view.
        """
        ends()
        self.wait(lambda: self.texts("#link") != [""], "the word that the host is away")
        begins()
        self.wait(lambda: self.texts("#link") == [""], "the host to be there again")
        self.host.kill_helpers()
        self.open_beside()
        # The browser logs the lost connection.
        self.driver.get_log("browser")

    def open_beside(self) -> None:
        """Opens the current view in a second window too, and closes that window."""
        here, address = self.driver.current_window_handle, self.driver.current_url
        self.driver.switch_to.new_window("window")
        self.driver.get(address)
        self.wait(lambda: self.all("main h2"), "the view in another window")
        self.driver.close()
        self.driver.switch_to.window(here)

    def focus(self, selector: str) -> None:
        """Focuses an element that Tab would reach only after many steps."""
        self.driver.execute_script("document.querySelector(arguments[0]).focus()", selector)

    def keys(self, *keys: str) -> None:
        """Sends keys to the focused element."""
        self.driver.switch_to.active_element.send_keys(*keys)

    def wait(self, condition, what: str):
        """Waits until the condition is true, and returns its value. If the page is redrawn in the
        meantime, the condition is tested again.
        """
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            try:
                value = condition()
                if value:
                    return value
            except StaleElementReferenceException:
                pass
            time.sleep(0.05)
        raise AssertionError(f"waited {PATIENCE} s for {what}")

    def look(self, name: str) -> None:
        """Runs the checks of every view at every size, and saves pictures if requested.
        """
        for size, (width, height) in SIZES.items():
            self.driver.set_window_size(width, height)
            self.wait(lambda: self.all("main h2"), f"the view's heading on a {size}")
            found = self.driver.execute_script(CHECKS)
            assert not found, f"{name} on a {size}: " + "; ".join(found)
            if self.pictures:
                self.driver.execute_async_script(DRAWN)
                self.driver.save_screenshot(f"{self.pictures}/{name}-{size}.png")
        self.driver.set_window_size(*SIZES["desk"])

    def quiet(self, *expected: str) -> None:
        """Checks that nothing failed in the browser except what the story expected, given as parts
        of the browser's messages. A live frame may be requested just when its job ends, and may
        not come in time.
        """
        lines = [
            line["message"]
            for line in self.driver.get_log("browser")
            if line["level"] == "SEVERE"
            and not any(part in line["message"] for part in expected)
            and not re.search(r"/live/frame\b.* (409|503) ", line["message"])
        ]
        assert not lines, "\n".join(lines)


__all__ = ["Story", "Keys", "By"]
