// The archive: what is searched for, how results are read, and what is done with many documents.
import assert from "node:assert/strict";
import test from "node:test";
import {
  answers,
  buttonOf,
  check,
  emptyView,
  fill,
  host,
  offered,
  pass,
  press,
  Refused,
  see,
  settle,
  shown,
  texts,
  told,
} from "./Support/page.mjs";
import { view } from "../../../Sources/Host/WebPage/files/archive/archive.js";
import { Arriving } from "../../../Sources/Host/WebPage/files/archive/arriving.js";
import { Selection } from "../../../Sources/Host/WebPage/files/archive/bulk.js";
import { Finding } from "../../../Sources/Host/WebPage/files/archive/finding.js";
import { hit, nothing, row } from "../../../Sources/Host/WebPage/files/archive/results.js";
import { wayBack } from "../../../Sources/Host/WebPage/files/archive/way.js";
import { publish } from "../../../Sources/Host/WebPage/files/shell/host.js";

test.beforeEach(() => {
  host.reset();
  localStorage.clear();
  location.hash = "#archive";
  answers.isSure = true;
  answers.questions = [];
});

// The search with what an address says.
const finding = (address = "", onChange = () => {}) => new Finding(address, onChange);
const asked = (
  path,
) => [path.split("?")[0], Object.fromEntries(new URLSearchParams(path.split("?")[1]))];

for (
  const [address, path, query] of [
    ["", "documents", { trash: "false", sort: "newest" }],
    ["sort=title", "documents", { trash: "false", sort: "title" }],
    ["sort=nonsense", "documents", { trash: "false", sort: "newest" }],
    ["in=trash", "documents", { trash: "true", sort: "newest" }],
    ["type=invoice", "documents", { type: "invoice", trash: "false", sort: "newest" }],
    ["field=Meter%3DA-1", "documents", { field: "Meter=A-1", trash: "false", sort: "newest" }],
    ["field=Rate%3Da%3Db", "documents", { field: "Rate=a=b", trash: "false", sort: "newest" }],
    ["q=rent+may", "search", { q: "rent may" }],
    ["q=%20rent%20", "search", { q: "rent" }],
    ["q=rent&type=invoice&tag=house", "search", { q: "rent type:invoice tag:house" }],
    ["q=rent&tag=my+house", "search", { q: 'rent tag:"my house"' }],
    // A quotation mark in a tag would end its quotation.
    ["q=rent&tag=my+“old”+house", "search", { q: 'rent tag:"my old house"' }],
    ["q=a&since=2026-01-01&before=2026-02-01", "search", {
      q: "a since:2026-01-01 before:2026-02-01",
    }],
    ["q=a&field=Meter%3DA+1", "search", { q: 'a field:"Meter=A 1"' }],
    // The trash is not searched by words.
    ["q=rent&in=trash", "documents", { trash: "true", sort: "newest" }],
  ]
) {
  test(`The address '${address}' asks the host for ${path} ${JSON.stringify(query)}`, () => {
    assert.deepEqual(asked(finding(address).path), [path, query]);
  });
}

for (
  const address of [
    "#archive",
    "#archive?q=rent+may",
    "#archive?q=rent&type=invoice&tag=house",
    "#archive?field=Meter%3DA-1",
    "#archive?in=trash",
    "#archive?since=2026-01-01&before=2026-02-01&sort=pages",
  ]
) {
  test(`The search of '${address}' has that address again`, () => {
    assert.equal(finding(address.split("?")[1]).address, address);
  });
}

test("Typing and choosing change the address, and only typing waits for more", async () => {
  const changes = [];
  const search = finding("", (isTyping) => changes.push(isTyping));
  shown(search.element);
  search.words.value = "water";
  search.words.dispatchEvent(new Event("input"));
  assert.equal(location.hash, "#archive?q=water");
  await fill(search.type, "invoice");
  assert.equal(location.hash, "#archive?q=water&type=invoice");
  await press(search.element, "Trash");
  assert.equal(location.hash, "#archive?type=invoice&in=trash");
  assert.equal(search.words.disabled, true);
  assert.deepEqual(changes, [true, false, false]);
  assert.equal(wayBack(), location.hash);
});

