// The page in English, as a user meets it: what is read, pressed and typed.
import "./browser.mjs";
import { Happening } from "./elements.mjs";
import { settle } from "./clock.mjs";
import { load } from "../../../../Sources/Host/WebPage/files/words/words.js";
import "./host.mjs";

await load();

export { answers, place, screen, see, sources, storage } from "./browser.mjs";
export { pass, settle } from "./clock.mjs";
export { Happening } from "./elements.mjs";
export { host, newestStream, PAGE, Refused } from "./host.mjs";

// The place of the view, empty, and without anyone who listens to it.
export function emptyView() {
  document.getElementById("told").replaceChildren();
  const place = document.createElement("main");
  place.id = "view";
  document.getElementById("view").replaceWith(place);
  return place;
}

// Puts an element into the page, and returns it.
export function shown(element) {
  emptyView().append(element);
  return element;
}

// The text of nodes or of an element.
export const textOf = (some) => [some].flat().map((one) => one?.textContent ?? one).join("").trim();

export const texts = (element, selector) =>
  element.querySelectorAll(selector).map((one) => one.textContent.trim());

// The message above the view.
export const told = () => document.getElementById("told").textContent.trim();

export function buttonOf(element, words) {
  const found = element.querySelectorAll("button, summary").find((one) =>
    [one.textContent.trim(), one.getAttribute("aria-label")].includes(words)
  );
  if (!found) throw new Error(`no button '${words}' in: ${element.textContent}`);
  return found;
}

// Presses a button by its words.
export async function press(element, words) {
  buttonOf(element, words).click();
  await settle();
}

// Chooses a value of a choice, or writes into a field and leaves it.
export async function fill(field, value) {
  field.value = value;
  for (const name of ["input", "change"]) {
    field.dispatchEvent(new Happening(name, { bubbles: true }));
  }
  await settle();
}

// Sets a check mark.
export async function check(box) {
  box.click();
  await settle();
}

export async function key(element, key, more = {}) {
  const event = new Happening("keydown", { bubbles: true, key, ...more });
  element.dispatchEvent(event);
  await settle();
  return event;
}

export async function submit(form) {
  form.requestSubmit(form.querySelector("button"));
  await settle();
}

// The items of a choice, as they are read.
export const offered = (choice) => choice.options.map((one) => one.textContent.trim());
