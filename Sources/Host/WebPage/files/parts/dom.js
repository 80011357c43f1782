// Making elements: text is always text, never HTML.
import { icon } from "./icons.js";
import { explain, say } from "../words/words.js";

export function make(name, attributes, ...children) {
  return fill(document.createElement(name), attributes, children);
}

// Gives an element its attributes, with listeners as `onclick`, and its children.
export function fill(element, attributes = {}, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

// A text as a name without spaces: letters, digits, hyphens and underscores.
export const plainName = (text) =>
  text.trim().replace(/[^\p{L}\p{N}_-]+/gu, "-").replace(/^[-_]+|-+$/g, "");

// A name that is not taken, with a number after the mark if necessary.
export function freeName(base, names, mark = "-") {
  let name = base;
  for (let n = 2; names.includes(name); n += 1) name = base + mark + n;
  return name;
}

// Elements side by side.
export const row = (...children) => make("div", { class: "row" }, ...children);

// A part of a view with its title.
export const titled = (title, attributes, ...content) =>
  make("section", { "aria-label": title, ...attributes }, make("h3", {}, title), ...content);

// A control with its label.
export const labeled = (words, control, look) => make("label", { class: look }, words, control);

// A choice of values, each with its words; a third, true, for the one that is chosen at first.
export const choice = (name, items, attributes = {}) =>
  make("select", { name, ...attributes }, choiceItems(items));

export const choiceItems = (items) =>
  items.map(([value, words, isChosen]) => make("option", { value, selected: isChosen }, words));

// A tag that is removed with a press.
export const removableTag = (words, label, onclick, attributes) =>
  make(
    "button",
    { type: "button", class: "tag", "aria-label": label, onclick, ...attributes },
    words + " ×",
  );

// A button that leaves a form without its change.
export const cancelButton = (leave) =>
  make("button", { type: "button", onclick: leave }, say("cancel"));

// Content that can be unfolded under its words.
export const fold = (words, attributes, ...content) =>
  make("details", { class: "fold", ...attributes }, make("summary", {}, words), ...content);

// A button that opens a list of choices; `content` follows the words of its button.
export function menu(attributes, words, ...content) {
  const summary = make("summary", { class: "button", ...attributes }, ...words);
  const element = make("details", { class: "menu" }, summary, make("div", {}, ...content));
  // The menu closes with Escape, and when the user uses another element.
  element.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !element.open) return;
    element.open = false;
    summary.focus();
  });
  element.addEventListener("focusout", ({ relatedTarget }) => {
    if (relatedTarget && !element.contains(relatedTarget)) element.open = false;
  });
  element.addEventListener("click", (event) => {
    if (event.target.closest("a, button")) element.open = false;
  });
  return element;
}

let timer;

// Announces a text to screen readers only, because sighted users see the change.
export function announce(text) {
  put(make("p", { class: "unseen" }, text));
}

// Shows a message above the view, and announces it: a text or nodes. `way` is a link `{ words,
// address }` or an action `{ words, work }`.
export function tell(text, way) {
  const place = document.getElementById("told");
  put(
    make("p", {}, make("span", {}, [text].flat()), way ? wayOn(way, place) : undefined, closing()),
  );
  settle(place);
}

export const tellProblem = (problem) => tell(explain(problem));

// A message that leads to what is now shown has been followed.
addEventListener("hashchange", () => {
  const place = document.getElementById("told");
  const way = place.querySelector("a[href]")?.getAttribute("href");
  if (way && `${location.hash}/`.startsWith(`${way}/`)) place.replaceChildren();
});

function put(message) {
  const place = document.getElementById("told");
  place.replaceChildren(message);
  clearTimeout(timer);
  timer = setTimeout(() => fade(place), 8000);
}

// A message stays while it is pointed at or has the focus.
function fade(place) {
  if (place.matches(":hover, :focus-within")) timer = setTimeout(() => fade(place), 2000);
  else place.replaceChildren();
}

const closing = () =>
  make("button", {
    type: "button",
    class: "closing",
    "aria-label": say("close"),
    onclick: () => document.getElementById("told").replaceChildren(),
  }, icon("close"));

const controls = "a[href], button, input, select, textarea, summary, [role=option]";

// Puts the message where it covers no control: at the foot, beside the view, or at the top. If each
// has controls, it is at the foot.
function settle(place) {
  const boxes = [...document.querySelectorAll(`main :is(${controls}), nav a`)]
    .map((one) => one.getBoundingClientRect())
    .filter(({ width, top, bottom }) => width && bottom > 0 && top < innerHeight);
  for (const name of ["", "beside", "above"]) {
    place.className = name;
    const own = place.getBoundingClientRect();
    const isOver = ({ left, right, top, bottom }) =>
      left < own.right && right > own.left && top < own.bottom && bottom > own.top;
    if (!boxes.some(isOver)) return;
  }
  place.className = "";
}

function wayOn({ words, address, work }, place) {
  if (address) return make("a", { href: address }, words);
  const act = press(work);
  return make("button", {
    onclick: (event) => {
      place.replaceChildren();
      act(event);
    },
  }, words);
}

// Runs the action of a key or a pointer; a failure is shown.
export const told = (work) => (...values) => work(...values).catch(tellProblem);

// Runs the action of a button or a field; a failure is shown, and the button can't be pressed twice
// meanwhile.
export function press(work) {
  return async (event) => {
    event.preventDefault();
    const control = event.submitter ?? event.currentTarget;
    const isButton = control instanceof HTMLButtonElement;
    const hadFocus = document.activeElement === control;
    if (isButton) control.disabled = true;
    try {
      await work(event);
    } catch (problem) {
      tellProblem(problem);
    } finally {
      if (isButton) control.disabled = false;
      // A disabled button would lose the focus, and keyboard users their place.
      if (hadFocus && document.activeElement === document.body) {
        (control.isConnected ? control : kept(document, control.dataset.keep))?.focus();
      }
    }
  };
}

// Sets a text only when it changes, because a screen reader announces it.
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

const kept = (place, name) => name && place.querySelector(`[data-keep="${CSS.escape(name)}"]`);

// Redraws an element, and keeps the focus and unfinished input of elements with the same data-keep.
// `instead` gets the focus if the focused element is gone.
export function redraw(place, work, instead) {
  const held = document.activeElement;
  const wasHere = place.contains(held);
  const { keep } = held.dataset;
  work();
  if (!wasHere) return;
  const again = kept(place, keep);
  if (
    again && "defaultValue" in held && held.type !== "checkbox" &&
    held.value !== held.defaultValue && held.value !== again.value
  ) {
    again.value = held.value;
    // The browser reports unfinished input only when more is typed.
    let isTold = false;
    again.addEventListener("change", () => {
      isTold = true;
    }, { once: true });
    again.addEventListener("blur", () => isTold || again.dispatchEvent(new Event("change")), {
      once: true,
    });
  }
  (again ?? kept(place, instead))?.focus({ preventScroll: true });
  if (typeof again?.selectionStart === "number") {
    again.setSelectionRange(held.selectionStart, held.selectionEnd);
  }
}
