// A stand-in for the elements of a document: the tree, attributes, values of controls, events and
// the focus. There is no layout.
import { matches } from "./selectors.mjs";

export class HappeningTarget {
  #hearers = [];

  addEventListener(type, hear, { once = false } = {}) {
    this.#hearers.push({ type, hear, once });
  }

  removeEventListener(type, hear) {
    this.#hearers = this.#hearers.filter((one) => one.type !== type || one.hear !== hear);
  }

  // Calls the listeners here, and above if the event bubbles; false if its default is prevented.
  dispatchEvent(event) {
    event.target ??= this;
    for (let place = this; place && !event.isStopped; place = event.bubbles && place.parentNode) {
      place.hearNow(event);
    }
    return !event.defaultPrevented;
  }

  hearNow(event) {
    event.currentTarget = this;
    for (const one of [...this.#hearers].filter(({ type }) => type === event.type)) {
      if (one.once) this.removeEventListener(one.type, one.hear);
      one.hear.call(this, event);
    }
  }
}

export class Happening {
  defaultPrevented = false;
  isStopped = false;

  constructor(type, values = {}) {
    Object.assign(this, { type, bubbles: false }, values);
  }

  preventDefault() {
    this.defaultPrevented = true;
  }

  stopPropagation() {
    this.isStopped = true;
  }
}

export class TextNode {
  constructor(data) {
    this.data = data;
  }

  get textContent() {
    return this.data;
  }

  get parentElement() {
    return this.parentNode;
  }

  remove() {
    this.parentNode?.drop(this);
  }
}

class Classes {
  constructor(element) {
    this.element = element;
  }

  get names() {
    return this.element.className.split(/\s+/).filter(Boolean);
  }

  set names(names) {
    this.element.className = names.join(" ");
  }

  contains(name) {
    return this.names.includes(name);
  }

  add(...added) {
    this.names = [...new Set([...this.names, ...added])];
  }

  remove(...gone) {
    this.names = this.names.filter((name) => !gone.includes(name));
  }

  toggle(name, isOn = !this.contains(name)) {
    isOn ? this.add(name) : this.remove(name);
    return isOn;
  }
}

const hyphenated = (name) => "data-" + name.replace(/[A-Z]/g, (sign) => "-" + sign.toLowerCase());

const dataOf = (element) =>
  new Proxy({}, {
    get: (_, name) => element.getAttribute(hyphenated(name)) ?? undefined,
    set: (_, name, value) => (element.setAttribute(hyphenated(name), value), true),
    has: (_, name) => element.hasAttribute(hyphenated(name)),
  });

const controls = ["button", "input", "select", "textarea"];

export class FakeElement extends HappeningTarget {
  childNodes = [];
  parentNode = null;
  style = {
    values: {},
    setProperty(name, value) {
      this.values[name] = value;
    },
    removeProperty(name) {
      delete this.values[name];
    },
  };
  held = new Set();

  constructor(localName) {
    super();
    this.localName = localName.toLowerCase();
    this.attributes = new Map();
    this.classList = new Classes(this);
    this.dataset = dataOf(this);
    // Only these have a value to begin with.
    if (!["input", "textarea"].includes(this.localName)) return;
    Object.defineProperty(this, "defaultValue", {
      get: () => this.localName === "input" ? this.getAttribute("value") ?? "" : this.textContent,
    });
  }

  // The tree.

  get tagName() {
    return this.localName.toUpperCase();
  }

  get children() {
    return this.childNodes.filter((one) => one instanceof FakeElement);
  }

  get childElementCount() {
    return this.children.length;
  }

  get firstChild() {
    return this.childNodes[0] ?? null;
  }

  get lastChild() {
    return this.childNodes.at(-1) ?? null;
  }

  get firstElementChild() {
    return this.children[0] ?? null;
  }

  get lastElementChild() {
    return this.children.at(-1) ?? null;
  }

  get parentElement() {
    return this.parentNode instanceof FakeElement ? this.parentNode : null;
  }

