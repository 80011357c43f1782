// The pages of a document as a list of small pictures: select, turn, delete and order them, by
// pointer or by keys.
import { make } from "../parts/dom.js";
import { sheet } from "../parts/sheet.js";
import { takeDrops } from "../scan/sending.js";
import { hostWords, say } from "../words/words.js";

// A page in the list.
function pageItem(page, { isShown, isChosen }, select, on) {
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
      onclick(event) {
        if (event.shiftKey) select.range(page.number);
        else if (event.ctrlKey || event.metaKey || event.target.closest(".check")) {
          select.toggle(item, page.number);
        } else on.open(page.number);
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
  makeDraggable(item, page.number, on);
  return item;
}

// Pages that are dropped on another take its place; a selected page takes the others along.
function makeDraggable(item, number, on) {
  item.addEventListener("dragstart", (event) => {
    event.dataTransfer.setData("text/plain", String(number));
    event.dataTransfer.effectAllowed = "move";
  });
  takeDrops(item, item, (data) => {
    const from = Number(data.getData("text/plain"));
    if (from && from !== number) on.drop(from, number);
  });
}

// The moves that bring the pages `moved` to the place of page `to`, in the order they have.
export function moves(numbers, moved, to) {
  const others = numbers.filter((number) => !moved.includes(number));
  const isForward = numbers.indexOf(moved[0]) < numbers.indexOf(to);
  const place = others.indexOf(to) + (isForward ? 1 : 0);
  const wanted = [...others.slice(0, place), ...moved, ...others.slice(place)];
  const now = [...numbers];
  const made = [];
  wanted.forEach((page, index) => {
    if (now[index] === page) return;
    now.splice(now.indexOf(page), 1);
    now.splice(index, 0, page);
    made.push({ page, to: numbers[index] });
  });
  return made;
}

// The first page that was not there before.
export const newPage = (before, now) =>
  now.find((page) => !before.some(({ id }) => id === page.id));

// The number of the page to show after a change: the one that was shown, or if it is gone, the next
// one that is left, or the last.
export function placeAfter(before, now, shown) {
  if (before.length === now.length) return shown;
  const at = before.findIndex((page) => page.number === shown);
  const places = new Map(now.map((page) => [page.id, page.number]));
  const left = [...before.slice(at), ...before.slice(0, at).reverse()]
    .find((page) => places.has(page.id));
  return places.get(left?.id) ?? now[0].number;
}

// Selects items of the list: toggles one, extends to one, or selects none or all.
const selection = (list, shown, chosen, on) => ({
  range(number) {
    const [low, high] = [Math.min(shown, number), Math.max(shown, number)];
    for (const one of list.children) {
      const isIn = low <= one.dataset.number && one.dataset.number <= high;
      chosen[isIn ? "add" : "delete"](Number(one.dataset.number));
      one.setAttribute("aria-selected", String(isIn));
    }
    on.chosen();
  },
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

// The number of items that an arrow key moves by; undefined for other keys.
function arrowStep(key, list) {
  const columns = getComputedStyle(list).gridTemplateColumns.split(" ").length;
  return { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -columns, ArrowDown: columns }[key];
}

// Performs a key's action on the page with that number; false for other keys.
function act(event, number, { select, item, acting, on }) {
  const isCommand = event.ctrlKey || event.metaKey;
  const rotate = (degrees) => on.change({ rotate: [{ pages: acting(number), degrees }] }, number);
  if (event.key === " ") select.toggle(item, number);
  else if (event.key === "Enter") on.open(number);
  else if (event.key === "Escape") select.none();
  else if (event.key === "a" && isCommand) select.all();
  else if (event.key === "Delete") on.change({ delete: acting(number) });
  else if (event.key === "r" && !isCommand) rotate(90);
  else if (event.key === "R" && !isCommand) rotate(-90);
  else return false;
  return true;
}

// `chosen` is the set of selected numbers; `on` has `open(number)` and `change(order)`.
export function grid(pages, shown, chosen, on) {
  const list = make("ol", {
    class: "pages review",
    role: "listbox",
    "aria-multiselectable": "true",
    "aria-label": say("pages"),
    onkeydown: key,
  });
  const acting = (number) => (chosen.size ? [...chosen].sort((a, b) => a - b) : [number]);
  const select = selection(list, shown, chosen, on);
  const drop = (from, to) => {
    const moved = chosen.has(from) ? acting(from) : [from];
    if (!moved.includes(to)) {
      on.change({ move: moves(pages.map((page) => page.number), moved, to) });
    }
  };
  const items = pages.map((page) => {
    const state = { isShown: page.number === shown, isChosen: chosen.has(page.number) };
    return pageItem(page, state, select, { ...on, drop });
  });
  list.append(...items);

  function focus(item) {
    for (const other of items) other.tabIndex = other === item ? 0 : -1;
    item.focus({ preventScroll: true });
    item.scrollIntoView({ block: "nearest", inline: "nearest" });
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
    if (step) arrow(items.indexOf(item), step, event.altKey);
    else if (event.key === "Home") focus(items[0]);
    else if (event.key === "End") focus(items.at(-1));
    else if (!act(event, number, { select, item, acting, on })) return;
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
