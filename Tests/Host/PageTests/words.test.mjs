// The page's words: which language, what is filled in, and what is marked as English.
import assert from "node:assert/strict";
import test from "node:test";
import { textOf } from "./Support/page.mjs";
import * as page from "../../../Sources/Host/WebPage/files/words/words.js";
import { changeWords } from "../../../Sources/Host/WebPage/files/words/changes.js";
import { remember } from "../../../Sources/Host/WebPage/files/parts/memory.js";

async function loadFor(languages, chosen = "") {
  navigator.languages = languages;
  remember("language", chosen);
  await page.load();
}

test.afterEach(() => loadFor(["en-US"]));

for (
  const [languages, chosen, wanted] of [
    [["en-US"], "", "en"],
    [["de-AT", "en"], "", "de"],
    [["pt-BR", "es", "en"], "", "es"],
    [["ja", "zh-CN"], "", "en"],
    [[], "", "en"],
    [["de"], "fr", "fr"],
    [["es"], "xx", "es"],
  ]
) {
  test(`A browser in [${languages}] where '${chosen}' is chosen reads ${wanted}`, async () => {
    await loadFor(languages, chosen);
    assert.equal(page.words.language, wanted);
    const words = { en: "Scan", de: "Scannen", fr: "Numériser", es: "Escanear" };
    assert.equal(page.say("scanNow"), words[wanted]);
  });
}

test("Values are filled into words, and a missing one leaves nothing", () => {
  assert.equal(page.say("pageOf", { number: 2, all: 3 }), "Page 2 of 3");
  assert.equal(page.say("page"), "Page ");
  assert.equal(page.say("page", { number: 0 }), "Page 0");
  // A value with braces is a value, not a place for another one.
  assert.equal(page.say("useTitle", { title: "{title} {x}" }), "Use “{title} {x}” as the title");
});

test("A name without words is said as it is", () => {
  assert.equal(page.say("no such words"), "no such words");
  assert.equal(page.has("no such words"), false);
  assert.equal(page.has("scan"), true);
});

test("A text that only the host has is plain in English", () => {
  assert.equal(page.hostWords("The lamp is warming up"), "The lamp is warming up");
  assert.equal(page.hostWords(undefined), "");
});

test("A text that only the host has is marked as English in another language", async () => {
  await loadFor(["de"]);
  const made = page.hostWords("The lamp is warming up");
  assert.equal(made.localName, "span");
  assert.equal(made.getAttribute("lang"), "en");
  assert.equal(made.textContent, "The lamp is warming up");
  assert.equal(page.hostText("The lamp is warming up"), "The lamp is warming up");
});

test("A backend's sentence that is translated is said in the reader's language", async () => {
  await loadFor(["de"]);
  assert.equal(page.hostWords("Brightness"), "Helligkeit");
  assert.equal(page.hostText("Brightness"), "Helligkeit");
  await loadFor(["en"]);
  assert.equal(page.hostWords("Brightness"), "Brightness");
});

test("A built-in profile is translated, and a user's own is not", async () => {
  const own = { name: "document", title: "Mine", isBuiltIn: false };
  const shipped = { name: "document", title: "Document", isBuiltIn: true };
  assert.equal(page.profileText(shipped, "title"), "Document");
  await loadFor(["de"]);
  assert.equal(page.profileText(shipped, "title"), "Dokument");
  assert.equal(page.profileText(own, "title"), "Mine");
});

test("Profiles that can't be used are not offered, and the usual one is chosen", () => {
  const offered = page.profileChoices([
    { name: "none", title: "Nothing" },
    { name: "document", title: "Document" },
    { name: "broken", title: "Broken", problem: "it has no steps" },
  ]);
  assert.deepEqual(offered, [["none", "Nothing", false], ["document", "Document", true]]);
});

for (
  const [name, wanted] of [["shelf", "shelf"], ["email", "email"], ["email:bob", "bob by e-mail"]]
) {
  test(`The sink '${name}' is called '${wanted}'`, () => assert.equal(page.sinkText(name), wanted));
}

test("A device is called by the name that a user gave it", () => {
  assert.equal(page.deviceName({ name: "Virtual flatbed", aliases: [] }), "Virtual flatbed");
  assert.equal(page.deviceName({ name: "Virtual flatbed", aliases: ["desk", "b"] }), "desk");
});

test("What the host says about a job is translated by its code, with its values", async () => {
  const saying = { code: "completed", values: { pages: "3" } };
  assert.equal(textOf(page.saidWords(saying, "Pages: 3")), "Pages: 3");
  await loadFor(["de"]);
  assert.equal(page.saidWords(saying, "Pages: 3"), "Seiten: 3");
  // A newer host may say something that this page does not know.
  const other = page.saidWords({ code: "unheard", values: {} }, "Warming up");
  assert.equal(other.getAttribute("lang"), "en");
  assert.equal(page.saidWords(undefined, "Warming up").textContent, "Warming up");
});

