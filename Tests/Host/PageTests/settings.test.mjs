// The settings: profiles and their steps, destinations, access, and the look of the page.
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
  place as browserPlace,
  press,
  Refused,
  settle,
  shown,
  submit,
  texts,
  told,
} from "./Support/page.mjs";
import {
  appearance,
  showTheme,
} from "../../../Sources/Host/WebPage/files/settings/appearance.js";
import { copyButton } from "../../../Sources/Host/WebPage/files/settings/copy.js";
import { profileForm } from "../../../Sources/Host/WebPage/files/settings/profile.js";
import { Sample } from "../../../Sources/Host/WebPage/files/settings/sample.js";
import { view } from "../../../Sources/Host/WebPage/files/settings/settings.js";
import {
  sinkChange,
  sinkOrder,
  sinks,
} from "../../../Sources/Host/WebPage/files/settings/sinks.js";
import { StepList } from "../../../Sources/Host/WebPage/files/settings/steps.js";
import { qrCode, tokens } from "../../../Sources/Host/WebPage/files/settings/tokens.js";
import { enter } from "../../../Sources/Host/WebPage/files/shell/host.js";
import { make } from "../../../Sources/Host/WebPage/files/parts/dom.js";
import { recall } from "../../../Sources/Host/WebPage/files/parts/memory.js";

async function signedIn(session) {
  host.on("GET session", session);
  await enter();
}

// Pictures are drawn by the browser.
globalThis.createImageBitmap = async () => ({ width: 10, height: 20 });
const createElement = document.createElement;
document.createElement = (name) =>
  Object.assign(createElement(name), { getContext: () => ({ drawImage() {} }) });

test.beforeEach(async () => {
  host.reset();
  localStorage.clear();
  location.hash = "#settings";
  Object.assign(answers, { isSure: true, questions: [] });
  host.on("GET outbox", { items: [] }).on("GET documents?limit=20", { documents: [] });
  await signedIn({});
});

const declared = [
  { name: "crop", title: "Crop to the paper", help: "", options: [] },
  {
    name: "deskew",
    title: "Straighten",
    help: "",
    options: [
      { name: "maximum", type: "number", minimum: 0, maximum: 45, unit: "°", usual: 15, help: "" },
      { name: "threshold", type: "number", minimum: 0, maximum: 2, unit: "°", usual: 0.1, help: "" },
    ],
  },
  {
    name: "binarize",
    title: "Black and white",
    help: "",
    options: [
      { name: "method", type: "choice", choices: ["sauvola", "otsu"], usual: "sauvola", help: "" },
      { name: "holes", type: "flag", usual: false, help: "" },
    ],
  },
];

// The steps of a profile as a list.
function stepsOf(entries) {
  let changes = 0;
  const list = new StepList(declared, entries, () => (changes += 1));
  shown(make("div", {}, list.list, list.adding));
  list.draw();
  const step = (name) => list.list.querySelector(`[data-step="${name}"]`);
  return { list, step, changes: () => changes };
}

test("A step is its name, or its options under its name, as the profile had it", () => {
  const entries = ["crop", { deskew: { maximum: 5 } }];
  const { list } = stepsOf(entries);
  assert.deepEqual(list.entries, entries);
  // Later input does not change what was given before.
  const before = list.entries;
  list.chosen[1].values.maximum = 9;
  assert.deepEqual(before, entries);
});

test("An option is in the profile only if it is not the usual value", async () => {
  const { list, step } = stepsOf(["deskew", "binarize"]);
  const maximum = step("deskew").querySelector("[data-option=maximum]");
  assert.equal(maximum.value, "15");
  await fill(maximum, "5");
  await fill(step("binarize").querySelector("[data-option=method]"), "otsu");
  await check(step("binarize").querySelector("[data-option=holes]"));
  assert.deepEqual(list.entries, [
    { deskew: { maximum: 5 } },
    { binarize: { method: "otsu", holes: true } },
  ]);
  for (const value of ["15", ""]) {
    await fill(maximum, "5");
    await fill(maximum, value);
    assert.equal(list.entries[0], "deskew");
  }
});

