// The form for a scan: what is chosen, what it will do, and what the host is asked for.
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
  screen,
  settle,
  shown,
  submit,
  texts,
  told,
} from "./Support/page.mjs";
import { parting } from "../../../Sources/Host/WebPage/files/scan/parting.js";
import { Preview } from "../../../Sources/Host/WebPage/files/scan/preview.js";
import { ScanForm } from "../../../Sources/Host/WebPage/files/scan/scanform.js";
import { view } from "../../../Sources/Host/WebPage/files/scan/scan.js";
import { sending, titleOf } from "../../../Sources/Host/WebPage/files/scan/sending.js";
import { Shortcuts } from "../../../Sources/Host/WebPage/files/scan/shortcuts.js";
import { publish } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { recall, remember } from "../../../Sources/Host/WebPage/files/parts/memory.js";

const profiles = [
  { name: "document", title: "Document", isBuiltIn: true },
  { name: "none", title: "Nothing", isBuiltIn: true },
];
const flatbed = {
  id: "v:flatbed",
  name: "Flatbed",
  aliases: [],
  kind: "scanner",
  sources: ["flatbed"],
};
const feeder = {
  id: "v:feeder",
  name: "Feeder",
  aliases: ["attic"],
  kind: "scanner",
  sources: ["feeder", "feeder-duplex", "flatbed"],
};
const option = (name, value, more = {}) => ({
  name,
  value,
  isActive: true,
  title: name,
  type: { kind: "choice" },
  ...more,
});

test.beforeEach(() => {
  host.reset();
  localStorage.clear();
  Object.assign(answers, { isSure: true, questions: [] });
  screen.queries = [];
  // What the devices have in effect by themselves.
  host.on("POST devices/*/check", {
    problems: [],
    options: [option("source", "feeder"), option("mode", "gray"), option("resolution", 300)],
  });
});

// The form with these devices, and the orders of its scans.
function form(scanners = [feeder, flatbed], sinks = ["archive", "shelf"], declared = []) {
  const jobs = [];
  const place = document.createElement("div");
  const made = new ScanForm({
    profiles,
    sinks,
    declared,
    previewPlace: place,
    begun: (job) => jobs.push(job),
  });
  emptyView().append(made.element, place);
  host.on("POST jobs", () => ({ id: "j1" }));
  made.showScanners(scanners);
  return Object.assign(made, { jobs, place, leave: () => made.end() });
}

const field = (made, name) => made.element.elements[name];
const orders = () => host.bodies("POST jobs");

test("A form with nothing chosen orders a scan as the device does it by itself", async () => {
  const made = form();
  await submit(made.element);
  assert.deepEqual(orders(), [
    { device: "v:feeder", profile: "document", common: {}, settings: {}, pdf: {} },
  ]);
  assert.deepEqual(made.jobs, [{ id: "j1" }]);
  assert.equal(told(), "Scanning has started.");
  made.leave();
});

test("What is chosen is in the order, and what is not is left out", async () => {
  const made = form();
  for (
    const [name, value] of [
      ["source", "feeder-duplex"],
      ["paper", "a5"],
      ["mode", "bilevel"],
      ["resolution", "600"],
      ["profile", "none"],
      ["title", "Letters"],
      ["compression", "mixed"],
      ["splitAt", "separator"],
    ]
  ) await fill(field(made, name), value);
  await check(made.services.boxes[0]);
  await submit(made.element);
  assert.deepEqual(orders(), [{
    device: "v:feeder",
    profile: "none",
    common: { source: "feeder-duplex", paper: "a5", mode: "bilevel", resolution: 600 },
    settings: {},
    pdf: { compression: "mixed" },
    splitAt: ["separator"],
    splitPages: "auto",
    title: "Letters",
    sinks: ["archive", "shelf"],
  }]);
  made.leave();
});

