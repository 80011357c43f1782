// A document under review: its pages, its text, what is changed, undone, merged and sent.
import assert from "node:assert/strict";
import test from "node:test";
import {
  answers,
  buttonOf,
  check,
  emptyView,
  fill,
  Happening,
  host,
  key,
  offered,
  pass,
  press,
  Refused,
  settle,
  shown,
  submit,
  texts,
  told,
} from "./Support/page.mjs";
import { view } from "../../../Sources/Host/WebPage/files/document/document.js";
import {
  grid,
  moves,
  newPage,
  placeAfter,
} from "../../../Sources/Host/WebPage/files/document/grid.js";
import { merging } from "../../../Sources/Host/WebPage/files/document/merging.js";
import { PageView } from "../../../Sources/Host/WebPage/files/document/pageview.js";
import { Proposal } from "../../../Sources/Host/WebPage/files/document/proposal.js";
import {
  headingOf,
  reading,
  sought,
} from "../../../Sources/Host/WebPage/files/document/reading.js";
import {
  orderFor,
  rescanning,
} from "../../../Sources/Host/WebPage/files/document/rescan.js";
import { deliveries, Saving } from "../../../Sources/Host/WebPage/files/document/saving.js";
import { tools } from "../../../Sources/Host/WebPage/files/document/tools.js";
import { enter, publish } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { make } from "../../../Sources/Host/WebPage/files/parts/dom.js";
import { recall, remember } from "../../../Sources/Host/WebPage/files/parts/memory.js";

test.beforeEach(async () => {
  host.reset();
  localStorage.clear();
  Object.assign(answers, { isSure: true, questions: [] });
  host.on("GET session", {});
  await enter();
});

const pageOf = (number, more = {}) => ({
  id: "p" + number,
  number,
  image: "i" + number,
  turn: 0,
  captured: { width: 100, height: 200 },
  problems: [],
  ...more,
});
const pagesOf = (count) => Array.from({ length: count }, (_, index) => pageOf(index + 1));

for (
  const [name, moved, to, wanted] of [
    ["one forward", [1], 3, [2, 3, 1, 4]],
    ["one back", [4], 2, [1, 4, 2, 3]],
    ["two forward", [1, 2], 4, [3, 4, 1, 2]],
    ["two back", [3, 4], 1, [3, 4, 1, 2]],
    ["two that are apart", [1, 3], 4, [2, 4, 1, 3]],
    ["one beside itself", [2], 3, [1, 3, 2, 4]],
  ]
) {
  test(`Pages that are moved ${name} keep their order, by moves one after another`, () => {
    const now = [1, 2, 3, 4];
    for (const { page, to: place } of moves([1, 2, 3, 4], moved, to)) {
      now.splice(now.indexOf(page), 1);
      now.splice(place - 1, 0, page);
    }
    assert.deepEqual(now, wanted);
  });
}

for (
  const [name, now, shownNumber, wanted] of [
    ["nothing changes", ["a", "b", "c"], 2, 2],
    ["the shown page is turned or moved", ["b", "a", "c"], 2, 2],
    ["the shown page is deleted", ["a", "c"], 2, 2],
    ["the last page is deleted while it is shown", ["a", "b"], 3, 2],
    ["a page before is deleted", ["b", "c"], 2, 1],
    ["all around it are deleted", ["b"], 2, 1],
    ["all pages are other ones", ["x", "y"], 3, 1],
  ]
) {
  test(`When ${name}, the page that is shown is ${wanted}`, () => {
    const ids = (list) => list.map((id, index) => ({ id, number: index + 1 }));
    assert.equal(placeAfter(ids(["a", "b", "c"]), ids(now), shownNumber), wanted);
  });
}

test("The page that an undo brings back is the one that was not there", () => {
  assert.equal(newPage([{ id: 1 }, { id: 3 }], [{ id: 1 }, { id: 2 }, { id: 3 }]).id, 2);
  assert.equal(newPage([{ id: 1 }], [{ id: 1 }]), undefined);
});

// The grid of three pages with what it reports.
function gridOf(shownNumber = 1, chosen = new Set(), pages = pagesOf(3)) {
  const heard = [];
  const made = grid(pages, shownNumber, chosen, {
    open: (number) => heard.push(["open", number]),
    change: (order, focused) => heard.push(focused === undefined ? [order] : [order, focused]),
    chosen: () => heard.push(["chosen", ...chosen]),
  });
  shown(made.list);
  return { ...made, heard, items: made.list.children, chosen };
}

test("Arrow keys move the focus, Home and End go to the ends", async () => {
  const { items } = gridOf();
  items[0].focus();
  for (
    const [name, wanted] of [["ArrowRight", 1], ["ArrowRight", 2], ["ArrowRight", 2], ["Home", 0], [
      "End",
      2,
    ], ["ArrowLeft", 1]]
  ) {
    await key(document.activeElement, name);
    assert.equal(document.activeElement, items[wanted], name);
  }
});

test("Up and down move by a row of the grid", async () => {
  const { list, items } = gridOf(1, new Set(), pagesOf(6));
  list.computed = { gridTemplateColumns: "90px 90px 90px" };
  items[1].focus();
  await key(items[1], "ArrowDown");
  assert.equal(document.activeElement, items[4]);
  await key(items[4], "ArrowUp");
  assert.equal(document.activeElement, items[1]);
});

