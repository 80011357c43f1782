// The page around its views: tabs, signing in, help, the address, and the page without the host.
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import test from "node:test";
import {
  emptyView,
  fill,
  Happening,
  host,
  newestStream,
  PAGE,
  pass,
  place as browserPlace,
  press,
  Refused,
  settle,
  submit,
  texts,
} from "./Support/page.mjs";
import { answered, stores, worked } from "./Support/worker.mjs";
import { view as help } from "../../../Sources/Host/WebPage/files/shell/help.js";
import { enter } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { view as more } from "../../../Sources/Host/WebPage/files/shell/more.js";
import { signIn, view as signin } from "../../../Sources/Host/WebPage/files/shell/signin.js";
import { markTab, showTabs } from "../../../Sources/Host/WebPage/files/shell/tabs.js";
import { views } from "../../../Sources/Host/WebPage/files/views.js";
import { languages, say } from "../../../Sources/Host/WebPage/files/words/words.js";

test.beforeEach(() => {
  host.reset();
  location.hash = "";
});

// The titles of the views that fit, so that a new view changes no test.
const titles = (fits) => views.filter(fits).map(({ words }) => say(words));

async function signedIn(session) {
  host.on("GET session", session);
  await enter();
}

test("Each view that has a tab is in the navigation, wide or narrow", () => {
  showTabs(views);
  const on = (name) => texts(document, `nav li.${name}`);
  // A phone has room for these and one more.
  assert.deepEqual(on("always"), ["Scan", "Live", "Archive", "Jobs"]);
  assert.deepEqual(on("wide"), titles(({ tab }) => tab === "wide"));
  assert.deepEqual(on("narrow"), ["More"]);
});

for (
  const [name, marked] of [
    ["scan", ["Scan"]],
    ["document", ["Archive"]],
    ["devices", ["Devices", "More"]],
    ["more", ["More"]],
  ]
) {
  test(`In the view '${name}', the tabs [${marked}] are marked`, () => {
    showTabs(views);
    markTab(views.find((one) => one.name === name));
    assert.deepEqual(texts(document, "nav a[aria-current=page]"), marked);
  });
}

test("Views that need more rights than to read say so, for the style that hides them", () => {
  showTabs(views);
  const needing = texts(document, "nav li[data-needs]");
  assert.deepEqual(needing, titles(({ tab, needs }) => tab && needs));
  for (const title of ["Scan", "Live", "Jobs", "Devices", "Settings"]) {
    assert.ok(needing.includes(title), title);
  }
});

test("On a phone the other views are under the last tab, with the way out", async () => {
  for (
    const [session, isOut] of [
      [{}, false],
      [{ isOpen: true, needsToken: true }, true],
      [{ isOpen: true, needsToken: false }, false],
    ]
  ) {
    await signedIn(session);
    const place = emptyView();
    more.show(place, [], views);
    assert.deepEqual(texts(place, "li"), titles(({ tab }) => tab === "wide"));
    assert.deepEqual(texts(place, "button"), isOut ? ["Sign out"] : []);
  }
});

