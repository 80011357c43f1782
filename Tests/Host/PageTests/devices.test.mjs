// Devices: their options in words, what is set for each, and what is done with them.
import assert from "node:assert/strict";
import test from "node:test";
import {
  buttonOf,
  check,
  emptyView,
  fill,
  Happening,
  host,
  pass,
  press,
  Refused,
  settle,
  shown,
  texts,
} from "./Support/page.mjs";
import { DeviceOptions } from "../../../Sources/Host/WebPage/files/devices/deviceoptions.js";
import { view } from "../../../Sources/Host/WebPage/files/devices/devices.js";
import {
  inGroups,
  takes,
  valueWords,
} from "../../../Sources/Host/WebPage/files/devices/options.js";
import { publish } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { recall } from "../../../Sources/Host/WebPage/files/parts/memory.js";

test.beforeEach(() => {
  host.reset();
  localStorage.clear();
});

for (
  const [value, unit, wanted] of [
    [300, "dpi", "300 dpi"],
    [20, "percent", "20 %"],
    [true, undefined, "yes"],
    [false, undefined, "no"],
    [0, undefined, "0"],
    ["", undefined, ""],
    [undefined, "dpi", ""],
    [5, "furlongs", "5 furlongs"],
  ]
) {
  test(`The value ${value} in ${unit} is said as '${wanted}'`, () => {
    assert.equal(valueWords(value, unit), wanted);
  });
}

for (
  const [option, wanted] of [
    [
      { type: { minimum: -100, maximum: 100 }, unit: "percent", defaultValue: 0 },
      "-100 to 100 % · default: 0",
    ],
    [{ type: { choices: ["a", "b"] }, defaultValue: "a" }, "a, b · default: a"],
    [{ type: { choices: [150, 300] }, unit: "dpi" }, "150, 300 dpi"],
    [{ type: {}, defaultValue: true }, "default: yes"],
    [{ type: {}, defaultValue: "" }, ""],
    [{ type: {} }, ""],
  ]
) {
  test(`An option ${JSON.stringify(option)} takes '${wanted}'`, () =>
    assert.equal(takes(option), wanted));
}

test("Options are in their groups, in the device's order", () => {
  const option = (name, group) => ({ name, group });
  const grouped = inGroups([option("a", "Scan"), option("b"), option("c", "Scan"), option("d")]);
  assert.deepEqual(grouped.map(([group, members]) => [group, members.map(({ name }) => name)]), [
    ["Scan", ["a", "c"]],
    ["", ["b", "d"]],
  ]);
});

const option = (name, more = {}) => ({
  name,
  title: name[0].toUpperCase() + name.slice(1),
  help: "",
  type: { kind: "integer", minimum: -100, maximum: 100 },
  value: 0,
  defaultValue: 0,
  isActive: true,
  isAdvanced: false,
  ...more,
});

// The options of a device that is open, as the device tells them.
async function opened(options, problems = []) {
  let times = 0;
  const made = new DeviceOptions(() => (times += 1));
  const told = { options, problems };
  host.on("POST devices/*/check", () => told);
  shown(made.element);
  made.element.open = true;
  made.show("v:feeder", {});
  await pass(400);
  const field = (name) => made.element.querySelector(`[data-option="${name}"]`);
  return { made, told, field, effective: () => times };
}

const checks = () => host.asked.filter(([one]) => one.endsWith("/check")).map(([, body]) => body);

test("Only options that this form has a field for are shown", async () => {
  const { made, field } = await opened([
    option("contrast"),
    option("source"),
    option("resolution"),
    option("area-left"),
    option("password", { type: { kind: "text" } }),
    option("serial", { isReadOnly: true }),
    option("calibrate", { type: { kind: "button" } }),
    option("file", { type: { kind: "text" }, hostPath: "file" }),
  ]);
  assert.equal(made.element.querySelectorAll("[data-option]").length, 1);
  assert.equal(field("contrast").type, "number");
  made.end();
});

test("Options for experts are folded away, and groups have their titles", async () => {
  const { made } = await opened([
    option("contrast", { group: "Picture" }),
    option("gamma", { isAdvanced: true }),
  ]);
  assert.deepEqual(texts(made.list, "legend"), ["Picture", "Options"]);
  assert.deepEqual(texts(made.list, "details details label"), ["Gamma"]);
  made.end();
});

test("A device without other options says so", async () => {
  const { made } = await opened([option("source")]);
  assert.equal(made.state.textContent, "This device has no other options.");
  made.end();
});