// Options that no version of the host has, one of each kind.
const sheen = { name: "sheen", kind: "whole", minimum: 1, maximum: 9, usual: 4 };
const madeUp = [
  sheen,
  { name: "gloss", kind: "flag", usual: false },
  { name: "tint", kind: "choice", choices: ["warm", "cold"], usual: "warm" },
  { name: "notes", kind: "texts", usual: [] },
].map((one) => ({ ...one, isDrawn: true, needsAdmin: false }));
const drawn = (made, name) => made.element.querySelector(`[data-option=${name}]`);

test("An option that only the host knows has a field, and goes into the order when changed", async () => {
  const made = form(undefined, undefined, madeUp);
  assert.equal(drawn(made, "sheen").value, "4");
  await submit(made.element);
  assert.equal("sheen" in orders()[0], false, "what nobody changed is left to the host");
  await fill(drawn(made, "sheen"), "7");
  await check(drawn(made, "gloss"));
  await fill(drawn(made, "tint"), "cold");
  await fill(drawn(made, "notes"), "one, two");
  await submit(made.element);
  const { sheen, gloss, tint, notes } = orders()[1];
  assert.deepEqual([sheen, gloss, tint, notes], [7, true, "cold", ["one", "two"]]);
  made.leave();
});

test("An option that the form knows or that is not for the page has no drawn field", () => {
  const made = form(undefined, undefined, [{ ...sheen, isDrawn: false, needsAdmin: false }]);
  assert.equal(drawn(made, "sheen"), null);
  made.leave();
});

test("A scan that is refused says why in the form, until the next one", async () => {
  const made = form();
  host.on("POST jobs", new Refused("busy", "The device is busy", 409));
  await submit(made.element);
  assert.equal(made.refusal.textContent, "The device is busy.");
  // The space bar works while the form is out of view, too.
  made.element.hidden = true;
  await submit(made.element);
  assert.equal(told(), "The device is busy.");
  host.on("POST jobs", { id: "j1" });
  await submit(made.element);
  assert.equal(made.refusal.textContent, "");
  made.leave();
});

test("The plan says what will happen, with what the device does by itself", async () => {
  const made = form();
  await pass(400);
  assert.equal(made.plan.textContent, "feeder · gray · 300 dpi → Document");
  assert.equal(offered(field(made, "mode"))[0], "Automatic: gray");
  await fill(field(made, "resolution"), "150");
  await fill(field(made, "paper"), "a4");
  await fill(field(made, "profile"), "none");
  await pass(400);
  assert.equal(made.plan.textContent, "feeder · A4 · gray · 150 dpi → Nothing");
  await check(made.services.boxes[0]);
  assert.equal(made.plan.textContent, "feeder · A4 · gray · 150 dpi → Nothing → shelf");
  made.leave();
});

test("A setting that the device does not have is turned off, and not ordered", async () => {
  const made = form();
  await fill(field(made, "mode"), "color");
  host.on("POST devices/*/check", { problems: [], options: [option("resolution", 300)] });
  await pass(400);
  assert.equal(field(made, "mode").disabled, true);
  assert.equal(offered(field(made, "mode"))[0], "Set by device");
  assert.equal(field(made, "resolution").disabled, false);
  await submit(made.element);
  assert.deepEqual(orders()[0].common, {});
  made.leave();
});

for (
  const [device, source, inEffect, words, asksForMore] of [
    [flatbed, "", undefined, "", true],
    [feeder, "feeder", undefined, /^All sheets in the feeder become one document\.$/, false],
    [feeder, "", "feeder", /^All sheets in the feeder become one document\.$/, true],
    [feeder, "", "auto", /If it is empty, the sheet on the glass/, true],
    [feeder, "flatbed", "auto", "", true],
    [{ ...feeder, sources: ["feeder"] }, "", undefined, /^All sheets/, false],
  ]
) {
  test(`${device.sources}, '${source}', ${inEffect}: what becomes of sheets is said`, async () => {
    host.on("POST devices/*/check", {
      problems: [],
      options: inEffect ? [option("source", inEffect)] : [],
    });
    const made = form([device]);
    await fill(field(made, "source"), source);
    await pass(400);
    if (words) assert.match(made.stack.textContent, words);
    else assert.equal(made.stack.textContent, "");
    // Only where sheets lie on the glass can the page ask for another.
    assert.equal(!made.severalRow.hidden, asksForMore);
    made.leave();
  });
}

