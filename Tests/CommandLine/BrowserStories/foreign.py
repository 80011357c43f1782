"""A web site, and a file from an e-mail, try to use the host of a person who visits them: with
forms, requests, pictures, frames, messages and links to every address of the page. The person
presses nothing, and nothing is changed: no document, job, setting, token or profile, on the host
and in the browser.
"""

import base64
import json
import re
import threading
import urllib.request
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

from browser import SAMPLES, Story

# What the host has, by its addresses.
SHELVES = (
    "documents?limit=1000",
    "documents?limit=1000&trash=true",
    "documents/1",
    "documents/1/history",
    "jobs",
    "tokens",
    "sinks",
    "profiles",
    "aliases",
    "shares",
    "outbox",
    "tags",
)
# A value for each parameter in the addresses of the API.
VALUES = {"id": "1", "number": "1", "name": "mine", "alias": "flatbed", "hash": "0" * 64}
BODIES = (
    '{"title":"taken"}',
    '{"device":"virtual:feeder","profile":"none"}',
    '{"name":"eve","scope":"admin"}',
    '{"documents":[1],"action":"trash"}',
)
PHOTO = base64.b64encode((SAMPLES / "01-letter.jpg").read_bytes()).decode()
POLICIES = ("", "no-referrer", "same-origin")

# Sends a form with a file, as a page may without asking.
SHARE = """
    const [address, policy, photo] = arguments;
    document.head.innerHTML = `<meta name="referrer" content="${policy}">`;
    document.body.innerHTML =
        `<form method="post" enctype="multipart/form-data" action="${address}/share">
            <input type="file" name="files" multiple></form>`;
    const files = new DataTransfer();
    const bytes = Uint8Array.from(atob(photo), (letter) => letter.charCodeAt(0));
    files.items.add(new File([bytes], "planted.jpg", { type: "image/jpeg" }));
    document.querySelector("input").files = files.files;
    document.querySelector("form").submit();
"""
# Sends everything to every route: what a script may send, and forms with each encoding. A form as
# text is JSON for those who do not look at its type.
ASSAULT = """
    const [address, routes, bodies, done] = arguments;
    const ignore = () => {};
    const types = ["application/x-www-form-urlencoded", "multipart/form-data", "text/plain"];
    const ask = (url, init) =>
        fetch(url, { credentials: "include", signal: AbortSignal.timeout(5000), ...init })
            .then(ignore, ignore);
    const form = (url, method, enctype, body) => new Promise((over) => {
        const frame = document.createElement("iframe");
        frame.name = "f" + Math.random();
        const form = document.createElement("form");
        Object.assign(form, { action: url, method, enctype, target: frame.name });
        const [name, value] = [body.slice(0, -1) + ',"x":"', '"}'];
        form.append(Object.assign(document.createElement("input"), { name, value }));
        document.body.append(frame, form);
        frame.onload = () => over();
        setTimeout(over, 3000);
        form.submit();
    });
    const element = (name, values) => new Promise((over) => {
        const one = Object.assign(document.createElement(name), values);
        one.onload = one.onerror = () => over();
        setTimeout(over, 3000);
        document.body.append(one);
    });
    const attack = async ([method, path, hasBody]) => {
        const url = address + path;
        const some = hasBody ? bodies : bodies.slice(0, 1);
        if (method === "GET") {
            await Promise.all([
                ask(url, { mode: "no-cors" }), ask(url, {}), form(url, "get", types[0], bodies[0]),
                element("img", { src: url }), element("script", { src: url }),
                element("link", { rel: "prefetch", href: url }),
            ]);
            return;
        }
        for (const body of some) {
            if (method === "POST") {
                for (const type of types) {
                    await form(url, "post", type, body);
                    const headers = { "Content-Type": type };
                    await ask(url, { method, mode: "no-cors", headers, body });
                }
                navigator.sendBeacon(url, body);
            }
            for (const type of [undefined, "application/json"]) {
                await ask(url, { method, headers: type && { "Content-Type": type }, body });
            }
            await ask(url, { method, headers: { Authorization: "Bearer x" } });
        }
    };
    (async () => {
        const waiting = [...routes];
        const work = async () => { while (waiting.length) await attack(waiting.shift()); };
        await Promise.all([work(), work(), work(), work()]);
        document.body.replaceChildren();
    })().then(done, (problem) => done(String(problem)));
"""
# Opens the page in a window of its own, and tells it things.
TALK = """
    const [address, done] = arguments;
    const other = window.open(address + "/#archive", "_blank");
    const messages = [{ join: ["job"], path: "events" }, { isGone: true }, { scan: true }, "scan",
        { type: "share", files: [new File(["a"], "planted.jpg")] }, null, 4];
    let rounds = 0;
    const timer = setInterval(() => {
        for (const message of messages) { try { other?.postMessage(message, "*"); } catch {} }
        try { if (other) other.location = address + "/#scan/shared"; } catch {}
        if ((rounds += 1) < 15) return;
        clearInterval(timer);
        other?.close();
        done(Boolean(other));
    }, 100);
"""