test("Options say in words what they take, and what is usual", () => {
  const { step } = stepsOf(["deskew", "binarize"]);
  assert.match(step("deskew").textContent, /0 – 45 ° · default: 15/);
  assert.deepEqual(texts(step("binarize"), "option"), [
    "for uneven light and stains",
    "for even light",
  ]);
  assert.match(step("binarize").textContent, /default: for uneven light and stains/);
  assert.match(step("binarize").textContent, /default: no/);
});

test("An option has the label of its step, or the one that several steps share", () => {
  const { step } = stepsOf(["deskew"]);
  for (const label of ["Largest angle", "Threshold"]) {
    assert.ok(step("deskew").textContent.includes(label), label);
  }
  assert.doesNotMatch(step("deskew").textContent, /option-/);
});

test("A step is added at its place in the catalog, and only once", async () => {
  const { list } = stepsOf(["binarize"]);
  assert.deepEqual(offered(list.adding), ["Add a step …", "Crop to the paper", "Straighten"]);
  await fill(list.adding, "crop");
  await fill(list.adding, "deskew");
  assert.deepEqual(list.entries, ["crop", "deskew", "binarize"]);
  assert.deepEqual(offered(list.adding), ["Add a step …"]);
});

test("A step moves up and down, keeps its options and the focus, and is removed", async () => {
  const { list } = stepsOf(["crop", { deskew: { maximum: 5 } }, "binarize"]);
  await press(list.list, "Move up: Straighten");
  assert.deepEqual(list.entries, [{ deskew: { maximum: 5 } }, "crop", "binarize"]);
  // It can't move up further, so another of its buttons has the focus.
  assert.equal(document.activeElement.getAttribute("aria-label"), "Move down: Straighten");
  assert.equal(buttonOf(list.list, "Move up: Straighten").disabled, true);
  await press(list.list, "Move down: Straighten");
  await press(list.list, "Remove: Straighten");
  assert.deepEqual(list.entries, ["crop", "binarize"]);
  assert.equal(document.activeElement.getAttribute("aria-label"), "Remove: Black and white");
});

test("A step that is open stays open when the list is drawn again", async () => {
  const { list, step } = stepsOf(["crop", "deskew"]);
  step("deskew").querySelector("details").open = true;
  await press(list.list, "Move up: Straighten");
  assert.deepEqual([step("deskew"), step("crop")].map((one) => one.querySelector("details").open), [
    true,
    false,
  ]);
});

for (
  const [mistake, place, words] of [
    [
      { place: "steps[1].deskew.maximum", message: "steps[1].deskew.maximum: 99 was given" },
      "[data-wrong=maximum]",
      "99 was given",
    ],
    [
      { place: "steps[1].deskew.maximum", message: "3:7: steps[1].deskew.maximum: 99 was given" },
      "[data-wrong=maximum]",
      "99 was given",
    ],
    [
      { place: "steps[1]", message: "steps[1]: it is there twice" },
      '[data-wrong=""]',
      "it is there twice",
    ],
    [
      { place: "steps[1].deskew.unknown", message: "steps[1].deskew.unknown: there is none" },
      '[data-wrong=""]',
      "there is none",
    ],
  ]
) {
  test(`The mistake '${mistake.message}' is shown at ${place}`, () => {
    const { list, step } = stepsOf(["crop", "deskew"]);
    assert.equal(list.showMistake(mistake), true);
    assert.equal(step("deskew").querySelector(place).textContent, words);
    const isField = place.includes("maximum");
    const invalid = step("deskew").querySelectorAll("[aria-invalid]");
    assert.equal(invalid.length, isField ? 1 : 0);
    assert.equal(step("deskew").querySelector("details").open, isField);
    list.focusMistake();
    if (isField) assert.equal(document.activeElement, invalid[0]);
    list.clearMistakes();
    assert.equal(step("deskew").querySelector(place).textContent, "");
    assert.equal(step("deskew").querySelector("[aria-invalid]"), null);
  });
}

test("A mistake that is at no step is left to the form", () => {
  const { list } = stepsOf(["crop"]);
  assert.equal(list.showMistake({ place: "title", message: "x" }), false);
  assert.equal(list.showMistake({ place: "steps[7]", message: "x" }), false);
});