test("Tags and fields are offered with the number of their documents", async () => {
  host.on("GET tags", { tags: [{ name: "house", documents: 2 }, { name: "tax", documents: 1 }] });
  host.on("GET fields", { fields: [{ name: "Meter", documents: 3 }] });
  const search = finding("tag=tax");
  assert.equal(search.fields.hidden, true, "without fields there is nothing to choose");
  await search.offer();
  assert.deepEqual(offered(search.tag), ["any tag", "tax (1)", "house (2)"]);
  assert.deepEqual(offered(search.field), ["any field", "Meter (3)"]);
  assert.equal(search.tag.value, "tax");
  assert.equal(search.fields.hidden, false);
  await search.offer();
  assert.equal(search.tag.options.length, 3, "nothing is offered twice");
});

test("The filters say what they are set to", async () => {
  const search = finding();
  host.on("GET tags", { tags: [] }).on("GET fields", { fields: [{ name: "Meter", documents: 3 }] });
  await search.offer();
  const said = search.fields.firstElementChild;
  assert.equal(said.textContent, "Field");
  assert.equal(search.fieldText.disabled, true);
  await fill(search.field, "Meter");
  assert.equal(said.textContent, "Meter: …");
  await fill(search.fieldText, " A-1 ");
  assert.equal(said.textContent, "Meter: A-1");
  assert.equal(said.classList.contains("set"), true);
  assert.equal(search.dates.firstElementChild.classList.contains("set"), false);
  await fill(search.before, "2026-01-01");
  assert.equal(search.dates.firstElementChild.classList.contains("set"), true);
});

test("A search is kept by what it looks for, once, and removed again", async () => {
  const search = finding();
  shown(search.element);
  assert.equal(search.keep.hidden, true, "everything is no search");
  await fill(search.words, "water");
  await fill(search.type, "invoice");
  assert.equal(search.keep.hidden, false);
  await press(search.element, "Save this search");
  await press(search.element, "Save this search");
  assert.deepEqual(texts(search.kept, "a"), ["water · invoice"]);
  assert.equal(search.kept.querySelector("a").href, "#archive?q=water&type=invoice");
  // It is there at the next visit.
  const later = finding();
  shown(later.element);
  assert.deepEqual(texts(later.kept, "a"), ["water · invoice"]);
  await press(later.element, "Delete “water · invoice”");
  assert.deepEqual([texts(later.kept, "a"), later.kept.hidden], [[], true]);
});

// A selection beside a list with these documents.
function selection(numbers = [1, 2, 3], sinks = ["archive", "shelf"]) {
  let reloads = 0;
  const made = new Selection(async () => (reloads += 1), sinks);
  emptyView().append(
    made.element,
    ...numbers.map((id) => row(documentOf(id), made, () => {})),
  );
  return Object.assign(made, { reloads: () => reloads });
}

const documentOf = (id, more = {}) => ({
  id,
  title: "Document of " + id,
  type: "other",
  pages: 2,
  tags: [],
  created: "2026-05-17T12:00:00",
  changed: "2026-05-18",
  ...more,
});

const box = (id) => document.querySelector(`input[data-document="${id}"]`);

test("Selected documents are counted, and the tools are there as long as some are", async () => {
  const some = selection();
  assert.equal(some.element.hidden, true);
  await check(box(1));
  await check(box(3));
  assert.equal(some.count.textContent, "Documents selected: 2");
  assert.equal(some.element.hidden, false);
  await press(some.element, "Select all");
  assert.deepEqual([some.chosen.size, box(2).checked], [3, true]);
  await press(some.element, "Select none");
  assert.deepEqual([some.element.hidden, box(2).checked], [true, false]);
});

test("Other documents can be done with in the trash than in the archive", async () => {
  const some = selection();
  await check(box(1));
  const words = () => texts(some.acts, ":is(button, summary)");
  assert.deepEqual(words().filter((one) => /Tag|Restore|Delete for good|Move to trash/.test(one)), [
    "Tag",
    "Move to trash",
  ]);
  some.setTrash(true);
  assert.equal(some.chosen.size, 0, "what was selected is not shown anymore");
  await check(box(2));
  assert.deepEqual(words(), ["Restore", "Delete for good"]);
});

