// The settings of PDFs, for services and for downloads.
import { choice, labeled, make } from "./dom.js";
import { recall, remember } from "./memory.js";
import { say } from "../words/words.js";

// Fields; `value()` returns the choice in the host's form. The browser keeps the last choice.
export function pdfChoice(onChange = () => {}) {
  const before = recall("pdf", {});
  const changed = () => {
    remember("pdf", value());
    onChange();
  };
  const compression = choice(
    "compression",
    ["", "mixed", "lossless"].map((
      one,
    ) => [one, say("pdf-" + (one || "usual")), one === (before.compression ?? "")]),
    { onchange: changed },
  );
  const archival = make("input", {
    type: "checkbox",
    name: "archival",
    checked: before.archival,
    onchange: changed,
  });
  const value = () => ({
    ...(compression.value && { compression: compression.value }),
    ...(archival.checked && { archival: "2b" }),
  });
  return {
    elements: [
      labeled(say("pdfPictures"), compression),
      make("label", { class: "check-label" }, archival, say("pdfA")),
    ],
    value,
  };
}