class Site(BaseHTTPRequestHandler):
    """A web site with one empty page."""

    def log_message(self, *_):
        """The site logs nothing, because a story prints only its own output."""

    def do_GET(self):
        text = b"<!doctype html><title>Win a prize</title><h2>Win a prize</h2>"
        self.send_response(200)
        self.send_header("Content-Type", "text/html")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


class Prey:
    """A host with a person's browser at it, and what both have."""

    def __init__(self, story: Story, token: str | None):
        self.story, self.token = story, token
        self.address = story.wire.address

    def json(self, path: str, body: dict | None = None):
        headers = {"Content-Type": "application/json"}
        if self.token:
            headers["Authorization"] = "Bearer " + self.token
        request = urllib.request.Request(
            f"{self.story.host.address}/api/v1/{path}",
            headers=headers,
            data=None if body is None else json.dumps(body).encode(),
        )
        with urllib.request.urlopen(request) as answer:
            return json.load(answer)

    def possessions(self) -> dict:
        """What the host has, and what the browser stores for the page."""
        story = self.story
        story.open("help")
        stored = story.driver.execute_async_script(
            "const done = arguments[0];"
            " import('/scan/shared.js').then(({ waiting }) => waiting())"
            ".then(({ names }) => done({ names, local: { ...localStorage } }))"
        )
        cookies = sorted((one["name"], one["value"]) for one in story.driver.get_cookies())
        shelves = {path: self.json(path) for path in SHELVES if self.token or path != "tokens"}
        return {**shelves, "browser": stored, "cookies": cookies}

    def check(self, before: dict, what: str) -> None:
        after = self.possessions()
        for name, value in before.items():
            assert after[name] == value, f"{what}: {name} was {value}, and is {after[name]}"

    def views(self) -> list[str]:
        """The names of all views, as the page lists them."""
        return self.story.driver.execute_async_script(
            "const done = arguments[0];"
            " import('/views.js').then(({ views }) => done(views.map(({ name }) => name)))"
        )

    def routes(self) -> list[list]:
        """Every route of the API and of the page: method, path, whether it takes a body."""
        described = self.json("openapi.json")["paths"]
        found = [
            [
                method.upper(),
                re.sub(r"\{(\w+)\}", lambda one: VALUES.get(one[1], "virtual:flatbed"), path),
                "requestBody" in route,
            ]
            for path, methods in described.items()
            for method, route in methods.items()
        ]
        assert len(found) > 70, found
        page = [["POST", "/", False], ["GET", "/share", False], ["GET", "/share/1-a", False]]
        return found + page


def prepare(story: Story, token: str | None) -> Prey:
    """Fills the host's archive, and opens every view once, so that the browser has stored what it
    stores of them."""
    story.host.run("import", str(SAMPLES / "03-invoice.png"), "-p", "none", "-q")
    story.host.run("device", "alias", "flatbed", "virtual:flatbed")
    prey = Prey(story, token)
    story.open("help")
    names = prey.views()
    assert {"scan", "signin", "archive"} <= set(names), names
    for name in names:
        story.open(name)
    story.wait(
        lambda: story.driver.execute_async_script(
            "navigator.serviceWorker.ready.then(() => arguments[0](true))"
        ),
        "the worker",
    )
    # The worker answers the page once it is loaded again.
    story.driver.refresh()
    story.open("scan")
    return prey