test("Several sheets are asked for only where that is offered", async () => {
  const made = form([feeder]);
  await check(made.several);
  await submit(made.element);
  assert.equal(orders()[0].asksForMore, true);
  await fill(field(made, "source"), "feeder");
  await submit(made.element);
  assert.equal(orders()[1].asksForMore, undefined);
  made.leave();
});

test("A preview is offered only by devices with a glass, or that do not say", () => {
  for (const [sources, isOffered] of [[["flatbed"], true], [["feeder"], false], [[], true]]) {
    const made = form([{ ...flatbed, sources }]);
    assert.equal(!made.look.hidden, isOffered, sources.join());
    made.leave();
  }
});

test("The sources are those of the device, and a device has the name that a user gave it", () => {
  const made = form();
  assert.deepEqual(offered(field(made, "source")), [
    "Automatic",
    "feeder",
    "feeder, both sides",
    "glass",
  ]);
  assert.deepEqual(offered(made.device), ["attic", "Flatbed"]);
  made.leave();
});

for (
  const [name, stored, scanners, wanted] of [
    ["the one used last", "v:flatbed", [feeder, flatbed], "v:flatbed"],
    ["the default", undefined, [feeder, { ...flatbed, isDefault: true }], "v:flatbed"],
    ["the one used last before the default", "v:feeder", [
      feeder,
      { ...flatbed, isDefault: true },
    ], "v:feeder"],
    ["the first", "gone", [feeder, flatbed], "v:feeder"],
  ]
) {
  test(`At first the device is ${name}`, () => {
    if (stored) remember("device", stored);
    const made = form(scanners);
    assert.equal(made.device.value, wanted);
    made.leave();
  });
}

test("The chosen device stays while others come and go, and while there is none", async () => {
  const made = form([feeder, flatbed]);
  await fill(made.device, "v:flatbed");
  made.showScanners([flatbed, feeder, { ...feeder, id: "new", isDefault: true }]);
  assert.equal(made.device.value, "v:flatbed");
  made.showScanners([]);
  made.showScanners([feeder, flatbed]);
  assert.equal(made.device.value, "v:flatbed");
  made.showScanners([feeder]);
  assert.equal(made.device.value, "v:feeder");
  made.leave();
});

test("Devices of an earlier search keep no choice from those that are found now", () => {
  const made = form([]);
  made.showScanners([feeder], true);
  made.showScanners([feeder, { ...flatbed, isDefault: true }]);
  assert.equal(made.device.value, "v:flatbed");
  made.leave();
});

test("Each device has the settings that it had last", async () => {
  const made = form();
  await fill(field(made, "resolution"), "150");
  await fill(field(made, "profile"), "none");
  await check(made.several);
  await fill(made.device, "v:flatbed");
  assert.deepEqual([field(made, "resolution").value, field(made, "profile").value], [
    "",
    "document",
  ]);
  assert.equal(made.several.checked, false);
  await fill(made.device, "v:feeder");
  assert.deepEqual([field(made, "resolution").value, field(made, "profile").value], [
    "150",
    "none",
  ]);
  assert.equal(made.several.checked, true);
  made.leave();
  const later = form();
  assert.equal(field(later, "resolution").value, "150");
  later.leave();
});

test("A stored setting that the device does not offer anymore is forgotten", () => {
  remember("scan-v:flatbed", { source: "feeder", profile: "deleted", resolution: "300" });
  const made = form([flatbed]);
  assert.deepEqual(["source", "profile", "resolution"].map((name) => field(made, name).value), [
    "",
    "document",
    "300",
  ]);
  made.leave();
});

