"""A headless Firefox for selenium, without geckodriver, which Debian 12 lacks.

Firefox has the protocol Marionette, whose commands are those of WebDriver under other names. A
small server in this process translates selenium's HTTP requests, as geckodriver does.
"""

import contextlib
import json
import re
import socket
import subprocess
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import JavascriptException
from selenium.webdriver.common.keys import Keys
from selenium.webdriver.remote.file_detector import UselessFileDetector

# WebDriver's requests (W3C): the method, the address after the session's, and Marionette's command.
# A part in parentheses becomes a parameter of that name.
COMMANDS = [
    ("GET", "url", "GetCurrentURL"),
    ("POST", "url", "Navigate"),
    ("GET", "title", "GetTitle"),
    ("GET", "source", "GetPageSource"),
    ("POST", "back", "Back"),
    ("POST", "forward", "Forward"),
    ("POST", "refresh", "Refresh"),
    ("GET", "window", "GetWindowHandle"),
    ("POST", "window", "SwitchToWindow"),
    ("DELETE", "window", "CloseWindow"),
    ("GET", "window/handles", "GetWindowHandles"),
    ("POST", "window/new", "NewWindow"),
    ("GET", "window/rect", "GetWindowRect"),
    ("POST", "window/rect", "SetWindowRect"),
    ("POST", "element", "FindElement"),
    ("POST", "elements", "FindElements"),
    ("GET", "element/active", "GetActiveElement"),
    ("POST", "element/(?P<element>[^/]+)/element", "FindElement"),
    ("POST", "element/(?P<element>[^/]+)/elements", "FindElements"),
    ("GET", "element/(?P<id>[^/]+)/text", "GetElementText"),
    ("GET", "element/(?P<id>[^/]+)/name", "GetElementTagName"),
    ("GET", "element/(?P<id>[^/]+)/rect", "GetElementRect"),
    ("GET", "element/(?P<id>[^/]+)/enabled", "IsElementEnabled"),
    ("GET", "element/(?P<id>[^/]+)/selected", "IsElementSelected"),
    ("GET", "element/(?P<id>[^/]+)/property/(?P<name>.+)", "GetElementProperty"),
    ("GET", "element/(?P<id>[^/]+)/attribute/(?P<name>.+)", "GetElementAttribute"),
    ("GET", "element/(?P<id>[^/]+)/css/(?P<propertyName>.+)", "GetElementCSSValue"),
    ("POST", "element/(?P<id>[^/]+)/click", "ElementClick"),
    ("POST", "element/(?P<id>[^/]+)/clear", "ElementClear"),
    ("POST", "element/(?P<id>[^/]+)/value", "ElementSendKeys"),
    ("POST", "execute/sync", "ExecuteScript"),
    ("POST", "execute/async", "ExecuteAsyncScript"),
    ("POST", "actions", "PerformActions"),
    ("DELETE", "actions", "ReleaseActions"),
    ("DELETE", "cookie", "DeleteAllCookies"),
    ("GET", "cookie", "GetCookies"),
    ("POST", "alert/accept", "AcceptAlert"),
    ("POST", "alert/dismiss", "DismissAlert"),
    ("GET", "alert/text", "GetAlertText"),
    ("GET", "screenshot", "TakeScreenshot"),
    ("POST", "timeouts", "SetTimeouts"),
]

# Returns the errors of pages' scripts, and clears them.
MISTAKES = """
    const found = Services.console.getMessageArray()
        .filter((one) => one instanceof Ci.nsIScriptError)
        .filter((one) => one.category === "content javascript" && !(one.flags & 1))
        .map((one) => `${one.errorMessage} (${one.sourceName}:${one.lineNumber})`);
    Services.console.reset();
    return found;
"""

# The preference that sets the color scheme: 0 is dark, 1 is light.
COLORS = "layout.css.prefers-color-scheme.content-override"


class Failure(Exception):
    """An error from Marionette, in WebDriver's form."""


class Marionette:
    """The client side of Firefox's own remote protocol."""

    def __init__(self, port: int, patience: float):
        end = time.monotonic() + patience
        while True:
            try:
                self.socket = socket.create_connection(("127.0.0.1", port))
                break
            except ConnectionRefusedError:
                assert time.monotonic() < end, "Firefox does not listen"
                time.sleep(0.05)
        self.file = self.socket.makefile("rb")
        self.lock = threading.Lock()
        self.number = 0
        self.read()

    def read(self):
        """Reads the next message: its length, a colon, and JSON."""
        length = b""
        while (sign := self.file.read(1)) != b":":
            assert sign, "Firefox has ended"
            length += sign
        return json.loads(self.file.read(int(length)))

    def ask(self, command: str, parameters: dict):
        """A command's result."""
        with self.lock:
            self.number += 1
            text = json.dumps([0, self.number, command, parameters]).encode()
            self.socket.sendall(b"%d:%s" % (len(text), text))
            _, _, error, result = self.read()
        if error:
            raise Failure(error)
        return result