test("The help explains each view, with its keys as keys", () => {
  const place = emptyView();
  help.show(place, [], views);
  const explained = texts(place, "h3");
  assert.deepEqual(explained, titles(({ help }) => help));
  assert.ok(explained.length >= 7, explained);
  assert.doesNotMatch(place.textContent, /`/);
  assert.ok(texts(place, "section[aria-label=Live] kbd").includes("Space"));
});

// Opens the address of a QR code, in a browser with that session.
async function invited(code, session = { isOpen: false, needsToken: true }) {
  await signedIn(session);
  location.setQuietly("#signin/" + code);
  const place = emptyView();
  signin.show(place, [code]);
  await settle();
  return place;
}

test("The code of a QR code signs in by a press, and is gone from the address", async () => {
  const place = await invited("abc123");
  assert.equal(location.hash, "#signin");
  assert.equal(place.querySelector("h2").textContent, "Sign in to copystand.test?");
  assert.equal(place.querySelector(".warn"), null);
  assert.equal(host.count("POST session"), 0, "an address signs nobody in");
  host.on("POST session", {});
  const before = browserPlace.reloads;
  await submit(place.querySelector("form"));
  assert.deepEqual(host.bodies("POST session"), [{ code: "abc123" }]);
  assert.deepEqual([location.hash, browserPlace.reloads], ["", before + 1]);
});

test("A code that would replace a session says so, and waits", async () => {
  const place = await invited("abc", { isOpen: true, needsToken: true, name: "ada" });
  assert.match(place.querySelector(".warn").textContent, /signed in as ada/);
  assert.equal(place.querySelector("a.button").href, "#scan");
  assert.equal(host.count("POST session"), 0);
});

test("Without a code there is the form for a token", async () => {
  const place = emptyView();
  signin.show(place, []);
  assert.ok(place.querySelector("input[name=token]"));
  assert.deepEqual(host.asked, []);
});

test("A refused code is explained where it was to sign in", async () => {
  host.on("POST session", new Refused("code-used", "A code signs in one browser", 401));
  const place = await invited("abc");
  await submit(place.querySelector("form"));
  assert.equal(place.querySelector(".bad").textContent, "A code signs in one browser.");
});

test("A token signs in, and a wrong one is told", async () => {
  const place = emptyView();
  signIn(place);
  const field = place.querySelector("input[name=token]");
  assert.equal(document.activeElement, field);
  assert.equal(field.type, "password");
  const before = browserPlace.reloads;
  host.on("POST session", new Refused("wrong-token", "The host does not know the token", 401));
  await fill(field, " mistyped ");
  await submit(place.querySelector("form"));
  assert.equal(place.querySelector(".bad").textContent, "The host does not know the token.");
  assert.equal(browserPlace.reloads, before);
  host.on("POST session", {});
  await submit(place.querySelector("form"));
  assert.equal(browserPlace.reloads, before + 1);
  assert.deepEqual(host.bodies("POST session").at(-1), { token: "mistyped" });
});

test("Signing out ends the session and begins at the start", async () => {
  await signedIn({ isOpen: true, needsToken: true });
  host.on("DELETE session", undefined);
  location.setQuietly("#document/4");
  const place = emptyView();
  more.show(place, [], views);
  const before = browserPlace.reloads;
  await press(place, "Sign out");
  assert.deepEqual([host.count("DELETE session"), location.hash], [1, ""]);
  assert.equal(browserPlace.reloads, before + 1);
});

test("The worker stores every module, style and icon that the page needs", async () => {
  await worked("install");
  const kept = [...stores.get("page-1").keys()].map((address) => new URL(address).pathname);
  const all = (folder = "") =>
    readdirSync(new URL(folder, PAGE), { withFileTypes: true }).flatMap((one) =>
      one.isDirectory() ? all(`${folder}${one.name}/`) : [`/${folder}${one.name}`]
    );
  // The other languages are stored when they are used, and the worker is not its own page.
  const others = languages.slice(1).map((language) => `/words/words-${language}.json`);
  const needless = /host-|\/index\.html|offline\.js|icon-512/;
  const wanted = all().filter((path) => !needless.test(path) && !others.includes(path));
  assert.ok(wanted.length > 70, wanted.length);
  assert.deepEqual(wanted.filter((path) => !kept.includes(path)), []);
  assert.ok(kept.includes("/"));
  // The manifest's pictures are the system's to keep.
  assert.deepEqual(kept.filter((path) => /undefined|\.\./.test(path)), []);
});

test("The page comes from the host, and from the store while the host is away", async () => {
  const fresh = await answered("/views.js");
  assert.equal(fresh.status, 200);
  host.isAway = true;
  assert.equal((await answered("/views.js?x=1")).status, 200);
  assert.equal((await answered("/")).status, 200);
  await assert.rejects(answered("/unknown.js"), /the connection failed/);
});

for (
  const [path, more, isTaken] of [
    ["/", {}, true],
    ["/parts/dom.js", {}, true],
    ["/styles/page.css", {}, true],
    ["/api/v1/jobs", {}, false],
    ["/api/v1/openapi.json", {}, false],
    ["/copystand-ca.crt", {}, false],
    ["https://elsewhere.test/a.js", {}, false],
    ["/views.js", { method: "POST" }, false],
  ]
) {
  test(`The worker ${isTaken ? "answers" : "leaves"} ${more.method ?? "GET"} ${path}`, async () => {
    const answer = answered(path, more);
    assert.equal((await answer) !== undefined, isTaken);
  });
}

// Starts the page with the host's answers, and goes on to other addresses.
const go = async (address) => {
  location.hash = address;
  await settle();
  return document.getElementById("view");
};

test("The page shows the view of its address, from its start to the sign-in", async () => {
  host.on("GET session", { scope: "scan" }).on("GET aliases", {});
  location.setQuietly("#help");
  emptyView();
  await import("../../../Sources/Host/WebPage/files/main.js");
  await settle();
  const place = document.getElementById("view");
  assert.equal(place.querySelector("h2").textContent, "Help");
  assert.equal(document.title, "Help – Copystand");
  assert.equal(document.documentElement.lang, "en");

  // An unknown address is the first view.
  host.on("GET jobs", { jobs: [] }).on("GET devices", { devices: [], problems: [] });
  host.on("GET profiles", { profiles: [] }).on("GET sinks", { sinks: [] });
  host.on("GET job-options", { options: [] });
  for (const address of ["#no-such-view", "#%", "#help/%ff"]) {
    assert.equal((await go(address)).querySelector("h2").textContent, "Scan", address);
  }

  // What can't be shown says why, with a way back from a document.
  host.on("GET documents/*", new Refused("no-such-document", "There is no document 99", 404));
  await go("#document/99");
  assert.equal(place.querySelector("[role=alert]").textContent, "There is no document 99.");
  assert.equal(place.querySelector("a.button").href, "#archive");
  assert.equal(place.querySelector("a.skip"), null);

  // A view that the host was away for is shown when it is back.
  host.isAway = true;
  await go("#devices");
  assert.match(place.querySelector("[role=alert]").textContent, /does not answer/);
  const stream = newestStream();
  await stream.fail();
  assert.match(document.getElementById("link").textContent, /connection to the host is lost/);
  host.isAway = false;
  host.on("GET aliases", { aliases: {} }).on("GET shares", { shares: [] });
  stream.begin();
  await settle();
  assert.equal(document.getElementById("link").textContent, "");
  assert.equal(place.querySelector("[role=alert]"), null);
  assert.equal(place.querySelector("h2").textContent, "Devices");

  // A view that waits for the host says so after a moment, and does not disturb the next one.
  let answerLate;
  host.on("GET devices", () => new Promise((done) => (answerLate = done)));
  await go("#devices");
  await pass(299);
  assert.doesNotMatch(place.textContent, /One moment/);
  await pass(1);
  assert.match(place.textContent, /One moment/);
  assert.equal(place.firstElementChild.getAttribute("aria-busy"), "true");
  await go("#help");
  answerLate({ devices: [], problems: [] });
  await settle();
  assert.deepEqual(texts(place, "h2"), ["Help"]);
  assert.equal(document.title, "Help – Copystand");

  // The link that skips the tabs leads into the view, and leaves the address.
  document.querySelector(".skip").click();
  assert.equal(document.activeElement, place);
  assert.equal(location.hash, "#help");

  // A host that asks for a token shows the door.
  host.on("GET devices", new Refused("no-token", "A token is needed", 401));
  await go("#devices");
  assert.notEqual(place.querySelector("input[name=token]"), null);
});

test("The page can be installed, with icons of their sizes, and takes shared files", () => {
  const manifest = JSON.parse(readFileSync(new URL("copystand.webmanifest", PAGE), "utf8"));
  assert.equal(manifest.display, "standalone");
  for (const { src, type, sizes } of manifest.icons) {
    const bytes = readFileSync(new URL(src, PAGE));
    assert.equal(type, { svg: "image/svg+xml", png: "image/png" }[src.split(".").at(-1)]);
    if (type !== "image/png") continue;
    // The size is in a PNG's header (ISO/IEC 15948, 11.2.2).
    assert.equal(`${bytes.readUInt32BE(16)}x${bytes.readUInt32BE(20)}`, sizes);
  }
  const { action, method, params } = manifest.share_target;
  assert.deepEqual([action, method, params.files[0].name], ["/share", "POST", "files"]);
  const names = views.map(({ name }) => "/#" + name);
  for (const { url } of manifest.shortcuts) assert.ok(names.includes(url), url);
});