test("A preview is of the glass, and closing it gives back the source", async () => {
  host.on("POST previews", { id: "p1", state: "running" });
  host.on("GET previews/p1", {
    id: "p1",
    state: "completed",
    area: { x: 0, y: 0, width: 216, height: 300 },
  });
  const made = form([feeder]);
  await fill(field(made, "source"), "feeder");
  await press(made.element, "Preview");
  assert.equal(field(made, "source").value, "flatbed");
  assert.equal(made.place.querySelector("output").textContent, "The whole glass is scanned.");
  await press(made.place, "Close");
  assert.equal(field(made, "source").value, "feeder");
  assert.equal(document.activeElement, made.look);
  made.leave();
});

test("A drawn part is in the order instead of the paper, where the glass is scanned", async () => {
  host.on("POST previews", { id: "p1", state: "running" });
  host.on("GET previews/p1", {
    id: "p1",
    state: "completed",
    area: { x: 2, y: 3, width: 216, height: 300 },
  });
  const made = form([feeder]);
  await fill(field(made, "paper"), "a4");
  await press(made.element, "Preview");
  await submit(made.element);
  assert.equal(orders()[0].common.paper, "a4");
  assert.equal(orders()[0].common.area, undefined, "the whole glass is no part");
  made.preview.region.set({ left: 10, top: 20, right: 110, bottom: 170.5 });
  assert.equal(made.place.querySelector("output").textContent, "100 × 150.5 mm, from 10, 20");
  await submit(made.element);
  assert.deepEqual(orders()[1].common, {
    source: "flatbed",
    area: { x: 12, y: 23, width: 100, height: 150.5 },
  });
  // A feeder takes whole sheets.
  await fill(field(made, "source"), "feeder");
  await submit(made.element);
  assert.deepEqual(orders()[2].common, { source: "feeder", paper: "a4" });
  made.leave();
});

test("A preview without a size in millimeters is a picture without a frame", async () => {
  host.on("POST previews", { id: "p1", state: "completed", width: 100, height: 200 });
  host.on("GET previews/p1", { id: "p1", state: "completed", width: 100, height: 200 });
  const preview = new Preview("v:flatbed", () => {});
  shown(preview.element);
  await settle();
  assert.equal(preview.element.querySelectorAll("image").length, 1);
  assert.equal(preview.element.querySelector(".frame"), null);
  assert.equal(preview.area(), undefined);
  preview.end();
});

test("A preview that fails says why, and one that is closed is stopped", async () => {
  host.on("POST previews", { id: "p1", state: "running" }).on("DELETE previews/p1", undefined);
  host.on("GET previews/p1", { id: "p1", state: "running" });
  const preview = new Preview("v:flatbed", () => {});
  shown(preview.element);
  await settle();
  publish("preview", { id: "other", state: "failed", problem: "x" });
  assert.equal(preview.state.textContent, "Making a preview …");
  publish("preview", { id: "p1", state: "failed", problem: "It failed, as requested" });
  assert.equal(preview.element.querySelector(".bad").textContent, "It failed, as requested");
  const other = new Preview("v:flatbed", () => {});
  await settle();
  other.end();
  await settle();
  assert.equal(host.count("DELETE previews/p1"), 1);
  // What arrives after that changes nothing.
  publish("preview", { id: "p1", state: "completed", width: 1, height: 1 });
  assert.equal(other.picture.childElementCount, 0);
});

test("A preview that can't begin says why", async () => {
  host.on("POST previews", new Refused("busy", "The device is busy", 409));
  const preview = new Preview("v:flatbed", () => {});
  await settle();
  assert.equal(preview.element.querySelector(".bad").textContent, "The device is busy.");
  preview.end();
});

