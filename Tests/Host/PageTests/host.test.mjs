// Requests to the host, its events, and the connection that all tabs share.
import assert from "node:assert/strict";
import test from "node:test";
import { host, newestStream, pass, Refused, settle, sources, textOf } from "./Support/page.mjs";
import * as page from "../../../Sources/Host/WebPage/files/shell/host.js";
import { openStream } from "../../../Sources/Host/WebPage/files/shell/stream.js";
import "../../../Sources/Host/WebPage/files/shell/streams.js";

test.beforeEach(() => host.reset());

test("A request has its body as JSON, and the version that it changes", async () => {
  host.on("PATCH documents/4", { version: 8 });
  const answer = await page.ask("documents/4", { method: "PATCH", body: { title: "x" }, seen: 7 });
  assert.deepEqual(answer, { version: 8 });
  const [[, body, headers]] = host.asked;
  assert.deepEqual(body, { title: "x" });
  assert.deepEqual(headers, { "Content-Type": "application/json", "If-Match": '"7"' });
});

test("A request without a body says nothing about one, and an empty answer is none", async () => {
  host.on("DELETE trash", undefined);
  assert.equal(await page.ask("trash", { method: "DELETE" }), undefined);
  assert.deepEqual(host.asked[0].slice(1), [undefined, {}]);
});

test("A refused request fails with the host's code and sentence", async () => {
  host.on("GET documents/99", new Refused("no-such-document", "There is no document 99", 404));
  await assert.rejects(page.ask("documents/99"), (problem) => {
    assert.deepEqual([problem.code, problem.message], [
      "no-such-document",
      "There is no document 99",
    ]);
    assert.equal(textOf(problem.nodes), "There is no document 99.");
    return true;
  });
});

test("Without the host, a request and a sent file fail with what to do", async () => {
  host.isAway = true;
  await assert.rejects(page.ask("jobs"), /^Error: The host does not answer/);
  await assert.rejects(page.send(new File(["x"], "a.jpg")), /^Error: The host does not answer/);
});

test("A file is sent unchanged with its name, and its id comes back", async () => {
  host.on("POST uploads?*", (body, query) => ({ id: `${query} ${body.size}` }));
  assert.equal(await page.send(new File(["abc"], "Rent & water.jpg")), "name=Rent+%26+water.jpg 3");
  host.on("POST uploads?*", new Refused("too-large", "It is too large", 413));
  await assert.rejects(page.send(new File(["abc"], "a.jpg")), /It is too large/);
});

for (
  const [scope, read, scan, admin] of [
    ["read", true, false, false],
    ["scan", true, true, false],
    ["admin", true, true, true],
    // A host without tokens allows everything.
    [undefined, true, true, true],
  ]
) {
  test(`With the scope '${scope}' the page offers what that allows`, async () => {
    host.on("GET session", { scope });
    await page.enter();
    assert.deepEqual(["read", "scan", "admin"].map(page.may), [read, scan, admin]);
    assert.equal(document.body.dataset.scope, scope ?? "admin");
  });
}

test("A crashed backend is asked again after two seconds, and other problems are not", async () => {
  let times = 0;
  page.askAgain([{ code: "busy" }], () => (times += 1));
  await pass(10_000);
  assert.equal(times, 0);
  page.askAgain([{ code: "busy" }, { code: "crashed" }], () => (times += 1));
  await pass(1999);
  assert.equal(times, 0);
  await pass(1);
  assert.equal(times, 1);
  // When the driver is back, nothing is asked anymore.
  page.askAgain([{ code: "crashed" }], () => (times += 1));
  page.askAgain([], () => (times += 1));
  await pass(10_000);
  assert.equal(times, 1);
});

test("Everyone who listens hears an event, until they stop", () => {
  const heard = [];
  const deaf = page.hear((name) => heard.push("a " + name));
  const other = page.hear((name) => heard.push("b " + name));
  page.publish("job", {});
  deaf();
  page.publish("page", {});
  other();
  page.publish("device", {});
  assert.deepEqual(heard, ["a job", "b job", "b page"]);
});

test("The page's events come from one stream with every kind that views hear", async () => {
  const heard = [];
  const links = [];
  const deaf = page.hear((name, value) => heard.push([name, value]));
  page.listen((isThere) => links.push(isThere));
  const stream = newestStream();
  assert.equal(stream.address, "/api/v1/events");
  stream.begin();
  const kinds = ["job", "page", "preview", "device", "shares", "outbox", "archive", "arrivals"];
  for (const name of kinds) stream.send(name, { of: name });
  deaf();
  assert.deepEqual(heard, kinds.map((name) => [name, { of: name }]));
  assert.deepEqual(links, [true]);
});

test("Where a browser has no shared workers, each stream has a connection of its own", () => {
  const follow = () => page.stream("jobs/7/live/events", ["live"], () => {}, () => {});
  const [leaveFirst, leaveSecond] = [follow(), follow()];
  const [first, second] = sources.slice(-2);
  leaveFirst();
  assert.deepEqual([first.isClosed, second.isClosed], [true, undefined]);
  leaveSecond();
  assert.equal(second.isClosed, true);
});