for (
  const [name, more, number, wanted] of [
    ["Enter", {}, 2, [["open", 2]]],
    ["Delete", {}, 2, [[{ delete: [2] }]]],
    ["r", {}, 2, [[{ rotate: [{ pages: [2], degrees: 90 }] }, 2]]],
    ["R", {}, 2, [[{ rotate: [{ pages: [2], degrees: -90 }] }, 2]]],
    // The browser reloads with this.
    ["r", { ctrlKey: true }, 2, []],
    ["ArrowLeft", { altKey: true }, 2, [[{ move: [{ page: 2, to: 1 }] }, 1]]],
    ["ArrowRight", { altKey: true }, 3, []],
    [" ", {}, 2, [["chosen", 2]]],
    ["a", { metaKey: true }, 1, [["chosen", 1, 2, 3]]],
    ["x", {}, 1, []],
  ]
) {
  test(`The key '${name}' with ${JSON.stringify(more)} acts on page ${number}`, async () => {
    const { items, heard } = gridOf();
    const event = await key(items[number - 1], name, more);
    assert.deepEqual(heard, wanted);
    assert.equal(event.defaultPrevented, wanted.length > 0 || name === "ArrowRight");
  });
}

test("Keys act on all selected pages, in their order", async () => {
  const { items, heard } = gridOf(1, new Set([3, 1]));
  await key(items[1], "Delete");
  assert.deepEqual(heard, [[{ delete: [1, 3] }]]);
  await key(items[1], "Escape");
  assert.deepEqual(heard.at(-1), ["chosen"]);
});

test("A click opens a page; with Ctrl it selects, with Shift it selects a range", () => {
  const { items, heard, chosen } = gridOf();
  const click = (number, more) =>
    items[number - 1].dispatchEvent(new Happening("click", { bubbles: true, ...more }));
  click(2, {});
  click(2, { ctrlKey: true });
  assert.deepEqual(heard, [["open", 2], ["chosen", 2]]);
  click(3, { shiftKey: true });
  assert.deepEqual([...chosen].sort(), [1, 2, 3]);
  assert.deepEqual(items.map((one) => one.getAttribute("aria-selected")), ["true", "true", "true"]);
  items[0].querySelector(".check").click();
  assert.equal(chosen.has(1), false);
});

test("A dropped page takes another one's place, and a selected one takes the others along", () => {
  const drop = (made, from, to) => {
    const dataTransfer = {
      setData: (_, text) => (dataTransfer.text = text),
      getData: () => dataTransfer.text,
    };
    made.items[from - 1].dispatchEvent(new Happening("dragstart", { dataTransfer }));
    made.items[to - 1].dispatchEvent(new Happening("drop", { dataTransfer }));
  };
  const one = gridOf();
  drop(one, 3, 1);
  drop(one, 2, 2);
  assert.deepEqual(one.heard, [[{ move: [{ page: 3, to: 1 }] }]]);
  const two = gridOf(1, new Set([2, 3]));
  drop(two, 3, 1);
  assert.deepEqual(two.heard, [[{ move: [{ page: 2, to: 1 }, { page: 3, to: 2 }] }]]);
  // A page of the selection is no other place.
  drop(two, 3, 2);
  assert.equal(two.heard.length, 1);
});

test("A page with a problem says so, to screen readers too", () => {
  const { items } = gridOf(1, new Set(), [pageOf(1, { problems: ["It is blurred"] })]);
  assert.equal(items[0].getAttribute("aria-label"), "Page 1, It is blurred");
  assert.deepEqual(texts(items[0], ".warn"), ["It is blurred"]);
});

for (
  const [query, wanted] of [
    ["Rope walk", ["rope", "walk"]],
    ['"rope walk" inv*', ["rope", "walk", "inv"]],
    ["rent type:invoice -draft", ["rent"]],
    ["", []],
    ["*", []],
  ]
) {
  test(`The words to mark for '${query}' are [${wanted}]`, () => {
    assert.deepEqual(sought(query), wanted);
  });
}

const word = (text, more = {}) => ({
  text,
  box: { x: 0, y: 0, width: 10, height: 10 },
  confidence: 0.9,
  ...more,
});
const lineOf = (text, height = 10, confidence = 0.9) =>
  text.split(" ").map((one) => word(one, { box: { x: 0, y: 0, width: 9, height }, confidence }));

// A page beside its text.
function read(paragraphs, { query = "", page = {}, correct = async () => {} } = {}) {
  const made = reading(
    { page: { ...pageOf(1), isRead: true, ...page }, paragraphs },
    query,
    [],
    correct,
  );
  const place = emptyView();
  place.append(made.picture, made.text);
  return { ...made, place };
}

test("The words of a search are marked in the text and on the picture", () => {
  const { place } = read([[lineOf("The Ropewalk is closed")]], { query: "rope" });
  assert.deepEqual(texts(place, "mark"), ["Ropewalk"]);
  assert.equal(place.querySelectorAll("rect.sought").length, 1);
  assert.equal(place.querySelectorAll("rect").length, 4);
});

test("A word and its place highlight each other", () => {
  const { place } = read([[lineOf("one two")]]);
  const [first] = place.querySelectorAll("span.word");
  const [rect, other] = place.querySelectorAll("rect");
  rect.dispatchEvent(new Happening("pointerenter"));
  assert.equal(first.classList.contains("here"), true);
  rect.dispatchEvent(new Happening("pointerleave"));
  first.click();
  assert.deepEqual([rect, other].map((one) => one.classList.contains("here")), [true, false]);
});

