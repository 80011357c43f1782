// The live view of a camera: what it says, what it captures, and how it ends.
import assert from "node:assert/strict";
import test from "node:test";
import {
  buttonOf,
  emptyView,
  fill,
  Happening,
  host,
  key,
  newestStream,
  offered,
  pass,
  press,
  Refused,
  settle,
  submit,
  texts,
  told,
} from "./Support/page.mjs";
import { view, watchOrder } from "../../../Sources/Host/WebPage/files/live/live.js";
import {
  firstRegion,
  shapeChoice,
} from "../../../Sources/Host/WebPage/files/live/region.js";
import { publish } from "../../../Sources/Host/WebPage/files/shell/host.js";

const camera = { id: "v4l2:0", name: "Camera", aliases: [], kind: "camera", sources: ["camera"] };
const jobOf = (more = {}) => ({
  id: "w1",
  state: "running",
  isWatch: true,
  pages: [],
  deliveries: [],
  ...more,
});
const page = (number, more = {}) => ({
  number,
  captured: number,
  stage: "finished",
  hasPicture: true,
  problems: [],
  ...more,
});

test.beforeEach(() => {
  host.reset();
  localStorage.clear();
});

// The live view with these devices and jobs.
async function opened({ devices = [camera], jobs = [] } = {}) {
  const now = { devices };
  host.on("GET devices", () => ({ devices: now.devices })).on("GET jobs", { jobs });
  host.on("GET profiles", {
    profiles: [{ name: "document", title: "Document" }, { name: "none", title: "Nothing" }],
  });
  const place = emptyView();
  const leave = await view.show(place);
  await settle();
  return { place, now, leave, state: () => place.querySelector(".state").textContent };
}

// The view of a running watch; `tell(event)` is what the host says about the camera.
async function watching(more = {}) {
  const made = await opened({ jobs: [jobOf(more)] });
  const stream = newestStream();
  const tell = (event) => stream.send("live", { event: "state", ...event });
  return { ...made, stream, tell };
}

for (
  const [fields, wanted] of [
    [{}, { watch: { manual: false } }],
    [{ manual: "yes", profile: "none", title: "Notes" }, {
      profile: "none",
      watch: { manual: true },
      title: "Notes",
    }],
    [{ what: "region" }, { watch: { manual: false, region: firstRegion } }],
  ]
) {
  test(`A watch with ${JSON.stringify(fields)} is ordered so`, async () => {
    const { place, leave } = await opened();
    const form = place.querySelector("form");
    for (const [name, value] of Object.entries(fields)) await fill(form.elements[name], value);
    assert.deepEqual(watchOrder(form), { device: "v4l2:0", profile: "document", ...wanted });
    leave();
  });
}

test("A camera is chosen by its name, and scanners are not offered here", async () => {
  const devices = [
    { ...camera, aliases: ["desk"] },
    { ...camera, id: "b", isDefault: true },
    { ...camera, id: "s", kind: "scanner" },
  ];
  const { place, leave } = await opened({ devices });
  const choice = place.querySelector("select[name=device]");
  assert.deepEqual([offered(choice), choice.value], [["desk", "Camera"], "b"]);
  leave();
});

test("Without a camera the view says so, and begins when one appears", async () => {
  const { place, now, leave } = await opened({ devices: [{ ...camera, kind: "scanner" }] });
  assert.match(place.textContent, /No camera was found/);
  publish("device", {});
  await settle();
  assert.match(place.textContent, /No camera was found/);
  now.devices = [camera];
  publish("device", {});
  await settle();
  assert.doesNotMatch(place.textContent, /No camera was found/);
  assert.notEqual(place.querySelector("form"), null);
  leave();
});

test("A watch begins, and one that is refused says why", async () => {
  const { place, leave } = await opened();
  host.on("POST jobs", new Refused("busy", "The camera is busy", 409));
  await submit(place.querySelector("form"));
  assert.equal(place.querySelector(".bad").textContent, "The camera is busy.");
  host.on("POST jobs", jobOf()).on("GET jobs/w1", jobOf());
  await submit(place.querySelector("form"));
  assert.equal(place.querySelector(".bad").textContent, "");
  assert.equal(place.querySelector(".columns").classList.contains("watching"), true);
  assert.equal(newestStream().address, "/api/v1/jobs/w1/live/events");
  leave();
});