test("Documents that could not be changed stay selected, and the reason is told", async () => {
  const some = selection();
  host.on("POST bulk", { done: [1], failed: [{ id: 2, detail: "Document 2 is open elsewhere" }] });
  await check(box(1));
  await check(box(2));
  await press(some.element, "Move to trash");
  assert.deepEqual([...some.chosen], [2]);
  assert.equal(told(), "Document 2 is open elsewhere");
  assert.equal(some.reloads(), 1);
});

test("Documents in the trash come back by the message's button", async () => {
  const some = selection();
  host.on("POST bulk", ({ documents }) => ({ done: documents, failed: [] }));
  await check(box(1));
  await check(box(3));
  await press(some.element, "Move to trash");
  assert.match(told(), /^Documents moved to the trash: 2/);
  await press(document.getElementById("told"), "Undo");
  assert.deepEqual(host.bodies("POST bulk"), [
    { documents: [1, 3], action: "trash" },
    { documents: [1, 3], action: "restore" },
  ]);
});

test("Nothing is deleted for good without a question that says how much", async () => {
  const some = selection();
  some.setTrash(true);
  host.on("POST bulk", ({ documents }) => ({ done: documents, failed: [] }));
  await check(box(1));
  await check(box(2));
  answers.isSure = false;
  await press(some.element, "Delete for good");
  assert.match(answers.questions[0], /\(2\)/);
  assert.equal(host.count("POST bulk"), 0);
  answers.isSure = true;
  await press(some.element, "Delete for good");
  assert.deepEqual(host.bodies("POST bulk"), [{ documents: [1, 2], action: "delete" }]);
});

test("A tag without words is not added, and another one is, to all that are selected", async () => {
  const some = selection();
  host.on("POST bulk", ({ documents }) => ({ done: documents, failed: [] }));
  await check(box(1));
  await check(box(2));
  const name = some.acts.querySelector("input");
  await fill(name, "   ");
  await press(some.acts, "Add a tag");
  assert.equal(host.count("POST bulk"), 0);
  await fill(name, " house ");
  await press(some.acts, "Add a tag");
  assert.deepEqual(host.bodies("POST bulk"), [{ documents: [1, 2], addTags: ["house"] }]);
  assert.equal(told(), "Documents tagged “house”: 2");
});

test("Merging needs two documents, and appends the others to the first one", async () => {
  const some = selection();
  host.on("POST documents/3/review", {});
  await check(box(3));
  await press(some.element, "Merge");
  assert.equal(told(), "Select at least two documents to merge.");
  await check(box(1));
  await check(box(2));
  await press(some.element, "Merge");
  assert.deepEqual(host.bodies("POST documents/3/review"), [{ merge: 1 }, { merge: 2 }]);
  assert.match(told(), /^The pages were added/);
  assert.equal(document.querySelector("#told a").getAttribute("href"), "#document/3");
  assert.equal(some.chosen.size, 0);
});

test("Sending stops at the first document that is refused, and they stay selected", async () => {
  const some = selection();
  host.on("POST documents/1/send", { sent: [{ sink: "shelf" }] });
  host.on("POST documents/2/send", new Refused("full", "The disk is full"));
  for (const id of [1, 2, 3]) await check(box(id));
  await press(some.element, "shelf");
  assert.equal(told(), "shelf: The disk is full.");
  assert.equal(some.chosen.size, 3);
  host.on("POST documents/*/send", { sent: [{ sink: "shelf" }] });
  host.on("POST documents/2/send", { sent: [{ sink: "shelf" }] });
  await press(some.element, "shelf");
  assert.equal(told(), "Delivered to shelf.");
  assert.equal(some.chosen.size, 0);
});

test("Without destinations the menu says where to add some", async () => {
  const some = selection([1], ["archive"]);
  await check(box(1));
  assert.match(some.acts.textContent, /Add destinations/);
});

