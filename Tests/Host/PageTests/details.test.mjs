// What is known about a document: its metadata, its history, its entries and its cards.
import assert from "node:assert/strict";
import test from "node:test";
import {
  buttonOf,
  check,
  fill,
  host,
  key,
  press,
  settle,
  shown,
  texts,
  told,
} from "./Support/page.mjs";
import {
  cards,
  isOfCards,
  isSession,
  withCards,
} from "../../../Sources/Host/WebPage/files/details/cards.js";
import { entries } from "../../../Sources/Host/WebPage/files/details/entries.js";
import { History } from "../../../Sources/Host/WebPage/files/details/history.js";
import { known } from "../../../Sources/Host/WebPage/files/details/known.js";
import { enter } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { entryAfter } from "../../../Sources/Host/WebPage/files/parts/listing.js";

async function signedIn(session) {
  host.on("GET session", session);
  await enter();
}

test.beforeEach(async () => {
  host.reset();
  host.on("GET documents/*/suggestions", { tags: [] });
  await signedIn({});
});

let version = 0;
const wholeOf = (more = {}, document = {}) => ({
  version: version += 1,
  document: {
    id: 4,
    title: "Rent",
    type: "invoice",
    tags: ["house"],
    pages: 2,
    created: "2026-05-17T12:00:00",
    ...document,
  },
  note: "By hand",
  fields: [],
  entries: [],
  pages: [],
  receipts: [],
  ...more,
});

// The metadata of a document, with the changes that are made to it.
async function details(more, document) {
  const changes = [];
  const element = shown(known(wholeOf(more, document), async (change) => changes.push(change)));
  await settle();
  return { element, changes, field: (name) => element.querySelector(`[data-keep="${name}"]`) };
}

test("Each field of a document is changed by itself", async () => {
  const { element, changes, field } = await details({
    fields: [{ name: "total", value: "12.50", source: "read" }, { name: "Meter", value: "A" }],
  });
  await fill(field("title"), "Lease");
  await fill(field("type"), "contract");
  await fill(field("note"), "");
  await fill(field("field-Meter"), "B");
  // An emptied field is deleted.
  await fill(field("field-total"), "");
  assert.deepEqual(changes, [
    { title: "Lease" },
    { type: "contract" },
    { note: "" },
    { fields: { Meter: "B" } },
    { fields: { total: null } },
  ]);
  assert.match(element.textContent, /total \(read\)/);
});

test("A document keeps its title rather than none", async () => {
  const { changes, field } = await details();
  await fill(field("title"), "   ");
  assert.deepEqual(changes, []);
  assert.equal(field("title").value, "Rent");
  assert.match(told(), /needs a title/);
});

test("Tags are added once, and removed one by one", async () => {
  host.on("GET tags", { tags: [] });
  const { element, changes, field } = await details();
  await fill(field("tag"), " tax ");
  await fill(field("tag"), "  ");
  await press(element, "Remove the tag house");
  assert.deepEqual(changes, [{ addTags: ["tax"] }, { removeTags: ["house"] }]);
  assert.equal(field("tag").value, "");
});

test("Tags of other documents are proposed, but not those that the document has", async () => {
  host.on("GET tags", { tags: [{ name: "house" }, { name: "tax" }] });
  const { element, field } = await details();
  field("tag").dispatchEvent(new Event("focus"));
  await settle();
  assert.deepEqual(element.querySelectorAll("datalist option").map((one) => one.value), ["tax"]);
});

test("What similar documents have is offered, each with one press", async () => {
  host.on("GET documents/4/suggestions", { type: "report", tags: ["board", "2026"] });
  const { element, changes } = await details();
  assert.deepEqual(texts(element, ".chip"), ["report", "board", "2026"]);
  await press(element, "report");
  await press(element, "board");
  assert.deepEqual(changes, [{ type: "report" }, { addTags: ["board"] }]);
});

test("Nothing is offered without a suggestion, in the trash, or to mere readers", async () => {
  const plain = await details();
  assert.equal(plain.element.querySelector(".suggested").hidden, true);
  host.on("GET documents/4/suggestions", { type: "report", tags: [] });
  const trashed = await details({}, { trashed: "2026" });
  assert.equal(trashed.element.querySelector(".suggested").hidden, true);
  await signedIn({ scope: "read" });
  const reader = await details();
  assert.equal(reader.element.querySelector(".suggested").hidden, true);
  assert.equal(reader.element.querySelector("fieldset").disabled, true);
});