test("Where a browser has them, the page follows events by the worker of all tabs", () => {
  const posted = [];
  let worker;
  globalThis.SharedWorker = class {
    port = { postMessage: (message) => posted.push(message) };
    constructor() {
      worker = this;
    }
  };
  const heard = [];
  const follow = (path) =>
    page.stream(path, ["live"], (...told) => heard.push([path, ...told]), () => {});
  const before = sources.length;
  const [leaveFirst, leaveSecond] = [follow("a"), follow("a")];
  follow("b");
  worker.port.onmessage({ data: { path: "a", event: { name: "live", value: 1 } } });
  assert.deepEqual(heard, [["a", "live", 1], ["a", "live", 1]]);
  // The worker keeps the stream as long as something on the page follows it.
  leaveFirst();
  assert.deepEqual(posted.filter(({ join }) => !join), []);
  leaveSecond();
  assert.deepEqual(posted.filter(({ join }) => !join), [{ path: "a" }]);
  assert.equal(sources.length, before);
  // If the worker can't start, the page listens by itself.
  worker.onerror();
  assert.equal(newestStream().address, "/api/v1/b");
  delete globalThis.SharedWorker;
});

// A stream with what it reported.
function opened(answer = 200) {
  const told = [];
  host.on("GET aliases", answer === 200 ? {} : new Refused("no-token", "x", answer));
  const close = openStream("events", ["job"], {
    take: (name, value) => told.push([name, value]),
    onLink: (isThere, isAgain) => told.push(["link", isThere, isAgain]),
    onBarred: () => told.push(["barred"]),
  });
  return { told, close, source: newestStream() };
}

test("A connection that is lost for a moment is back without missed events", async () => {
  const { told, source } = opened();
  source.begin();
  await source.fail();
  source.begin();
  source.send("job", { id: 1 });
  assert.deepEqual(told, [
    ["link", true, false],
    ["link", false, false],
    ["link", true, true],
    ["job", { id: 1 }],
  ]);
});

test("A connection that the browser gave up begins again after two seconds", async () => {
  const { told, source } = opened();
  source.begin();
  await source.fail({ isForGood: true });
  await pass(1999);
  assert.equal(newestStream(), source);
  await pass(1);
  const again = newestStream();
  assert.notEqual(again, source);
  again.begin();
  // Events in between were missed, so everything is asked for again, once.
  assert.deepEqual(told.slice(2), [["link", true, true], ["reset", {}]]);
  await again.fail();
  again.begin();
  assert.deepEqual(told.filter(([name]) => name === "reset").length, 1);
});

test("In front of the sign-in view, nothing is said about a lost connection", async () => {
  const { told, source } = opened(401);
  await source.fail({ isForGood: true });
  await pass(10_000);
  assert.deepEqual(told, [["barred"]]);
  assert.equal(newestStream(), source);
});

test("A stream that was left does not begin again", async () => {
  const { told, close, source } = opened();
  source.begin();
  const failing = source.fail({ isForGood: true });
  close();
  await failing;
  await pass(10_000);
  assert.equal(newestStream(), source);
  assert.deepEqual(told, [["link", true, false]]);
});

// A tab of the page at the shared worker.
function tab() {
  const port = { told: [], postMessage: (message) => port.told.push(message) };
  globalThis.onconnect({ ports: [port] });
  return Object.assign(port, { send: (data) => port.onmessage({ data }) });
}

test("Tabs share one connection for each kind of events, which ends with the last tab", () => {
  const before = sources.length;
  const [one, two] = [tab(), tab()];
  one.send({ join: ["job"], path: "events" });
  const source = newestStream();
  source.begin();
  two.send({ join: ["job"], path: "events" });
  assert.equal(sources.length, before + 1);
  // A tab that comes later learns at once that the host is there.
  const link = { path: "events", link: { isThere: true, isAgain: false } };
  assert.deepEqual(two.told, [link]);
  source.send("job", { id: 1 });
  const event = { path: "events", event: { name: "job", value: { id: 1 } } };
  assert.deepEqual([one.told.at(-1), two.told.at(-1)], [event, event]);
  one.send({ path: "events" });
  source.send("job", { id: 2 });
  assert.equal(one.told.length, 2);
  assert.equal(two.told.at(-1).event.value.id, 2);
  assert.equal(source.isClosed, undefined);
  two.send({ isGone: true });
  assert.equal(source.isClosed, true);
});

test("A tab that follows other events has another connection, and leaves all", () => {
  const one = tab();
  one.send({ join: ["job"], path: "events" });
  one.send({ join: ["live"], path: "jobs/7/live/events" });
  const [events, live] = sources.slice(-2);
  assert.equal(live.address, "/api/v1/jobs/7/live/events");
  one.send({ isGone: true });
  assert.deepEqual([events.isClosed, live.isClosed], [true, true]);
});

test("The next tab opens a connection again after the host asked for a token", async () => {
  host.on("GET aliases", new Refused("no-token", "x", 401));
  const [one, two] = [tab(), tab()];
  one.send({ join: ["job"], path: "events" });
  await newestStream().fail({ isForGood: true });
  await settle();
  const before = sources.length;
  two.send({ join: ["job"], path: "events" });
  assert.equal(sources.length, before + 1);
  two.send({ isGone: true });
});