for (
  const [header, wanted] of [
    [`attachment; filename="Rent.pdf"`, "Rent.pdf"],
    [
      `attachment; filename="x.pdf"; filename*=UTF-8''Miete%20f%C3%BCr%20Mai.pdf`,
      "Miete für Mai.pdf",
    ],
    [undefined, "1.pdf"],
  ]
) {
  test(`A file with the header '${header}' is called '${wanted}' in the ZIP file`, async () => {
    const some = selection();
    const headers = { "Content-Disposition": header };
    host.on("GET documents/1/export?format=pdf", { file: "%PDF", headers });
    let blob;
    const made = URL.createObjectURL;
    URL.createObjectURL = (one) => (blob = one, "blob:x");
    await check(box(1));
    await press(some.element, "Download as ZIP");
    URL.createObjectURL = made;
    const text = new TextDecoder().decode(await blob.arrayBuffer());
    assert.ok(text.includes(wanted), text);
    assert.equal(told(), "PDFs in the ZIP file: 1");
    assert.equal(some.chosen.size, 0);
  });
}

test("A ZIP file of which a part can't be had is not made", async () => {
  const some = selection();
  host.on("GET documents/1/export?format=pdf", new Refused("no-such-document", "It is gone", 404));
  await check(box(1));
  await press(some.element, "Download as ZIP");
  assert.equal(told(), "It is gone");
  assert.equal(some.chosen.size, 1);
});

const bare = { has: () => false, choose() {} };

test("A document is listed with its facts, and its picture is that of its latest change", () => {
  const one = documentOf(7, { title: "<b>Rent</b>", type: "invoice", tags: ["my house"] });
  const item = shown(row(one, bare, () => {}));
  assert.equal(item.querySelector("b"), null);
  assert.equal(item.querySelector("a.title").textContent, "<b>Rent</b>");
  assert.equal(item.querySelector("a.title").href, "#document/7");
  assert.match(
    item.querySelector(".about .soft").textContent,
    /^Pages: 2 · invoice · May 17, 2026/,
  );
  assert.match(
    item.querySelector("img").src,
    /documents\/7\/pages\/1\/thumbnail\?version=2026-05-18/,
  );
  assert.equal(item.querySelector("a.tag").href, "#archive?tag=my%20house");
  assert.equal(
    item.querySelector(".get").getAttribute("aria-label"),
    "Download “<b>Rent</b>” as PDF",
  );
});

test("A document without a title or a type still has words, and nothing empty", () => {
  const item = shown(row(documentOf(7, { title: "  " }), bare, () => {}));
  assert.equal(item.querySelector("a.title").textContent, "Document 7");
  assert.match(item.querySelector(".about .soft").textContent, /^Pages: 2 · May 17/);
  assert.equal(item.querySelector(".tags"), null);
});

test("A document in the trash is restored or deleted, and its tags lead nowhere", async () => {
  let reloads = 0;
  host.on("POST documents/7/restore", {}).on("DELETE documents/7", undefined);
  const one = documentOf(7, { title: "Rent", tags: ["house"], trashed: "2026-05-19" });
  const item = shown(row(one, bare, () => (reloads += 1)));
  assert.equal(item.querySelector(".tags a"), null);
  assert.equal(item.querySelector(".get"), null);
  await press(item, "Restore “Rent” from the trash");
  answers.isSure = false;
  await press(item, "Delete “Rent” for good");
  assert.equal(host.count("DELETE documents/7"), 0);
  answers.isSure = true;
  await press(item, "Delete “Rent” for good");
  assert.equal(host.count("DELETE documents/7"), 1);
  assert.equal(reloads, 2);
});

test("A found page leads to its words, which are marked in what is around them", async () => {
  const found = {
    document: 7,
    page: 3,
    title: "Rent",
    type: "other",
    created: "2026-05-17T12:00:00",
    snippet: [{ text: "the " }, { text: "rope", isMatch: true }, { text: " <i>walk</i>" }],
    words: [{ box: { x: 1, y: 2, width: 3, height: 4 } }],
  };
  const page = { number: 3, image: "a", turn: 0, captured: { width: 10, height: 20 } };
  host.on("GET documents/7/pages/3", { page });
  const item = shown(hit(found, "rope walk/2", bare));
  assert.equal(item.querySelector("a.title").href, "#document/7/3/rope%20walk%2F2");
  assert.deepEqual(texts(item, "mark"), ["rope"]);
  assert.equal(item.querySelector(".about p").textContent, "the rope <i>walk</i>");
  assert.equal(item.querySelector(".about .soft").textContent, "Page 3 · May 17, 2026");
  see(item.querySelector(".small"));
  await settle();
  assert.equal(item.querySelectorAll("rect.sought").length, 1);
});