test("Doubtful words are marked, counted, and visited one after the other", async () => {
  const { place, text } = read([[[
    word("sure"),
    word("d0ubt", { confidence: 0.5 }),
    word("1ll", { confidence: 0.1 }),
  ]]]);
  assert.deepEqual(texts(place, ".unsure"), ["d0ubt", "1ll"]);
  for (const wanted of ["d0ubt", "1ll", "d0ubt"]) {
    await press(text, "Doubtful words: 2");
    assert.deepEqual(texts(text, ".here"), [wanted]);
  }
  const sure = read([[lineOf("all sure")]]);
  assert.equal(sure.place.querySelector(".doubts"), null);
});

test("A page without text says whether it was read", () => {
  assert.match(read([]).text.textContent, /No text was read on this page/);
  assert.match(read([], { page: { isRead: false } }).text.textContent, /has not been read/);
});

for (
  const [name, lines, isRunning] of [
    ["of running text", ["x".repeat(60), "y".repeat(55), "end"], true],
    ["of an address", ["Ada Quill", "Ropewalk 4", "Aldermouth"], false],
    ["with a short line in it", ["x".repeat(60), "y".repeat(20), "z".repeat(60)], false],
    ["of two lines", ["x".repeat(60), "y".repeat(60)], false],
  ]
) {
  test(`A paragraph ${name} ${isRunning ? "is" : "is not"} wrapped again in less room`, () => {
    const { place } = read([lines.map((line) => lineOf(line))]);
    assert.equal(place.querySelectorAll("p.running").length, isRunning ? 1 : 0);
  });
}

test("A corrected text is unsaved until it is saved or canceled", async () => {
  const saved = [];
  const { text } = read([[lineOf("Old text")]], {
    page: { text: "Old text" },
    correct: async (value) => saved.push(value),
  });
  assert.equal(text.unsaved(), undefined);
  await press(text, "Correct the text");
  assert.equal(text.unsaved(), undefined, "nothing is changed yet");
  assert.equal(text.querySelector("textarea").value, "Old text");
  text.querySelector("textarea").value = "New text";
  assert.deepEqual(text.unsaved(), { text: "New text" });
  await submit(text.querySelector("form"));
  assert.deepEqual(saved, ["New text"]);
  await press(text, "Cancel");
  assert.equal(text.unsaved(), undefined);
  assert.deepEqual(texts(text, ".word"), ["Old", "text"]);
});

for (
  const [name, paragraphs, wanted] of [
    ["the tallest line", [[lineOf("Lease contract", 30)], [
      lineOf("between Ada and Bob"),
      lineOf("of May"),
    ]], "Lease contract"],
    ["no line if all are alike", [[lineOf("one two three"), lineOf("four five six")]], undefined],
    ["no line of numbers", [[lineOf("12 34 56", 40)], [
      lineOf("plain words"),
      lineOf("more words"),
    ]], undefined],
    ["no line that was read badly", [[lineOf("Smudge", 40, 0.3)], [
      lineOf("plain words"),
      lineOf("more"),
    ]], undefined],
    ["no line that is too long for a title", [[lineOf("long ".repeat(30).trim(), 40)], [
      lineOf("plain words"),
      lineOf("more"),
    ]], undefined],
    ["nothing without text", [], undefined],
  ]
) {
  test(`The heading of a page is ${name}`, () => assert.equal(headingOf({ paragraphs }), wanted));
}

for (
  const [name, document, more, heading, isOffered] of [
    ["a document without a title of its own", { title: "Scan of 2026" }, {}, "Lease", true],
    [
      "one that was given a title",
      { title: "Scan of 2026" },
      { isTitleGiven: true },
      "Lease",
      false,
    ],
    ["one that is called that already", { title: "Lease, 2026" }, {}, "Lease", false],
    ["one in the trash", { title: "Scan", trashed: "2026" }, {}, "Lease", false],
    ["one without a heading", { title: "Scan" }, {}, undefined, false],
  ]
) {
  test(`The heading is ${isOffered ? "offered" : "no title"} for ${name}`, async () => {
    const given = [];
    const proposal = new Proposal(async (values) => given.push(values));
    shown(proposal.element);
    proposal.show({ document, ...more }, heading);
    assert.equal(proposal.element.childElementCount, isOffered ? 1 : 0);
    if (!isOffered) return;
    await press(proposal.element, "Use “Lease” as the title");
    assert.deepEqual(given, [{ title: "Lease" }]);
    // The heading is known until another page was read.
    proposal.show({ document: { title: "Lease" } });
    assert.equal(proposal.element.childElementCount, 0);
  });
}

test("A page is enlarged by steps, and fits again", async () => {
  const turned = [];
  const paper = new PageView((step) => turned.push(step));
  shown(paper.element);
  const picture = make("div");
  picture.box = { width: 100 };
  paper.show(picture, 2, pagesOf(3));
  assert.equal(paper.number.textContent, "Page 2 of 3");
  for (
    const [words, level] of [["Zoom out", "100 %"], ["Zoom in", "150 %"], ["Zoom in", "200 %"]]
  ) {
    await press(paper.element, words);
    assert.equal(paper.level.textContent, level);
  }
  assert.equal(picture.style.values.width, "200px");
  for (let times = 0; times < 5; times += 1) await press(paper.element, "Zoom in");
  assert.equal(paper.level.textContent, "400 %");
  paper.paper.dispatchEvent(new Happening("dblclick"));
  assert.equal(paper.level.textContent, "100 %");
  await press(paper.element, "Next page");
  await press(paper.element, "Previous page");
  assert.deepEqual(turned, [1, -1]);
});