test("What is set is counted, kept for the device, and sent with each check", async () => {
  const { made, field } = await opened([option("contrast"), option("gamma")]);
  await fill(field("contrast"), "20");
  await fill(field("gamma"), "5");
  assert.equal(made.count.textContent, "(2 changed)");
  await pass(400);
  assert.deepEqual(checks().at(-1), { common: {}, settings: { contrast: "20", gamma: "5" } });
  assert.deepEqual(recall("options-v:feeder"), { contrast: "20", gamma: "5" });
  // The default is nothing that is set.
  await fill(field("gamma"), "0");
  await fill(field("contrast"), "");
  assert.deepEqual([made.count.textContent, made.usual.hidden], ["", true]);
  made.end();
});

test("Another device has its own settings, and the first one's are back later", async () => {
  const { made, field } = await opened([option("contrast")]);
  await fill(field("contrast"), "20");
  made.show("v:flatbed", {});
  assert.equal(made.count.textContent, "");
  made.show("v:feeder", {});
  assert.equal(made.count.textContent, "(1 changed)");
  await pass(400);
  assert.equal(field("contrast").value, "20");
  await press(made.element, "Reset all");
  await pass(0);
  assert.deepEqual([made.count.textContent, field("contrast").value], ["", "0"]);
  made.end();
});

test("A value that the device refuses is marked at its field until it is right", async () => {
  const { made, told, field } = await opened([option("contrast"), option("gamma")]);
  told.problems = [{ option: "contrast", code: "x", message: "500 is not between -100 and 100" }];
  await fill(field("contrast"), "500");
  await pass(400);
  const wrong = made.element.querySelector("[data-wrong=contrast]");
  assert.equal(wrong.textContent, "500 is not between -100 and 100.");
  assert.equal(field("contrast").hasAttribute("aria-invalid"), true);
  assert.equal(field("gamma").hasAttribute("aria-invalid"), false);
  assert.equal(field("contrast").value, "500", "what was typed stays");
  told.problems = [];
  await fill(field("contrast"), "20");
  await pass(400);
  assert.equal(field("contrast").hasAttribute("aria-invalid"), false);
  assert.equal(wrong.textContent, "");
  made.end();
});

test("A problem with a field that is not shown is said above", async () => {
  const { made } = await opened([option("contrast")], [
    { option: "resolution", code: "x", message: "1 dpi is too little" },
  ]);
  assert.equal(made.state.textContent, "1 dpi is too little.");
  made.end();
});

test("A stored setting that the device does not have anymore is forgotten", async () => {
  localStorage.setItem("options-v:feeder", JSON.stringify({ gone: "1", contrast: "2" }));
  const { made } = await opened([option("contrast")], [
    { option: "gone", code: "noSuchOption", message: "There is no option 'gone'" },
  ]);
  assert.deepEqual(made.settings, { contrast: "2" });
  assert.equal(made.state.textContent, "");
  made.end();
});

test("An option that another one turns off can't be filled in", async () => {
  const { made, field } = await opened([option("contrast", { isActive: false })]);
  assert.equal(field("contrast").disabled, true);
  assert.match(made.list.textContent, /not available because of another setting/);
  made.end();
});

test("Fields are drawn again only if the options change, not while someone types", async () => {
  const { made, told, field } = await opened([option("contrast")]);
  const before = field("contrast");
  await fill(before, "5");
  await pass(400);
  assert.equal(field("contrast"), before);
  told.options = [option("contrast"), option("gamma")];
  await fill(before, "6");
  await pass(400);
  assert.notEqual(field("contrast"), before);
  assert.equal(field("contrast").value, "6");
  made.end();
});

test("The device is asked once at a time, and an outdated answer is dropped", async () => {
  const { made, field } = await opened([option("contrast")]);
  const answers = [];
  host.on("POST devices/*/check", () => new Promise((done) => answers.push(done)));
  await fill(field("contrast"), "1");
  await pass(400);
  await fill(field("contrast"), "2");
  await pass(400);
  assert.equal(answers.length, 1);
  answers[0]({ options: [option("contrast")], problems: [{ option: "contrast", message: "old" }] });
  await settle();
  assert.equal(field("contrast").hasAttribute("aria-invalid"), false);
  assert.equal(answers.length, 2, "the newer settings are checked after that");
  answers[1]({ options: [option("contrast")], problems: [{ option: "contrast", message: "new" }] });
  await settle();
  assert.match(made.element.querySelector("[data-wrong=contrast]").textContent, /new/);
  made.end();
});

