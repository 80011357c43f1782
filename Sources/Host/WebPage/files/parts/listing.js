// The entries of a document: rows to select, open and delete, with a pointer or keys.
import { make, press, redraw } from "./dom.js";
import { may } from "../shell/host.js";
import { say } from "../words/words.js";

// The entry after the deleted ones, or the last remaining one.
export function entryAfter(entries, gone) {
  const last = entries.findLastIndex((entry) => gone.has(entry.id));
  return [...entries.slice(last + 1), ...entries.slice(0, last).reverse()].find((entry) =>
    !gone.has(entry.id)
  );
}

// `kind` has `title`, `hint`, `heading(whole)`, `name(entry)`, `row(entry, tools)` for the elements
// after an entry's box, and `removal(entries)` for the order that deletes them; `on` has
// `change(order)`.
export class Listing {
  chosen = new Set();
  open = new Set();
  // The changing number of entries.
  state = make("span", { role: "status" });

  constructor(kind, on) {
    Object.assign(this, { kind, on });
    const label = { "aria-label": kind.title };
    this.bar = make("div", {
      class: "row tools",
      "data-needs": "scan",
      role: "toolbar",
      ...label,
    });
    this.list = make("ul", {
      class: "rows entries",
      ...label,
      onkeydown: (event) => this.key(event),
    });
    this.element = make(
      "section",
      { class: "card", ...label, hidden: true },
      make("h3", {}, this.state),
      this.bar,
      this.list,
      make("p", { class: "soft" }, kind.hint),
    );
  }

  // Shows the present state of the document, if it has such entries.
  update(whole, isShown) {
    this.whole = whole;
    for (const set of [this.chosen, this.open]) {
      for (const id of set) if (!whole.entries.some((entry) => entry.id === id)) set.delete(id);
    }
    this.element.hidden = !isShown;
    if (!isShown) return this.list.replaceChildren();
    this.state.replaceChildren(this.kind.heading(whole));
    this.draw();
  }

  get selected() {
    return this.whole.entries.filter((entry) => this.chosen.has(entry.id));
  }

  row(entry) {
    const name = this.kind.name(entry);
    const box = make("input", {
      type: "checkbox",
      "data-keep": "choose-" + entry.id,
      checked: this.chosen.has(entry.id),
      "aria-label": say("selectOf", { name }),
      onchange: ({ target }) => {
        this.chosen[target.checked ? "add" : "delete"](entry.id);
        this.drawTools();
      },
    });
    return make(
      "li",
      { "data-entry": entry.id },
      this.kind.row(entry, {
        box,
        whole: this.whole,
        isOpen: this.open.has(entry.id),
        toggle: () => this.toggle(entry),
        remove: () => this.remove([entry]),
        on: this.on,
      }),
    );
  }

  toggle(entry) {
    this.open[this.open.has(entry.id) ? "delete" : "add"](entry.id);
    this.draw();
  }

  // The focus moves to another entry.
  async remove(entries) {
    const next = entryAfter(this.whole.entries, new Set(entries.map((entry) => entry.id)));
    this.next = next && "choose-" + next.id;
    await this.on.change(this.kind.removal(entries, this.whole));
  }

  drawTools() {
    const some = this.selected;
    const isAll = some.length === this.whole.entries.length;
    redraw(this.bar, () =>
      this.bar.replaceChildren(
        make("span", { class: "soft", role: "status" }, say("selected", { number: some.length })),
        make("button", {
          "data-keep": "all",
          onclick: () => {
            this.whole.entries.forEach((entry) => this.chosen[isAll ? "delete" : "add"](entry.id));
            this.draw();
          },
        }, say(isAll ? "selectNone" : "selectAll")),
        make("button", {
          "data-keep": "delete",
          disabled: !some.length,
          onclick: press(() => this.remove(some)),
        }, say("deleteSelected")),
      ));
  }

  draw() {
    const rows = () => this.whole.entries.map((entry) => this.row(entry));
    redraw(this.list, () => this.list.replaceChildren(...rows()), this.next);
    this.next = undefined;
    this.drawTools();
  }

  // In a row's text fields, keys are letters.
  key(event) {
    const item = event.target.closest("[data-entry]");
    const isText = event.target.matches("input:not([type=checkbox]), textarea");
    if (!item || isText) return;
    const entry = this.whole.entries.find((one) => String(one.id) === item.dataset.entry);
    const isCommand = event.ctrlKey || event.metaKey;
    const beside = {
      ArrowDown: item.nextElementSibling,
      ArrowUp: item.previousElementSibling,
      Home: this.list.firstElementChild,
      End: this.list.lastElementChild,
    };
    if (event.key in beside) beside[event.key]?.querySelector("input[type=checkbox]").focus();
    else if (event.key === "Enter" && event.target.type === "checkbox") this.toggle(entry);
    else if (event.key === "Delete") {
      press(() => this.remove(this.chosen.size ? this.selected : [entry]))(event);
    } else if (event.key === "a" && isCommand) {
      for (const one of this.whole.entries) this.chosen.add(one.id);
      this.draw();
    } else return;
    event.preventDefault();
  }
}

// The value of a field of an entry, if it has one.
export const valueOf = (entry, name) => entry.fields.find((one) => one.name === name)?.value;

// A field of an entry, which is saved after a change.
export function field(entry, name, on, attributes = {}, element = "input") {
  const value = valueOf(entry, name) ?? "";
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