test("There is no page before the first and after the last", () => {
  const paper = new PageView(() => {});
  for (const [number, previous, next] of [[1, true, false], [2, false, false], [3, false, true]]) {
    paper.show(make("div"), number, pagesOf(3));
    assert.deepEqual([paper.previous.disabled, paper.next.disabled], [previous, next]);
  }
});

for (
  const [name, from, to, zoom, wanted] of [
    ["to the left", [300, 100], [200, 110], 1, [1]],
    ["to the right", [200, 100], [300, 90], 1, [-1]],
    ["too short", [200, 100], [150, 100], 1, []],
    ["down", [200, 100], [280, 300], 1, []],
    ["on an enlarged page", [300, 100], [200, 100], 2, []],
  ]
) {
  test(`A swipe ${name} turns [${wanted}]`, () => {
    const turned = [];
    const paper = new PageView((step) => turned.push(step));
    paper.show(make("div"), 2, pagesOf(3));
    paper.set(zoom);
    const at = ([clientX, clientY]) => ({ clientX, clientY });
    paper.paper.dispatchEvent(new Happening("touchstart", { touches: [at(from)] }));
    paper.paper.dispatchEvent(new Happening("touchend", { changedTouches: [at(to)] }));
    assert.deepEqual(turned, wanted);
  });
}

test("The other documents are offered for merging, each once, and found by words", async () => {
  const created = "2026-05-17T12:00:00";
  host.on("GET documents?limit=50", {
    documents: [{ id: 4, title: "This" }, { id: 5, title: "Rent", created, pages: 2 }],
  });
  host.on("GET search?q=water&limit=50", {
    hits: [6, 6, 4].map((id) => ({ document: id, title: "Water", created })),
  });
  host.on("GET search?q=nowhere&limit=50", { hits: [] });
  const taken = [];
  const form = shown(await merging(4, async (id) => taken.push(id), () => {}));
  const [query, choice] = form.querySelectorAll("input, select");
  assert.deepEqual(offered(choice), ["Rent · May 17, 2026 · Pages: 2"]);
  await fill(query, " nowhere ");
  await pass(120);
  assert.equal(choice.hidden, true);
  assert.equal(buttonOf(form, "Add its pages").disabled, true);
  await fill(query, "water");
  await pass(120);
  assert.deepEqual(offered(choice), ["Water · May 17, 2026"]);
  await submit(form);
  assert.deepEqual(taken, [6]);
});

test("A page is scanned again with the device's last settings, as one page", () => {
  remember("scan-v:flatbed", {
    source: "flatbed",
    paper: "",
    mode: "gray",
    resolution: "300",
    profile: "none",
    several: true,
  });
  assert.deepEqual(orderFor("v:flatbed"), {
    device: "v:flatbed",
    pages: 1,
    profile: "none",
    common: { source: "flatbed", mode: "gray", resolution: 300 },
  });
  assert.deepEqual(orderFor("new"), { device: "new", pages: 1, profile: "document", common: {} });
});

// The form that scans page 2 again.
async function rescan(devices) {
  host.on("GET devices", { devices });
  const taken = [];
  const form = shown(await rescanning(2, async (document) => taken.push(document), () => {}));
  return { form, taken };
}

const scanner = { id: "v:flatbed", name: "Flatbed", aliases: [], kind: "scanner" };

test("The page that is scanned again is that of the finished job", async () => {
  const { form, taken } = await rescan([scanner, { ...scanner, id: "f", kind: "files" }]);
  assert.deepEqual(offered(form.querySelector("select")), ["Flatbed"]);
  host.on("POST jobs", { id: "j1" }).on("GET jobs/j1", { id: "j1", state: "running" });
  await submit(form);
  assert.match(form.textContent, /Scanning the page again/);
  publish("job", { id: "j1", state: "waiting" });
  publish("job", {
    id: "j2",
    state: "completed",
    deliveries: [{ sink: "archive", document: "8" }],
  });
  await settle();
  assert.deepEqual(taken, []);
  publish("job", {
    id: "j1",
    state: "completed",
    deliveries: [{ sink: "archive", document: "9" }],
  });
  await settle();
  assert.deepEqual(taken, [9]);
  assert.match(form.textContent, /Put page 2 in and press Scan/);
  assert.equal(host.bodies("POST jobs")[0].title, "Page 2");
});

test("A page that could not be scanned again says why, and nothing is replaced", async () => {
  const { form, taken } = await rescan([scanner]);
  host.on("POST jobs", { id: "j1" });
  host.on("GET jobs/j1", { id: "j1", state: "failed", problem: "It is jammed", deliveries: [] });
  await submit(form);
  assert.deepEqual([told(), taken], ["It is jammed", []]);
});

test("Without a scanner, a page is replaced by a picture of this device", async () => {
  const { form, taken } = await rescan([]);
  assert.equal(form.querySelector("select"), null);
  host.on("POST uploads?*", { id: "u1" }).on("POST jobs", { id: "j1" });
  host.on("GET jobs/j1", {
    id: "j1",
    state: "completed",
    deliveries: [{ sink: "archive", document: "9" }],
  });
  const input = form.querySelector("input[type=file]");
  input.files = [new File(["x"], "a.jpg")];
  input.dispatchEvent(new Happening("change"));
  await settle();
  assert.deepEqual(host.bodies("POST jobs"), [{ uploads: ["u1"], title: "Page 2" }]);
  assert.deepEqual(taken, [9]);
});

