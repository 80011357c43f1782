// A stand-in for the parts of a browser that the page uses. It is imported before the page's
// modules, some of which use it at once.
import * as buffer from "node:buffer";
import { element, FakeButton, FakeElement, Happening, HappeningTarget } from "./elements.mjs";
import "./clock.mjs";

const root = element("html");
const body = element("body");
for (const [name, id] of [["nav"], ["p", "link"], ["main", "view"], ["div", "told"], ["a"]]) {
  const one = element(name);
  if (id) one.id = id;
  if (name === "a") one.className = "skip";
  body.append(one);
}
root.append(body);

class FakeDocument extends HappeningTarget {
  documentElement = root;
  body = body;
  hidden = false;
  title = "";
  focused = undefined;

  // An element that is gone or disabled loses the focus.
  get activeElement() {
    return this.focused?.isConnected && !this.focused.disabled ? this.focused : body;
  }

  createElement(name) {
    return element(name);
  }

  createElementNS(_, name) {
    return element(name);
  }

  getElementById(id) {
    return root.querySelector("#" + id);
  }

  querySelector(selector) {
    return root.querySelector(selector);
  }

  querySelectorAll(selector) {
    return root.querySelectorAll(selector);
  }

  contains(one) {
    return root.contains(one);
  }

  execCommand() {
    return true;
  }
}

// The size and the pointer of the screen: what a media query finds.
export const screen = { queries: [] };

const stored = new Map();
export const storage = { isFull: false };

// The address, and how often the page was loaded again.
export const place = { reloads: 0 };

class FakeLocation {
  #hash = "";
  origin = "http://copystand.test";
  host = "copystand.test";
  protocol = "http:";

  get hash() {
    return this.#hash;
  }

  set hash(value) {
    this.#hash = value && !value.startsWith("#") ? "#" + value : value;
    dispatchEvent(new Happening("hashchange"));
  }

  get href() {
    return this.origin + "/" + this.#hash;
  }

  reload() {
    place.reloads += 1;
  }

  // As the browser's history does, without an event.
  setQuietly(address) {
    this.#hash = address.slice(address.indexOf("#"));
  }
}

// Elements that wait to be seen, with what is called then.
const watched = new Map();

class FakeIntersectionObserver {
  constructor(work) {
    this.work = work;
  }

  observe(one) {
    watched.set(one, this);
  }

  unobserve(one) {
    watched.delete(one);
  }

  disconnect() {
    for (const [one, observer] of watched) if (observer === this) watched.delete(one);
  }
}

// Scrolls an element into the window.
export function see(one) {
  const observer = watched.get(one);
  observer?.work([{ target: one, isIntersecting: true }], observer);
}

// The open streams of events.
export const sources = [];

class FakeEventSource extends HappeningTarget {
  static CLOSED = 2;
  readyState = 0;

  constructor(address) {
    super();
    this.address = address;
    sources.push(this);
  }

  // The host's answers.
  begin() {
    this.readyState = 1;
    this.onopen();
  }

  send(name, value) {
    this.dispatchEvent(new Happening(name, { data: JSON.stringify(value) }));
  }

  // The connection ends; the browser tries again by itself unless it gives up.
  fail({ isForGood = false } = {}) {
    this.readyState = isForGood ? 2 : 0;
    return this.onerror();
  }

  close() {
    this.isClosed = true;
    this.readyState = 2;
  }
}

// The values of a form's fields.
class FakeFormData {
  constructor(form) {
    this.values = new Map();
    for (const one of form.elements) {
      const name = one.getAttribute("name");
      const isOff = one.disabled || one.localName === "button" ||
        (one.type === "checkbox" && !one.checked);
      if (name && !isOff && !this.values.has(name)) this.values.set(name, one.value);
    }
  }

  get(name) {
    return this.values.get(name) ?? null;
  }
}

// What a user answers when the page asks.
export const answers = { isSure: true, questions: [] };

const windowTarget = new HappeningTarget();
const define = (name, value) =>
  Object.defineProperty(globalThis, name, { value, configurable: true, writable: true });

for (
  const [name, value] of Object.entries({
    document: new FakeDocument(),
    location: new FakeLocation(),
    navigator: { languages: ["en-US"] },
    history: { state: null, replaceState: (_, __, address) => location.setQuietly(address) },
    localStorage: {
      getItem: (name) => stored.get(name) ?? null,
      setItem: (name, value) => {
        if (storage.isFull) throw new Error("there is no room");
        stored.set(name, String(value));
      },
      clear: () => stored.clear(),
    },
    HTMLButtonElement: FakeButton,
    HTMLElement: FakeElement,
    Event: Happening,
    CustomEvent: Happening,
    IntersectionObserver: FakeIntersectionObserver,
    ResizeObserver: class {
      observe() {}
    },
    EventSource: FakeEventSource,
    FormData: FakeFormData,
    File: globalThis.File ?? buffer.File,
    CSS: { escape: (text) => text.replace(/["\\]/g, "\\$&") },
    matchMedia: (query) => ({ matches: screen.queries.includes(query) }),
    getComputedStyle: (one) => one.computed ?? { gridTemplateColumns: "1px" },
    getSelection: () => ({ selectAllChildren() {} }),
    addEventListener: windowTarget.addEventListener.bind(windowTarget),
    removeEventListener: windowTarget.removeEventListener.bind(windowTarget),
    dispatchEvent: (event) => windowTarget.dispatchEvent(event),
    scrollTo: () => {},
    innerHeight: 800,
    confirm: (question) => {
      answers.questions.push(question);
      return answers.isSure;
    },
  })
) define(name, value);