for (
  const [where, pattern, what, wanted] of [
    ["", "", "auto", {}],
    ["separator", "", "auto", { splitAt: ["separator"], splitPages: "auto" }],
    ["patch-t", "", "drop", { splitAt: ["patch-t"], splitPages: "drop" }],
    ["barcode", "ASN\\d+", "keep", { splitAt: ["ASN\\d+"], splitPages: "keep" }],
  ]
) {
  test(`A stack is split at '${where}' with ${JSON.stringify(wanted)}`, async () => {
    const parts = parting();
    shown(document.createElement("div")).append(...parts.elements);
    const [choice, text, pages] = parts.elements.map((one) => one.querySelector("select, input"));
    await fill(choice, where);
    await fill(text, pattern);
    await fill(pages, what);
    assert.deepEqual(parts.wish(), wanted);
    assert.equal(parts.elements[1].hidden, where !== "barcode");
    assert.equal(parts.elements[2].hidden, where === "");
    assert.equal(text.required, where === "barcode", "only a barcode needs a text");
  });
}

// The shortcuts of a form whose plan is 'A4'.
function shortcuts() {
  const begun = [];
  const made = new Shortcuts({
    order: () => ({ profile: "none" }),
    title: () => "A4",
    begin: async (order, name) => begun.push([name, order]),
  });
  shown(document.createElement("div")).append(made.list, made.element);
  return Object.assign(made, { begun });
}

// Opens or closes a fold.
function fold(element, isOpen) {
  element.open = isOpen;
  element.dispatchEvent(new Happening("toggle"));
}

test("A shortcut is proposed by what it does, kept, used with one press, and deleted", async () => {
  const made = shortcuts();
  assert.equal(made.list.hidden, true);
  fold(made.element, true);
  assert.equal(made.name.value, "A4");
  await press(made.element, "Save");
  assert.match(told(), /“A4” now scans/);
  fold(made.element, true);
  assert.equal(made.name.value, "A4 2", "another shortcut is called that");
  made.name.value = "Receipts";
  await press(made.element, "Save");
  const later = shortcuts();
  assert.deepEqual(texts(later.list, "button"), ["A4", "Receipts"]);
  await press(later.list, "Receipts");
  assert.deepEqual(later.begun, [["Receipts", { profile: "none" }]]);
  await press(later.element, "Delete “A4”");
  assert.deepEqual(texts(shortcuts().list, "button"), ["Receipts"]);
});

test("A shortcut that is kept under the same name replaces the one before", async () => {
  const made = shortcuts();
  for (const profile of ["none", "document"]) {
    made.order = () => ({ profile });
    made.name.value = "Same";
    await press(made.element, "Save");
  }
  assert.deepEqual(recall("shortcuts"), [{ name: "Same", order: { profile: "document" } }]);
});

test("A name that someone wrote is not replaced by a proposal", () => {
  const made = shortcuts();
  fold(made.element, true);
  made.name.value = "Mine";
  fold(made.element, false);
  fold(made.element, true);
  assert.equal(made.name.value, "Mine");
});

test("A shortcut whose profile was deleted says so, and scans nothing", async () => {
  remember("shortcuts", [{ name: "Old", order: { device: "v:feeder", profile: "gone" } }]);
  const made = form();
  await press(made.element, "Old");
  assert.match(told(), /profile of the shortcut “Old” was deleted/);
  assert.equal(host.count("POST jobs"), 0);
  made.leave();
});

for (
  const [names, wanted] of [
    [["Rent 2026.jpg"], "Rent 2026"],
    [["Water_bill.pdf"], "Water bill"],
    [["archive.tar.gz"], "archive.tar"],
    [["IMG_2041.jpg"], undefined],
    [["PXL_20260517_101112345.jpg"], undefined],
    [["Scan 3.pdf"], undefined],
    [["2026-05-17.pdf"], undefined],
    [["Scan of the lease.pdf"], "Scan of the lease"],
    [[".jpg"], undefined],
    [["Rent.jpg", "Water.jpg"], undefined],
  ]
) {
  test(`Files called ${names} become a document titled '${wanted}'`, () => {
    assert.equal(titleOf(names.map((name) => ({ name }))), wanted);
  });
}