const wholeOf = (more = {}, document = {}) => ({
  version: 7,
  document: {
    id: 4,
    title: "Rent",
    type: "other",
    tags: [],
    pages: 3,
    created: "2026-05-17",
    ...document,
  },
  note: "",
  fields: [],
  entries: [],
  originals: [],
  receipts: [],
  pages: pagesOf(3),
  undoable: 1,
  redoable: 0,
  ...more,
});

// The tools of a document with three pages, and the changes that they order.
function toolsOf({ shown: shownNumber = 1, chosen = [], ...more } = {}) {
  const changes = [];
  const set = new Set(chosen);
  const review = {
    whole: wholeOf(more),
    shown: shownNumber,
    chosen: set,
    grid: { acting: (number) => (set.size ? [...set].sort() : [number]) },
    change: async (order, focused) =>
      changes.push(focused === undefined ? order : [order, focused]),
    step: async (name) => changes.push(name),
    cut: async () => changes.push("cut"),
  };
  return { bar: shown(make("div", {}, tools(review))), changes };
}

test("Tools act on the page that is shown, or on those that are selected", async () => {
  for (const [chosen, pages] of [[[], [2]], [[3, 1], [1, 3]]]) {
    const { bar, changes } = toolsOf({ shown: 2, chosen });
    for (const words of ["Turn left", "Turn right", "Delete"]) await press(bar, words);
    assert.deepEqual(changes, [
      { rotate: [{ pages, degrees: -90 }] },
      { rotate: [{ pages, degrees: 90 }] },
      { delete: pages },
    ]);
  }
});

for (
  const [state, off] of [
    [{ shown: 1 }, ["Move up", "Redo"]],
    [{ shown: 3 }, ["Move down", "Split after", "Redo"]],
    [{ shown: 2, chosen: [1, 2] }, ["Crop", "Scan again", "Move up", "Move down", "Redo"]],
    [{ shown: 2, chosen: [1, 2, 3] }, [
      "Delete",
      "Crop",
      "Scan again",
      "Move up",
      "Move down",
      "Redo",
    ]],
    [{ shown: 2, undoable: 0, redoable: 2 }, ["Undo"]],
    [{ shown: 1, pages: pagesOf(1) }, ["Delete", "Move up", "Move down", "Split after", "Redo"]],
  ]
) {
  test(`With ${JSON.stringify(state).slice(0, 60)}, only what can be done can be pressed`, () => {
    const { bar } = toolsOf(state);
    assert.deepEqual(texts(bar, "button:disabled"), off);
  });
}

test("A page moves by one place, and the focus with it", async () => {
  const { bar, changes } = toolsOf({ shown: 2 });
  await press(bar, "Move up");
  await press(bar, "Move down");
  await press(bar, "Split after");
  assert.deepEqual(changes, [
    [{ move: [{ page: 2, to: 1 }] }, 1],
    [{ move: [{ page: 2, to: 3 }] }, 3],
    { splitAfter: 2 },
  ]);
});

test("Only cropped pages can be shown whole again", async () => {
  assert.doesNotMatch(toolsOf().bar.textContent, /Whole picture/);
  const pages = [pageOf(1, { isCut: true }), pageOf(2), pageOf(3, { isCut: true })];
  const { bar, changes } = toolsOf({ pages, chosen: [1, 2] });
  await press(bar, "Whole picture");
  assert.deepEqual(changes, [{ uncut: [1] }]);
});

test("The look is that of all selected pages, or none, and only others are changed", async () => {
  const pages = [pageOf(1, { look: "clean" }), pageOf(2), pageOf(3, { look: "clean" })];
  assert.equal(toolsOf({ pages, shown: 1 }).bar.querySelector("select").value, "clean");
  assert.equal(toolsOf({ pages, shown: 2 }).bar.querySelector("select").value, "original");
  const { bar, changes } = toolsOf({ pages, chosen: [1, 2] });
  const select = bar.querySelector("select");
  assert.equal(select.value, "");
  await fill(select, "clean");
  assert.deepEqual(changes, [{ looks: [{ pages: [2], look: "clean" }] }]);
});

test("The selected pages, or the one that is shown, are downloaded as a PDF", () => {
  const link = (state) => toolsOf(state).bar.querySelector("[data-keep=pagesPDF]");
  assert.equal(link({ shown: 2 }).textContent, "Page as PDF");
  assert.match(link({ shown: 2 }).href, /pages=2$/);
  assert.equal(link({ chosen: [1, 3] }).textContent, "2 pages as PDF");
  assert.match(link({ chosen: [1, 3] }).href, /pages=1%2C3$/);
  assert.equal(link({ pages: pagesOf(1) }), null, "the document is that page");
});

test("The toolbar says how many pages are selected, or which one is shown", () => {
  assert.equal(toolsOf({ shown: 2 }).bar.querySelector("[role=status]").textContent, "Page 2 of 3");
  assert.equal(
    toolsOf({ chosen: [1, 3] }).bar.querySelector("[role=status]").textContent,
    "Selected: 2",
  );
});

