// Jobs: how far each is, what is said about it, and what can be done.
import assert from "node:assert/strict";
import test from "node:test";
import {
  answers,
  buttonOf,
  emptyView,
  host,
  pass,
  press,
  Refused,
  settle,
  shown,
  texts,
  told,
} from "./Support/page.mjs";
import { addButton } from "../../../Sources/Host/WebPage/files/scan/adding.js";
import {
  deliveryList,
  WaitingDeliveries,
} from "../../../Sources/Host/WebPage/files/scan/deliveries.js";
import {
  jobCard,
  jobList,
  putBack,
  stateName,
  view,
} from "../../../Sources/Host/WebPage/files/scan/jobs.js";
import {
  isLeft,
  isOver,
  placeWords,
} from "../../../Sources/Host/WebPage/files/scan/place.js";
import { publish } from "../../../Sources/Host/WebPage/files/shell/host.js";

test.beforeEach(() => {
  host.reset();
  host.on("GET sinks", { sinks: ["archive", "shelf"] });
  Object.assign(answers, { isSure: true, questions: [] });
});

const page = (number, more = {}) => ({
  number,
  captured: number,
  stage: "finished",
  problems: [],
  ...more,
});
const jobOf = (more = {}) => ({
  id: "j1",
  state: "running",
  message: "Scanning with desk",
  pages: [],
  deliveries: [],
  notices: [],
  noticeSayings: [],
  devices: ["desk"],
  profile: "document",
  ...more,
});
const toArchive = (...documents) =>
  documents.map((document) => ({ sink: "archive", document: String(document) }));
const documentWith = (id, pages, more = {}) => ({
  document: { id, title: "Rent of " + id, ...more },
  undoable: 0,
  pages: Array.from({ length: pages }, (_, index) => page(index + 1, { id: index + 1 })),
});

for (
  const [state, wanted] of [
    ["running", false],
    ["waiting", false],
    ["completed", true],
    ["stopped", true],
    ["failed", true],
  ]
) {
  test(`A job that is '${state}' is ${wanted ? "over" : "not over"}`, () => {
    assert.equal(isOver({ state }), wanted);
  });
}

for (
  const [job, words, left] of [
    [{}, "", false],
    [{ place: "station" }, "", false],
    [{ place: "uploading" }, "On its way into the archive", false],
    [{ place: "waiting" }, "Waiting for a reader", true],
    [{ place: "waiting", ahead: 1 }, "Waiting for a reader, 1 page ahead of yours", true],
    [{ place: "waiting", ahead: 3 }, "Waiting for a reader, 3 pages ahead of yours", true],
    [{ place: "reading" }, "Being read", true],
    [{ place: "reading", read: 2 }, "Being read: 2 of 5 pages", true],
    [{ place: "archive" }, "", false],
  ]
) {
  test(`The pages of a job at ${JSON.stringify(job)} are said to be '${words}'`, () => {
    assert.equal(placeWords(job, 5), words);
    assert.equal(isLeft(job), left);
  });
}

for (
  const [job, wanted] of [
    [{ state: "running" }, "Scanning"],
    [{ state: "waiting" }, "Waiting for you"],
    [{ state: "completed" }, "Done"],
    [{ state: "completed", place: "reading" }, "Scanned"],
    [{ state: "completed", place: "uploading" }, "Done"],
    [{ state: "stopped" }, "Stopped"],
    [{ state: "failed" }, "Failed"],
    [{ state: "failed", continuation: "j1" }, "Interrupted"],
    // The pages are safe, and arrive without anyone's help.
    [{ state: "failed", problemCode: "archive-unreachable" }, "Waiting for the archive"],
    [{ state: "failed", problemCode: "archive-unreachable", continuation: "j1" }, "Interrupted"],
  ]
) {
  test(`A job ${JSON.stringify(job)} is called '${wanted}'`, () => {
    const card = jobCard(jobOf({ ...job, problem: job.problemCode && "No answer" }), {});
    assert.equal(card.querySelector(".top strong").textContent, wanted);
    assert.equal(typeof stateName(job), "string");
  });
}

for (
  const [next, wanted] of [
    [undefined, undefined],
    [{ sheet: 3 }, "Put sheet 3 and those after it back into the feeder."],
    [
      { sheet: 2, isTurned: true },
      "Put the turned stack back, starting with the back of sheet 2.",
    ],
    [
      { sheet: 2, hasFront: true },
      "Put sheet 2 and those after it back into the feeder. Its front was already captured, and " +
      "will be in the document twice.",
    ],
  ]
) {
  test(`Before a job continues with ${JSON.stringify(next)}, that is put back`, () => {
    assert.equal(putBack(next), wanted);
  });
}

