// A setting as a field: a control for its type, its help and accepted values, and a place for
// errors.
import { choice, make } from "./dom.js";

let serial = 0;

// The controls by type of setting; each passes its value to `take`.
const controls = {
  flag: (shared, { value }, take) =>
    make("input", {
      ...shared,
      type: "checkbox",
      checked: value,
      onchange: ({ target }) => take(target.checked),
    }),
  choice(shared, { value, choices }, take) {
    const items = (value === undefined ? [["", ""]] : []).concat(choices);
    return choice(
      undefined,
      items.map(([one, words]) => [one, words, String(one) === String(value)]),
      { ...shared, onchange: ({ target }) => take(target.value || undefined) },
    );
  },
  text: (shared, { value, longest }, take) =>
    make("input", {
      ...shared,
      type: "text",
      autocomplete: "off",
      value,
      maxlength: longest,
      oninput: ({ target }) => take(target.value),
    }),
  number: (shared, { value, minimum, maximum }, take) =>
    make("input", {
      ...shared,
      type: "number",
      value,
      min: minimum,
      max: maximum,
      step: "any",
      inputmode: "decimal",
      // The host reports text that is no number like any other mistake.
      oninput: ({ target: { value, validity } }) =>
        take(value === "" ? (validity.badInput ? "?" : undefined) : Number(value)),
    }),
};

// `declared` has `name`, `label`, `help` (text or nodes), `takes` (text), `type` (flag, choice,
// text or number) and the properties of the type: `choices` as values with words, `longest`,
// `minimum`, `maximum`. `take(value)` gets the value: nothing for an empty field, "?" for text that
// is no number.
export function field(declared, value, take) {
  const { name, label, help, takes, type, isOff } = declared;
  const id = "option-" + ++serial;
  const shared = {
    id,
    "data-option": name,
    "data-keep": "option-" + name,
    "aria-describedby": id + "-help",
    disabled: isOff,
  };
  const input = controls[type](shared, { ...declared, value }, take);
  const isFlag = type === "flag";
  return make(
    "div",
    { class: "option" },
    make(
      "label",
      { for: id, class: isFlag ? "check-label" : "" },
      isFlag ? input : undefined,
      label,
    ),
    isFlag ? undefined : input,
    make("span", { id: id + "-help", class: "soft" }, help, help && takes ? " · " : "", takes),
    make("span", { class: "bad", role: "status", "data-wrong": name }),
  );
}