const receipt = (sink, made, more = {}) => ({ sink, made, ...more });

test("The last delivery to each place counts, the newest first, and the archive is none", () => {
  const receipts = [
    receipt("shelf", "2026-01-01"),
    receipt("archive", "2026-01-05"),
    receipt("desk", "2026-01-02"),
    receipt("shelf", "2026-01-03"),
  ];
  assert.deepEqual(deliveries({ receipts }).map(({ sink, made }) => [sink, made]), [
    ["shelf", "2026-01-03"],
    ["desk", "2026-01-02"],
  ]);
});

// What saves and sends document 4.
function saving(document = {}, sinks = ["shelf", "desk"]) {
  const whole = wholeOf({}, document);
  let saves = 0;
  const made = new Saving("documents/4", sinks, async () => {
    saves += 1;
    whole.document.reviewed = "2026-05-18";
  });
  shown(made.element);
  made.update(whole);
  return { made, whole, saves: () => saves, element: made.element };
}

for (
  const [reviewed, chosen, words, isOff] of [
    [undefined, [], "Mark as reviewed", false],
    [undefined, ["shelf"], "Mark as reviewed and send", false],
    ["2026", [], "Reviewed", true],
    ["2026", ["shelf"], "Send", false],
  ]
) {
  test(`Reviewed in ${reviewed}, with [${chosen}], a document offers '${words}'`, async () => {
    const { made } = saving({ reviewed });
    for (const name of chosen) await check(made.sinks.boxes.find((box) => box.value === name));
    assert.deepEqual([made.button.textContent, made.button.disabled], [words, isOff]);
  });
}

test("A sent document has the answer of each place, and is not sent twice", async () => {
  host.on("POST documents/4/send", ({ sinks: [sink] }) => ({
    sent: [sink === "desk" ? { waiting: "It is off" } : {}],
  }));
  const { made, element, saves } = saving();
  for (const box of made.sinks.boxes) await check(box);
  await press(element, "Mark as reviewed and send");
  assert.equal(saves(), 1);
  assert.deepEqual(texts(element, ".receipts li"), [
    "Marked as reviewed.",
    "Delivered to shelf.",
    "Not yet delivered to desk. Copystand will try again. It is off",
  ]);
  assert.deepEqual(made.chosen, []);
  assert.deepEqual(recall("sinks"), ["shelf", "desk"]);
});

test("A place that refused a document stays chosen", async () => {
  host.on("POST documents/4/send", new Refused("full", "The disk is full"));
  const { made, element, saves } = saving({ reviewed: "2026" });
  await check(made.sinks.boxes[0]);
  await press(element, "Send");
  assert.deepEqual([made.chosen, saves()], [["shelf"], 0]);
  assert.deepEqual(texts(element, "li.bad"), ["shelf: The disk is full."]);
});

test("The next document has the places of the last one, and a reviewed one has none", () => {
  remember("sinks", ["desk", "deleted"]);
  assert.deepEqual(saving().made.chosen, ["desk"]);
  assert.deepEqual(saving({ reviewed: "2026" }).made.chosen, []);
});

test("Files are offered in each format, the originals too, and the PDF as it is set", async () => {
  const { made, element } = saving();
  made.update(wholeOf({ originals: [{ name: "a.pdf" }, { name: "b.pdf" }] }));
  const links = () => element.querySelectorAll("a[download]").map((one) => one.href);
  assert.deepEqual(links(), [
    "/api/v1/documents/4/export?format=pdf",
    "/api/v1/documents/4/export?format=tiff",
    "/api/v1/documents/4/export?format=txt",
    "/api/v1/documents/4/originals/1",
    "/api/v1/documents/4/originals/2",
  ]);
  await fill(element.querySelector("select[name=compression]"), "lossless");
  assert.equal(links()[0], "/api/v1/documents/4/export?format=pdf&compression=lossless");
});

test("Without places the document says where to add some", () => {
  assert.match(saving({}, []).element.textContent, /Add destinations/);
});

// Document 4 in its view; `now` is what the host has.
async function opened({ rest = ["4"], whole = wholeOf(), session = {} } = {}) {
  const now = { whole };
  host.on("GET session", session);
  await enter();
  host.on("GET documents/4", () => now.whole);
  host.on("GET documents/4/pages/*", (_, number) => {
    const page = now.whole.pages.find((one) => String(one.number) === number);
    return { page: { ...page, isRead: true, text: "Text of " + page.id }, paragraphs: [] };
  });
  host.on("GET sinks", { sinks: ["archive"] }).on("GET outbox", { items: [] });
  host.on("GET documents/4/suggestions", { tags: [] });
  const place = emptyView();
  const leave = await view.show(place, rest);
  await settle();
  return { place, leave, now, level: () => place.querySelector(".zoom .soft").textContent };
}

// The host's document with these pages after a change.
const changed = (now, ids, more = {}) => {
  const pages = ids.map((id, index) => pageOf(index + 1, { id, image: id }));
  now.whole = { ...now.whole, version: now.whole.version + 1, pages, ...more };
  return { document: now.whole };
};

test("A document opens at the page of its address, with the words of the search", async () => {
  const { leave, level } = await opened({ rest: ["4", "2", "rope"] });
  assert.equal(level(), "Page 2 of 3");
  assert.equal(host.count("GET documents/4/pages/2"), 1, "the page is asked for once");
  leave();
});