test("A running job counts what is read, and can be stopped", async () => {
  host.on("POST jobs/j1/stop", {});
  const pages = [page(1), page(2, { stage: "captured" }), page(3, { stage: "capturing" })];
  const card = shown(jobCard(jobOf({ pages }), {}));
  assert.equal(card.querySelector(".count").textContent, "Read: 1 of 3");
  await press(card, "Stop");
  assert.equal(host.count("POST jobs/j1/stop"), 1);
  card.update(jobOf({ pages, state: "completed" }));
  assert.equal(card.querySelector(".count").textContent, "");
  assert.equal(buttonOf(card, "Stop").hidden, true);
});

for (
  const [name, job, value, max] of [
    ["no page yet", {}, null, null],
    // Another page may come, so the bar is not full.
    ["an unknown number, one read", { pages: [page(1)] }, "1", "2"],
    ["five expected", { expected: 5, pages: [page(1), page(2)] }, "2", "5"],
    ["more than expected", { expected: 1, pages: [page(1), page(2)] }, "2", "2"],
    ["none of five", { expected: 5 }, "0", "5"],
  ]
) {
  test(`The progress of a job with ${name} is ${value} of ${max}`, () => {
    const bar = jobCard(jobOf(job), {}).querySelector("progress");
    assert.deepEqual([bar.getAttribute("value"), bar.getAttribute("max")], [value, max]);
  });
}

test("A job's message is what its problem is, if it has one", () => {
  const card = jobCard(jobOf(), {});
  assert.match(card.textContent, /Scanning with desk/);
  card.update(jobOf({ state: "failed", message: "failed", problem: "The lamp is broken" }));
  const message = card.querySelector("p.bad");
  assert.equal(message.textContent, "The lamp is broken.");
});

test("An unchanged message is not set again, because it would be read aloud again", () => {
  const card = jobCard(jobOf(), {});
  const text = card.querySelector("p").firstChild;
  card.update(jobOf({ pages: [page(1)] }));
  assert.equal(card.querySelector("p").firstChild, text);
});

for (
  const [code, words] of [
    ["jammed", "Remove the stuck sheet. Put sheet 3 and those after it back into the feeder."],
    [
      "somethingNew",
      "Put sheet 3 and those after it back into the feeder.",
    ],
  ]
) {
  test(`An interrupted job with '${code}' says what to do, and goes on`, async () => {
    host.on("POST jobs/j0/continue", {});
    const card = shown(
      jobCard(jobOf({ state: "failed", code, continuation: "j0", next: { sheet: 3 } }), {}),
    );
    assert.equal(card.querySelector(".jam p").textContent, words);
    await press(card, "Continue with the rest");
    assert.equal(host.count("POST jobs/j0/continue"), 1);
  });
}

test("An interrupted job about which nothing is known still has advice", () => {
  const card = jobCard(jobOf({ state: "failed", code: "x", continuation: "j0" }), {});
  assert.equal(
    card.querySelector(".jam p").textContent,
    "Check the device, then continue. The pages captured so far are safe.",
  );
});

test("A job that asks for another sheet is answered either way", async () => {
  host.on("POST jobs/j1/answer", {});
  const card = shown(jobCard(jobOf({ state: "waiting", question: "another" }), {}));
  await press(card, "Scan another");
  await press(card, "Finish the document");
  assert.deepEqual(host.bodies("POST jobs/j1/answer"), [{ goesOn: true }, { goesOn: false }]);
  card.update(jobOf());
  assert.equal(card.querySelector(".asks"), null);
});

test("A finished job leads to its document, with its title and what can be done", async () => {
  host.on("GET documents/4", documentWith(4, 2));
  const job = jobOf({ state: "completed", deliveries: toArchive(4), pages: [page(1), page(2)] });
  const card = shown(jobCard(job, { more() {} }));
  await settle();
  assert.equal(card.querySelector(".name").textContent, "Rent of 4");
  assert.equal(card.querySelector("a[href='#document/4']").textContent, "Open");
  assert.equal(card.querySelector("a.main").textContent, "Download PDF");
  assert.deepEqual(texts(card, ".menu button"), ["shelf"]);
  assert.equal(buttonOf(card, "Scan more").hidden, false);
});