test("Suggestions are asked for once for each version of a document", async () => {
  const whole = wholeOf();
  known(whole, () => {});
  known(whole, () => {});
  known({ ...whole, version: whole.version + 1 }, () => {});
  version += 1;
  await settle();
  assert.equal(host.count("GET documents/4/suggestions"), 2);
});

test("A document says how many pages it has, and its day and language", async () => {
  const { element } = await details({}, { language: "deu" });
  assert.equal(element.querySelector("p.soft").textContent, "Pages: 2 · May 17, 2026 · deu");
});

const act = (more) => ({ action: "scanned", made: "2026-05-17T12:00:00", ...more });

test("The history says what was done, by whom and where", async () => {
  host.on("GET documents/4/history?limit=8", {
    entries: [
      act({ action: "changed", changes: ["title", "tags"], name: "ada", station: "hall" }),
      act({ action: "sent", sink: "email:bob" }),
      act({ name: "ada" }),
    ],
  });
  const history = new History("documents/4", () => {});
  shown(history.element);
  history.update(wholeOf());
  await settle();
  assert.equal(host.count("GET documents/4/history?limit=8"), 0, "nobody looks");
  await press(history.element, "Owner and history");
  const items = history.list.children;
  assert.deepEqual(items.map((one) => one.firstChild.textContent), [
    "Changed: title, tags",
    "Sent to bob by e-mail",
    "Scanned",
  ]);
  assert.match(items[0].lastChild.textContent, /^May 17, 2026.* · ada · hall$/);
  assert.match(items[2].lastChild.textContent, / · ada$/);
});

for (
  const [session, isField] of [
    [{ needsToken: true, sees: "all", scope: "scan" }, true],
    [{ needsToken: true, sees: "own", scope: "scan" }, false],
    [{ needsToken: true, sees: "all", scope: "read" }, false],
    [{}, false],
  ]
) {
  test(`${JSON.stringify(session)} ${isField ? "can" : "can't"} change the owner`, async () => {
    await signedIn(session);
    const given = [];
    const history = new History("documents/4", async (name) => given.push(name));
    shown(history.element);
    history.update(wholeOf({}, { owner: "office" }));
    const field = history.owner.querySelector("input");
    assert.equal(Boolean(field), isField);
    if (isField) {
      await fill(field, " ada ");
      assert.deepEqual(given, ["ada"]);
    } else assert.equal(history.owner.textContent, "Owner: office");
  });
}

test("A document without an owner is everyone's", () => {
  const history = new History("documents/4", () => {});
  history.update(wholeOf());
  assert.equal(history.owner.textContent, "Owner: everyone");
});

for (
  const [gone, wanted] of [
    [[2], 3],
    [[4], 3],
    [[1, 2], 3],
    [[3, 4], 2],
    [[2, 4], 3],
    [[1, 2, 3, 4], undefined],
  ]
) {
  test(`After the entries ${gone} of four are gone, ${wanted} is selected`, () => {
    const all = [1, 2, 3, 4].map((id) => ({ id }));
    assert.equal(entryAfter(all, new Set(gone))?.id, wanted);
  });
}

const entry = (id, fields, more = {}) => ({
  id,
  page: 10 + id,
  fields: Object.entries(fields).map(([name, value]) => ({
    name,
    value,
    source: "entries",
    ...more,
  })),
});
const pageOf = (id, number) => ({
  id,
  number,
  image: "i",
  turn: 0,
  captured: { width: 10, height: 20 },
});

// The entries of a document in the page, with the changes and the places that are shown.
function listed(list, whole) {
  const [changes, places] = [[], []];
  const made = list({
    change: async (order) => changes.push(order),
    place: (number, boxes) => places.push([number, boxes]),
  });
  shown(made.element);
  made.update(whole, true);
  const box = (id) => made.element.querySelector(`[data-keep="choose-${id}"]`);
  return { made, changes, places, box };
}

const recipes = (...list) => wholeOf({ entries: list, pages: [pageOf(11, 1), pageOf(12, 2)] });

for (
  const [fields, wanted] of [
    [{ number: "2", title: "Pea soup", text: "Soak" }, "2 · Pea soup"],
    [{ title: "Pea soup" }, "Pea soup"],
    [{ text: "Soak the peas" }, "Soak the peas"],
    [{ text: "x".repeat(99) }, "x".repeat(80)],
    [{}, "empty"],
  ]
) {
  test(`An entry with ${JSON.stringify(fields).slice(0, 60)} is called '${wanted}'`, () => {
    const { made } = listed(entries, recipes(entry(1, fields)));
    assert.equal(made.element.querySelector(".opener").textContent, wanted);
  });
}