test("A change names the version that the user sees, and a message undoes it", async () => {
  const { place, leave, now, level } = await opened({ rest: ["4", "2"] });
  host.on("POST documents/4/review", () => changed(now, ["p1", "p3"]));
  host.on("POST documents/4/undo", () => changed(now, ["p1", "p2", "p3"]).document);
  await press(place, "Delete");
  assert.equal(host.asked.find(([one]) => one.endsWith("/review"))[2]["If-Match"], '"7"');
  assert.match(told(), /^Pages deleted: 1/);
  assert.equal(level(), "Page 2 of 2");
  await press(document.getElementById("told"), "Undo");
  assert.equal(host.asked.find(([one]) => one.endsWith("/undo"))[2]["If-Match"], '"8"');
  // The page that is back is shown.
  assert.equal(level(), "Page 2 of 3");
  leave();
});

test("Changes are made one after another, each on what the one before made", async () => {
  const { place, leave, now } = await opened();
  let go;
  host.on(
    "POST documents/4/review",
    () => new Promise((done) => (go = () => done(changed(now, ["p1", "p2", "p3"])))),
  );
  buttonOf(place, "Turn left").click();
  buttonOf(place, "Turn right").click();
  await settle();
  assert.equal(host.count("POST documents/4/review"), 1);
  assert.match(place.textContent, /Saving …/);
  go();
  await settle();
  go();
  await settle();
  const seen = host.asked.filter(([one]) => one.endsWith("/review")).map((
    [, , { "If-Match": one }],
  ) => one);
  assert.deepEqual(seen, ['"7"', '"8"']);
  assert.match(place.textContent, /All changes are saved/);
  leave();
});

test("A change of a stale document is not made, and the document is shown as it is", async () => {
  const { place, leave, now } = await opened();
  host.on("POST documents/4/review", () => {
    now.whole = wholeOf({ version: 9 }, { title: "Changed by others" });
    return new Refused("changed-meanwhile", "x", 412);
  });
  await press(place, "Turn left");
  assert.match(told(), /changed elsewhere, so your change was not made/);
  assert.equal(place.querySelector("h2").textContent, "Changed by others");
  leave();
});

test("What others change is shown, but not while a page is cropped", async () => {
  const { place, leave, now } = await opened();
  now.whole = wholeOf({ version: 8 }, { title: "By a command" });
  publish("archive", {});
  await settle();
  assert.equal(place.querySelector("h2").textContent, "By a command");
  await press(place, "Crop");
  now.whole = wholeOf({ version: 9 }, { title: "Later" });
  publish("archive", {});
  await settle();
  assert.equal(place.querySelectorAll(".handle").length, 4);
  assert.equal(place.querySelector("h2").textContent, "By a command");
  leave();
});

test("A part of a page is kept, or all of it, or nothing changes", async () => {
  const { place, leave, now } = await opened();
  host.on("POST documents/4/review", () => changed(now, ["p1", "p2", "p3"]));
  await press(place, "Crop");
  await key(place.querySelector(".handle"), "ArrowRight", { shiftKey: true });
  await press(place, "Keep this part");
  await press(place, "Crop");
  await press(place, "Show all");
  await press(place, "Keep this part");
  await press(place, "Crop");
  await press(place, "Cancel");
  const whole = { page: 1, box: null };
  assert.deepEqual(host.bodies("POST documents/4/review"), [
    { crop: [whole, { page: 1, box: { x: 50, y: 0, width: 50, height: 200 } }] },
    { crop: [whole] },
  ]);
  assert.equal(place.querySelector(".handle"), null);
  leave();
});

test("A text that is being corrected is saved before another page is shown", async () => {
  const { place, leave, now, level } = await opened();
  host.on("POST documents/4/review", () => changed(now, ["p1", "p2", "p3"]));
  await press(place, "Correct the text");
  place.querySelector("textarea[aria-label='Text on this page']").value = "Left";
  await press(place, "Next page");
  assert.deepEqual(host.bodies("POST documents/4/review"), [{
    correct: [{ page: 1, text: "Left" }],
  }]);
  assert.equal(level(), "Page 2 of 3");
  await press(place, "Next page");
  assert.equal(host.count("POST documents/4/review"), 1, "an unchanged text is not saved");
  leave();
});

test("A text that is being corrected outlives the changes of others, and a refusal", async () => {
  const { place, leave, now } = await opened();
  await press(place, "Correct the text");
  const field = place.querySelector("textarea[aria-label='Text on this page']");
  field.value = "Zephyr";
  now.whole = wholeOf({ version: 8, note: "Meanwhile" });
  publish("archive", {});
  await settle();
  assert.equal(place.contains(field), true);
  assert.equal(place.querySelector("[data-keep=note]").textContent, "Meanwhile");
  host.on("POST documents/4/review", new Refused("changed-meanwhile", "x", 412));
  await press(place, "Save this text");
  assert.match(told(), /Your text is still in its field/);
  assert.equal(field.value, "Zephyr");
  leave();
  await settle();
  assert.equal(host.count("POST documents/4/review"), 2, "it is saved when the view is left");
});

test("Before the page is closed, the browser asks about an unsaved text", async () => {
  const { place, leave } = await opened();
  const isAsked = () => {
    const event = new Happening("beforeunload");
    dispatchEvent(event);
    return event.defaultPrevented;
  };
  assert.equal(isAsked(), false);
  await press(place, "Correct the text");
  place.querySelector("textarea[aria-label='Text on this page']").value = "New";
  assert.equal(isAsked(), true);
  await press(place, "Cancel");
  assert.equal(isAsked(), false);
  leave();
  assert.equal(isAsked(), false);
});