test("A problem in English is the host's own sentence, with its advice", () => {
  for (
    const [problem, wanted] of [
      [
        { code: "no-such-document", message: "There is no document 99" },
        "There is no document 99.",
      ],
      [{ message: "It failed.", advice: "Try again" }, "It failed. Try again."],
      [{ message: "Is it on?", advice: "" }, "Is it on?"],
    ]
  ) assert.equal(textOf(page.problemWords(problem)), wanted);
});

test("A problem that says too little in English has the page's words", () => {
  const said = textOf(page.problemWords({ code: "archive-unreachable", message: "no route" }));
  assert.match(said, /^The archive's server does not answer/);
});

test("A known problem is told in the reader's language, and below in English", async () => {
  await loadFor(["de"]);
  const nodes = page.problemWords({ code: "no-such-document", message: "There is no document 99" });
  assert.match(textOf(nodes), /^Dieses Dokument gibt es nicht/);
  const below = nodes.find((one) => one.localName === "small");
  assert.equal(below.getAttribute("lang"), "en");
  assert.equal(below.textContent, "There is no document 99.");
});

test("A device's code is found by its hyphenated name", async () => {
  await loadFor(["de"]);
  const [device] = page.problemWords({ code: "noSuchDevice", message: "x" });
  const [program] = page.problemWords({ code: "no-such-device", message: "x" });
  assert.match(device, /Dieses Gerät gibt es nicht/);
  assert.equal(device, program);
});

test("A problem without a known code is the host's sentence, marked as English", async () => {
  await loadFor(["fr"]);
  const [only, ...others] = page.problemWords({ code: "unheard-of", message: "It broke" });
  assert.deepEqual([only.getAttribute("lang"), only.textContent, others.length], [
    "en",
    "It broke.",
    0,
  ]);
});

test("An error is explained by its nodes, or else by its message", () => {
  assert.deepEqual(page.explain({ nodes: ["a", "b"], message: "c" }), ["a", "b"]);
  assert.deepEqual(page.explain(new Error("c")), ["c"]);
});

for (
  const [languages, wanted] of [
    [["en-US"], "May 17, 2026"],
    [["en-GB"], "17 May 2026"],
    [["de-DE"], "17.05.2026"],
    // The page is in English, so the day is, too.
    [["ja"], "May 17, 2026"],
    // The page is in the second language, and so is the day.
    [["ja", "en-GB"], "17 May 2026"],
  ]
) {
  test(`A day for a browser in [${languages}] is '${wanted}'`, async () => {
    await loadFor(languages);
    assert.equal(page.day("2026-05-17T12:00:00"), wanted);
  });
}

test("A moment has the day and the minute, but no second", () => {
  const said = page.moment("2026-05-17T09:05:33");
  assert.match(said, /May 17, 2026/);
  assert.match(said, /9:05/);
  assert.doesNotMatch(said, /33/);
});

for (
  const [code, language, wanted] of [
    ["deu", "en", "German"],
    ["deu", "de", "Deutsch"],
    ["chi_sim", "en", "Chinese"],
    ["not a language", "en", "not a language"],
  ]
) {
  test(`The language '${code}' is called '${wanted}' in ${language}`, async () => {
    await loadFor([language]);
    assert.equal(page.languageName(code), wanted);
  });
}

test("Each change of a document has words, and says whether it is seen anyway", () => {
  for (
    const [order, ...wanted] of [
      [{ delete: [1, 4] }, "Pages deleted: 2", true],
      // A card takes its page along, and the page is what is seen.
      [{ delete: [2], deleteEntries: [7] }, "Pages deleted: 1", true],
      [{ deleteEntries: [7] }, "Entries deleted", true],
      [{ merge: 4 }, "The pages were added. The documents they were in are now in the trash.", true],
      [{ crop: [{ page: 1, box: null }] }, "The page was cropped.", true],
      [{ uncut: [1] }, "The page was cropped.", true],
      [{ correct: [{ page: 1, text: "" }] }, "The text is saved.", true],
      [{ replace: { page: 1, document: 2 } }, "The page was replaced.", true],
      [{ looks: [] }, "The filter was changed.", false],
      [{ rotate: [] }, "Turned", false],
      [{ move: [{ page: 1, to: 2 }] }, "Moved", false],
      [{ save: true }],
    ]
  ) assert.deepEqual(changeWords(order), wanted, JSON.stringify(order));
});

test("A known problem without a sentence of the host is the page's own words alone", async () => {
  await loadFor(["de"]);
  const nodes = page.problemWords({ code: "no-such-device" });
  assert.equal(nodes.length, 1);
  assert.match(nodes[0], /Dieses Gerät gibt es nicht/);
});
