// What leaves the page as a file: addresses of downloads, ZIP files, PDF settings, sinks.
import assert from "node:assert/strict";
import test from "node:test";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  check,
  fill,
  host,
  offered,
  press,
  Refused,
  settle,
  shown,
  textOf,
  texts,
  told,
} from "./Support/page.mjs";
import * as out from "../../../Sources/Host/WebPage/files/parts/out.js";
import { pdfChoice } from "../../../Sources/Host/WebPage/files/parts/pdf.js";
import { zipped } from "../../../Sources/Host/WebPage/files/parts/zip.js";
import { recall, remember } from "../../../Sources/Host/WebPage/files/parts/memory.js";

test.beforeEach(() => {
  host.reset();
  remember("pdf", {});
});

for (
  const [numbers, wanted] of [
    [[1], "1"],
    [[1, 2], "1-2"],
    [[2, 5, 6, 7], "2,5-7"],
    [[1, 3, 5], "1,3,5"],
    [[9, 10, 11, 20], "9-11,20"],
    [[], ""],
  ]
) {
  test(`The pages [${numbers}] are written as '${wanted}'`, () => {
    assert.equal(String(out.ranges(numbers)), wanted);
  });
}

test("A PDF has the settings that were chosen last, and other files have none", () => {
  assert.equal(out.fileAddress(4), "/api/v1/documents/4/export?format=pdf");
  remember("pdf", { compression: "mixed", archival: "2b" });
  const pdf = new URL(out.fileAddress(4), location.origin);
  assert.equal(pdf.pathname, "/api/v1/documents/4/export");
  assert.deepEqual(Object.fromEntries(pdf.searchParams), {
    format: "pdf",
    compression: "mixed",
    archival: "2b",
  });
  assert.equal(out.fileAddress(4, "txt"), "/api/v1/documents/4/export?format=txt");
  const pages = new URL(out.pagesAddress(4, [1, 3, 4]), location.origin).searchParams;
  assert.deepEqual([pages.get("pages"), pages.get("format")], ["1,3-4", "pdf"]);
});

test("A document is sent with the PDF settings, and the sink's answer comes back", async () => {
  host.on("POST documents/4/send", { sent: [{ sink: "shelf", document: "https://x" }] });
  assert.deepEqual(await out.sendTo("shelf", 4, { compression: "mixed" }), {
    sink: "shelf",
    document: "https://x",
  });
  assert.deepEqual(host.bodies("POST documents/4/send"), [
    { sinks: ["shelf"], pdf: { compression: "mixed" } },
  ]);
});

test("A refused delivery is an answer with its problem", async () => {
  host.on("POST documents/4/send", new Refused("no-such-sink", "There is no sink 'shelf'"));
  const answer = await out.sendTo("shelf", 4);
  assert.equal(textOf(out.answerWords("shelf", answer)), "shelf: There is no sink 'shelf'.");
});

for (
  const [answer, wanted] of [
    [{}, "Delivered to shelf. "],
    [{ document: "https://x/4" }, "Delivered to shelf. https://x/4"],
    [{ waiting: "It is off" }, "Not yet delivered to shelf. Copystand will try again. It is off"],
    [{ problem: "The disk is full" }, "shelf: The disk is full"],
  ]
) {
  test(`The answer ${JSON.stringify(answer)} is told as '${wanted}'`, () => {
    assert.equal(textOf(out.answerWords("shelf", answer)), wanted.trim());
  });
}

test("The menu of sinks has no archive, and says where to add some if there are none", async () => {
  const menu = shown(out.sendMenu(4, ["archive", "shelf", "email:bob"]));
  assert.deepEqual(texts(menu, "div button"), ["shelf", "bob by e-mail"]);
  host.on("POST documents/4/send", { sent: [{ sink: "shelf" }] });
  await press(menu, "shelf");
  assert.equal(told(), "Delivered to shelf.");
  const none = out.sendMenu(4, ["archive"]);
  assert.match(none.textContent, /Add destinations/);
  assert.equal(none.querySelectorAll("div button").length, 0);
});

// What the system's share sheet gets.
function sharing(work = async () => {}) {
  const files = [];
  navigator.canShare = () => true;
  navigator.share = async ({ files: [file] }) => {
    files.push(file);
    await work(files.length);
  };
  return files;
}

test("Without a share sheet there is no button for it", () => {
  navigator.canShare = undefined;
  assert.equal(out.shareButton(4, () => "x"), undefined);
});

