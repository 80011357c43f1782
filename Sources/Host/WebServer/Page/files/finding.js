// What the archive is searched for: words and filters, which are in the page's address too, so that
// Back, a bookmark and a reload find the same.
import { make, menu } from "./dom.js";
import { ask } from "./host.js";
import { icon } from "./icons.js";
import { types } from "./known.js";
import { recall, remember } from "./memory.js";
import { say } from "./words.js";

const orders = ["newest", "oldest", "changed", "title", "pages"];

const chip = (attributes, items) =>
  make(
    "select",
    { class: "chip", ...attributes },
    items.map(([value, words]) => make("option", { value }, words)),
  );

export class Finding {
  words = make("input", {
    type: "search",
    placeholder: say("searchHint"),
    "aria-label": say("search"),
    autocomplete: "off",
    dir: "auto",
    enterkeyhint: "search",
  });
  type = chip({ "aria-label": say("type") }, [
    ["", say("anyType")],
    ...types.map((name) => [name, say("type-" + name)]),
  ]);
  tag = chip({ "aria-label": say("tag") }, [["", say("anyTag")]]);
  since = make("input", { type: "date" });
  before = make("input", { type: "date" });
  trash = make("button", { type: "button", class: "chip" }, icon("delete"), say("in-trash"));
  sort = chip(
    { "aria-label": say("sort") },
    orders.map((name) => [name, say("sort-" + name)]),
  );
  dates = menu(
    { class: "button chip" },
    [say("dates")],
    make("label", {}, say("since"), this.since),
    make("label", {}, say("before"), this.before),
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
      this.dates,
      this.trash,
      this.keep,
    ),
    this.kept,
  );

  // `onChange(isTyping)` is called when something else is searched for.
  constructor(address, onChange) {
    this.onChange = onChange;
    this.read(new URLSearchParams(address));
    this.words.addEventListener("input", () => this.changed(true));
    for (const field of [this.type, this.tag, this.since, this.before, this.sort]) {
      field.addEventListener("change", () => this.changed());
    }
    this.trash.addEventListener("click", () => {
      this.isTrash = !this.isTrash;
      this.changed();
    });
    this.keep.addEventListener("click", () => this.keepSearch());
    this.showKept();
  }

  // The filters by their names in an address and in a query.
  get filters() {
    const { type, tag, since, before } = this;
    return Object.entries({ type, tag, since, before });
  }

  get isTrash() {
    return this.trash.getAttribute("aria-pressed") === "true";
  }

  set isTrash(isTrash) {
    this.trash.setAttribute("aria-pressed", String(isTrash));
  }

  get isNarrowed() {
    return this.filters.some(([, field]) => field.value);
  }

  // The words that are searched for; the trash is not searched.
  get query() {
    return this.isTrash ? "" : this.words.value.trim();
  }

  read(given) {
    this.words.value = given.get("q") ?? "";
    for (const [name, field] of this.filters) {
      const value = given.get(name) ?? "";
      if (name === "tag" && value) this.addTag(value);
      field.value = value;
    }
    this.isTrash = given.get("in") === "trash";
    this.sort.value = orders.includes(given.get("sort")) ? given.get("sort") : orders[0];
    this.show();
  }

  addTag(name, words = name) {
    const known = [...this.tag.options].find((option) => option.value === name);
    known ? (known.textContent = words) : this.tag.append(
      make("option", { value: name }, words),
    );
  }

  // Offers the tags that documents have.
  async offerTags() {
    const { tags } = await ask("tags");
    for (const { name, documents } of tags) this.addTag(name, `${name} (${documents})`);
  }

  show() {
    for (const [, field] of this.filters) field.classList.toggle("set", Boolean(field.value));
    const isDated = this.since.value || this.before.value;
    this.dates.firstElementChild.classList.toggle("set", Boolean(isDated));
    this.words.disabled = this.isTrash;
    this.keep.hidden = !this.query && !this.isNarrowed;
  }

  changed(isTyping = false) {
    this.show();
    history.replaceState(history.state, "", this.address);
    this.onChange(isTyping);
  }

  get address() {
    const { query, sort } = this;
    const given = [
      ["q", query],
      ...this.filters.map(([name, field]) => [name, field.value]),
      ["in", this.isTrash ? "trash" : ""],
      ["sort", sort.value === orders[0] ? "" : sort.value],
    ].filter(([, value]) => value);
    return "#archive" + (given.length ? "?" + new URLSearchParams(given) : "");
  }

  // The path to ask for.
  get path() {
    const chosen = this.filters.filter(([, field]) => field.value);
    if (!this.query) {
      return "documents?" + new URLSearchParams([
        ...chosen.map(([name, field]) => [name, field.value]),
        ["trash", String(this.isTrash)],
        ["sort", this.sort.value],
      ]);
    }
    const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);
    const filters = chosen.map(([name, field]) => `${name}:${quoted(field.value)}`);
    return "search?" + new URLSearchParams({ q: [this.query, ...filters].join(" ") });
  }

  keepSearch() {
    const name = [this.query, ...this.filters.map(([, field]) => field.value)].filter(Boolean)
      .join(" · ");
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
