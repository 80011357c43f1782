// The strip of arriving pages: which pages, in which order, and where each leads.
import assert from "node:assert/strict";
import test from "node:test";
import { shown, texts } from "./Support/page.mjs";
import {
  archived,
  strip,
  withPages,
} from "../../../Sources/Host/WebPage/files/parts/strip.js";

const page = (number, more = {}) => ({
  number,
  captured: number,
  stage: "finished",
  hasPicture: true,
  pictureVersion: 1,
  problems: [],
  ...more,
});
const toArchive = (...documents) => documents.map((document) => ({ sink: "archive", document }));
const job = (more = {}) => ({ id: "a b", pages: [], deliveries: [], ...more });

// The strip with a job's pages.
function made(one, wholes) {
  const list = shown(strip());
  list.update(one, wholes);
  return list;
}

const ways = (list) => list.querySelectorAll("a").map((one) => one.getAttribute("href"));
const pictures = (list) => list.querySelectorAll("img").map((one) => one.src);

test("The documents of a job are those in the archive", () => {
  const deliveries = [...toArchive("4", "5"), { sink: "shelf", document: "x" }, {
    sink: "archive",
  }];
  assert.deepEqual(archived(job({ deliveries })), ["4", "5"]);
});

test("Reports about a captured picture replace those before, in the order of capture", () => {
  const before = job({ pages: [page(1), page(2, { captured: 2 }), page(4, { captured: 3 })] });
  // Picture 2 became two pages, such as those of an open book.
  const now = withPages(before, [page(2, { captured: 2 }), page(3, { captured: 2 })]);
  assert.deepEqual(now.pages.map((one) => [one.number, one.captured]), [[1, 1], [2, 2], [3, 2], [
    4,
    3,
  ]]);
  assert.equal(before.pages.length, 3, "the job before stays as it was");
  const later = withPages(before, [page(5, { captured: 9 })]);
  assert.deepEqual(later.pages.map((one) => one.captured), [1, 2, 3, 9]);
  const first = withPages(job({ pages: [page(2, { captured: 2 })] }), [page(1, { captured: 1 })]);
  assert.deepEqual(first.pages.map((one) => one.captured), [1, 2]);
  assert.equal(withPages(before, []), before);
});

test("A page that is coming in shows how far it is, and its picture once there is one", () => {
  const pages = [
    page(1, { stage: "captured" }),
    page(2, { stage: "capturing", hasPicture: false }),
    page(3, { stage: "skipped", hasPicture: false, problems: ["It is blank"] }),
  ];
  const list = made(job({ pages }));
  assert.deepEqual(texts(list, ".stage-word"), [
    "being processed",
    "being captured",
    "could not be captured",
  ]);
  assert.deepEqual(pictures(list), ["/api/v1/jobs/a%20b/pages/1/thumbnail?version=1", "", ""]);
  assert.deepEqual(ways(list), [null, null, null]);
  assert.deepEqual(texts(list, ".warn"), ["", "", "It is blank"]);
});

test("A page says its number or the name of its file, and how many words it has", () => {
  const pages = [page(1, { words: 120 }), page(2, { words: 0 }), page(3, { label: "Rent.jpg" })];
  assert.deepEqual(texts(made(job({ pages })), "li > .soft"), [
    "Page 1 · 120 words",
    "Page 2",
    "Rent.jpg",
  ]);
});

test("A finished page leads to its place in the document, and shows it from there", () => {
  const list = made(job({ pages: [page(1), page(2)], deliveries: toArchive("4") }));
  assert.deepEqual(ways(list), ["#document/4/1", "#document/4/2"]);
  assert.deepEqual(pictures(list)[1], "/api/v1/documents/4/pages/2/thumbnail");
});

test("The pages of a stack lead into their own documents, where they count from one", () => {
  const pages = [
    page(1, { document: 1 }),
    page(2, { document: 0 }),
    page(3, { document: 2 }),
    page(4, { document: 2 }),
  ];
  const list = made(job({ pages, deliveries: toArchive("4", "5") }));
  assert.deepEqual(ways(list), ["#document/4/1", null, "#document/5/1", "#document/5/2"]);
  assert.deepEqual(
    list.children.map((one) => one.classList.contains("aside")),
    [false, true, false, false],
  );
  // As long as a document is missing, nobody knows which one is which.
  const some = made(job({ pages, deliveries: toArchive("4") }));
  assert.deepEqual(ways(some), [null, null, null, null]);
});

test("Pages that a worker split differently have no place in the documents", () => {
  const list = made(job({ pages: [page(1), page(2)], deliveries: toArchive("4", "5") }));
  assert.deepEqual(ways(list), [null, null]);
});

test("A document that was changed shows the pages that it has now", () => {
  const now = (number, id) => ({
    number,
    id,
    image: "i" + id,
    turn: 0,
    captured: { width: 10, height: 20 },
    problems: [],
  });
  const whole = { document: { id: 4 }, undoable: 1, pages: [now(1, 2), now(2, 1), now(3, 9)] };
  const one = job({ pages: [page(1), page(2)], deliveries: toArchive("4") });
  const list = made(one, [whole]);
  assert.deepEqual(ways(list), ["#document/4/1", "#document/4/2", "#document/4/3"]);
  assert.equal(list.querySelectorAll("svg").length, 3);
  list.update(one, [{ ...whole, pages: [now(1, 2)] }]);
  assert.equal(list.childElementCount, 1);
  // An unchanged one shows the job's own pages, with what was reported about them.
  list.update(one, [{ ...whole, undoable: 0 }]);
  assert.deepEqual([list.childElementCount, list.querySelectorAll("svg").length], [2, 0]);
});

test("A strip without pages is hidden", () => {
  const list = made(job());
  assert.equal(list.hidden, true);
  list.update(job({ pages: [page(1)] }));
  assert.equal(list.hidden, false);
});

test("The strip follows new pages, unless the user has scrolled back", () => {
  for (const [scrollLeft, wanted] of [[1700, 3000], [100, 100]]) {
    const list = made(job({ pages: [page(1)] }));
    Object.assign(list, { scrollWidth: 3000, clientWidth: 1000, scrollLeft });
    list.update(job({ pages: [page(1), page(2)] }));
    assert.equal(list.scrollLeft, wanted);
  }
});