test("The share sheet gets a PDF that is called as the document", async () => {
  const files = sharing();
  host.on("GET documents/4/export?format=pdf", { file: "%PDF" });
  const button = shown(out.shareButton(4, () => "Rent: May/June"));
  button.click();
  await settle();
  assert.deepEqual([files[0].name, files[0].type], ["Rent- May-June.pdf", "application/pdf"]);
  // The document may be another one at the next time.
  button.click();
  await settle();
  assert.equal(host.count("GET documents/4/export?format=pdf"), 2);
});

test("A share sheet that needs another press gets the same file", async () => {
  const files = sharing(async (times) => {
    if (times === 1) throw Object.assign(new Error("late"), { name: "NotAllowedError" });
  });
  host.on("GET documents/4/export?format=pdf", { file: "%PDF" });
  const button = shown(out.shareButton(4, () => "Rent"));
  button.click();
  await settle();
  assert.equal(told(), "The PDF is ready. Press Share again.");
  button.click();
  await settle();
  assert.equal(files.length, 2);
  assert.equal(host.count("GET documents/4/export?format=pdf"), 1);
});

test("A closed share sheet says nothing, and a PDF that can't be had is told", async () => {
  sharing(async () => {
    throw Object.assign(new Error("closed"), { name: "AbortError" });
  });
  host.on("GET documents/4/export?format=pdf", { file: "%PDF" });
  const button = shown(out.shareButton(4, () => "Rent"));
  button.click();
  await settle();
  assert.equal(told(), "");
  host.isAway = true;
  button.click();
  await settle();
  assert.match(told(), /does not answer/);
});

test("The settings of PDFs are kept, and those that are usual are left out", async () => {
  let changes = 0;
  const pdf = pdfChoice(() => (changes += 1));
  const place = shown(document.createElement("div"));
  place.append(...pdf.elements);
  const select = place.querySelector("select");
  assert.deepEqual(offered(select), [
    "as JPEG",
    "small: sharp letters, everything else coarse",
    "lossless: every pixel as it is",
  ]);
  assert.deepEqual(pdf.value(), {});
  await fill(select, "lossless");
  await check(place.querySelector("input"));
  assert.deepEqual(pdf.value(), { compression: "lossless", archival: "2b" });
  assert.deepEqual(recall("pdf"), { compression: "lossless", archival: "2b" });
  assert.equal(changes, 2);
  assert.deepEqual(pdfChoice().value(), { compression: "lossless", archival: "2b" });
});

const bytes = (text) => new TextEncoder().encode(text);

// What Python reads in a ZIP file: names with contents.
async function unzipped(blob) {
  const folder = mkdtempSync(join(tmpdir(), "zip-"));
  try {
    writeFileSync(join(folder, "a.zip"), new Uint8Array(await blob.arrayBuffer()));
    return JSON.parse(execFileSync("/usr/bin/python3", [
      "-c",
      `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1]) as files:
    assert files.testzip() is None
    assert all(one.date_time[0] >= 1980 for one in files.infolist())
    print(json.dumps([[one.filename, files.read(one).decode()] for one in files.infolist()]))
`,
      join(folder, "a.zip"),
    ], { encoding: "utf8" }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

test("Another program reads the files of a ZIP file with their names and checksums", async () => {
  const files = [
    { name: "Water.pdf", bytes: bytes("first") },
    { name: "Miete für Mai – 東京.pdf", bytes: bytes("second\u0000") },
    { name: "Water.pdf", bytes: bytes("") },
    { name: "Water.pdf", bytes: bytes("x".repeat(70_000)) },
    { name: "notes", bytes: bytes("a") },
    { name: "notes", bytes: bytes("b") },
  ];
  const blob = zipped(files);
  assert.equal(blob.type, "application/zip");
  assert.deepEqual(await unzipped(blob), [
    ["Water.pdf", "first"],
    ["Miete für Mai – 東京.pdf", "second\u0000"],
    ["Water (2).pdf", ""],
    ["Water (3).pdf", "x".repeat(70_000)],
    ["notes", "a"],
    ["notes (2)", "b"],
  ]);
});

test("A second file never gets the name that another file has", async () => {
  const files = ["a.pdf", "a.pdf", "a (2).pdf"].map((name) => ({ name, bytes: bytes(name) }));
  const names = (await unzipped(zipped(files))).map(([name]) => name);
  assert.equal(new Set(names).size, 3, names.join());
});

test("A ZIP file without files is one", async () => {
  assert.deepEqual(await unzipped(zipped([])), []);
});
