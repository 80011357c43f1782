// The search of the archive: words and filters. They are also in the page's address, so that Back,
// a bookmark and a reload give the same results.
import { choice, choiceItems, labeled, make, menu } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { types } from "../details/known.js";
import { keepWay } from "./way.js";
import { recall, remember } from "../parts/memory.js";
import { joined, say } from "../words/words.js";

const orders = ["newest", "oldest", "changed", "title", "pages"];

const chip = (label, items) =>
  choice(undefined, items, { class: "chip", "aria-label": say(label) });

// Adds a choice, or changes its words.
function addChoice(choices, value, words = value) {
  const known = [...choices.options].find((option) => option.value === value);
  known ? (known.textContent = words) : choices.append(...choiceItems([[value, words]]));
}

export class Finding {
  words = make("input", {
    type: "search",
    placeholder: say("searchHint"),
    "aria-label": say("search"),
    autocomplete: "off",
    dir: "auto",
    enterkeyhint: "search",
  });
  type = chip("type", [
    ["", say("anyType")],
    ...types.map((name) => [name, say("type-" + name)]),
  ]);
  tag = chip("tag", [["", say("anyTag")]]);
  since = make("input", { type: "date" });
  before = make("input", { type: "date" });
  trash = make("button", { type: "button", class: "chip" }, icon("delete"), say("in-trash"));
  sort = chip("sort", orders.map((name) => [name, say("sort-" + name)]));
  field = chip("field", [["", say("anyField")]]);
  fieldText = make("input", { type: "text", autocomplete: "off", dir: "auto" });
  fields = menu(
    { class: "button chip" },
    [say("field")],
    labeled(say("field"), this.field),
    labeled(say("fieldText"), this.fieldText),
  );
  dates = menu(
    { class: "button chip" },
    [say("dates")],
    labeled(say("since"), this.since),
    labeled(say("before"), this.before),
  );
  keep = make("button", { type: "button", class: "chip" }, icon("star"), say("keepSearch"));
  kept = make("div", { class: "row kept", role: "group", "aria-label": say("keptSearches") });
  element = make(
    "div",
    { class: "finding" },
    make("div", { class: "searching" }, icon("search"), this.words),
    make(
      "div",
      { class: "row chips" },
      this.type,
      this.tag,
      this.trash,
      this.fields,
      this.dates,
      this.keep,
    ),
    this.kept,
  );

  // `onChange(isTyping)` is called when something else is searched for.
  constructor(address, onChange) {
    this.onChange = onChange;
    this.read(new URLSearchParams(address));
    this.words.addEventListener("input", () => this.changed(true));
    for (const one of [this.type, this.tag, this.field, this.since, this.before, this.sort]) {
      one.addEventListener("change", () => this.changed());
    }
    this.fieldText.addEventListener("input", () => this.changed(true));
    this.trash.addEventListener("click", () => {
      this.isTrash = !this.isTrash;
      this.changed();
    });
    this.keep.addEventListener("click", () => this.keepSearch());
    this.showKept();
    keepWay(this.address);
  }

  // The filters with their values, by their names in an address and in a query.
  get filters() {
    const { type, tag, since, before } = this;
    const field = this.field.value && `${this.field.value}=${this.fieldText.value.trim()}`;
    return [
      ...Object.entries({ type, tag, since, before }).map(([name, { value }]) => [name, value]),
      ["field", field],
    ].filter(([, value]) => value);
  }

  get isTrash() {
    return this.trash.getAttribute("aria-pressed") === "true";
  }

  set isTrash(isTrash) {
    this.trash.setAttribute("aria-pressed", String(isTrash));
  }

  get isNarrowed() {
    return this.filters.length > 0;
  }

  // The words that are searched for; the trash is not searched.
  get query() {
    return this.isTrash ? "" : this.words.value.trim();
  }

  read(given) {
    this.words.value = given.get("q") ?? "";
    for (const name of ["type", "tag", "since", "before"]) {
      const value = given.get(name) ?? "";
      if (name === "tag" && value) addChoice(this.tag, value);
      this[name].value = value;
    }
    const [field, ...text] = (given.get("field") ?? "").split("=");
    if (field) addChoice(this.field, field);
    this.field.value = field;
    this.fieldText.value = text.join("=");
    this.isTrash = given.get("in") === "trash";
    this.sort.value = orders.includes(given.get("sort")) ? given.get("sort") : orders[0];
    this.show();
  }

  // Offers the tags and the fields that documents have.
  async offer() {
    const [{ tags }, { fields }] = await Promise.all([ask("tags"), ask("fields")]);
    for (const [choices, used] of [[this.tag, tags], [this.field, fields]]) {
      for (const { name, documents } of used) addChoice(choices, name, `${name} (${documents})`);
    }
    this.show();
  }

  show() {
    const mark = (chip, isSet) => chip.classList.toggle("set", Boolean(isSet));
    for (const one of [this.type, this.tag]) mark(one, one.value);
    mark(this.dates.firstElementChild, this.since.value || this.before.value);
    mark(this.fields.firstElementChild, this.field.value);
    this.fields.firstElementChild.textContent = this.field.value
      ? `${this.field.value}: ${this.fieldText.value.trim() || "…"}`
      : say("field");
    // Without fields there is nothing to choose from.
    this.fields.hidden = this.field.options.length < 2;
    this.fieldText.disabled = !this.field.value;
    this.words.disabled = this.isTrash;
    this.keep.hidden = !this.query && !this.isNarrowed;
  }

  changed(isTyping = false) {
    this.show();
    history.replaceState(history.state, "", this.address);
    keepWay(this.address);
    this.onChange(isTyping);
  }

  get address() {
    const { query, sort } = this;
    const given = [
      ["q", query],
      ...this.filters,
      ["in", this.isTrash ? "trash" : ""],
      ["sort", sort.value === orders[0] ? "" : sort.value],
    ].filter(([, value]) => value);
    return "#archive" + (given.length ? "?" + new URLSearchParams(given) : "");
  }

  // The path of the request.
  get path() {
    if (!this.query) {
      return "documents?" + new URLSearchParams([
        ...this.filters,
        ["trash", String(this.isTrash)],
        ["sort", this.sort.value],
      ]);
    }
    const quoted = (value) => (/\s/.test(value) ? `"${value.replace(/["“”„]/g, "")}"` : value);
    const filters = this.filters.map(([name, value]) => `${name}:${quoted(value)}`);
    return "search?" + new URLSearchParams({ q: [this.query, ...filters].join(" ") });
  }

  keepSearch() {
    const name = joined(this.query, ...this.filters.map(([, value]) => value));
    const others = recall("searches", []).filter((one) => one.name !== name);
    remember("searches", [...others, { name, address: this.address }]);
    this.showKept();
  }

  showKept() {
    const all = recall("searches", []);
    this.kept.hidden = !all.length;
    this.kept.replaceChildren(...all.map(({ name, address }) =>
      make(
        "span",
        { class: "pair" },
        make("a", { class: "button chip", href: address }, icon("star"), name),
        make("button", {
          type: "button",
          class: "chip bare",
          "aria-label": say("deleteOf", { name }),
          onclick: () => {
            remember("searches", all.filter((one) => one.name !== name));
            this.showKept();
          },
        }, icon("close")),
      )
    ));
  }
}