const shipped = { name: "document", title: "Document", description: "Pages", isBuiltIn: true };
const own = { name: "letters", title: "Letters", description: "Mine", isBuiltIn: false };

// The form of a profile; `problems` are what the host finds wrong with it.
async function profile(from, { more = {}, problems = [] } = {}) {
  const found = { problems };
  const known = {
    ...shipped,
    looksFor: "page",
    steps: ["crop"],
    text: { languages: ["eng"] },
    ...more,
  };
  host.on("GET profiles/*/form", known).on("GET steps", { steps: declared });
  host.on("GET languages", { languages: ["eng", "deu"] });
  host.on("GET sinks", { sinks: ["archive", "shelf"] });
  host.on("GET profiles", { profiles: [shipped, own, { ...own, name: "my-document" }] });
  host.on("POST profile-check", () => ({ problems: found.problems }));
  host.on("POST profile-preview*", { captured: "", page: "", steps: [], pages: 1 });
  host.on("PUT profiles/*", {});
  const place = emptyView();
  const leave = await profileForm(place, from);
  await pass(250);
  const form = place.querySelector("form");
  return { place, leave, found, form, field: (name) => form.elements[name] };
}

const saved = () => host.asked.filter(([one]) => one.startsWith("PUT profiles/"));

test("A built-in profile is copied under a free name, which follows its title", async () => {
  const { place, leave, form, field } = await profile("document");
  assert.equal(place.querySelector("h2").textContent, "Copy of “Document”");
  assert.match(place.textContent, /is built in and can't be changed/);
  assert.deepEqual([field("title").value, field("name").value], ["My Document", "my-document-2"]);
  await fill(field("title"), "Letters");
  assert.equal(field("name").value, "letters-2", "there is a profile 'letters'");
  await fill(field("title"), "Büro & Post");
  assert.equal(field("name").value, "büro-post");
  await fill(field("name"), "post");
  await fill(field("title"), "Other");
  assert.equal(field("name").value, "post", "someone wrote another name");
  await submit(form);
  assert.equal(saved()[0][0], "PUT profiles/post");
  assert.equal(location.hash, "#settings");
  assert.match(told(), /You can now choose “Other”/);
  leave();
});

for (
  const [name, isName] of [["a", true], ["Büro-2_x", true], ["-a", false], ["a b", false], [
    "a/b",
    false,
  ]]
) {
  test(`'${name}' ${isName ? "is" : "is not"} taken as a profile's name`, async () => {
    const { leave, field } = await profile("document");
    field("name").value = name;
    assert.equal(field("name").validity.valid, isName);
    leave();
  });
}

test("An own profile is changed as it is, under its name", async () => {
  const { place, leave, form, field } = await profile("letters", { more: { ...own } });
  assert.equal(place.querySelector("h2").textContent, "Change “Letters”");
  assert.equal(field("name").hasAttribute("readonly"), true);
  await submit(form);
  assert.deepEqual(saved()[0].slice(0, 2), ["PUT profiles/letters", {
    title: "Letters",
    description: "Mine",
    looksFor: "page",
    steps: ["crop"],
    text: { languages: ["eng"] },
    sinks: [],
  }]);
  leave();
});

// The check mark of a language or a place.
const boxOf = (form, value) =>
  form.querySelectorAll("input[type=checkbox]").find((one) => one.value === value);

test("A profile that reads no language reads no text", async () => {
  const { leave, form } = await profile("letters", { more: own });
  assert.deepEqual(texts(form, "fieldset:has(input) label").slice(0, 2), [
    "English (eng)",
    "German (deu)",
  ]);
  await check(boxOf(form, "eng"));
  await submit(form);
  assert.equal(saved()[0][1].text, "off");
  leave();
});

test("A language that is not installed anymore stays with the profile", async () => {
  const { leave, form } = await profile("letters", {
    more: { ...own, text: { languages: ["fra"] } },
  });
  assert.equal(boxOf(form, "fra").checked, true);
  await submit(form);
  assert.deepEqual(saved()[0][1].text, { languages: ["fra"] });
  leave();
});

test("What goes nowhere else goes to the archive", async () => {
  const { leave, form } = await profile("letters", { more: own });
  assert.equal(boxOf(form, "archive").checked, true);
  await check(boxOf(form, "archive"));
  assert.equal(boxOf(form, "archive").checked, true);
  await check(boxOf(form, "shelf"));
  await check(boxOf(form, "archive"));
  await submit(form);
  assert.deepEqual(saved()[0][1].sinks, ["shelf"]);
  leave();
});

test("A profile that named the archive names it still", async () => {
  const { leave, form } = await profile("letters", { more: { ...own, sinks: ["archive"] } });
  await submit(form);
  assert.deepEqual(saved()[0][1].sinks, ["archive"]);
  leave();
});

test("A region belongs to a profile that looks for one, and to no other", async () => {
  const region = { x: 0, y: 0, width: 1, height: 1 };
  const { leave, form, field } = await profile("letters", {
    more: { ...own, looksFor: "region", region, live: { rate: 4 } },
  });
  await submit(form);
  assert.deepEqual([saved()[0][1].region, saved()[0][1].live], [region, { rate: 4 }]);
  await fill(field("looksFor"), "page");
  await submit(form);
  assert.equal("region" in saved()[1][1], false);
  leave();
  const plain = await profile("letters", { more: own });
  assert.equal(offered(plain.field("looksFor")).length, 3);
  plain.leave();
});

test("Mistakes are counted and shown, and such a profile is not saved", async () => {
  const { leave, form, found, place } = await profile("document");
  assert.equal(place.querySelector(".foot [role=status]").textContent, "The profile is valid.");
  found.problems = [{ place: "title", message: "A title is needed" }];
  await submit(form);
  assert.deepEqual(saved(), []);
  assert.deepEqual(texts(form, "ul.bad li"), ["A title is needed"]);
  assert.equal(place.querySelector(".foot [role=status]").textContent, "Errors: 1");
  leave();
});

test("A profile is checked when someone pauses, and the newest check counts", async () => {
  const { leave, place, field } = await profile("document");
  const before = host.count("POST profile-check");
  const waiting = [];
  host.on("POST profile-check", () => new Promise((done) => waiting.push(done)));
  await fill(field("title"), "A");
  await pass(200);
  await fill(field("title"), "AB");
  assert.equal(host.count("POST profile-check"), before);
  await pass(250);
  await fill(field("title"), "ABC");
  await pass(250);
  assert.equal(waiting.length, 2);
  waiting[1]({ problems: [] });
  await settle();
  waiting[0]({ problems: [{ place: "title", message: "old" }] });
  await settle();
  assert.equal(place.querySelector(".foot [role=status]").textContent, "The profile is valid.");
  leave();
});

test("The sample says which steps changed it, and how many pages it became", async () => {
  const sample = new Sample(declared);
  for (
    const [made, wanted] of [
      [{ steps: [], pages: 1 }, "These steps leave this page as it is."],
      [
        { steps: [{ name: "crop", changed: true }, { name: "deskew", changed: false }], pages: 1 },
        "Changed by: Crop to the paper",
      ],
      [
        { steps: [{ name: "crop", changed: true }], pages: 2 },
        "Changed by: Crop to the paper The first of 2 pages is shown.",
      ],
    ]
  ) {
    host.on("POST profile-preview", { captured: "", page: "", ...made });
    await sample.show({});
    assert.equal(sample.state.textContent, wanted);
    assert.deepEqual(texts(sample.pictures, "figcaption"), ["before", "after"]);
  }
});

test("The latest documents are offered as samples", async () => {
  host.on("GET documents?limit=20", {
    documents: [{ id: 4, title: "Rent" }, { id: 5, title: "" }],
  });
  host.on("POST profile-preview?document=4", { captured: "", page: "", steps: [], pages: 1 });
  const sample = new Sample(declared);
  await settle();
  assert.deepEqual(offered(sample.page), ["a sample page", "Rent", "5"]);
  sample.profile = {};
  await fill(sample.page, "4");
  assert.equal(host.count("POST profile-preview?document=4"), 1);
});

test("A profile that changes during the attempt is tried again, once", async () => {
  const sample = new Sample(declared);
  const waiting = [];
  host.on(
    "POST profile-preview",
    (body) =>
      new Promise((done) =>
        waiting.push(() => done({ captured: "", page: "", steps: [], pages: body.pages }))
      ),
  );
  sample.show({ pages: 1 });
  sample.show({ pages: 2 });
  sample.show({ pages: 3 });
  await settle();
  assert.equal(waiting.length, 1);
  waiting[0]();
  await settle();
  assert.equal(waiting.length, 2);
  waiting[1]();
  await settle();
  assert.match(sample.state.textContent, /first of 3 pages/);
  assert.equal(waiting.length, 2);
});

test("A sample that failed is tried again when the host is back", async () => {
  const sample = new Sample(declared);
  host.isAway = true;
  await sample.show({});
  assert.match(sample.state.textContent, /does not answer/);
  host.isAway = false;
  host.on("POST profile-preview", { captured: "", page: "", steps: [], pages: 1 });
  sample.again();
  await settle();
  assert.match(sample.state.textContent, /leave this page as it is/);
  sample.again();
  await settle();
  assert.equal(host.count("POST profile-preview"), 1);
});

const webhook = {
  name: "webhook",
  schemes: ["https", "http"],
  settings: [
    { name: "url", isNeeded: true, choices: [] },
    { name: "token", isSecret: true, isNeeded: true, choices: [] },
    { name: "style", isParameter: true, choices: ["path", "host"] },
    { name: "region", isParameter: true, choices: [] },
  ],
};
const fieldsOf = (values) => ({ get: (name) => values[name] ?? null });

for (
  const [values, wanted] of [
    [{ name: " desk ", "setting.url": " https://x " }, {
      name: "desk",
      kind: "webhook",
      url: "https://x",
    }],
    [{ name: "desk", "setting.token": "t", "setting.style": "host", "setting.region": "eu" }, {
      name: "desk",
      kind: "webhook",
      token: "t",
      parameters: { style: "host", region: "eu" },
    }],
    [{ name: "desk", "setting.url": "  " }, { name: "desk", kind: "webhook" }],
  ]
) {
  test(`A destination with ${JSON.stringify(values)} is ordered as it is filled in`, () => {
    assert.deepEqual(sinkOrder(webhook, fieldsOf(values)), wanted);
  });
}

for (
  const [values, wanted] of [
    [{ "setting.url": "https://x", "setting.region": "eu" }, {}],
    [{ "setting.url": "https://y", "setting.region": "eu" }, { url: "https://y" }],
    // A hidden setting stays unless it is filled in.
    [{ "setting.url": "https://x", "setting.token": "new", "setting.region": "eu" }, {
      token: "new",
    }],
    [{ "setting.url": "https://x", "setting.region": " " }, { region: null }],
  ]
) {
  test(`Filled in as ${JSON.stringify(values)}, a destination changes only so`, () => {
    const known = { hidden: ["token"], settings: { url: "https://x", region: "eu" } };
    assert.deepEqual(sinkChange(webhook, known, fieldsOf(values)), { settings: wanted });
  });
}

// The part of the settings with these destinations.
async function destinations(named = [{ name: "desk", kind: "webhook", target: "https://x" }]) {
  host.on("GET sinks", () => ({ named })).on("GET sink-kinds", { kinds: [webhook] });
  const part = shown(await sinks());
  return { part, named };
}

test("Destinations are listed with where they are, and the archive is one", async () => {
  const { part } = await destinations([
    { name: "desk", kind: "webhook", target: "https://x" },
    { name: "shelf", kind: "file" },
  ]);
  assert.deepEqual(texts(part, ".rows strong"), ["Archive", "desk", "shelf"]);
  assert.deepEqual(texts(part, ".rows .tag"), ["Webhook", "folder"]);
  assert.deepEqual(texts(part, ".rows .block"), [
    "On this host, with full-text search.",
    "https://x",
    "On the host.",
  ]);
  part.leave();
});

test("A test says whether a destination works, or why not", async () => {
  const { part } = await destinations();
  const said = () => part.querySelector("li [role=status]");
  host.on("POST sinks/desk/test", { works: true, answer: "it answered" });
  await press(part, "Test “desk”");
  assert.deepEqual([said().textContent, said().className], ["It works: it answered.", "good"]);
  host.on("POST sinks/desk/test", { works: false, answer: "The token is wrong" });
  await press(part, "Test “desk”");
  assert.deepEqual([said().textContent, said().className], ["The token is wrong", "bad"]);
  host.isAway = true;
  await press(part, "Test “desk”");
  assert.match(said().textContent, /does not answer/);
  part.leave();
});

test("A destination is removed after a question", async () => {
  const { part, named } = await destinations();
  host.on("DELETE sinks/desk", () => void named.pop());
  answers.isSure = false;
  await press(part, "Delete “desk”");
  assert.equal(host.count("DELETE sinks/desk"), 0);
  answers.isSure = true;
  await press(part, "Delete “desk”");
  assert.deepEqual(texts(part, ".rows strong"), ["Archive"]);
  part.leave();
});

test("A destination is changed without its secret, which is not shown", async () => {
  const { part } = await destinations();
  host.on("GET sinks/desk", { name: "desk", hidden: ["token"], settings: { url: "https://x" } });
  host.on("PATCH sinks/desk", {});
  await press(part, "Change “desk”");
  const form = part.querySelector("form.changing");
  const { elements } = form;
  assert.equal(elements["setting.url"].value, "https://x");
  assert.deepEqual(
    [elements["setting.token"].value, elements["setting.token"].placeholder],
    ["", "unchanged"],
  );
  assert.equal(elements["setting.token"].type, "password");
  await fill(elements["setting.url"], "https://y/in");
  await submit(form);
  assert.deepEqual(host.bodies("PATCH sinks/desk"), [{ settings: { url: "https://y/in" } }]);
  assert.equal(part.querySelector("form.changing"), null);
  // Without a change nothing is asked for.
  await press(part, "Change “desk”");
  await submit(part.querySelector("form.changing"));
  assert.equal(host.count("PATCH sinks/desk"), 1);
  part.leave();
});

test("A refused change says why, and the form stays", async () => {
  const { part } = await destinations();
  host.on("GET sinks/desk", { name: "desk", hidden: ["token"], settings: { url: "https://x" } });
  host.on("PATCH sinks/desk", new Refused("token-again", "Enter the token again"));
  await press(part, "Change “desk”");
  await fill(part.querySelector(".changing").elements["setting.url"], "http://elsewhere");
  await submit(part.querySelector(".changing"));
  assert.equal(part.querySelector(".changing .bad").textContent, "Enter the token again.");
  part.leave();
});

// The form for another destination.
const addingOf = (part) => part.querySelector(".adding-sink form");

test("A destination is added, and the form is empty again", async () => {
  const { part, named } = await destinations([]);
  host.on("POST sinks", ({ name }) => void named.push({ name, kind: "webhook", target: "x" }));
  const { elements } = addingOf(part);
  await fill(elements.name, "Büro Nord!");
  assert.equal(elements.name.value, "buro-nord", "a name as the host keeps it");
  await fill(elements["setting.url"], "https://x");
  await fill(elements["setting.token"], "secret");
  await submit(addingOf(part));
  assert.deepEqual(host.bodies("POST sinks"), [
    { name: "buro-nord", kind: "webhook", url: "https://x", token: "secret" },
  ]);
  assert.deepEqual(texts(part, ".rows strong"), ["Archive", "buro-nord"]);
  assert.match(told(), /Documents can now go to “buro-nord”/);
  assert.equal(addingOf(part).elements.name.value, "");
  part.leave();
});

for (
  const [url, isAddress] of [
    ["https://x", true],
    ["http://x/in", true],
    ["ftp://x", false],
    ["x", false],
    ["https://", false],
  ]
) {
  test(`'${url}' ${isAddress ? "is" : "is not"} taken as a webhook's address`, async () => {
    const { part } = await destinations();
    const field = addingOf(part).elements["setting.url"];
    field.value = url;
    assert.equal(field.validity.valid, isAddress);
    part.leave();
  });
}

for (const kind of ["file", "exec", "print"]) {
  test(`A destination of the kind '${kind}' is added by a command on the host`, async () => {
    const { part } = await destinations();
    await fill(addingOf(part).elements.kind, kind);
    assert.match(
      part.querySelector("code").textContent,
      new RegExp(`^copystand sinks add NAME --kind ${kind}`),
    );
    assert.equal(addingOf(part).querySelector("button.main").hidden, true);
    await fill(addingOf(part).elements.kind, "webhook");
    assert.equal(addingOf(part).querySelector("button.main").hidden, false);
    part.leave();
  });
}

test("What a command changes is shown soon, but not while a form is open", async () => {
  const { part, named } = await destinations();
  named.push({ name: "shelf", kind: "file" });
  await pass(2000);
  assert.deepEqual(texts(part, ".rows strong"), ["Archive", "desk", "shelf"]);
  host.on("GET sinks/desk", { name: "desk", hidden: [], settings: {} });
  await press(part, "Change “desk”");
  named.push({ name: "third", kind: "file" });
  await pass(4000);
  assert.notEqual(part.querySelector("form.changing"), null);
  part.leave();
});

test("Those who may not change the host see destinations, and no form", async () => {
  await signedIn({ scope: "scan" });
  const { part } = await destinations([{ name: "shelf", kind: "file" }]);
  assert.equal(part.querySelector(".adding-sink"), null);
  assert.equal(host.count("GET sink-kinds"), 0);
  assert.deepEqual(texts(part, ".rows .block").at(-1), "");
  part.leave();
});

test("A text is copied by a button, where the browser has a clipboard or not", async () => {
  const copied = [];
  const code = make("code", {}, "copystand serve");
  const button = copyButton(code);
  shown(make("div", {}, code, button));
  await press(button.parentNode, "Copy");
  assert.equal(told(), "Copied.");
  navigator.clipboard = { writeText: async (text) => copied.push(text) };
  await press(button.parentNode, "Copy");
  const field = make("input", { value: "token" });
  const other = shown(make("div", {}, field, copyButton(field)));
  await press(other, "Copy");
  assert.deepEqual(copied, ["copystand serve", "token"]);
});

const tokenList = [
  { name: "Chrome, Linux", scope: "admin", sees: "all", made: "2026-05-17T12:00:00" },
  { name: "kitchen", scope: "scan", sees: "own", made: "2026-05-17T12:00:00" },
];

test("Tokens say what they allow, and which one is this browser's", async () => {
  await signedIn({ scope: "admin", name: "Chrome, Linux", needsToken: true });
  host.on("GET tokens", { isAsked: true, tokens: tokenList });
  const part = shown(await tokens());
  assert.deepEqual(part.querySelectorAll(".rows li").map((one) => texts(one, ".tag")), [
    ["do everything", "this browser"],
    ["scan and change documents", "only their own documents, and those that belong to everyone"],
  ]);
  assert.match(part.textContent, /Made on May 17, 2026/);
});

test("A new token is shown once, and is gone with the next change", async () => {
  host.on("GET tokens", { isAsked: true, tokens: tokenList }).on("POST tokens", { token: "abc" });
  host.on("DELETE tokens/kitchen", undefined);
  const part = shown(await tokens());
  const form = part.querySelectorAll("form").find((one) => one.elements.name);
  await fill(form.elements.name, " tablet ");
  await fill(form.elements.scope, "read");
  await fill(form.elements.sees, "own");
  await press(form, "Make a token");
  assert.deepEqual(host.bodies("POST tokens"), [{ name: "tablet", scope: "read", sees: "own" }]);
  assert.equal(part.querySelector("input.code").value, "abc");
  await press(part, "Delete “kitchen”");
  assert.equal(part.querySelector("input.code"), null);
  assert.match(answers.questions[0], /“kitchen”/);
});

test("A token that may do everything sees everything", async () => {
  host.on("GET tokens", { isAsked: true, tokens: [] });
  const part = shown(await tokens());
  const { elements } = part.querySelectorAll("form").find((one) => one.elements.name);
  await fill(elements.sees, "own");
  await fill(elements.scope, "admin");
  assert.deepEqual([elements.sees.value, elements.sees.disabled], ["all", true]);
  await fill(elements.scope, "scan");
  assert.equal(elements.sees.disabled, false);
});

test("A host that asks for no token says how to let others in", async () => {
  host.on("GET tokens", { isAsked: false, tokens: [] });
  assert.match((await tokens()).textContent, /copystand serve --listen/);
  await signedIn({ scope: "scan", needsToken: true });
  const part = await tokens();
  assert.match(part.textContent, /does not allow making tokens/);
  assert.deepEqual(texts(part, "button"), ["Sign out"]);
});

test("An invitation has a QR code, its address, and for how long it works", async () => {
  host.on("GET tokens", { isAsked: true, tokens: [] });
  host.on("POST session/codes", { qr: ["10", "01"], life: 600, address: "http://x/#signin/abc" });
  const part = shown(await tokens());
  await press(part, "Show a QR code");
  const place = part.querySelector(".invitation");
  assert.equal(place.querySelector(".code").textContent, "http://x/#signin/abc");
  assert.match(place.textContent, /valid for 10 minutes/);
  assert.deepEqual(host.bodies("POST session/codes"), [{ scope: "scan" }]);
  assert.doesNotMatch(place.textContent, /certificate/, "without encryption there is none");
  location.protocol = "https:";
  await press(part, "Show a QR code");
  location.protocol = "http:";
  assert.equal(place.querySelector("a").href, "/copystand-ca.crt");
});

test("A QR code is dark on light, with a margin of four", () => {
  const drawn = qrCode(["10", "01"]);
  assert.equal(drawn.getAttribute("viewBox"), "0 0 10 10");
  assert.equal(drawn.querySelector("path").getAttribute("d"), "M4 4h1v1h-1zM5 5h1v1h-1z");
  assert.equal(drawn.querySelector("rect").getAttribute("fill"), "#fff");
});

test("The colors and the language of the page are kept by the browser", async () => {
  const part = shown(appearance());
  const [language, theme] = part.querySelectorAll("select");
  assert.deepEqual(offered(language), [
    "same as the browser",
    "English",
    "Deutsch",
    "français",
    "español",
  ]);
  await fill(theme, "dark");
  assert.equal(document.documentElement.style.colorScheme, "dark");
  await fill(theme, "");
  assert.equal(document.documentElement.style.colorScheme, "light dark");
  const before = browserPlace.reloads;
  await fill(language, "fr");
  assert.deepEqual([recall("language"), browserPlace.reloads], ["fr", before + 1]);
  showTheme();
  assert.equal(appearance().querySelector("select").value, "fr");
});

test("The settings list profiles by their titles, and own ones can be deleted", async () => {
  const profiles = [
    { ...own, title: "Zebra" },
    shipped,
    { ...own, name: "broken", title: "Broken", problem: "It has no steps" },
  ];
  host.on("GET profiles", { profiles }).on("GET sinks", { named: [], sinks: [] });
  host.on("GET sink-kinds", { kinds: [] }).on("GET tokens", { isAsked: false });
  host.on("GET languages", { languages: ["eng"] }).on("GET about", { version: "1.2" });
  host.on("DELETE profiles/letters", () => void profiles.shift());
  const place = emptyView();
  const leave = await view.show(place, []);
  const part = place.querySelector("section[aria-label=Profiles]");
  assert.deepEqual(texts(part, "strong"), ["Broken", "Document", "Zebra"]);
  assert.deepEqual(texts(part, ".block"), ["It has no steps", "Pages", "Mine"]);
  assert.deepEqual(texts(part, "a"), ["Change", "Copy", "Change"]);
  assert.equal(part.querySelectorAll("a")[2].href, "#settings/profile/letters");
  await press(part, "Delete “Zebra”");
  assert.match(answers.questions[0], /“Zebra”/);
  assert.deepEqual(texts(part, "strong"), ["Broken", "Document"]);
  assert.match(place.textContent, /Copystand 1\.2 is free software/);
  leave();
  const other = emptyView();
  (await view.show(other, ["destinations"]))();
  assert.equal(other.querySelector(".adding-sink").open, true);
});