test("A watch that ended before the answer to its start is over", async () => {
  const { place, leave } = await opened();
  host.on("POST jobs", jobOf());
  host.on("GET jobs/w1", jobOf({ state: "failed", problem: "The camera was unplugged" }));
  await submit(place.querySelector("form"));
  assert.equal(place.querySelector(".stage .bad").textContent, "The camera was unplugged.");
  leave();
});

for (
  const [event, wanted] of [
    [{ state: "searching" }, "Looking for a page"],
    [{ state: "searching", reason: "noPage" }, "Looking for a page: no page in view"],
    [{ state: "found", reason: "moving" }, "Page found: hold still"],
    [{ state: "ready" }, "Ready"],
    [{ state: "ready", reason: "byHand" }, "Ready"],
    // A page that was captured and still lies there is not about to be captured.
    [{ state: "ready", reason: "captured" }, "Captured. Put the next page on top."],
    [{ state: "capturing" }, "Captured"],
  ]
) {
  test(`What the camera sees as ${JSON.stringify(event)} is said as '${wanted}'`, async () => {
    const { tell, state, leave } = await watching();
    tell(event);
    assert.equal(state(), wanted);
    leave();
  });
}

for (
  const [event, wanted] of [
    [{ state: "ready" }, ""],
    [{ state: "ready", rate: 11.6 }, "12 frames per second"],
    [
      { state: "ready", rate: 12, search: 8.4, confidence: 0.966 },
      "12 frames per second, 8 ms each · certainty of the edges: 97 %",
    ],
  ]
) {
  test(`The figures for ${JSON.stringify(event)} are '${wanted}'`, async () => {
    const { tell, place, leave } = await watching();
    tell(event);
    assert.equal(place.querySelector(".beside > p.soft").textContent, wanted);
    leave();
  });
}

test("An unchanged state is not set again, because it would be read aloud again", async () => {
  const { tell, place, leave } = await watching();
  tell({ state: "searching", reason: "noPage" });
  const text = place.querySelector(".state").firstChild;
  tell({ state: "searching", reason: "noPage" });
  assert.equal(place.querySelector(".state").firstChild, text);
  leave();
});

test("The found page is drawn over the picture, in the picture's pixels", async () => {
  const { tell, place, leave } = await watching();
  tell({ state: "found", width: 1280, height: 720, corners: [[1, 2], [3, 4], [5, 6], [7, 8]] });
  const drawing = place.querySelector("svg.outline");
  assert.equal(drawing.getAttribute("viewBox"), "0 0 1280 720");
  assert.equal(drawing.querySelector("polygon").getAttribute("points"), "1,2 3,4 5,6 7,8");
  tell({ state: "searching", width: 1280, height: 720 });
  assert.equal(drawing.querySelector("polygon").getAttribute("points"), "");
  leave();
});

test("Each picture is asked for after the one before, and none on a hidden page", async () => {
  const { place, leave } = await watching();
  const created = document.createElement;
  const pictures = [];
  document.createElement = (name) => {
    const one = created(name);
    if (name === "img") pictures.push(one);
    return one;
  };
  await pass(1000);
  assert.equal(pictures.length, 0, "the first one is not there yet");
  leave();
  const { leave: end } = await watching();
  const films = () => pictures.filter((one) => one.src.includes("/live/frame"));
  const [first] = films();
  assert.match(first.src, /\/jobs\/w1\/live\/frame\?number=1$/);
  first.dispatchEvent(new Happening("load"));
  await pass(16);
  assert.equal(films().length, 2);
  document.hidden = true;
  films()[1].dispatchEvent(new Happening("load"));
  await pass(2000);
  assert.equal(films().length, 2);
  document.hidden = false;
  await pass(500);
  assert.equal(films().length, 3);
  // Where a picture can't be had, the next one is asked for later.
  films()[2].dispatchEvent(new Happening("error"));
  await pass(999);
  assert.equal(films().length, 3);
  await pass(1);
  assert.equal(films().length, 4);
  document.createElement = created;
  end();
  assert.equal(place.isConnected, false);
});