test("A running job has no way to what is not there", async () => {
  const card = shown(jobCard(jobOf({ pages: [page(1)] }), { more() {} }));
  await settle();
  assert.equal(card.querySelector(".out a"), null);
  assert.equal(buttonOf(card, "Scan more").hidden, true);
});

test("The documents of a stack are numbered, and more than six are in the archive", async () => {
  host.on("GET documents/*", (_, id) => documentWith(Number(id), 1));
  const some = shown(jobCard(jobOf({ state: "completed", deliveries: toArchive(4, 5) }), {}));
  await settle();
  assert.deepEqual(texts(some, ".out a"), ["Document 1", "Document 2"]);
  host.asked = [];
  const many = jobOf({ state: "completed", deliveries: toArchive(1, 2, 3, 4, 5, 6, 7) });
  const card = shown(jobCard(many, {}));
  await settle();
  assert.deepEqual(texts(card, ".out a"), ["Show 7 documents"]);
  assert.equal(host.asked.length, 0, "none of them is asked for");
});

test("A job counts the pages that its document has now", async () => {
  const pages = [page(1), page(2), page(3, { stage: "skipped" }), page(4, { document: 0 })];
  const job = jobOf({ state: "completed", message: "Pages: 2", pages, deliveries: toArchive(4) });
  for (const [number, wanted] of [[2, "Pages: 2"], [1, "Pages: 1"], [3, "Pages: 3"]]) {
    host.on("GET documents/4", documentWith(4, number));
    const card = shown(jobCard({ ...job, message: number === 2 ? "Pages: 2" : "old" }, {}));
    await settle();
    assert.equal(card.querySelector("p.soft").textContent, wanted);
  }
});

for (
  const [name, answer, isHidden] of [
    ["in the trash", documentWith(4, 1, { trashed: "2026" }), true],
    ["deleted for good", new Refused("no-such-document", "It is gone", 404), true],
    ["that can't be had now", new Refused("busy", "Later", 503), false],
    ["in the archive", documentWith(4, 1), false],
  ]
) {
  test(`The card of a document ${name} is ${isHidden ? "gone" : "there"}`, async () => {
    host.on("GET documents/4", answer);
    const job = jobOf({ state: "completed", deliveries: toArchive(4), pages: [page(1)] });
    const card = shown(jobCard(job, {}));
    await settle();
    assert.equal(card.hidden, isHidden);
  });
}

test("A card with a problem, or with a way on, stays without its document", async () => {
  host.on("GET documents/4", new Refused("no-such-document", "It is gone", 404));
  for (const more of [{ problem: "Jammed" }, { continuation: "j0", state: "failed" }]) {
    const job = jobOf({ state: "completed", deliveries: toArchive(4), ...more });
    const card = shown(jobCard(job, {}));
    await settle();
    assert.equal(card.hidden, false);
  }
});

test("A card says where its document went, and what the host noticed", () => {
  const deliveries = [
    { sink: "archive", document: "4", duplicateOf: 2 },
    { sink: "shelf" },
    { sink: "shelf" },
    { sink: "desk", waiting: "It is off" },
  ];
  const card = jobCard(
    jobOf({ state: "completed", deliveries, notices: ["Two were fed together"] }),
    {},
  );
  assert.deepEqual(texts(card, "p.good"), ["Delivered to shelf."]);
  assert.deepEqual(texts(card, "p.warn"), [
    "Two were fed together",
    "The archive already has these pages. Show document 2",
  ]);
  assert.equal(card.querySelector("p.warn a").href, "#document/2");
});

test("Only a finished job without a question left can be hidden", () => {
  const away = () => {};
  const hideOf = (job, on = { away }) => buttonOf(jobCard(job, on), "Hide").hidden;
  assert.equal(hideOf(jobOf()), true);
  assert.equal(hideOf(jobOf({ state: "completed" })), false);
  assert.equal(hideOf(jobOf({ state: "failed", continuation: "j0" })), true);
  assert.equal(hideOf(jobOf({ state: "completed" }), {}), true);
});

