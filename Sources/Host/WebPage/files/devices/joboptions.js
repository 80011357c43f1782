// The fields of a job's options that the host declares, and for which the form has no field of its
// own.
import { field } from "../parts/field.js";
import { may } from "../shell/host.js";
import { has, say } from "../words/words.js";

const types = { whole: "number", seconds: "number", texts: "text" };

const words = (...names) => say(["job", ...names].join("."));

// A list of texts as people type it, and the other way around.
const listed = (text) => text?.split(",").map((one) => one.trim()).filter(Boolean);
const typed = (value) => (Array.isArray(value) ? value.join(", ") : value);

const drawn = (option, take) =>
  field(
    {
      name: option.name,
      label: words(option.name),
      help: has(`job.${option.name}.help`) ? words(option.name, "help") : "",
      takes: option.minimum === undefined
        ? ""
        : say("fromTo", { from: option.minimum, to: option.maximum }),
      type: types[option.kind] ?? option.kind,
      choices: option.choices?.map((one) => [one, words(option.name, one)]),
      minimum: option.minimum,
      maximum: option.maximum,
    },
    typed(option.usual),
    take,
  );

// The fields for the options that `declared` says to draw; `wish()` returns the changed ones for a
// job's order.
export function jobOptions(declared) {
  const changed = {};
  const shown = declared.filter((option) =>
    option.isDrawn && (!option.needsAdmin || may("admin"))
  );
  return {
    elements: shown.map((option) =>
      drawn(option, (value) => {
        changed[option.name] = option.kind === "texts" ? listed(value) : value;
      })
    ),
    wish: () => ({ ...changed }),
  };
}
