// Elements, names, buttons and messages: what every view is made of.
import assert from "node:assert/strict";
import test from "node:test";
import {
  buttonOf,
  emptyView,
  fill,
  Happening,
  key,
  pass,
  press,
  settle,
  shown,
  storage,
  textOf,
  told,
} from "./Support/page.mjs";
import * as dom from "../../../Sources/Host/WebPage/files/parts/dom.js";
import { drawing, empty } from "../../../Sources/Host/WebPage/files/parts/drawings.js";
import { field } from "../../../Sources/Host/WebPage/files/parts/field.js";
import { icon } from "../../../Sources/Host/WebPage/files/parts/icons.js";
import { recall, remember } from "../../../Sources/Host/WebPage/files/parts/memory.js";

const { make } = dom;

test("Text that looks like HTML stays text", () => {
  const made = make("p", { title: "<i>" }, "<b>Rent</b>");
  assert.equal(made.childElementCount, 0);
  assert.equal(made.textContent, "<b>Rent</b>");
  assert.equal(made.getAttribute("title"), "<i>");
});

test("An attribute without a value is left out, and a true one is there", () => {
  const made = make("input", { a: undefined, b: null, c: false, d: true, e: 0, class: "f" });
  assert.deepEqual([...made.attributes], [["d", ""], ["e", "0"], ["class", "f"]]);
});

test("Children may be in lists, and those that are missing are left out", () => {
  assert.equal(make("p", {}, ["a", undefined, null], undefined, 0, "").textContent, "a0");
});

test("A choice begins with the marked value, or with the first", () => {
  assert.equal(dom.choice("x", [["a", "A"], ["b", "B", true]]).value, "b");
  assert.equal(dom.choice("x", [["a", "A"], ["b", "B"]]).value, "a");
});

for (
  const [text, wanted] of [
    ["My profile", "My-profile"],
    ["  Rechnung Nr. 5!  ", "Rechnung-Nr-5"],
    ["Büro_2-a", "Büro_2-a"],
    ["日本", "日本"],
    ["--x--", "x"],
    ["_x_", "x_"],
    ["!?", ""],
    ["", ""],
  ]
) {
  test(`'${text}' as a name without spaces is '${wanted}'`, () => {
    assert.equal(dom.plainName(text), wanted);
  });
}

for (
  const [base, names, mark, wanted] of [
    ["my-document", [], undefined, "my-document"],
    ["my-document", ["my-document"], undefined, "my-document-2"],
    ["my-document", ["my-document", "my-document-2", "my-document-4"], undefined, "my-document-3"],
    ["A4", ["A4"], " ", "A4 2"],
  ]
) {
  test(`The free name beside [${names}] is '${wanted}'`, () => {
    assert.equal(dom.freeName(base, names, mark), wanted);
  });
}

test("A menu closes with Escape, and the focus is on its button", async () => {
  const menu = shown(dom.menu({}, ["More"], make("button", { type: "button" }, "One")));
  await press(menu, "More");
  assert.equal(menu.open, true);
  buttonOf(menu, "One").focus();
  await key(buttonOf(menu, "One"), "a");
  assert.equal(menu.open, true);
  await key(buttonOf(menu, "One"), "Escape");
  assert.equal(menu.open, false);
  assert.equal(document.activeElement, buttonOf(menu, "More"));
});

test("A menu closes when a choice is made, or something else is used", async () => {
  const menu = dom.menu({}, ["More"], make("button", { type: "button" }, "One"), make("input"));
  const other = make("button", {}, "Other");
  shown(make("div", {}, menu, other));
  await press(menu, "More");
  menu.querySelector("input").click();
  menu.querySelector("input").focus();
  assert.equal(menu.open, true, "a field of the menu is not a choice");
  await press(menu, "One");
  assert.equal(menu.open, false);
  await press(menu, "More");
  menu.querySelector("input").focus();
  other.focus();
  assert.equal(menu.open, false);
});

test("A message stays for eight seconds, and longer while it is pointed at", async () => {
  emptyView();
  const place = document.getElementById("told");
  dom.tell("Saved");
  await pass(7900);
  assert.equal(told(), "Saved");
  place.isPointedAt = true;
  await pass(10_000);
  assert.equal(told(), "Saved");
  place.isPointedAt = false;
  await pass(2000);
  assert.equal(told(), "");
});

test("A newer message has its own eight seconds", async () => {
  dom.tell("First");
  await pass(7000);
  dom.tell("Second");
  await pass(7000);
  assert.equal(told(), "Second");
  await pass(1000);
  assert.equal(told(), "");
});

test("A message can be closed", async () => {
  dom.tell("Saved");
  await press(document.getElementById("told"), "Close");
  assert.equal(told(), "");
});

