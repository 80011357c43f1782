// The pages of a document as a grid: select, turn, delete and order them, by pointer or by keys.
import { make } from "./dom.js";
import { sheet } from "./sheet.js";
import { hostWords, say } from "./words.js";

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

  function toggle(number, item) {
    chosen.has(number) ? chosen.delete(number) : chosen.add(number);
    item.setAttribute("aria-selected", String(chosen.has(number)));
    on.chosen();
  }

  const items = pages.map((page) => {
    const item = make(
      "li",
      {
        role: "option",
        tabindex: page.number === shown ? 0 : -1,
        draggable: "true",
        "data-number": page.number,
        "aria-selected": String(chosen.has(page.number)),
        "aria-current": page.number === shown ? "true" : undefined,
        "aria-label": say("page", { number: page.number }) +
          (page.problems.length ? ", " + page.problems.join(", ") : ""),
        onclick: (
          event,
        ) => (event.ctrlKey || event.metaKey || event.target.closest(".check")
          ? toggle(page.number, item)
          : on.open(page.number)),
        ondragstart: (event) => {
          event.dataTransfer.setData("text/plain", String(page.number));
          event.dataTransfer.effectAllowed = "move";
        },
        ondragover: (event) => {
          event.preventDefault();
          item.classList.add("over");
        },
        ondragleave: () => item.classList.remove("over"),
        ondrop: (event) => {
          event.preventDefault();
          item.classList.remove("over");
          const from = Number(event.dataTransfer.getData("text/plain"));
          if (from && from !== page.number) on.change({ move: [{ page: from, to: page.number }] });
        },
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
    return item;
  });
  list.append(...items);

  function focus(item) {
    for (const other of items) other.tabIndex = other === item ? 0 : -1;
    item.focus();
  }

  function key(event) {
    const item = event.target.closest("[data-number]");
    if (!item) return;
    const number = Number(item.dataset.number);
    const index = items.indexOf(item);
    const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
    const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[event.key];
    const isCommand = event.ctrlKey || event.metaKey;
    if (step && event.altKey) {
      const to = Math.min(Math.max(0, index + step), pages.length - 1);
      if (to !== index) {
        on.change({ move: [{ page: number, to: pages[to].number }] }, pages[to].number);
      }
    } else if (step) {
      const next = items[index + step];
      if (next) focus(next);
    } else if (event.key === "Home") focus(items[0]);
    else if (event.key === "End") focus(items.at(-1));
    else if (event.key === " ") toggle(number, item);
    else if (event.key === "Enter") on.open(number);
    else if (event.key === "Escape") {
      chosen.clear();
      for (const one of items) one.setAttribute("aria-selected", "false");
      on.chosen();
    } else if (event.key === "a" && isCommand) {
      for (const one of items) {
        chosen.add(Number(one.dataset.number));
        one.setAttribute("aria-selected", "true");
      }
      on.chosen();
    } else if (event.key.toLowerCase() === "z" && isCommand) event.shiftKey ? on.redo() : on.undo();
    else if (event.key === "Delete") on.change({ delete: acting(number) });
    else if (event.key === "r" && !isCommand) {
      on.change({ rotate: [{ pages: acting(number), degrees: 90 }] }, number);
    } else if (event.key === "R" && !isCommand) {
      on.change({ rotate: [{ pages: acting(number), degrees: -90 }] }, number);
    } else return;
    event.preventDefault();
  }

  return {
    list,
    focus: (number) => {
      const item = items.find((one) => Number(one.dataset.number) === number);
      if (item) focus(item);
    },
    acting,
  };
}