test("Reports about pages reach their job's card", () => {
  const place = emptyView();
  const list = jobList(place);
  list.show(jobOf());
  list.show(jobOf({ id: "j2" }));
  assert.deepEqual(place.children.map((one) => one.dataset.job), ["j2", "j1"]);
  list.take({ job: "j1", pages: [page(1)] });
  list.take({ job: "unknown", pages: [page(1)] });
  assert.equal(place.children[1].querySelectorAll(".strip li").length, 1);
  assert.equal(place.children[0].querySelectorAll(".strip li").length, 0);
  list.choose("j1");
  assert.deepEqual(place.children.map((one) => one.classList.contains("chosen")), [false, true]);
  list.keep([jobOf({ id: "j3" }), jobOf({ id: "j2" })]);
  assert.deepEqual(place.children.map((one) => one.dataset.job), ["j3", "j2"]);
  assert.deepEqual([list.has("j1"), list.has("j2")], [false, true]);
});

const waits = (id, more = {}) => ({ id, sink: "shelf", title: "Rent", document: 4, ...more });

test("A waiting delivery says why it waits and how much of it is sent", () => {
  const list = deliveryList(() => {});
  list.show([
    waits("a", { problem: "It is off", sent: 2_600_000, bytes: 8_000_000 }),
    waits("b", { document: undefined, title: undefined, sink: "email:bob" }),
  ]);
  assert.deepEqual(texts(list, ".sent"), ["3 of 8 MB sent", ""]);
  assert.deepEqual(texts(list, ".tag"), ["shelf", "bob by e-mail"]);
  assert.deepEqual(texts(list, ".warn"), ["It is off"]);
  assert.equal(list.querySelector("a").href, "#document/4");
  assert.equal(list.children[1].querySelector("strong").textContent, "b");
  list.show([]);
  assert.equal(list.hidden, true);
});

test("The progress of a delivery changes without drawing its card again", () => {
  const list = deliveryList(() => {});
  list.show([waits("a", { sent: 1e6, bytes: 4e6 })]);
  const card = list.firstElementChild;
  list.show([waits("a", { sent: 3e6, bytes: 4e6 })]);
  assert.equal(list.firstElementChild, card);
  assert.equal(card.querySelector(".sent").textContent, "3 of 4 MB sent");
  list.show([waits("a", { problem: "It is off" })]);
  assert.notEqual(list.firstElementChild, card);
});

test("A delivery is tried again, or deleted after a question", async () => {
  let reloads = 0;
  host.on("POST outbox/a/retry", new Refused("offline", "It is off")).on(
    "DELETE outbox/a",
    undefined,
  );
  const list = shown(deliveryList(() => (reloads += 1)));
  list.show([waits("a")]);
  await press(list, "Try now");
  assert.deepEqual([told(), reloads], ["It is off.", 1]);
  answers.isSure = false;
  await press(list, "Delete");
  assert.equal(host.count("DELETE outbox/a"), 0);
  answers.isSure = true;
  await press(list, "Delete");
  assert.deepEqual([host.count("DELETE outbox/a"), reloads], [1, 2]);
});

for (
  const [items, words] of [
    [[], undefined],
    [[waits("a")], "1 delivery is waiting"],
    [[waits("a"), waits("b"), waits("c", { document: 9 })], "2 deliveries are waiting"],
  ]
) {
  test(`With ${items.length} in the outbox, a document says '${words}'`, async () => {
    host.on("GET outbox", { items });
    const waiting = new WaitingDeliveries((item) => item.document === 4);
    await waiting.load();
    assert.equal(waiting.badge.hidden, !words);
    assert.equal(waiting.element.hidden, !words);
    if (words) assert.equal(waiting.badge.textContent, words);
  });
}

// What becomes of files that are added to document 4.
async function added({ jobs, documents = ["9"] }) {
  const heard = [];
  host.on("POST uploads?*", { id: "u1" }).on("POST jobs", { id: "j5" });
  host.on("GET jobs/j5", jobs[0]).on("POST documents/4/review", {}).on(
    "DELETE documents/9",
    undefined,
  );
  const button = shown(addButton("4", "document", {
    joins: (id) => heard.push(["joins", id]),
    joined: (id, isWhole) => heard.push(["joined", id, isWhole]),
  }));
  const input = button.querySelector("input");
  input.files = [new File(["x"], "a.jpg")];
  input.dispatchEvent(new Event("change"));
  await settle();
  for (const job of jobs.slice(1)) {
    publish("job", job);
    await settle();
  }
  return { heard, documents };
}