test("An opened entry has its fields, also missing ones, and its place", async () => {
  const one = entry(1, { title: "Soup", yield: "4" }, { box: { x: 1 } });
  const { made, changes, places } = listed(entries, recipes(one, entry(2, { title: "Cake" })));
  await press(made.element, "Soup");
  assert.deepEqual(places, [[1, [{ x: 1 }, { x: 1 }]]]);
  assert.deepEqual(texts(made.element, ".fields label"), ["Number", "Title", "Text", "yield"]);
  assert.equal(buttonOf(made.element, "Soup").getAttribute("aria-expanded"), "true");
  const field = (name) => made.element.querySelector(`[data-keep="${name}-1"]`);
  await fill(field("title"), " Onion soup ");
  await fill(field("yield"), "");
  await fill(field("number"), "");
  assert.deepEqual(changes, [
    { entries: [{ id: 1, fields: { title: "Onion soup" } }] },
    { entries: [{ id: 1, fields: { yield: null } }] },
  ], "an unchanged field is not saved");
  await press(made.element, "Soup");
  assert.equal(made.element.querySelector(".fields"), null);
  assert.equal(places.length, 1, "closing shows no place");
});

test("An entry that was added by hand has only its own fields", async () => {
  const own = { id: 1, page: 11, fields: [{ name: "serial", value: "A1" }] };
  const { made } = listed(entries, recipes(own));
  await press(made.element, "A1");
  assert.deepEqual(texts(made.element, ".fields label"), ["serial"]);
});

test("An entry that the reader was not sure of is marked", () => {
  const { made } = listed(
    entries,
    recipes(
      entry(1, { title: "a" }, { confidence: 0.4 }),
      entry(2, { title: "b" }, { confidence: 0.9 }),
    ),
  );
  assert.deepEqual(texts(made.element, "li").map((one) => /please check/.test(one)), [true, false]);
});

test("Keys move between entries, select, open and delete them", async () => {
  const all = [1, 2, 3].map((id) => entry(id, { title: "E" + id }));
  const { made, changes, box } = listed(entries, recipes(...all));
  box(1).focus();
  await key(box(1), "ArrowDown");
  assert.equal(document.activeElement, box(2));
  await key(box(2), "ArrowUp");
  await key(box(1), "End");
  assert.equal(document.activeElement, box(3));
  await key(box(3), "Home");
  assert.equal(document.activeElement, box(1));
  await key(box(1), "Enter");
  assert.notEqual(made.element.querySelector(".fields"), null);
  await key(box(1), "Delete");
  assert.deepEqual(changes, [{ deleteEntries: [1] }]);
  await check(box(2));
  await check(box(3));
  assert.equal(made.bar.querySelector("[role=status]").textContent, "Selected: 2");
  await key(box(1), "Delete");
  assert.deepEqual(changes.at(-1), { deleteEntries: [2, 3] });
});

test("In an entry's fields, keys are letters", async () => {
  const { made, changes } = listed(entries, recipes(entry(1, { title: "E1" })));
  await press(made.element, "E1");
  const event = await key(made.element.querySelector(".fields input"), "Delete");
  assert.equal(event.defaultPrevented, false);
  assert.deepEqual(changes, []);
});

test("All entries are selected by key or button, and none at a second press", async () => {
  const all = [1, 2].map((id) => entry(id, { title: "E" + id }));
  const { made, box } = listed(entries, recipes(...all));
  await key(box(1), "a", { ctrlKey: true });
  assert.equal(made.selected.length, 2);
  await press(made.bar, "Select none");
  assert.equal(made.selected.length, 0);
  assert.equal(buttonOf(made.bar, "Delete selected").disabled, true);
  await press(made.bar, "Select all");
  assert.equal(made.selected.length, 2);
  // What is gone from the document is not selected anymore.
  made.update(recipes(all[0]), true);
  assert.equal(made.selected.length, 1);
  assert.equal(made.state.textContent, "Entries: 1");
});

test("After a deletion the focus is on the entry that follows", async () => {
  const all = [1, 2, 3].map((id) => entry(id, { title: "E" + id }));
  const { made, box } = listed(entries, recipes(...all));
  box(2).focus();
  await key(box(2), "Delete");
  made.update(recipes(all[0], all[2]), true);
  assert.equal(document.activeElement, box(3));
});

test("Those who only read can't write into the fields", async () => {
  await signedIn({ scope: "read" });
  const { made } = listed(entries, recipes(entry(1, { title: "E1" })));
  await press(made.element, "E1");
  assert.equal(made.element.querySelector(".fields input").hasAttribute("readonly"), true);
});

