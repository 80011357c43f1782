// Files that other programs share with the page: which requests the worker takes, how much it keeps
// and for how long, and that nothing is sent before someone presses.
import assert from "node:assert/strict";
import test from "node:test";
import { emptyView, host, press, Refused, settle, texts } from "./Support/page.mjs";
import { answered, stores, worked } from "./Support/worker.mjs";
import { offer } from "../../../Sources/Host/WebPage/files/scan/offer.js";
import {
  confirm,
  drop,
  forget,
  keep,
  LIMITS,
  waiting,
  waitingFiles,
} from "../../../Sources/Host/WebPage/files/scan/shared.js";
import { view as scan } from "../../../Sources/Host/WebPage/files/scan/scan.js";

const HOUR = 60 * 60 * 1000;

test.beforeEach(() => {
  host.reset();
  stores.clear();
  location.setQuietly("#scan");
});

const picture = (name, text = "a") => new File([text], name, { type: "image/jpeg" });
// A file that only says that it is large.
const large = (name, size) => ({ name, type: "image/jpeg", size });
const sharing = (files, more = {}) =>
  answered("/share", {
    method: "POST",
    mode: "navigate",
    formData: async () => ({ getAll: (name) => (name === "files" ? files : []) }),
    ...more,
  });
const kept = () => [...(stores.get("shared-2") ?? [])].length;

test("The files of a share are shown once the host has confirmed it, and then wait", async () => {
  const files = [picture("Miete für Mai.jpg"), picture("IMG_2.jpg", "b"), "a text"];
  const answer = await sharing(files, { headers: { Origin: "null" } });
  assert.equal(answer.status, 303);
  const key = answer.address.match(/^\/share\/(\d+-[0-9a-f-]{36})$/)[1];
  assert.deepEqual((await waiting()).names, []);
  await confirm("1-" + key);
  assert.deepEqual((await waiting()).names, [], "nobody can guess a key");
  await confirm(key);
  assert.deepEqual(await waiting(), { names: ["Miete für Mai.jpg", "IMG_2.jpg"], left: 0 });
  const [first, second] = await waitingFiles();
  assert.deepEqual([first.name, first.type, await first.text()], [
    "Miete für Mai.jpg",
    "image/jpeg",
    "a",
  ]);
  assert.equal(await second.text(), "b");
  await drop();
  assert.deepEqual([(await waiting()).names, kept()], [[], 0]);
});

for (
  const [words, more] of [
    ["another origin", { headers: { Origin: "http://evil.test" } }],
    ["another port", { headers: { Origin: "http://copystand.test:81" } }],
    ["another scheme", { headers: { Origin: "https://copystand.test" } }],
    ["another address", { referrer: "http://evil.test/form" }],
    ["another port's address", { referrer: "http://copystand.test:81/" }],
    ["a page without an address", { referrerPolicy: "no-referrer" }],
    ["a page that hides its address from others", { referrerPolicy: "same-origin" }],
  ]
) {
  test(`The worker leaves a form by ${words} to the host, which refuses it`, async () => {
    assert.equal(await sharing([picture("a.jpg")], more), undefined);
    assert.equal(kept(), 0);
  });
}

test("The worker answers no navigation that a page of another site begins", async () => {
  const by = (referrer) => answered("/", { mode: "navigate", referrer });
  assert.equal(await by("http://evil.test/"), undefined);
  assert.equal((await by("http://copystand.test/")).status, 200);
  // The address was typed, or a page hides itself.
  assert.equal((await by("")).status, 200);
  assert.equal((await by("android-app://com.example/")).status, 200);
});

test("Only a POST to the share's own address is one", async () => {
  for (const path of ["/share/x", "/shared", "/", "/api/v1/uploads"]) {
    assert.equal(await answered(path, { method: "POST", mode: "navigate" }), undefined, path);
  }
  for (const method of ["GET", "PUT"]) {
    assert.equal(await answered("/share", { method, mode: "navigate" }), undefined, method);
  }
});

test("The page's own scripts may hand over files, which need no confirmation", async () => {
  const answer = await sharing([picture("a.jpg")], { mode: "cors" });
  assert.deepEqual(answer, { address: "/#scan/shared", status: 303 });
  assert.deepEqual((await waiting()).names, ["a.jpg"]);
});

test("At most 50 files are kept, and the rest is counted", async () => {
  const files = Array.from({ length: 53 }, (_, index) => picture(`${index}.jpg`));
  await confirm(await keep(files));
  const { names, left } = await waiting();
  assert.deepEqual([names.length, names[0], names[49], left], [50, "0.jpg", "49.jpg", 3]);
});