test("A message's action works once, and takes the message away", async () => {
  let times = 0;
  dom.tell("Deleted", { words: "Undo", work: async () => (times += 1) });
  await press(document.getElementById("told"), "Undo");
  assert.deepEqual([times, told()], [1, ""]);
});

test("A message that leads to what is now shown is gone", () => {
  for (
    const [address, isGone] of [
      ["#document/4", true],
      ["#document/4/2", true],
      ["#document/41", false],
      ["#archive", false],
    ]
  ) {
    dom.tell("Split", { words: "Open", address: "#document/4" });
    location.hash = address;
    assert.equal(told() === "", isGone, address);
  }
});

test("A message goes where it covers no control", () => {
  const place = document.getElementById("told");
  const at = (top) => ({ left: 0, right: 100, top, bottom: top + 20, width: 100, height: 20 });
  const tops = { "": 700, beside: 400, above: 0 };
  Object.defineProperty(place, "box", {
    get: () => at(tops[place.className]),
    configurable: true,
  });
  for (
    const [controls, wanted] of [
      [[], ""],
      [[300], ""],
      [[700], "beside"],
      [[710, 390], "above"],
      // A control that is scrolled out of the window is not covered.
      [[900], ""],
      // With controls everywhere the message is at the foot, where it is expected.
      [[700, 400, 10], ""],
    ]
  ) {
    const buttons = controls.map((top) => Object.assign(make("button"), { box: at(top) }));
    emptyView().append(...buttons);
    dom.tell("Saved");
    assert.equal(place.className, wanted, String(controls));
  }
  delete place.box;
  emptyView();
});

test("A button can't be pressed twice while its action runs, and keeps the focus", async () => {
  let end;
  let times = 0;
  const work = () => (times += 1, new Promise((done) => (end = done)));
  const button = shown(make("button", { type: "button", onclick: dom.press(work) }, "Send"));
  button.focus();
  button.click();
  button.click();
  await settle();
  assert.deepEqual([times, button.disabled], [1, true]);
  end();
  await settle();
  assert.equal(button.disabled, false);
  assert.equal(document.activeElement, button);
});

test("A button that was redrawn by its action hands its focus on to the new one", async () => {
  const row = make("div");
  const draw = () => row.replaceChildren(make("button", { "data-keep": "a", onclick: act }, "A"));
  const act = dom.press(async () => draw());
  draw();
  shown(row);
  row.firstElementChild.focus();
  row.firstElementChild.click();
  await settle();
  assert.equal(document.activeElement, row.firstElementChild);
});

test("The failure of an action is told, and the button can be pressed again", async () => {
  const fail = dom.press(async () => {
    throw new Error("The lamp is broken");
  });
  const button = shown(make("button", { type: "button", onclick: fail }, "Scan"));
  await press(button.parentNode, "Scan");
  assert.equal(told(), "The lamp is broken");
  assert.equal(button.disabled, false);
});

test("What is drawn again keeps unfinished input and the focus", () => {
  const row = make("div");
  const draw = (value) => row.replaceChildren(make("input", { "data-keep": "title", value }));
  draw("Rent");
  shown(row);
  row.firstElementChild.focus();
  row.firstElementChild.value = "Rent of M";
  dom.redraw(row, () => draw("Water"));
  assert.equal(row.firstElementChild.value, "Rent of M");
  assert.equal(document.activeElement, row.firstElementChild);
});

test("Kept input is reported when its field is left, and only once", () => {
  for (const isChanged of [false, true]) {
    const heard = [];
    const row = make("div");
    const draw = () =>
      row.replaceChildren(
        make("input", { "data-keep": "a", value: "", onchange: (e) => heard.push(e.target.value) }),
      );
    draw();
    shown(row);
    row.firstElementChild.focus();
    row.firstElementChild.value = "x";
    dom.redraw(row, draw);
    if (isChanged) row.firstElementChild.dispatchEvent(new Happening("change"));
    row.firstElementChild.blur();
    assert.deepEqual(heard, ["x"]);
  }
});

test("A field that nobody wrote in shows the new value after it was drawn again", () => {
  const row = make("div");
  const draw = (value) => row.replaceChildren(make("input", { "data-keep": "title", value }));
  draw("Rent");
  shown(row);
  row.firstElementChild.focus();
  dom.redraw(row, () => draw("Water"));
  assert.equal(row.firstElementChild.value, "Water");
});

test("The focus goes to another element if the focused one is gone", () => {
  const row = make("div");
  const draw = (...names) =>
    row.replaceChildren(...names.map((name) => make("button", { "data-keep": name }, name)));
  draw("a", "b");
  const outside = make("button");
  shown(make("div", {}, row, outside));
  row.firstElementChild.focus();
  dom.redraw(row, () => draw("b"), "b");
  assert.equal(document.activeElement, row.firstElementChild);
  outside.focus();
  dom.redraw(row, () => draw("a", "b"), "a");
  assert.equal(document.activeElement, outside, "the focus was elsewhere");
});