const total = (name, value) => ({ name, value, source: "card" });
const session = (list, fields = [total("cards", String(list.length))]) =>
  wholeOf({ entries: list, fields, pages: list.map((one, index) => pageOf(one.page, index + 1)) });

test("A session of cards is one if the host counted cards", () => {
  assert.equal(isSession(session([entry(1, { title: "Elf" })])), true);
  assert.equal(isSession(wholeOf({ fields: [total("total-value", "1 EUR")] })), false);
  assert.equal(
    isSession(wholeOf({ fields: [{ name: "cards", value: "3", source: "read" }] })),
    false,
  );
  assert.equal(isOfCards(total("cards", "3")), true);
});

for (
  const [values, fields, wanted] of [
    [
      ["3 EUR", "1 EUR"],
      [total("cards", "2"), total("total-value", "4 EUR")],
      "Cards: 2 · total 4 EUR",
    ],
    [
      ["3 EUR", ""],
      [total("cards", "2"), total("total-value", "3 EUR")],
      "Cards: 2 · total 3 EUR · without a value: 1",
    ],
    [
      ["3 EUR", "2 USD"],
      [total("cards", "2"), total("total-value-EUR", "3 EUR"), total("total-value-USD", "2 USD")],
      "Cards: 2 · total 3 EUR + 2 USD",
    ],
    [["", ""], [total("cards", "2")], "Cards: 2 · without a value: 2"],
  ]
) {
  test(`Cards worth [${values}] are summed up as '${wanted}'`, () => {
    const list = values.map((value, index) => entry(index + 1, { title: "C", value }));
    const { made } = listed(cards, session(list, fields));
    assert.equal(made.state.textContent, wanted);
  });
}

for (
  const [text, isAmount] of [
    ["3.20 EUR", true],
    ["10,00 EUR", true],
    ["€3", true],
    ["2", true],
    ["$ 1234567", true],
    ["mint", false],
    ["1.5", false],
    ["12345678", false],
    ["3 + 4", false],
    ["", true],
  ]
) {
  test(`'${text}' ${isAmount ? "is" : "is not"} taken as a card's value`, async () => {
    const { made, changes } = listed(cards, session([entry(1, { title: "Elf", value: "9 EUR" })]));
    const field = made.element.querySelector("[data-value]");
    await fill(field, text);
    assert.equal(field.getAttribute("aria-invalid"), String(!isAmount));
    assert.equal(changes.length, isAmount ? 1 : 0);
    if (!isAmount) assert.equal(told(), "An amount such as 12.50 EUR or €3");
  });
}

test("Enter goes from one card's value to the next", async () => {
  const list = [1, 2].map((id) => entry(id, { title: "C" + id, value: "1 EUR" }));
  const { made } = listed(cards, session(list));
  const [first, second] = made.element.querySelectorAll("[data-value]");
  first.focus();
  const event = await key(first, "Enter");
  assert.equal(document.activeElement, second);
  assert.equal(event.defaultPrevented, true);
  assert.equal((await key(second, "Enter")).defaultPrevented, false);
});

test("A card is shown on its page, and without a name by its number", async () => {
  const { made, places } = listed(cards, session([entry(1, { title: "Elf" }), entry(2, {})]));
  await press(made.element, "Show “Elf”");
  assert.deepEqual(places, [[1, []]]);
  assert.notEqual(buttonOf(made.element, "Show “Card 2”"), undefined);
});

test("A card takes its page along, but the last page stays", async () => {
  const list = [1, 2].map((id) => entry(id, { title: "C" + id }));
  const { made, changes, box } = listed(cards, session(list));
  await press(made.element, "Delete “C2”");
  await key(box(1), "a", { ctrlKey: true });
  await press(made.bar, "Delete selected");
  assert.deepEqual(changes, [{ deleteEntries: [2], delete: [2] }, { deleteEntries: [1, 2] }]);
});

test("Deleted pages of a session take their cards along, other pages do not", () => {
  const whole = session([1, 2].map((id) => entry(id, { title: "C" + id })));
  assert.deepEqual(withCards({ delete: [2] }, whole), { delete: [2], deleteEntries: [2] });
  const ready = { delete: [2], deleteEntries: [] };
  assert.equal(withCards(ready, whole), ready);
  const other = { rotate: [] };
  assert.equal(withCards(other, whole), other);
  const plain = { delete: [1] };
  assert.equal(withCards(plain, recipes(entry(1, {}))), plain);
});
