// The options of devices: in groups, with the values that each accepts and its default.
import { has, joined, say } from "../words/words.js";

const words = (value) => (typeof value === "boolean" ? say(value ? "yes" : "no") : String(value));

const sign = (unit) => (has("unit-" + unit) ? say("unit-" + unit) : unit);

// A value with its unit; nothing for none.
export const valueWords = (
  value,
  unit,
) => (value === undefined ? "" : words(value) + (unit ? " " + sign(unit) : ""));

export function takes({ type, unit, defaultValue }) {
  const range = type.minimum === undefined
    ? type.choices?.map(words).join(", ")
    : say("fromTo", { from: type.minimum, to: type.maximum });
  return joined(
    range && range + (unit ? " " + sign(unit) : ""),
    defaultValue === undefined || defaultValue === ""
      ? undefined
      : say("usual", { value: words(defaultValue) }),
  );
}

// The options by their groups, in the device's order.
export function inGroups(options) {
  const groups = new Map();
  for (const option of options) {
    const group = option.group ?? "";
    groups.set(group, [...(groups.get(group) ?? []), option]);
  }
  return [...groups];
}