test("What is in effect is kept by the question, and not asked for again", async () => {
  const first = await opened([
    option("mode", { value: "gray" }),
    option("off", { isActive: false }),
  ]);
  assert.deepEqual([first.made.value("mode"), first.made.value("off")], ["gray", undefined]);
  assert.equal(first.effective(), 1);
  first.made.end();
  const before = checks().length;
  const later = new DeviceOptions();
  later.show("v:feeder", {});
  await pass(1000);
  assert.equal(later.isKnown, true);
  assert.equal(later.value("mode"), "gray");
  assert.equal(checks().length, before);
  later.show("v:feeder", { resolution: 150 });
  assert.equal(later.isKnown, false);
  await pass(400);
  assert.equal(checks().length, before + 1);
  later.end();
});

test("A device that can't be asked says why", async () => {
  host.on("POST devices/*/check", new Refused("busy", "The device is busy", 409));
  const made = new DeviceOptions();
  made.show("v:feeder", {});
  await pass(400);
  assert.equal(made.state.textContent, "The device is busy.");
  made.end();
});

const device = (more = {}) => ({
  id: "v:flatbed",
  name: "Virtual flatbed",
  aliases: [],
  kind: "scanner",
  state: "ready",
  sources: ["flatbed"],
  isDefault: false,
  ...more,
});

// The view of the devices.
async function view_(devices, more = {}) {
  const state = { jobs: [], aliases: {}, shares: [], isServed: false, problems: [], ...more };
  host.on("GET devices", () => ({ devices, problems: state.problems }));
  host.on("GET jobs", () => ({ jobs: state.jobs }));
  host.on("GET aliases", () => ({ aliases: state.aliases }));
  host.on("GET shares", () => ({ shares: state.shares, isServed: state.isServed }));
  host.on("GET profiles", {
    profiles: [
      { name: "none", title: "Nothing", isBuiltIn: true },
      { name: "document", title: "Document", isBuiltIn: true },
      { name: "broken", title: "Broken", problem: "x" },
    ],
  });
  const place = emptyView();
  const leave = await view.show(place);
  return { place, leave, state };
}

test("A device says what it is, in words", async () => {
  const { place, leave } = await view_([
    device({ connection: "USB", sources: ["flatbed", "feeder-duplex"], isDefault: true }),
    device({ id: "b", state: "noPermission", advice: "Add yourself to the group scanner" }),
  ]);
  const [one, two] = place.querySelectorAll("section.device");
  assert.equal(
    one.querySelector("p.soft").textContent,
    "glass / feeder, both sides · USB · v:flatbed",
  );
  assert.deepEqual(texts(one, ".tag"), ["ready", "default"]);
  assert.match(two.querySelector("p.warn").textContent, /Add yourself to the group scanner\./);
  leave();
});

test("A device gets a name, which can be removed again", async () => {
  const devices = [device({ aliases: ["attic"] })];
  const { place, leave } = await view_(devices);
  host.on("PUT aliases/my%20desk", undefined).on("DELETE aliases/attic", undefined);
  const name = place.querySelector(".names input");
  for (const [text, isName] of [["a/b", false], ["   ", false], ["my desk", true], ["", false]]) {
    name.value = text;
    assert.equal(name.validity.valid, isName, text);
  }
  name.value = " my desk ";
  await press(place, "Add");
  assert.deepEqual(host.bodies("PUT aliases/my%20desk"), [{ device: "v:flatbed" }]);
  await press(place, "Remove the name attic");
  assert.equal(host.count("DELETE aliases/attic"), 1);
  leave();
});

test("The names of devices that are not there can be removed, too", async () => {
  const aliases = { scanner: "gone", b: "gone", desk: "v:flatbed" };
  const { place, leave } = await view_([device({ aliases: ["desk"] })], { aliases });
  const away = place.querySelector("section:not(.device)");
  assert.deepEqual(texts(away, "button"), ["b ×", "scanner ×"]);
  leave();
});

test("The default device is chosen, and is none again at a second press", async () => {
  const devices = [device()];
  const { place, leave } = await view_(devices);
  host.on("PUT default-device", () => void (devices[0].isDefault = true));
  host.on("DELETE default-device", () => void (devices[0].isDefault = false));
  const words = "Use Virtual flatbed by default";
  await press(place, words);
  assert.equal(buttonOf(place, words).getAttribute("aria-pressed"), "true");
  await press(place, words);
  assert.equal(buttonOf(place, words).getAttribute("aria-pressed"), "false");
  assert.deepEqual(host.bodies("PUT default-device"), [{ device: "v:flatbed" }]);
  leave();
});