test("Added files become pages of the document, and their own document is gone", async () => {
  const done = jobOf({ id: "j5", state: "completed", deliveries: toArchive(9) });
  const { heard } = await added({ jobs: [jobOf({ id: "j5" }), jobOf({ id: "other" }), done] });
  assert.deepEqual(heard, [["joins", "j5"], ["joined", "j5", true]]);
  assert.deepEqual(host.bodies("POST documents/4/review"), [{ merge: 9 }]);
  assert.equal(host.count("DELETE documents/9"), 1);
  assert.deepEqual(host.bodies("POST jobs"), [{ profile: "document", uploads: ["u1"] }]);
  assert.equal(told(), "The pages were added.");
});

test("Files that wait for a reader are added when they are read", async () => {
  const waitsForReader = jobOf({ id: "j5", state: "completed", place: "waiting" });
  const first = await added({ jobs: [jobOf({ id: "j5" }), waitsForReader] });
  assert.deepEqual(first.heard, [["joins", "j5"]]);
  publish("job", jobOf({ id: "j5", state: "completed", deliveries: toArchive(9) }));
  await settle();
  assert.deepEqual(first.heard.at(-1), ["joined", "j5", true]);
});

for (
  const [name, more, words] of [
    [
      "has failed",
      { state: "failed", problem: "notes.txt is no picture" },
      /notes.txt is no picture/,
    ],
    [
      "has left out a page",
      { state: "completed", pages: [page(1, { stage: "skipped", problems: ["It is blank"] })] },
      /It is blank/,
    ],
  ]
) {
  test(`If the job of added files ${name}, that is told, and it is shown`, async () => {
    const { heard } = await added({ jobs: [jobOf({ id: "j5", ...more })] });
    assert.deepEqual(heard.at(-1), ["joined", "j5", false]);
    assert.match(told(), words);
  });
}

test("What was missed while the host was away is asked for again", async () => {
  const { heard } = await added({ jobs: [jobOf({ id: "j5" })] });
  host.on("GET jobs/j5", jobOf({ id: "j5", state: "completed", deliveries: toArchive(9) }));
  publish("link", true);
  await settle();
  assert.deepEqual(heard.at(-1), ["joined", "j5", true]);
});

// The view of jobs with what the host still has.
async function opened(stored = [], items = []) {
  host.on("GET jobs", { jobs: [], stored }).on("GET outbox", { items });
  const place = emptyView();
  const leave = await view.show(place);
  await settle();
  return { place, leave };
}

const kept = (more = {}) => ({
  id: "2026-05-17 desk",
  state: "interrupted",
  bytes: 5_400_000,
  pages: 3,
  undelivered: 3,
  advice: [{ action: "resume" }, { action: "append" }],
  ...more,
});

test("An interrupted job is delivered or continued", async () => {
  host.on("POST jobs/2026-05-17 desk/resume", {}).on("POST jobs/2026-05-17 desk/continue", {});
  const { place, leave } = await opened([kept({ next: { sheet: 4 } }), kept({ state: "running" })]);
  assert.deepEqual(texts(place, "li.card .tag"), ["interrupted"]);
  assert.equal(
    place.querySelector("li.card p").textContent,
    "Pages: 3 · 5 MB · Put sheet 4 and those after it back into the feeder.",
  );
  await press(place, "Deliver");
  await press(place, "Continue with the rest");
  assert.equal(host.count("POST jobs/2026-05-17 desk/resume"), 1);
  assert.equal(host.count("POST jobs/2026-05-17 desk/continue"), 1);
  leave();
});

