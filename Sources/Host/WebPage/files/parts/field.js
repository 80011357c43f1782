// A setting as a field: a control for its type, its help and accepted values, and a place for
// errors.
import { make } from "./dom.js";

let serial = 0;

// The controls by type of setting; each passes its value to `take`.
const controls = {
  flag(shared, { value }, take) {
    const input = make("input", {
      ...shared,
      type: "checkbox",
      checked: value,
      onchange: () => take(input.checked),
    });
    return input;
  },
  choice(shared, { value, choices }, take) {
    const select = make(
      "select",
      { ...shared, onchange: () => take(select.value || undefined) },
      (value === undefined ? [["", ""]] : []).concat(choices).map(([one, words]) =>
        make("option", { value: one, selected: String(one) === String(value) }, words)
      ),
    );
    return select;
  },
  text(shared, { value, longest }, take) {
    const input = make("input", {
      ...shared,
      type: "text",
      autocomplete: "off",
      value,
      maxlength: longest,
      oninput: () => take(input.value),
    });
    return input;
  },
  number(shared, { value, minimum, maximum }, take) {
    const input = make("input", {
      ...shared,
      type: "number",
      value,
      min: minimum,
      max: maximum,
      step: "any",
      inputmode: "decimal",
      // The host reports text that is no number like any other mistake.
      oninput: () =>
        take(
          input.value === "" ? (input.validity.badInput ? "?" : undefined) : Number(input.value),
        ),
    });
    return input;
  },
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
