// A simple drawing of a device, by its sources of pages.
import { make } from "./dom.js";
import { draw } from "./sheet.js";

const line = (d, look) => draw("path", { d, class: look });
const lid = "M8 40h80v8H8z";
const body = "M8 48h80v16a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4z";
const paper = "M34 12h28v24H34z";

const drawings = {
  flatbed: () => [
    line("M10 46 24 14h62L88 46z", "sheet-of"),
    line("M8 46h80v6H8z"),
    line("M8 52h80v12a4 4 0 0 1-4 4H12a4 4 0 0 1-4-4z"),
    line("M20 60h12", "mark"),
  ],
  both: () => [
    line(paper, "sheet-of"),
    line("M26 40l6-12h34l6 12"),
    line(lid),
    line(body),
    line("M40 18h16M40 24h16", "mark"),
    line("M20 58h12", "mark"),
  ],
  feeder: () => [
    line("M32 8h32v22H32z", "sheet-of"),
    line("M22 30h52l8 26H14z"),
    line("M10 56h76v10H10z"),
    line("M38 14h20M38 20h20", "mark"),
    line("M40 66v6h16v-6", "sheet-of"),
  ],
  duplex: () => [
    line("M32 8h32v22H32z", "sheet-of"),
    line("M22 30h52l8 26H14z"),
    line("M10 56h76v10H10z"),
    line("M38 14h20M38 20h20", "mark"),
    line("M40 47a8 8 0 0 1 14-5m0-5v5h-5M56 41a8 8 0 0 1-14 5m0 5v-5h5", "mark"),
  ],
  camera: () => [
    line("M24 70h48v-4H24zM46 66V14h22"),
    line("M60 10h16v12H60z"),
    draw("circle", { cx: 68, cy: 26, r: 4 }),
    line("M68 30 54 60h28z", "light"),
    line("M54 61h28v5H54z", "sheet-of"),
  ],
  files: () => [
    line("M34 10h34v44H34z", "sheet-of"),
    line("M24 20h34v44H24z", "sheet-of"),
    line("M32 32h18M32 40h18M32 48h12", "mark"),
  ],
};

function look({ kind, sources }) {
  if (kind !== "scanner") return kind in drawings ? kind : "files";
  if (sources.includes("feeder-duplex") && !sources.includes("flatbed")) return "duplex";
  if (sources.some((source) => source.startsWith("feeder"))) {
    return sources.includes("flatbed") ? "both" : "feeder";
  }
  return "flatbed";
}

export const drawing = (device) =>
  draw(
    "svg",
    { class: "drawing", viewBox: "0 0 96 78", "aria-hidden": "true" },
    drawings[look(device)](),
  );

// The contents of an empty view: a drawing, by its name above, and advice.
export const empty = (name, ...words) =>
  make("div", { class: "card empty" }, drawing({ kind: name, sources: [] }), make("p", {}, words));
