// Making elements: text is always text, never HTML, whoever wrote it.
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

let timer;

// Says something to a screen reader only: who sees the page sees it happen.
export function announce(text) {
  tell(text);
  document.getElementById("told").firstElementChild.classList.add("unseen");
}

// Says something at the foot of the page, and to a screen reader; `link` leads on, as `{ words, address }`.
export function tell(text, link) {
  const place = document.getElementById("told");
  place.replaceChildren(make("p", {}, text, link ? " " : undefined, link ? make("a", { href: link.address }, link.words) : undefined));
  clearTimeout(timer);
  timer = setTimeout(() => place.replaceChildren(), 8000);
}

// Runs what a button begins; a failure is told, and the button can't be pressed twice meanwhile.
export function press(work) {
  return async (event) => {
    event.preventDefault();
    const button = event.submitter ?? event.currentTarget;
    button.disabled = true;
    try { await work(event); } catch (problem) { tell(problem.message); } finally { button.disabled = false; }
  };
}