test("A shared device says what is done with its pages, and what others need", async () => {
  const devices = [device()];
  const { place, leave, state } = await view_(devices);
  host.on("PUT shares/v%3Aflatbed", () => void (state.shares = [{ device: "v:flatbed" }]));
  host.on("PATCH shares/v%3Aflatbed", {});
  assert.equal(place.querySelector("select"), null);
  await press(place, "Share Virtual flatbed on the network");
  assert.match(place.textContent, /once this host is started with --share/);
  assert.equal(place.querySelector("select").value, "none");
  assert.deepEqual(texts(place, "option"), ["Nothing", "Document"]);
  await fill(place.querySelector("select"), "document");
  await check(place.querySelector("input[type=checkbox]"));
  assert.deepEqual(host.bodies("PATCH shares/v%3Aflatbed"), [
    { profile: "document" },
    { readsText: true },
  ]);
  leave();
});

test("A shared camera's pages are cut out, and a deleted profile is still named", async () => {
  const shares = [{ device: "v:flatbed" }];
  const camera = await view_([device({ kind: "camera" })], { shares, isServed: true });
  assert.equal(camera.place.querySelector("select").value, "document");
  assert.doesNotMatch(camera.place.textContent, /--share/);
  camera.leave();
  const other = await view_([device()], { shares: [{ device: "v:flatbed", profile: "gone" }] });
  assert.equal(other.place.querySelector("select").value, "gone");
  other.leave();
});

test("Options are shown at a press, with their values or why they can't be set", async () => {
  const { place, leave } = await view_([device()]);
  host.on("GET devices/v%3Aflatbed/options", {
    options: [
      option("contrast", { help: "How much", value: 20, unit: "percent", group: "Picture" }),
      option("gamma", { isActive: false }),
    ],
  });
  await press(place, "Options of Virtual flatbed");
  assert.deepEqual(texts(place, "dt"), ["Contrast contrast20 %", "Gamma gamma"]);
  assert.deepEqual(texts(place, "dd"), [
    "How much · -100 to 100 % · default: 0",
    "not available because of another setting",
  ]);
  await press(place, "Options of Virtual flatbed");
  assert.equal(place.querySelector("dt"), null);
  leave();
});

test("A watched camera shows its newest picture, by its id or by its name", async () => {
  const job = { id: "j1", isWatch: true, state: "running", devices: ["desk"] };
  const { place, leave } = await view_([device({ kind: "camera", aliases: ["desk"] })], {
    jobs: [job],
  });
  const picture = place.querySelector("img.drawing");
  await settle();
  assert.match(picture.src, /^\/api\/v1\/jobs\/j1\/live\/frame\?number=/);
  assert.equal(picture.alt, "What Virtual flatbed sees now");
  const before = picture.src;
  picture.dispatchEvent(new Happening("load"));
  await pass(1000);
  assert.ok(picture.src.length >= before.length);
  leave();
});

test("The view is renewed when a device, a share or a watch changes", async () => {
  const { leave, state } = await view_([device()]);
  const loads = () => host.count("GET devices");
  const job = { id: "j1", isWatch: true, state: "running", devices: ["v:flatbed"] };
  for (
    const [name, value, isNews] of [
      ["device", {}, true],
      ["shares", {}, true],
      ["reset", {}, true],
      ["page", {}, false],
      ["job", { ...job, isWatch: false }, false],
      ["job", job, true],
      ["job", job, false],
      ["job", { ...job, state: "completed" }, true],
    ]
  ) {
    const before = loads();
    state.jobs = name === "job" && value.isWatch ? [value] : state.jobs;
    publish(name, value);
    await settle();
    assert.equal(loads() > before, isNews, JSON.stringify([name, value]));
  }
  leave();
});

test("Without a device the view says what to do", async () => {
  const { place, leave } = await view_([]);
  assert.match(place.textContent, /No scanner or camera was found/);
  leave();
});

test("A folded device that is known is not asked, and is when it is unfolded", async () => {
  const { made } = await opened([option("contrast")]);
  const fold = (isOpen) => {
    made.element.open = isOpen;
    made.element.dispatchEvent(new Happening("toggle"));
    return settle();
  };
  const before = checks().length;
  await fold(false);
  made.show("v:feeder", {});
  await pass(1000);
  assert.equal(checks().length, before);
  await fold(true);
  assert.equal(checks().length, before + 1);
  made.end();
});