test("The last captured page is beside the picture, with what is written on it", async () => {
  const { place, leave } = await watching();
  const latest = place.querySelector(".latest");
  assert.equal(latest.hidden, true);
  for (
    const [pages, words, number] of [
      [[page(1, { stage: "captured" })], "being processed", 1],
      [[page(1, { excerpt: "Serial A1" })], "Serial A1", 1],
      [[page(1, { excerpt: "Serial A1" }), page(2)], "No text was read on this page.", 2],
      // A page without a picture is not the latest one.
      [[page(1, { excerpt: "Serial A1" }), page(2, { hasPicture: false })], "Serial A1", 1],
    ]
  ) {
    publish("job", jobOf({ pages }));
    assert.equal(latest.querySelector(".read").textContent, words);
    assert.match(latest.querySelector("img").src, new RegExp(`/pages/${number}/thumbnail$`));
  }
  assert.equal(latest.hidden, false);
  leave();
});

test("A page is captured by the button, or by the space bar outside of fields", async () => {
  const { place, leave } = await watching();
  host.on("POST jobs/w1/capture", {});
  await press(place, "Capture now");
  const space = async (target) => {
    dispatchEvent(new Happening("keydown", { key: " ", target }));
    await settle();
  };
  await space(place.querySelector("select"));
  await space(buttonOf(place, "Finish"));
  assert.equal(host.count("POST jobs/w1/capture"), 1);
  await space(place);
  assert.equal(host.count("POST jobs/w1/capture"), 2);
  host.on("POST jobs/w1/capture", new Refused("no-page", "No page is in view"));
  await space(place);
  assert.equal(told(), "No page is in view.");
  leave();
});

test("A finished watch says so at once, and leads to its document when that is there", async () => {
  const { place, tell, state, leave } = await watching();
  host.on("POST jobs/w1/stop", {});
  await press(place, "Finish");
  assert.match(state(), /^Finishing/);
  assert.deepEqual(texts(place, ".beside button:not([hidden])"), []);
  tell({ state: "searching" });
  assert.match(state(), /^Finishing/);
  publish(
    "job",
    jobOf({
      state: "completed",
      pages: [page(1), page(2)],
      deliveries: [{ sink: "archive", document: "4" }],
    }),
  );
  assert.equal(place.querySelector(".stage p").textContent, "Finished. Pages: 2");
  assert.equal(place.querySelector(".stage a").href, "#document/4");
  assert.equal(newestStream().isClosed, true);
  leave();
});

test("What happens to other jobs, and events without a watch, change nothing", async () => {
  const { place, leave } = await watching();
  publish("job", jobOf({ id: "other", state: "completed" }));
  publish("page", { job: "other", pages: [page(1)] });
  assert.equal(place.querySelectorAll(".strip li").length, 0);
  publish("page", { job: "w1", pages: [page(1)] });
  assert.equal(place.querySelectorAll(".strip li").length, 1);
  leave();
  const idle = await opened();
  publish("job", jobOf({ state: "completed" }));
  assert.match(idle.place.querySelector(".stage").textContent, /Press Start/);
  idle.leave();
});

for (
  const [name, answer, words, isBad] of [
    ["still watches", jobOf(), undefined, false],
    ["was continued by a restarted host", jobOf({ isWatch: false }), /It is delivering the pages/, true],
    ["is not known anymore", new Refused("no-such-job", "x", 404), /are under Jobs/, true],
    [
      "ended meanwhile",
      jobOf({ state: "completed", pages: [page(1)] }),
      /^Finished\. Pages: 1/,
      false,
    ],
  ]
) {
  test(`After missed events, a watch that ${name} is shown so`, async () => {
    const { place, leave } = await watching();
    host.on("GET jobs/w1", answer);
    publish("reset", {});
    await settle();
    if (words) assert.match(place.querySelector(".stage p").textContent, words);
    else assert.notEqual(place.querySelector(".film"), null);
    assert.equal(Boolean(place.querySelector(".stage .card > .bad")), isBad);
    leave();
  });
}