// The form for files of this device.
function files() {
  const jobs = [];
  const place = emptyView();
  host.on("POST uploads?*", (_, query) => ({ id: query.replace("name=", "") }));
  host.on("POST jobs", { id: "j1" });
  const made = sending(place, profiles, (job) => jobs.push(job));
  place.append(made.card);
  return { ...made, jobs, place, state: made.card.querySelector("[role=status]") };
}

test("Chosen files become one document in their order, with the profile that is kept", async () => {
  const made = files();
  await fill(made.card.querySelector("select"), "none");
  await made.begin([new File(["a"], "a.jpg"), new File(["b"], "b.jpg")]);
  assert.deepEqual(orders(), [{ profile: "none", uploads: ["a.jpg", "b.jpg"] }]);
  assert.equal(made.jobs.length, 1);
  assert.match(made.state.textContent, /^Choose files/);
  assert.equal(files().card.querySelector("select").value, "none");
});

test("While files are sent the form says which one, and takes no others", async () => {
  const made = files();
  let go;
  host.on("POST uploads?name=b.jpg", () => new Promise((done) => (go = () => done({ id: "b" }))));
  const sent = made.begin([new File(["a"], "a.jpg"), new File(["b"], "b.jpg")]);
  await settle();
  assert.equal(made.state.textContent, "Sending 2 of 2");
  assert.equal(made.card.querySelector("input").disabled, true);
  go();
  await sent;
  assert.equal(made.card.querySelector("input").disabled, false);
});

test("Without the host, files say why they can't be sent", async () => {
  const made = files();
  host.isAway = true;
  await made.begin([new File(["a"], "a.jpg")]);
  assert.match(made.state.textContent, /does not answer/);
  assert.equal(made.card.querySelector("input").disabled, false);
});

test("Files may be dropped anywhere on the view", async () => {
  const made = files();
  made.place.dispatchEvent(new Happening("dragover"));
  assert.equal(made.card.classList.contains("over"), true);
  const dataTransfer = { files: [new File(["a"], "Rent.jpg")] };
  const event = new Happening("drop", { dataTransfer });
  made.place.dispatchEvent(event);
  await settle();
  assert.equal(event.defaultPrevented, true);
  assert.deepEqual(orders(), [{ profile: "document", title: "Rent", uploads: ["Rent.jpg"] }]);
  assert.equal(made.card.classList.contains("over"), false);
});

const jobOf = (id, state, more = {}) => ({
  id,
  state,
  message: "",
  pages: [],
  deliveries: [],
  notices: [],
  noticeSayings: [],
  devices: ["v:feeder"],
  ...more,
});

// The view for scanning with these jobs.
async function opened(jobs = [], devices = [feeder], rest = []) {
  host.on("GET profiles", { profiles }).on("GET sinks", { sinks: ["archive"] });
  host.on("GET jobs", { jobs }).on("GET devices", { devices, problems: [] });
  host.on("GET job-options", { options: [] });
  const place = emptyView();
  const leave = await view.show(place, rest);
  await settle();
  return { place, leave, columns: place.querySelector(".columns") };
}

test("The view shows a job that begins, and brings the form back when it is over", async () => {
  const { place, leave, columns } = await opened();
  assert.match(place.textContent, /Put a page in and press Scan/);
  publish("job", jobOf("j1", "running"));
  assert.equal(columns.className, "columns scan busy");
  assert.doesNotMatch(place.textContent, /Put a page in/);
  publish("job", jobOf("j1", "completed"));
  assert.equal(columns.className, "columns scan done");
  await press(place, "Scan more");
  assert.equal(columns.className, "columns scan");
  assert.equal(place.querySelector(".chosen[data-job]"), null);
  leave();
});