test("At most 200 MB are kept", async () => {
  const sizes = [150e6, 60e6, 50e6, 1];
  await confirm(await keep(sizes.map((size, index) => large(`${index}`, size))));
  assert.deepEqual(await waiting(), { names: ["0", "2"], left: 2 });
  await drop();
  await confirm(await keep([large("whole", LIMITS.bytes)]));
  assert.deepEqual(await waiting(), { names: ["whole"], left: 0 });
  await drop();
  await confirm(await keep([large("too large", LIMITS.bytes + 1)]));
  assert.deepEqual(await waiting(), { names: [], left: 1 });
});

test("However many forms are sent, no more is kept, and what the user has seen stays", async () => {
  await confirm(await keep([large("mine.jpg", 150e6), picture("small.jpg")], 1000));
  for (let number = 0; number < 30; number += 1) {
    await keep(Array.from({ length: 60 }, (_, index) => large(`${index}`, 1e6)), 1000 + number);
    await keep([large("large", LIMITS.bytes + 1)], 1000 + number);
  }
  assert.deepEqual((await waiting(2000)).names, ["mine.jpg", "small.jpg"]);
  const key = await keep(Array.from({ length: 60 }, (_, index) => large(`${index}`, 2e6)), 2000);
  await confirm(key);
  const { names, left } = await waiting(2000);
  assert.deepEqual([names.length, left], [26, 36], "the rest of 200 MB");
  assert.equal(kept(), 26 + 2 + 1);
});

test("Forms that are sent at the same moment keep within the limits, too", async () => {
  const share = () => keep(Array.from({ length: 20 }, (_, index) => picture(`${index}.jpg`)));
  await Promise.all(Array.from({ length: 9 }, share));
  assert.equal(kept(), 20);
});

test("Files are forgotten after a day, confirmed or not, or if the clock goes back", async () => {
  const now = 100 * 24 * HOUR;
  await confirm(await keep([picture("a.jpg")], now));
  await keep([picture("b.jpg")], now);
  assert.deepEqual((await waiting(now + 23 * HOUR)).names, ["a.jpg"]);
  assert.equal(kept(), 3);
  assert.deepEqual((await waiting(now + 24 * HOUR)).names, []);
  assert.equal(kept(), 0);
  await keep([picture("later.jpg")], now + 48 * HOUR);
  await keep([picture("now.jpg")], now);
  assert.equal(kept(), 1);
});

test("A new worker forgets what is old, and what an earlier version took from anyone", async () => {
  await keep([picture("a.jpg")], Date.now() - 25 * HOUR);
  await (await caches.open("shared-1")).put("/shared/1-0", new Response("a"));
  await worked("activate");
  assert.equal(kept(), 0);
  assert.equal(stores.has("shared-1"), false);
});

test("Where a browser has no store, no files wait", async () => {
  const stored = globalThis.caches;
  delete globalThis.caches;
  await confirm("1-a");
  assert.deepEqual(await waiting(), { names: [], left: 0 });
  globalThis.caches = stored;
});

test("Shared files are shown by name, and sent when someone presses", async () => {
  await confirm(await keep([picture("a.jpg"), picture("b.jpg")]));
  const sent = [];
  const card = await offer(async (files) => sent.push(...files.map(({ name }) => name)) > 0);
  emptyView().append(card);
  assert.deepEqual([card.hidden, texts(card, "li"), sent], [false, ["a.jpg", "b.jpg"], []]);
  await press(card, "Scan these files");
  assert.deepEqual([card.hidden, sent, kept()], [true, ["a.jpg", "b.jpg"], 0]);
});

test("Files that can't be sent stay, and others are dropped by a press", async () => {
  await confirm(await keep([picture("a.jpg"), large("b.jpg", LIMITS.bytes)]));
  const card = await offer(async () => false);
  emptyView().append(card);
  assert.match(card.querySelector(".warn").textContent, /not kept: 1\. .* 50 files and 200 MB/);
  await press(card, "Scan these files");
  assert.deepEqual([card.hidden, texts(card, "li")], [false, ["a.jpg"]]);
  await press(card, "Delete");
  assert.deepEqual([card.hidden, kept()], [true, 0]);
});

test("No address makes the view send what was shared", async () => {
  host.on("GET jobs", { jobs: [] }).on("GET devices", { devices: [], problems: [] });
  host.on("GET profiles", { profiles: [] }).on("GET sinks", { sinks: [] });
  host.on("GET job-options", { options: [] });
  host.on("POST uploads?name=a.jpg", { id: "u1" });
  host.on("POST jobs", new Refused("device-busy", "It is busy", 409));
  const key = await keep([picture("a.jpg")]);
  for (const rest of [["shared"], ["shared", "1-x"], ["shared", key], ["shared"], []]) {
    const place = emptyView();
    const leave = await scan.show(place, rest);
    await settle();
    const isShown = !place.querySelector(".shared").hidden;
    // Only the host's confirmation leads to an address with the key, once.
    assert.equal(isShown, rest[1] === key || kept() === 2, rest.join("/"));
    leave();
  }
  const changing = host.asked.filter(([request]) => !request.startsWith("GET "));
  assert.deepEqual(changing, []);
});
