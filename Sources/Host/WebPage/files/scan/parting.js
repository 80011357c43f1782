// The rules by which one stack becomes several documents.
import { make } from "../parts/dom.js";
import { say } from "../words/words.js";

// The fields; `wish()` returns their settings for a job's order.
export function parting() {
  const choice = (name, items) =>
    make(
      "select",
      { name, onchange: show },
      items.map((one) => make("option", { value: one }, say(name + "-" + (one || "never")))),
    );
  const where = choice("splitAt", ["", "separator", "patch-t", "barcode"]);
  const pattern = make("input", {
    name: "pattern",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "ASN\\d+",
  });
  const what = choice("splitPages", ["auto", "keep", "drop"]);
  const patternRow = make("label", {}, say("splitPattern"), pattern);
  const whatRow = make("label", {}, say("splitPages"), what);
  function show() {
    patternRow.hidden = where.value !== "barcode";
    whatRow.hidden = !where.value;
    pattern.required = where.value === "barcode";
  }
  show();
  return {
    elements: [make("label", {}, say("splitAt"), where), patternRow, whatRow],
    wish: () => (where.value
      ? {
        splitAt: [where.value === "barcode" ? pattern.value : where.value],
        splitPages: what.value,
      }
      : {}),
  };
}