def share(prey: Prey, place: str) -> None:
    """A page at a place sends files to the share target, with each policy for its address."""
    driver = prey.story.driver
    for policy in POLICIES:
        driver.get(place)
        driver.execute_script(SHARE, prey.address, policy, PHOTO)
        prey.story.wait(
            lambda: "may not" in prey.story.one("body").text,
            f"the refusal of a form of {place} with the policy '{policy}'",
        )
    # The page shows nothing of it, whatever address leads there.
    for fragment in ("scan", "scan/shared", "scan/shared/1-a"):
        prey.story.open(fragment)
        assert "planted" not in prey.story.one("main").text, fragment


def lead(prey: Prey, place: str, code: str | None) -> None:
    """A page at a place leads to every address of the page."""
    story = prey.story
    fragments = [
        *prey.views(),
        "scan/shared",
        "scan/shared/1-a",
        "scan/start",
        "document/1",
        "document/1/1/rent",
        "document/..%2Fjobs",
        "document/1%2Ftrash",
        "archive?q=rent&in=trash",
        "archive?tag=taken&sort=oldest",
        "jobs/1/resume",
        "settings/destinations",
        "settings/profile/document",
        "settings/profile/..%2Ftokens",
        "devices/virtual:flatbed",
        "live/start",
        "undo",
        "%",
        *([f"signin/{code}"] if code else []),
    ]
    for fragment in fragments:
        story.driver.get(place)
        story.driver.execute_script(
            "const link = document.createElement('a'); link.href = arguments[0];"
            " document.body.append(link); link.click();",
            f"{prey.address}/#{fragment}",
        )
        story.wait(lambda: story.all("main h2"), f"the view of '{fragment}'")
        story.wait(lambda: not story.all("main [aria-busy=true]"), f"the end of '{fragment}'")
        if fragment.startswith("scan"):
            story.wait(lambda: not story.all("[data-waiting]"), f"the devices in '{fragment}'")
    if code:
        assert "Sign in to" in story.texts("main h2")[0], story.texts("main h2")


def attack(prey: Prey, places: list[str], code: str | None) -> None:
    driver = prey.story.driver
    before, routes = prey.possessions(), prey.routes()
    file = Path(prey.story.folder.name) / "prize.html"
    file.write_text("<!doctype html><h2>Win a prize</h2>")
    for place in [*places, file.as_uri()]:
        share(prey, place)
        prey.check(before, f"a form of {place}")
    for place in places:
        driver.get(place)
        problem = driver.execute_async_script(ASSAULT, prey.address, routes, BODIES)
        assert problem is None, problem
        prey.check(before, f"requests of {place}")
        driver.get(place)
        driver.execute_async_script(TALK, prey.address)
        prey.check(before, f"messages of {place}")
        lead(prey, place, code)
        prey.check(before, f"links of {place}")


server = ThreadingHTTPServer(("127.0.0.1", 0), Site)
threading.Thread(target=server.serve_forever, daemon=True).start()
# Another port is another origin of the same site, and another name another site.
sites = [f"http://{name}:{server.server_port}/" for name in ("127.0.0.1", "localhost")]

with Story(options=("--token",)) as story:
    story.driver.set_script_timeout(200)
    story.sign_in()
    prey = prepare(story, story.host.token)
    code = prey.json("session/codes", {"scope": "scan"})["code"]
    attack(prey, sites, code)
    # The code was valid all the time: it signs in when the person presses.
    story.driver.get(f"{prey.address}/#signin/{code}")
    story.driver.refresh()
    tokens = len(prey.json("tokens")["tokens"])
    story.driver.get(f"{prey.address}/#help")
    story.open(f"signin/{code}")
    story.press("Sign in")
    story.wait(lambda: len(prey.json("tokens")["tokens"]) == tokens + 1, "the new session")

# A host on this machine asks for no token.
with Story() as story:
    story.driver.set_script_timeout(200)
    attack(prepare(story, None), sites[1:], None)
print("left alone")
