// What a document lists: rows to select, open and delete, by pointer or by keys.
import { make, press, redraw } from "./dom.js";
import { may } from "./host.js";
import { say } from "./words.js";

// `kind` has `title`, `hint`, `heading(whole)`, `name(entry)`, `row(entry, tools)` for what follows
// an entry's box, and `removal(entries)` for the order that deletes them; `on` has `change(order)`,
// `undo()` and `redo()`. `update(whole)` shows how it is.
export function listing(kind, on) {
  const chosen = new Set();
  const open = new Set();
  let whole;
  const heading = make("h3", { role: "status" });
  const bar = make("div", {
    class: "row tools",
    "data-needs": "scan",
    role: "toolbar",
    "aria-label": kind.title,
  });
  const list = make("ul", { class: "rows entries", "aria-label": kind.title, onkeydown: key });
  const element = make(
    "section",
    { class: "card", "aria-label": kind.title, hidden: true },
    heading,
    bar,
    list,
    make("p", { class: "soft" }, kind.hint),
  );

  function row(entry) {
    const name = kind.name(entry);
    const box = make("input", {
      type: "checkbox",
      "data-keep": "choose-" + entry.id,
      checked: chosen.has(entry.id),
      "aria-label": say("selectOf", { name }),
      onchange: () => {
        chosen[box.checked ? "add" : "delete"](entry.id);
        tools();
      },
    });
    return make(
      "li",
      { "data-entry": entry.id },
      kind.row(entry, {
        box,
        whole,
        isOpen: open.has(entry.id),
        toggle: () => toggle(entry),
        remove: () => remove([entry]),
        on,
      }),
    );
  }

  function toggle(entry) {
    open[open.has(entry.id) ? "delete" : "add"](entry.id);
    draw();
  }

  // The focus moves to the entry after the deleted ones, or to the last one.
  async function remove(entries) {
    const gone = new Set(entries.map((entry) => entry.id));
    const last = whole.entries.findLastIndex((entry) => gone.has(entry.id));
    const next = [...whole.entries.slice(last + 1), ...whole.entries.slice(0, last).reverse()].find(
      (entry) => !gone.has(entry.id),
    );
    element.next = next && "choose-" + next.id;
    await on.change(kind.removal(entries, whole));
  }

  function tools() {
    const some = whole.entries.filter((entry) => chosen.has(entry.id));
    const isAll = some.length === whole.entries.length;
    redraw(bar, () =>
      bar.replaceChildren(
        make("span", { class: "soft", role: "status" }, say("selected", { number: some.length })),
        make("button", {
          "data-keep": "all",
          onclick: () => {
            whole.entries.forEach((entry) => chosen[isAll ? "delete" : "add"](entry.id));
            draw();
          },
        }, say(isAll ? "selectNone" : "selectAll")),
        make("button", {
          "data-keep": "delete",
          disabled: !some.length,
          onclick: press(() => remove(some)),
        }, say("deleteSelected")),
      ));
  }

  function draw() {
    redraw(list, () => list.replaceChildren(...whole.entries.map(row)), element.next);
    element.next = undefined;
    tools();
  }

  // In a row's text fields keys are letters.
  function key(event) {
    const item = event.target.closest("[data-entry]");
    const isText = event.target.matches("input:not([type=checkbox]), textarea");
    if (!item || isText) return;
    const entry = whole.entries.find((one) => String(one.id) === item.dataset.entry);
    const isCommand = event.ctrlKey || event.metaKey;
    const beside = {
      ArrowDown: item.nextElementSibling,
      ArrowUp: item.previousElementSibling,
      Home: list.firstElementChild,
      End: list.lastElementChild,
    };
    if (event.key in beside) beside[event.key]?.querySelector("input[type=checkbox]").focus();
    else if (event.key === "Enter" && event.target.type === "checkbox") toggle(entry);
    else if (event.key === "Delete") {
      press(() =>
        remove(chosen.size ? whole.entries.filter((one) => chosen.has(one.id)) : [entry])
      )(event);
    } else if (event.key === "a" && isCommand) {
      for (const one of whole.entries) chosen.add(one.id);
      draw();
    } else if (event.key.toLowerCase() === "z" && isCommand) event.shiftKey ? on.redo() : on.undo();
    else return;
    event.preventDefault();
  }

  return {
    element,
    update(next, isShown) {
      whole = next;
      for (const set of [chosen, open]) {
        for (const id of set) if (!whole.entries.some((entry) => entry.id === id)) set.delete(id);
      }
      element.hidden = !isShown;
      if (!isShown) return list.replaceChildren();
      heading.replaceChildren(kind.heading(whole));
      draw();
    },
  };
}

// A field of an entry that is written back once it was changed.
export function field(entry, name, on, attributes = {}, element = "input") {
  const value = entry.fields.find((one) => one.name === name)?.value ?? "";
  return make(element, {
    autocomplete: "off",
    readonly: !may("scan"),
    ...(element === "input" && { value }),
    "data-keep": `${name}-${entry.id}`,
    onchange: press(async ({ target }) => {
      target.setAttribute("aria-invalid", String(!target.validity.valid));
      if (!target.validity.valid) throw new Error(target.title);
      const written = target.value.trim();
      if (written !== value) {
        await on.change({ entries: [{ id: entry.id, fields: { [name]: written || null } }] });
      }
    }),
    ...attributes,
  }, element === "textarea" ? value : []);
}
