// A setting as a field: the control that fits its type, what it does and accepts, and a place for
// errors.
import { make } from "./dom.js";

let serial = 0;

// `declared` has `name`, `label`, `help` (text or nodes), `takes` (text), `type` (flag, choice,
// text or number) and what that needs: `choices` as values with words, `longest`, `minimum`,
// `maximum`. `take(value)` gets the value: nothing for an emptied field, "?" for what is not a
// number.
export function field(
  { name, label, help, takes, type, choices, longest, minimum, maximum, isOff },
  value,
  take,
) {
  const id = "option-" + ++serial;
  const shared = {
    id,
    "data-option": name,
    "data-keep": "option-" + name,
    "aria-describedby": id + "-help",
    disabled: isOff,
  };
  const input = type === "flag"
    ? make("input", {
      ...shared,
      type: "checkbox",
      checked: value,
      onchange: () => take(input.checked),
    })
    : type === "choice"
    ? make(
      "select",
      { ...shared, onchange: () => take(input.value || undefined) },
      (value === undefined ? [["", ""]] : []).concat(choices).map(([one, words]) =>
        make("option", { value: one, selected: String(one) === String(value) }, words)
      ),
    )
    : type === "text"
    ? make("input", {
      ...shared,
      type: "text",
      autocomplete: "off",
      value,
      maxlength: longest,
      oninput: () => take(input.value),
    })
    : make("input", {
      ...shared,
      type: "number",
      value,
      min: minimum,
      max: maximum,
      step: "any",
      inputmode: "decimal",
      // The host reports what is not a number like any other mistake.
      oninput: () =>
        take(
          input.value === "" ? (input.validity.badInput ? "?" : undefined) : Number(input.value),
        ),
    });
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