  get nextElementSibling() {
    const all = this.parentNode?.children ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }

  get previousElementSibling() {
    const all = this.parentNode?.children ?? [];
    return all[all.indexOf(this) - 1] ?? null;
  }

  get isConnected() {
    return this.localName === "html" || Boolean(this.parentNode?.isConnected);
  }

  get ownerSVGElement() {
    return this.parentNode?.closest("svg") ?? null;
  }

  put(at, nodes) {
    const made = nodes.map((one) =>
      one instanceof FakeElement || one instanceof TextNode ? one : new TextNode(String(one))
    );
    for (const one of made) one.remove();
    const place = typeof at === "number" ? at : at ? this.childNodes.indexOf(at) : undefined;
    this.childNodes.splice(place ?? this.childNodes.length, 0, ...made);
    for (const one of made) one.parentNode = this;
  }

  drop(node) {
    this.childNodes = this.childNodes.filter((one) => one !== node);
    node.parentNode = null;
  }

  append(...nodes) {
    this.put(undefined, nodes);
  }

  prepend(...nodes) {
    this.put(0, nodes);
  }

  before(...nodes) {
    this.parentNode?.put(this, nodes);
  }

  replaceWith(...nodes) {
    const place = this.parentNode;
    place?.put(this, nodes);
    place?.drop(this);
  }

  replaceChildren(...nodes) {
    for (const one of [...this.childNodes]) this.drop(one);
    this.append(...nodes);
  }

  remove() {
    this.parentNode?.drop(this);
  }

  contains(other) {
    for (let one = other; one; one = one.parentNode) if (one === this) return true;
    return false;
  }

  *descendants() {
    for (const child of this.children) {
      yield child;
      yield* child.descendants();
    }
  }

  matches(selector) {
    return matches(this, selector);
  }

  closest(selector) {
    for (let one = this; one; one = one.parentElement) if (one.matches(selector)) return one;
    return null;
  }

  querySelectorAll(selector) {
    return [...this.descendants()].filter((one) => one.matches(selector));
  }

  querySelector(selector) {
    return this.querySelectorAll(selector)[0] ?? null;
  }

  get textContent() {
    return this.childNodes.map((one) => one.textContent).join("");
  }

  set textContent(text) {
    this.replaceChildren(...(text === "" ? [] : [text]));
  }

  // Attributes.

  getAttribute(name) {
    return this.attributes.get(name) ?? null;
  }

  hasAttribute(name) {
    return this.attributes.has(name);
  }

  setAttribute(name, value) {
    this.attributes.set(name, String(value));
  }

  removeAttribute(name) {
    this.attributes.delete(name);
  }

  toggleAttribute(name, isOn = !this.hasAttribute(name)) {
    isOn ? this.setAttribute(name, "") : this.removeAttribute(name);
  }

  get className() {
    return this.getAttribute("class") ?? "";
  }

  set className(value) {
    this.setAttribute("class", value);
  }

  get tabIndex() {
    return Number(this.getAttribute("tabindex"));
  }

  set tabIndex(value) {
    this.setAttribute("tabindex", value);
  }