for (
  const [state, words, way] of [
    [{}, /^Nothing is archived yet/, "#scan"],
    [{ query: "rent" }, /^No matches/, "#archive"],
    [{ isNarrowed: true }, /^No matches/, "#archive"],
    [{ isTrash: true }, /^The trash is empty/, "#archive"],
    [{ isTrash: true, isNarrowed: true }, /^The trash is empty/, "#archive"],
  ]
) {
  test(`Without results for ${JSON.stringify(state)} there is a way on to ${way}`, () => {
    const item = nothing({ query: "", isNarrowed: false, isTrash: false, ...state });
    assert.match(item.querySelector("p").textContent, words);
    assert.equal(item.querySelector("a").href, way);
  });
}

test("What is on its way into the archive is listed, but not what is still here", async () => {
  const arrival = (more) => ({ station: "hall", pages: 3, place: "waiting", ...more });
  const arriving = new Arriving();
  host.on("GET arrivals", {
    arrivals: [
      arrival({ job: "a", place: "uploading" }),
      arrival({ ahead: 2 }),
      arrival({ place: "reading", read: 1 }),
      arrival({ station: "desk", place: "station", problem: "It is off" }),
    ],
  });
  await arriving.load();
  assert.deepEqual(arriving.element.querySelectorAll("p").map((one) => one.textContent), [
    "hallPages: 3Waiting for a reader · pages before it: 2",
    "hallPages: 3Being read: 1 of 3 pages",
    "deskPages: 3It is off",
  ]);
  host.on("GET arrivals", { arrivals: Array.from({ length: 8 }, () => arrival({})) });
  await arriving.load();
  assert.equal(arriving.element.querySelectorAll("p").length, 6);
  assert.equal(arriving.element.lastElementChild.textContent, "and 3 more");
  host.on("GET arrivals", { arrivals: [] });
  await arriving.load();
  assert.equal(arriving.element.hidden, true);
});

// The view of the archive with that many documents.
async function opened(total, address = "#archive") {
  location.hash = address;
  host.on("GET session", {}).on("GET sinks", { sinks: ["archive"] }).on("GET tags", { tags: [] });
  host.on("GET fields", { fields: [] }).on("GET arrivals", { arrivals: [] });
  host.on("GET documents?*", (_, query) => {
    const asked = new URLSearchParams(query);
    const from = Number(asked.get("offset"));
    const length = Math.min(Number(asked.get("limit")), total.now - from);
    const documents = Array.from({ length }, (_, index) => documentOf(from + index + 1));
    return { documents, total: total.now };
  });
  host.on("GET search?*", { hits: [], total: 0 });
  const place = emptyView();
  const leave = await view.show(place, []);
  await settle();
  return { place, leave };
}

test("The archive shows fifty documents, and fifty more at each press", async () => {
  const { place, leave } = await opened({ now: 120 });
  const shownNow = () => place.querySelectorAll("li.found").length;
  const more = buttonOf(place, "Show more");
  assert.deepEqual([shownNow(), more.hidden], [50, false]);
  await press(place, "Show more");
  assert.deepEqual([shownNow(), more.hidden], [100, false]);
  await press(place, "Show more");
  assert.deepEqual([shownNow(), more.hidden], [120, true]);
  assert.equal(place.querySelector(".count").textContent, "Documents: 120");
  leave();
});

test("A change in the archive keeps as many documents as were shown", async () => {
  const total = { now: 120 };
  const { place, leave } = await opened(total);
  await press(place, "Show more");
  total.now = 119;
  publish("archive", {});
  await pass(1000);
  assert.equal(place.querySelectorAll("li.found").length, 100);
  assert.equal(place.querySelector(".count").textContent, "Documents: 119");
  leave();
});

test("An unchanged list is not drawn again under the user's pointer", async () => {
  const { place, leave } = await opened({ now: 2 });
  const first = place.querySelector("li.found");
  publish("archive", {});
  await pass(0);
  assert.equal(place.querySelector("li.found"), first);
  leave();
});

