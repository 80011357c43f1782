// Making elements: text is always text, never HTML.
export function make(name, attributes = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key === "class") element.className = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return element;
}

// A choice of values, each with its words; a third, true, for the one that is chosen at first.
export const choice = (name, items) =>
  make(
    "select",
    { name },
    items.map(([value, words, isChosen]) => make("option", { value, selected: isChosen }, words)),
  );

let timer;

// Says something only to screen readers: sighted users see it happen.
export function announce(text) {
  tell(text);
  document.getElementById("told").firstElementChild.classList.add("unseen");
}

// Says something at the foot of the page, and to a screen reader: a text or nodes; `link` leads on,
// as `{ words, address }`.
export function tell(text, link) {
  const place = document.getElementById("told");
  place.replaceChildren(
    make(
      "p",
      {},
      [text].flat(),
      link ? " " : undefined,
      link ? make("a", { href: link.address }, link.words) : undefined,
    ),
  );
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), 8000);
}

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
      tell(problem.nodes ?? problem.message);
    } finally {
      if (isButton) control.disabled = false;
      // A disabled button would lose the focus, and keyboard users their place.
      if (hadFocus && document.activeElement === document.body) {
        (control.isConnected ? control : kept(document, control.dataset.keep))?.focus();
      }
    }
  };
}

const kept = (place, name) => name && place.querySelector(`[data-keep="${CSS.escape(name)}"]`);

// Redraws an element, and keeps the focus and unfinished input: corresponding elements have the
// same data-keep. `instead` gets the focus if the focused element is gone.
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