test("The five latest jobs are shown, and a hidden one stays hidden", async () => {
  const jobs = [1, 2, 3, 4, 5, 6].map((number) => jobOf("j" + number, "completed"));
  const { place, leave } = await opened(jobs);
  const ids = () => place.querySelectorAll("[data-job]").map((one) => one.dataset.job);
  assert.deepEqual(ids(), ["j1", "j2", "j3", "j4", "j5"]);
  await press(place, "Hide");
  assert.deepEqual(ids(), ["j2", "j3", "j4", "j5", "j6"]);
  leave();
  const later = await opened(jobs);
  assert.equal(later.place.querySelector("[data-job=j1]"), null);
  // A job that runs again is shown again.
  publish("job", jobOf("j1", "running"));
  assert.notEqual(later.place.querySelector("[data-job=j1]"), null);
  later.leave();
});

test("The space bar scans, or scans another sheet, but not in a field", async () => {
  const { place, leave } = await opened();
  host.on("POST jobs", jobOf("j1", "running")).on("POST jobs/j1/answer", {});
  const space = async (target) => {
    const event = new Happening("keydown", { key: " ", target });
    dispatchEvent(event);
    await settle();
    return event.defaultPrevented;
  };
  assert.equal(await space(place.querySelector("input")), false);
  assert.equal(host.count("POST jobs"), 0);
  assert.equal(await space(document.body), true);
  assert.equal(host.count("POST jobs"), 1);
  publish("job", jobOf("j1", "waiting", { question: "another" }));
  await space(document.getElementById("view"));
  assert.deepEqual(host.bodies("POST jobs/j1/answer"), [{ goesOn: true }]);
  assert.equal(host.count("POST jobs"), 1);
  leave();
  await space(document.body);
  assert.equal(host.count("POST jobs"), 1, "another view is shown");
});

test("The device is asked nothing while a job may have it, and again after that", async () => {
  const { leave, place } = await opened();
  await pass(400);
  const asked = () => host.asked.filter(([one]) => one.endsWith("/check")).length;
  publish("job", jobOf("j1", "running"));
  const before = asked();
  await fill(place.querySelector("select[name=mode]"), "color");
  await pass(1000);
  assert.equal(asked(), before);
  publish("job", jobOf("j1", "completed"));
  await settle();
  assert.equal(asked(), before + 1);
  leave();
});

test("Without a scanner the view says why, and shows one that appears", async () => {
  host.on("GET devices", { devices: [], problems: [] });
  const { place, leave } = await opened([], []);
  assert.match(place.textContent, /No scanner or camera was found/);
  host.on("GET devices", {
    devices: [],
    problems: [{ code: "crashed", message: "The driver crashed" }],
  });
  publish("device", {});
  await settle();
  assert.match(place.querySelector(".empty .warn").textContent, /The driver crashed\./);
  // A crashed driver is back soon, and is asked again by itself.
  host.on("GET devices", {
    devices: [feeder, { ...feeder, id: "f", kind: "files" }],
    problems: [],
  });
  await pass(2000);
  assert.deepEqual(offered(place.querySelector("select[name=device]")), ["attic"]);
  leave();
});

test("The settings are unfolded where there is room for them", async () => {
  const made = form();
  assert.equal(made.element.querySelector("details.basics").open, false);
  screen.queries = ["(min-width: 62rem) and (min-height: 46rem)"];
  const roomy = form();
  assert.equal(roomy.element.querySelector("details.basics").open, true);
  made.leave();
  roomy.leave();
});

test("Enter in a field of the form scans as its button does", async () => {
  const made = form();
  await key(field(made, "title"), "Enter");
  made.element.requestSubmit();
  await settle();
  assert.equal(orders().length, 1);
  assert.equal(buttonOf(made.element, "Scan").disabled, false);
  made.leave();
});