test("Typing waits a moment for more letters, and the newest search counts", async () => {
  const { place, leave } = await opened({ now: 2 });
  const words = place.querySelector("input[type=search]");
  for (const value of ["w", "wa", "water"]) {
    words.value = value;
    words.dispatchEvent(new Event("input"));
    await pass(100);
  }
  await pass(20);
  const searches = host.asked.map(([one]) => one).filter((one) => one.startsWith("GET search"));
  assert.deepEqual(searches, ["GET search?q=water&limit=50&offset=0"]);
  assert.match(place.querySelector("li.none").textContent, /^No matches/);
  assert.equal(place.querySelector(".count").hidden, true);
  leave();
});

test("A search that is answered late does not replace a newer one", async () => {
  const { place, leave } = await opened({ now: 1 });
  let answerLate;
  host.on("GET search?q=slow*", () => new Promise((done) => (answerLate = done)));
  const words = place.querySelector("input[type=search]");
  await fill(words, "slow");
  await pass(120);
  await fill(words, "");
  await pass(120);
  answerLate({ hits: [], total: 0 });
  await settle();
  assert.equal(place.querySelectorAll("li.found").length, 1);
  leave();
});

test("While the host is away the list says so, and is loaded when it is back", async () => {
  host.isAway = true;
  const total = { now: 2 };
  location.hash = "#archive";
  const { place, leave } = await opened(total).catch(() => ({}));
  assert.equal(place, undefined, "the view itself can't be shown without its destinations");
  host.isAway = false;
  const again = await opened(total);
  host.isAway = true;
  publish("archive", {});
  await pass(0);
  assert.match(again.place.querySelector(".count").textContent, /does not answer/);
  host.isAway = false;
  publish("link", true);
  await pass(0);
  assert.equal(again.place.querySelector(".count").textContent, "Documents: 2");
  again.leave();
  leave?.();
});

test("The trash is emptied after a question", async () => {
  const total = { now: 2 };
  host.on("DELETE trash", () => void (total.now = 0));
  const { place, leave } = await opened(total, "#archive?in=trash");
  answers.isSure = false;
  await press(place, "Empty the trash");
  assert.equal(host.count("DELETE trash"), 0);
  answers.isSure = true;
  await press(place, "Empty the trash");
  assert.match(place.querySelector("li.none").textContent, /^The trash is empty/);
  assert.equal(buttonOf(place, "Empty the trash").hidden, true);
  leave();
});

test("The archive is shown as rows or tiles, as the user chose last", async () => {
  const { place, leave } = await opened({ now: 1 });
  await press(place, "Tiles");
  assert.equal(place.querySelector(".hits").classList.contains("tiles"), true);
  leave();
  const later = await opened({ now: 1 });
  assert.equal(later.place.querySelector(".hits").classList.contains("tiles"), true);
  await press(later.place, "Rows");
  assert.equal(later.place.querySelector(".hits").classList.contains("tiles"), false);
  later.leave();
});

test("A ZIP file is called by the day and how many documents it has", async () => {
  const some = selection();
  host.on("GET documents/*/export?format=pdf", { file: "%PDF" });
  let link;
  const created = document.createElement;
  document.createElement = (name) => {
    const one = created(name);
    if (name === "a") link = one;
    return one;
  };
  const RealDate = Date;
  globalThis.Date = class extends RealDate {
    constructor(...values) {
      super(...(values.length ? values : ["2026-05-07T12:00:00"]));
    }
  };
  await check(box(1));
  await check(box(2));
  await press(some.element, "Download as ZIP");
  globalThis.Date = RealDate;
  document.createElement = created;
  assert.equal(link.getAttribute("download"), "2026-05-07, 2 documents.zip");
});

test("What arrives is shown when the host says that something is on its way", async () => {
  const { place, leave } = await opened({ now: 1 });
  host.on("GET arrivals", { arrivals: [{ station: "hall", pages: 3, place: "waiting" }] });
  publish("archive", {});
  await settle();
  assert.equal(place.querySelector(".arriving").hidden, true);
  publish("arrivals", {});
  await settle();
  assert.equal(place.querySelector(".arriving").hidden, false);
  leave();
});