test("The browser keeps values, and does without where it may store none", () => {
  remember("size", { paper: "a4" });
  assert.deepEqual(recall("size", {}), { paper: "a4" });
  assert.equal(recall("unknown", "usual"), "usual");
  remember("off", false);
  assert.equal(recall("off", true), false);
  localStorage.setItem("damaged", "{");
  assert.equal(recall("damaged", "usual"), "usual");
  storage.isFull = true;
  remember("size", 1);
  storage.isFull = false;
  assert.deepEqual(recall("size"), { paper: "a4" });
});

for (
  const [device, like] of [
    [{ kind: "camera", sources: [] }, "camera"],
    [{ kind: "files", sources: [] }, "files"],
    [{ kind: "something new", sources: [] }, "files"],
    [{ kind: "scanner", sources: ["feeder-duplex"] }, "duplex"],
    [{ kind: "scanner", sources: ["feeder"] }, "feeder"],
    [{ kind: "scanner", sources: ["flatbed", "feeder-duplex"] }, "both"],
    [{ kind: "scanner", sources: [] }, "flatbed"],
  ]
) {
  test(`A ${device.kind} with [${device.sources}] is drawn as '${like}'`, () => {
    const strokes = (svg) => svg.children.map((one) => one.getAttribute("d"));
    const wanted = empty(like === "duplex" ? "flatbed" : like).firstElementChild;
    if (like === "duplex") assert.notDeepEqual(strokes(drawing(device)), strokes(wanted));
    else assert.deepEqual(strokes(drawing(device)), strokes(wanted));
  });
}

test("An empty view has a drawing that is not read aloud, and its advice", () => {
  const view = empty("camera", "No camera");
  assert.equal(view.firstElementChild.getAttribute("aria-hidden"), "true");
  assert.equal(textOf(view), "No camera");
  assert.equal(icon("scan").getAttribute("aria-hidden"), "true");
});

// Writes into the field of a setting, and returns what was taken.
async function taken(declared, value, written) {
  const heard = [];
  const made = shown(
    field({ name: "x", label: "X", ...declared }, value, (one) => heard.push(one)),
  );
  const input = made.querySelector("[data-option]");
  if (written === true) input.click();
  else {
    Object.assign(input, written === "?" ? { hasBadInput: true } : {});
    await fill(input, written === "?" ? "" : written);
  }
  return heard;
}

test("A setting gives its value in its own type", async () => {
  const choices = [["a", "A"], ["b", "B"]];
  assert.deepEqual(await taken({ type: "flag" }, false, true), [true]);
  assert.deepEqual(await taken({ type: "flag" }, true, true), [false]);
  assert.deepEqual(await taken({ type: "text" }, "old", "new"), ["new"]);
  assert.deepEqual(await taken({ type: "number" }, 1, "2.5"), [2.5]);
  assert.deepEqual(await taken({ type: "number" }, 1, "0"), [0]);
  assert.deepEqual(await taken({ type: "choice", choices }, "a", "b"), ["b"]);
});

test("An emptied setting has no value, and text that is no number is a mistake", async () => {
  assert.deepEqual(await taken({ type: "number" }, 1, ""), [undefined]);
  assert.deepEqual(await taken({ type: "number" }, 1, "?"), ["?"]);
  assert.deepEqual(await taken({ type: "choice", choices: [["a", "A"]] }, undefined, ""), [
    undefined,
  ]);
});

test("A choice without a value offers none, and one with a value shows it", () => {
  const choices = [[1, "one"], [2, "two"]];
  const none = field({ name: "x", label: "X", type: "choice", choices }, undefined, () => {});
  assert.deepEqual(none.querySelectorAll("option").map((one) => one.value), ["", "1", "2"]);
  // Values are kept as text.
  const some = field({ name: "x", label: "X", type: "choice", choices }, "2", () => {});
  assert.equal(some.querySelector("select").value, "2");
});

test("A setting is labeled, and described by its help and what it takes", () => {
  const made = field(
    { name: "x", label: "Contrast", help: "How much", takes: "0 to 9", type: "number" },
    1,
    () => {},
  );
  const input = made.querySelector("input");
  assert.equal(made.querySelector("label").getAttribute("for"), input.id);
  const help = made.querySelector("#" + input.getAttribute("aria-describedby"));
  assert.equal(help.textContent, "How much · 0 to 9");
  const other = field(
    { name: "x", label: "X", help: "", takes: "0 to 9", type: "text" },
    "",
    () => {},
  );
  assert.equal(other.querySelector(".soft").textContent, "0 to 9");
});
