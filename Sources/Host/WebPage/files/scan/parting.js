// The rules by which one stack becomes several documents.
import { choice, labeled, make } from "../parts/dom.js";
import { say } from "../words/words.js";

// The fields; `wish()` returns their settings for a job's order.
export function parting() {
  const rule = (name, values) =>
    choice(name, values.map((one) => [one, say(name + "-" + (one || "never"))]), {
      onchange: show,
    });
  const where = rule("splitAt", ["", "separator", "patch-t", "barcode"]);
  const pattern = make("input", {
    name: "pattern",
    autocomplete: "off",
    spellcheck: "false",
    placeholder: "ASN\\d+",
  });
  const what = rule("splitPages", ["auto", "keep", "drop"]);
  const patternRow = labeled(say("splitPattern"), pattern);
  const whatRow = labeled(say("splitPages"), what);
  function show() {
    patternRow.hidden = where.value !== "barcode";
    whatRow.hidden = !where.value;
    pattern.required = where.value === "barcode";
  }
  show();
  return {
    elements: [labeled(say("splitAt"), where), patternRow, whatRow],
    wish: () => (where.value
      ? {
        splitAt: [where.value === "barcode" ? pattern.value : where.value],
        splitPages: what.value,
      }
      : {}),
  };
}