test("Ctrl and Z undo and redo, except in a field, and only what can be undone", async () => {
  const { place, leave, now } = await opened({ whole: wholeOf({ undoable: 1, redoable: 1 }) });
  host.on(
    "POST documents/4/undo",
    () => changed(now, ["p1", "p2", "p3"], { undoable: 0 }).document,
  );
  host.on(
    "POST documents/4/redo",
    () => changed(now, ["p1", "p2", "p3"], { redoable: 0 }).document,
  );
  const z = async (more, target = document.body) => {
    dispatchEvent(new Happening("keydown", { key: "z", target, ...more }));
    await settle();
  };
  await z({ ctrlKey: true }, place.querySelector("[data-keep=title]"));
  await z({});
  assert.equal(host.count("POST documents/4/undo"), 0);
  await z({ ctrlKey: true });
  await z({ ctrlKey: true });
  await z({ metaKey: true, shiftKey: true });
  await z({ metaKey: true, shiftKey: true });
  assert.equal(host.count("POST documents/4/undo"), 1);
  assert.equal(host.count("POST documents/4/redo"), 1);
  leave();
});

test("An undone processing says so, and can be made again", async () => {
  const { place, leave, now } = await opened();
  host.on(
    "POST documents/4/undo",
    () => changed(now, ["p1", "p2", "p3"], { undoable: 0 }).document,
  );
  host.on("POST documents/4/redo", () => changed(now, ["p1", "p2", "p3"]).document);
  await press(place, "Undo");
  assert.match(told(), /automatic processing was undone/);
  await press(document.getElementById("told"), "Redo");
  assert.equal(host.count("POST documents/4/redo"), 1);
  leave();
});

test("Pages after a split are a document of their own, which the message leads to", async () => {
  const { place, leave, now } = await opened();
  host.on("POST documents/4/review", () => ({ ...changed(now, ["p1"]), made: 5 }));
  await press(place, "Split after");
  assert.match(told(), /are now a separate document/);
  assert.equal(document.querySelector("#told a").href, "#document/5");
  leave();
});

test("A document goes into the trash and comes back", async () => {
  const { place, leave, now } = await opened();
  host.on(
    "POST documents/4/trash",
    () => (now.whole = wholeOf({ version: 8 }, { trashed: "2026" })),
  );
  host.on("POST documents/4/restore", () => (now.whole = wholeOf({ version: 9 })));
  await press(place, "Move document to trash");
  assert.equal(place.querySelector("p.warn").textContent, "This document is in the trash.");
  await press(document.getElementById("told"), "Undo");
  assert.equal(place.querySelector("p.warn").textContent, "");
  leave();
});

test("A document is renamed in its place, and Escape leaves its title as it was", async () => {
  const { place, leave, now } = await opened();
  host.on("PATCH documents/4", ({ title }) => (now.whole = wholeOf({ version: 8 }, { title })));
  for (const [last, wanted] of [["Escape", "Rent"], ["Enter", "Lease"]]) {
    await press(place, "Rename");
    const field = place.querySelector("input.renaming");
    field.value = " Lease ";
    await key(field, last);
    assert.equal(place.querySelector("h2").textContent, wanted);
    assert.equal(document.activeElement, buttonOf(place, "Rename"));
  }
  // An empty title is none.
  await press(place, "Rename");
  const field = place.querySelector("input.renaming");
  field.value = " ";
  await key(field, "Enter");
  assert.deepEqual(host.bodies("PATCH documents/4"), [{ title: "Lease" }]);
  leave();
});

test("Those who only read change nothing, not even by keys", async () => {
  const { place, leave } = await opened({ session: { scope: "read" } });
  await key(place.querySelector("[data-number]"), "Delete");
  await key(place.querySelector("[data-number]"), "r");
  assert.equal(host.asked.some(([one]) => !one.startsWith("GET")), false);
  assert.doesNotMatch(place.textContent, /All changes are saved/);
  leave();
});

test("A session of cards shows its cards, and another document its entries", async () => {
  const entries = [{ id: 1, page: "p1", fields: [{ name: "title", value: "Elf" }] }];
  const counted = { fields: [{ name: "cards", value: "1", source: "card" }], entries };
  for (const [more, wanted] of [[{}, []], [{ entries }, ["Entries"]], [counted, ["Cards"]]]) {
    const { place, leave } = await opened({ whole: wholeOf(more) });
    const lists = place.querySelectorAll("section[aria-label=Cards], section[aria-label=Entries]");
    const names = lists.filter((one) => !one.hidden).map((one) => one.getAttribute("aria-label"));
    assert.deepEqual(names, wanted);
    leave();
  }
});

test("The title of the browser's window is the document's", async () => {
  const titles = [];
  const place = emptyView();
  place.addEventListener("retitle", (event) => titles.push(event.detail));
  host.on("GET documents/4", wholeOf()).on("GET outbox", { items: [] });
  host.on("GET documents/4/pages/1", { page: pageOf(1), paragraphs: [] });
  host.on("GET sinks", { sinks: [] }).on("GET documents/4/suggestions", { tags: [] });
  const leave = await view.show(place, ["4"]);
  assert.equal(titles.at(-1), "Rent");
  leave();
});
