// The pages of a document as a grid: select, turn, delete and order them, by pointer or by keys.
import { make } from "./dom.js";
import { sheet } from "./sheet.js";
import { hostWords, say } from "./words.js";

// A page of the grid; `toggle(item, number)` selects it, or no longer.
function pageItem(page, { isShown, isChosen }, toggle, on) {
  const item = make(
    "li",
    {
      role: "option",
      tabindex: isShown ? 0 : -1,
      draggable: "true",
      "data-number": page.number,
      "aria-selected": String(isChosen),
      "aria-current": isShown ? "true" : undefined,
      "aria-label": say("page", { number: page.number }) +
        (page.problems.length ? ", " + page.problems.join(", ") : ""),
      onclick: (
        event,
      ) => (event.ctrlKey || event.metaKey || event.target.closest(".check")
        ? toggle(item, page.number)
        : on.open(page.number)),
    },
    sheet(page, { small: true }),
    make(
      "span",
      { class: "soft" },
      make("span", { class: "check", "aria-hidden": "true" }),
      " ",
      page.number,
    ),
    ...page.problems.map((problem) => make("span", { class: "warn" }, hostWords(problem))),
  );
  makeDraggable(item, page.number, on);
  return item;
}

// A page that is dropped on another takes its place.
function makeDraggable(item, number, on) {
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", String(number));
    event.dataTransfer.effectAllowed = "move";
  });
  item.addEventListener("dragover", (event) => {
    event.preventDefault();
    item.classList.add("over");
  });
  item.addEventListener("dragleave", () => item.classList.remove("over"));
  item.addEventListener("drop", (event) => {
    event.preventDefault();
    item.classList.remove("over");
    const from = Number(event.dataTransfer.getData("text/plain"));
    if (from && from !== number) on.change({ move: [{ page: from, to: number }] });
  });
}

// Selecting items of the list: one more or less, none, or all of them.
const selection = (list, chosen, on) => ({
  toggle(item, number) {
    chosen.has(number) ? chosen.delete(number) : chosen.add(number);
    item.setAttribute("aria-selected", String(chosen.has(number)));
    on.chosen();
  },
  none() {
    chosen.clear();
    for (const one of list.children) one.setAttribute("aria-selected", "false");
    on.chosen();
  },
  all() {
    for (const one of list.children) {
      chosen.add(Number(one.dataset.number));
      one.setAttribute("aria-selected", "true");
    }
    on.chosen();
  },
});

// By how many items an arrow key moves; nothing for other keys.
function arrowStep(key, list) {
  const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
  return { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
}

// `chosen` is the set of selected numbers; `on` has `open(number)`, `change(order)`, and `undo()`,
// `redo()`.
export function grid(pages, shown, chosen, on) {
  const list = make("ol", {
    class: "pages review",
    role: "listbox",
    "aria-multiselectable": "true",
    "aria-label": say("pages"),
    onkeydown: key,
  });
  const acting = (number) => (chosen.size ? [...chosen].sort((a, b) => a - b) : [number]);
  const select = selection(list, chosen, on);
  const items = pages.map((page) => {
    const state = { isShown: page.number === shown, isChosen: chosen.has(page.number) };
    return pageItem(page, state, select.toggle, on);
  });
  list.append(...items);

  function focus(item) {
    for (const other of items) other.tabIndex = other === item ? 0 : -1;
    item.focus();
  }

  // With Alt an arrow key moves the page, and without it the focus.
  function arrow(index, step, isMoving) {
    if (!isMoving) return items[index + step] && focus(items[index + step]);
    const to = Math.min(Math.max(0, index + step), pages.length - 1);
    if (to === index) return;
    on.change({ move: [{ page: pages[index].number, to: pages[to].number }] }, pages[to].number);
  }

  function key(event) {
    const item = event.target.closest("[data-number]");
    if (!item) return;
    const number = Number(item.dataset.number);
    const step = arrowStep(event.key, list);
    const isCommand = event.ctrlKey || event.metaKey;
    const rotate = (degrees) => on.change({ rotate: [{ pages: acting(number), degrees }] }, number);
    if (step) arrow(items.indexOf(item), step, event.altKey);
    else if (event.key === "Home") focus(items[0]);
    else if (event.key === "End") focus(items.at(-1));
    else if (event.key === " ") select.toggle(item, number);
    else if (event.key === "Enter") on.open(number);
    else if (event.key === "Escape") select.none();
    else if (event.key === "a" && isCommand) select.all();
    else if (event.key.toLowerCase() === "z" && isCommand) event.shiftKey ? on.redo() : on.undo();
    else if (event.key === "Delete") on.change({ delete: acting(number) });
    else if (event.key === "r" && !isCommand) rotate(90);
    else if (event.key === "R" && !isCommand) rotate(-90);
    else return;
    event.preventDefault();
  }

  return {
    list,
    focus(number) {
      const item = items.find((one) => Number(one.dataset.number) === number);
      if (item) focus(item);
    },
    acting,
  };
}