test("A watch that a restarted host continued is over when its document is there", async () => {
  const { place, leave } = await watching();
  host.on("GET jobs/w1", jobOf({ isWatch: false }));
  publish("reset", {});
  await settle();
  publish(
    "job",
    jobOf({ isWatch: false, state: "completed", deliveries: [{ sink: "archive", document: "4" }] }),
  );
  assert.match(place.querySelector(".stage p").textContent, /host restarted/);
  assert.equal(place.querySelector(".stage a").href, "#document/4");
  leave();
});

test("A region is drawn over the picture, and the host gets the latest one", async () => {
  const { tell, place, leave } = await watching({ region: firstRegion });
  const waiting = [];
  host.on("PUT jobs/w1/live/region", () => new Promise((done) => waiting.push(done)));
  tell({ state: "searching", width: 1000, height: 500 });
  const area = place.querySelector("rect.frame");
  assert.deepEqual(["x", "y", "width", "height"].map((name) => area.getAttribute(name)), [
    "150",
    "200",
    "700",
    "100",
  ]);
  // A step is 1000 / 400 pixels, rounded: 3, and 30 with Shift.
  for (const name of ["ArrowRight", "ArrowRight", "ArrowDown"]) {
    await key(area, name, { shiftKey: true });
  }
  assert.equal(host.count("PUT jobs/w1/live/region"), 1, "one request at a time");
  waiting[0]();
  await settle();
  // The region in between is outdated.
  assert.deepEqual(host.bodies("PUT jobs/w1/live/region"), [
    { x: 0.18, y: 0.4, width: 0.7, height: 0.2 },
    { x: 0.21, y: 0.46, width: 0.7, height: 0.2 },
  ]);
  waiting[1]();
  await settle();
  leave();
});

test("A device's shape is kept, and the region gets it at once", async () => {
  assert.equal(shapeChoice().value, "own");
  const { tell, place, leave } = await watching({ region: firstRegion });
  host.on("PUT jobs/w1/live/region", {});
  tell({ state: "searching", width: 1000, height: 500 });
  await fill(place.querySelector(".beside select"), "iphone");
  const area = place.querySelector("rect.frame");
  assert.deepEqual(["width", "height"].map((name) => area.getAttribute(name)), ["700", "140"]);
  assert.deepEqual(host.bodies("PUT jobs/w1/live/region").at(-1), {
    x: 0.15,
    y: 0.36,
    width: 0.7,
    height: 0.28,
  });
  leave();
  assert.equal(shapeChoice().value, "iphone");
  assert.match(offered(shapeChoice())[3], /^iPhone · 5 : 1$/);
});

test("Opening the view leaves the region of a running watch as it is", async () => {
  localStorage.setItem("shape", "iphone");
  host.on("PUT jobs/w1/live/region", {});
  const { tell, place, leave } = await watching({ region: firstRegion });
  tell({ state: "searching", width: 1000, height: 500 });
  await settle();
  assert.equal(host.count("PUT jobs/w1/live/region"), 0);
  assert.equal(place.querySelector(".beside select").value, "own");
  leave();
});

test("A region of the shape that was chosen last keeps that shape", async () => {
  localStorage.setItem("shape", "iphone");
  const region = { x: 0.1, y: 0.1, width: 0.5, height: 0.2 };
  const { tell, place, leave } = await watching({ region });
  tell({ state: "searching", width: 1000, height: 500 });
  await settle();
  assert.equal(place.querySelector(".beside select").value, "iphone");
  leave();
});

test("A watch that someone begins gets the shape that was chosen last", async () => {
  localStorage.setItem("shape", "iphone");
  const { place, leave } = await opened();
  const job = jobOf({ region: firstRegion });
  host.on("POST jobs", job).on("GET jobs/w1", job).on("PUT jobs/w1/live/region", {});
  await submit(place.querySelector("form"));
  newestStream().send("live", { event: "state", state: "searching", width: 1000, height: 500 });
  await settle();
  assert.equal(host.count("PUT jobs/w1/live/region"), 1);
  leave();
});