  get hash() {
    return this.getAttribute("href")?.match(/#.*/)?.[0] ?? "";
  }

  // Controls.

  get type() {
    return this.getAttribute("type") ?? { button: "submit", input: "text" }[this.localName] ?? "";
  }

  get options() {
    return this.querySelectorAll("option");
  }

  get selectedOptions() {
    const { options } = this;
    const marked = options.filter((one) => one.hasAttribute("selected"));
    const one = options.includes(this.picked) ? this.picked : marked.at(-1) ?? options[0];
    return one ? [one] : [];
  }

  get value() {
    if (this.localName === "select") return this.selectedOptions[0]?.value ?? "";
    if (this.localName === "option") return this.getAttribute("value") ?? this.textContent;
    if (this.localName === "progress") return Number(this.getAttribute("value") ?? 0);
    return this.written ??
      (this.getAttribute("type") === "checkbox"
        ? this.getAttribute("value") ?? "on"
        : this.localName === "button"
        ? this.getAttribute("value") ?? ""
        : this.defaultValue);
  }

  set value(value) {
    if (this.localName === "select") {
      this.picked = this.options.find((one) => one.value === String(value));
    } else if (this.localName === "progress") this.setAttribute("value", value);
    else this.written = String(value);
  }

  get checked() {
    return this.isChecked ?? this.hasAttribute("checked");
  }

  set checked(isChecked) {
    this.isChecked = Boolean(isChecked);
  }

  get form() {
    return this.closest("form");
  }

  // What a form or a fieldset has, by number and by name.
  get elements() {
    const all = this.querySelectorAll(controls.join());
    return new Proxy(all, {
      get: (list, name) => list[name] ?? all.find((one) => one.getAttribute("name") === name),
    });
  }

  get validity() {
    const { value } = this;
    const pattern = this.getAttribute("pattern");
    const isMissing = this.hasAttribute("required") && !value;
    const isOff = Boolean(value && pattern) && !new RegExp(`^(?:${pattern})$`, "u").test(value);
    const badInput = Boolean(this.hasBadInput);
    return { badInput, valid: !isMissing && !isOff && !badInput };
  }

  // As when a user presses a button of the form: nothing happens while a field is not valid.
  requestSubmit(submitter = null) {
    if (this.elements.some((one) => !one.disabled && !one.validity.valid)) return;
    this.dispatchEvent(new Happening("submit", { bubbles: true, submitter }));
  }

  reset() {
    for (const one of this.elements) {
      Object.assign(one, { written: undefined, isChecked: undefined, picked: undefined });
    }
  }

  // What a user does.

  click() {
    if (this.disabled) return;
    const isBox = this.localName === "input" && this.type === "checkbox";
    if (isBox) this.checked = !this.checked;
    const event = new Happening("click", { bubbles: true });
    this.dispatchEvent(event);
    if (isBox) this.dispatchEvent(new Happening("change", { bubbles: true }));
    if (event.defaultPrevented) return;
    if (this.localName === "button" && this.type === "submit") this.form?.requestSubmit(this);
    if (this.localName === "summary") {
      this.parentNode.open = !this.parentNode.open;
      this.parentNode.dispatchEvent(new Happening("toggle"));
    }
  }

  focus() {
    const before = document.activeElement;
    if (!this.isConnected || this.disabled || before === this) return;
    document.focused = this;
    before.dispatchEvent(new Happening("blur"));
    before.dispatchEvent(new Happening("focusout", { bubbles: true, relatedTarget: this }));
  }

  blur() {
    if (document.activeElement !== this) return;
    document.focused = undefined;
    this.dispatchEvent(new Happening("blur"));
  }

  // Without a layout these do nothing.

  select() {}

  setSelectionRange() {}

  scrollIntoView() {}

  checkVisibility() {
    return this.isConnected && !this.closest("[hidden]");
  }

  getBoundingClientRect() {
    return this.box ?? { left: 0, right: 0, top: 0, bottom: 0, width: 0, height: 0 };
  }

  setPointerCapture(id) {
    this.held.add(id);
  }

  hasPointerCapture(id) {
    return this.held.has(id);
  }
}

const reflect = (name, read, write) =>
  Object.defineProperty(FakeElement.prototype, name, { get: read, set: write });

for (const name of ["hidden", "disabled", "required", "open", "readOnly"]) {
  const attribute = name.toLowerCase();
  reflect(
    name,
    function () {
      return this.hasAttribute(attribute);
    },
    function (isOn) {
      this.toggleAttribute(attribute, Boolean(isOn));
    },
  );
}
for (const name of ["id", "title", "alt", "src", "href", "lang", "name", "max", "placeholder"]) {
  reflect(
    name,
    function () {
      return this.getAttribute(name) ?? "";
    },
    function (value) {
      this.setAttribute(name, value);
    },
  );
}

export class FakeButton extends FakeElement {}

export const element = (name) => name === "button" ? new FakeButton(name) : new FakeElement(name);