class Translator(BaseHTTPRequestHandler):
    """Receives WebDriver's requests, and passes them to Marionette."""

    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        """The server logs nothing, because a story prints only its own output."""

    def handle_request(self):
        length = int(self.headers.get("Content-Length") or 0)
        body = json.loads(self.rfile.read(length) or b"{}") if length else {}
        try:
            status, value = 200, self.value(body)
        except Failure as failure:
            status, value = 500, failure.args[0]
        text = json.dumps({"value": value}).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    do_GET = do_POST = do_DELETE = handle_request

    def value(self, body: dict):
        """The fields that WebDriver requires."""
        ask = self.server.marionette.ask
        path = self.path.split("/", 3)[3] if self.path.count("/") > 2 else ""
        if self.path == "/session":
            return ask("WebDriver:NewSession", {})
        if not path:
            return ask("WebDriver:DeleteSession", {})
        for method, pattern, command in COMMANDS:
            found = re.fullmatch(pattern, path)
            if not found or method != self.command:
                continue
            given = {**body, **found.groupdict()}
            if command == "TakeScreenshot":
                # Marionette would take the document's box, which may be without a height.
                given["full"] = False
            if command == "ElementSendKeys":
                # Firefox ignores keys that follow the end of a chord.
                *chords, given["text"] = given["text"].split(Keys.NULL)
                for chord in chords:
                    ask("WebDriver:" + command, {**given, "text": chord})
                if not given["text"]:
                    return None
            result = ask("WebDriver:" + command, given)
            # Only a single value is wrapped in an object.
            is_one = isinstance(result, dict) and [*result] == ["value"]
            return result["value"] if is_one else result
        raise Failure({"error": "unknown command", "message": self.path, "stacktrace": ""})


def free_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Firefox(webdriver.Remote):
    """A separate Firefox, with a profile in `folder`."""

    def __init__(self, folder: Path, language: str, dark: bool, text: int, patience: float):
        folder.mkdir()
        self.patience = patience
        port = free_port()
        preferences = {
            "marionette.port": port,
            "intl.accept_languages": language,
            "font.size.variable.x-western": text,
            "ui.prefersReducedMotion": 1,
            COLORS: 0 if dark else 1,
            "browser.shell.checkDefaultBrowser": False,
            "browser.startup.homepage": "about:blank",
            "datareporting.policy.dataSubmissionEnabled": False,
            "network.captive-portal-service.enabled": False,
            "network.connectivity-service.enabled": False,
            "extensions.update.enabled": False,
        }
        (folder / "user.js").write_text(
            "".join(
                f'user_pref("{name}", {json.dumps(value)});\n' for name, value in preferences.items()
            )
        )
        self.process = subprocess.Popen(
            [
                "firefox-esr",
                "--headless",
                "--no-remote",
                "--marionette",
                # The errors of a page's scripts are in the browser's own console.
                "--remote-allow-system-access",
                "--profile",
                str(folder),
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.marionette = Marionette(port, patience)
        self.translator = ThreadingHTTPServer(("127.0.0.1", 0), Translator)
        self.translator.marionette = self.marionette
        threading.Thread(target=self.translator.serve_forever, daemon=True).start()
        super().__init__(
            command_executor=f"http://127.0.0.1:{self.translator.server_port}",
            options=webdriver.FirefoxOptions(),
        )
        # The uploaded files are on this machine.
        self.file_detector = UselessFileDetector()
        # Only with this setting can Firefox's window be as narrow as a phone.
        self.ask_browser("document.documentElement.style.setProperty('min-width', '0', 'important')")

    def ask_browser(self, script: str):
        """Returns the value of a script that runs in the browser's own window."""
        self.marionette.ask("Marionette:SetContext", {"value": "chrome"})
        try:
            return self.marionette.ask("WebDriver:ExecuteScript", {"script": script, "args": []})
        finally:
            self.marionette.ask("Marionette:SetContext", {"value": "content"})

    def refresh(self) -> None:
        """Loads the page again as a person does: the protocol's own command goes around the page's
        service worker."""
        self.execute_script("window.isOld = true; location.reload()")
        end = time.monotonic() + self.patience
        while time.monotonic() < end:
            # A script fails if its page is replaced in the meantime.
            with contextlib.suppress(JavascriptException):
                if self.execute_script(
                    "return !window.isOld && document.readyState === 'complete'"
                ):
                    return
            time.sleep(0.05)
        raise AssertionError("the page was not loaded again")

    def set_colors(self, theme: str) -> None:
        """Sets the color scheme that the system asks pages for: light or dark."""
        self.ask_browser(f"Services.prefs.setIntPref('{COLORS}', {0 if theme == 'dark' else 1})")

    def add_script(self, script: str) -> None:
        """Runs a script that the page's own policy would not allow from elsewhere."""
        self.execute_script(script)

    def draw(self, address: str, width: int, height: int) -> bytes:
        """Returns a page's PNG, for a window with a view of that size."""
        self.set_window_size(width, height)
        self.get(address)
        inner = self.execute_script("return [innerWidth, innerHeight]")
        self.set_window_size(2 * width - inner[0], 2 * height - inner[1])
        inner = self.execute_script("return [innerWidth, innerHeight]")
        assert inner == [width, height], f"the view is {inner}"
        return self.get_screenshot_as_png()

    def keep_downloads(self, folder: Path) -> None:
        """Lets the browser save downloads in a folder without asking."""
        self.ask_browser(f"""
            Services.prefs.setIntPref("browser.download.folderList", 2);
            Services.prefs.setStringPref("browser.download.dir", {json.dumps(str(folder))});
            Services.prefs.setBoolPref("browser.download.alwaysOpenPanel", false);
            const pdf = Cc["@mozilla.org/mime;1"].getService(Ci.nsIMIMEService)
                .getFromTypeAndExtension("application/pdf", "pdf");
            pdf.preferredAction = Ci.nsIHandlerInfo.saveToDisk;
            pdf.alwaysAskBeforeHandling = false;
            Cc["@mozilla.org/uriloader/handler-service;1"].getService(Ci.nsIHandlerService)
                .store(pdf);
        """)

    def get_log(self, _: str) -> list[dict]:
        """The errors of scripts since the last call, in the form of Chromium's log."""
        told = self.ask_browser(MISTAKES)["value"]
        return [{"level": "SEVERE", "message": message} for message in told]

    def quit(self) -> None:
        super().quit()
        self.process.terminate()
        self.process.wait()
        self.translator.shutdown()