test("Only what can be done with an interrupted job is offered", async () => {
  const { place, leave } = await opened([kept({ advice: [], awaitsArchive: true })]);
  assert.deepEqual(texts(place, "li.card button"), ["Delete"]);
  assert.match(place.querySelector("li.card").textContent, /archive's server did not answer/);
  leave();
});

for (
  const [undelivered, question, request] of [
    [2, /not in the archive: 2\./, "DELETE jobs/2026-05-17 desk?force=true"],
    [0, /^Delete 3 captured pages/, "DELETE jobs/2026-05-17 desk"],
  ]
) {
  test(`Deleting a job with ${undelivered} undelivered pages asks what would be lost`, async () => {
    host.on(request, undefined);
    const { place, leave } = await opened([kept({ undelivered })]);
    await press(place, "Delete");
    assert.match(answers.questions[0], question);
    assert.equal(host.count(request), 1);
    leave();
  });
}

test("An idle host says that nothing waits, and its outbox is followed", async () => {
  const { place, leave } = await opened();
  assert.match(place.textContent, /No interrupted jobs/);
  assert.match(place.textContent, /Nothing is waiting/);
  host.on("GET outbox", { items: [waits("a", { sent: 1e6, bytes: 9e6 })] });
  await pass(2000);
  assert.match(place.textContent, /1 of 9 MB sent/);
  leave();
  const before = host.asked.length;
  await pass(10_000);
  assert.equal(host.asked.length, before, "nobody watches anymore");
});

test("A job that begins appears, and one that ends is read again", async () => {
  const { place, leave } = await opened();
  publish("job", jobOf());
  assert.equal(place.querySelectorAll("[data-job]").length, 1);
  host.on("GET jobs", { jobs: [jobOf({ state: "completed" })], stored: [kept()] });
  publish("job", jobOf({ state: "completed" }));
  await settle();
  assert.deepEqual(texts(place, "[data-job] .top strong"), ["Done"]);
  assert.equal(place.querySelectorAll("li.card").length, 1);
  leave();
});

test("Only what may have changed the outbox or the jobs reads them again", async () => {
  const { place, leave } = await opened();
  const nothing = () => !place.querySelectorAll("p.soft").at(-1).hidden;
  assert.equal(nothing(), true);
  for (
    const [name, value, isRead] of [
      ["page", { job: "j1", pages: [] }, false],
      ["archive", {}, false],
      ["job", jobOf(), false],
      ["job", jobOf({ state: "completed" }), true],
      ["outbox", {}, true],
      ["reset", {}, true],
    ]
  ) {
    const before = host.count("GET outbox");
    publish(name, value);
    await settle();
    assert.equal(host.count("GET outbox") > before, isRead, name);
  }
  host.on("GET outbox", { items: [waits("a")] });
  publish("outbox", {});
  await settle();
  assert.equal(nothing(), false);
  leave();
});

test("The card of a document goes with it as soon as someone deletes that", async () => {
  host.on("GET documents/4", documentWith(4, 1));
  const place = emptyView();
  const list = jobList(place);
  list.show(jobOf({ state: "completed", deliveries: toArchive(4), pages: [page(1)] }));
  await settle();
  const card = place.firstElementChild;
  host.on("GET documents/4", new Refused("no-such-document", "It is gone", 404));
  // A card that is scrolled out of the window is made again when it is shown.
  card.box = { top: 2000, bottom: 2100 };
  list.refresh();
  await settle();
  assert.equal(card.hidden, false);
  card.box = { top: 100, bottom: 200 };
  list.refresh();
  await settle();
  assert.equal(card.hidden, true);
  // It is back when its document is restored from a backup.
  host.on("GET documents/4", documentWith(4, 1));
  list.refresh();
  await settle();
  assert.equal(card.hidden, false);
});

test("Hiding a job leaves the newest one first, and an older one takes the last place", () => {
  const place = emptyView();
  const list = jobList(place);
  const jobs = ["j5", "j4", "j3", "j2"].map((id) => jobOf({ id }));
  list.keep(jobs.slice(0, 3));
  list.keep(jobs.slice(1));
  assert.deepEqual(place.children.map((one) => one.dataset.job), ["j4", "j3", "j2"]);
  const [first] = place.children;
  list.keep([jobOf({ id: "j6" }), ...jobs.slice(1)]);
  assert.deepEqual(place.children.map((one) => one.dataset.job), ["j6", "j4", "j3", "j2"]);
  assert.equal(place.children[1], first, "a card in its place stays");
});

for (
  const [name, more, on, isOffered] of [
    ["that came from files", { devices: [] }, { joins() {} }, true],
    ["that a device scanned", {}, { joins() {} }, false],
    ["that was sent", { devices: [], sent: true }, { joins() {} }, false],
    ["where jobs are only listed", { devices: [] }, {}, false],
  ]
) {
  test(`Pages ${isOffered ? "can" : "can't"} be added to a job ${name}`, async () => {
    host.on("GET documents/4", documentWith(4, 1));
    const deliveries = [...toArchive(4), ...(more.sent ? [{ sink: "shelf" }] : [])];
    const card = shown(jobCard(jobOf({ state: "completed", deliveries, ...more }), on));
    await settle();
    assert.equal(texts(card, ".out label").includes("Add pages"), isOffered);
  });
}
