// The settings of PDFs, for services and for downloads.
import { make } from "./dom.js";
import { recall, remember } from "./memory.js";
import { say } from "../words/words.js";

// Fields; `value()` returns the choice in the host's form. The browser keeps the last choice.
export function pdfChoice(onChange = () => {}) {
  const before = recall("pdf", {});
  const changed = () => {
    remember("pdf", value());
    onChange();
  };
  const compression = make(
    "select",
    { name: "compression", onchange: changed },
    ["", "mixed", "lossless"].map((one) =>
      make(
        "option",
        { value: one, selected: one === (before.compression ?? "") },
        say("pdf-" + (one || "usual")),
      )
    ),
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
      make("label", {}, say("pdfPictures"), compression),
      make("label", { class: "check-label" }, archival, say("pdfA")),
    ],
    value,
  };
}
