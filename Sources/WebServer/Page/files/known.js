// What is known of a document: title, type, note, tags, fields, entries, and where it went.
import { make, press } from "./dom.js";
import { say, day } from "./words.js";

export const types = ["contract", "invoice", "receipt", "report", "form", "other"];

// `on` has `describe(change)` for what is said of the document and `change(order)` for its entries.
export function known(whole, on) {
  const { document } = whole;
  const describe = (make_) => press((event) => on.describe(make_(event.target.value)));
  return make("div", { class: "card known" },
    make("form", { onsubmit: (event) => event.preventDefault() },
      make("label", {}, say("title"), make("input", { value: document.title, onchange: describe((title) => ({ title })) })),
      make("label", {}, say("type"), make("select", { onchange: describe((type) => ({ type })) },
        types.map((name) => make("option", { value: name, selected: name === document.type }, say("type-" + name))))),
      make("label", {}, say("note"), make("textarea", { rows: 2, onchange: describe((note) => ({ note })) }, whole.note)),
      make("div", { class: "row" }, document.tags.map((tag) => make("button", { class: "tag", type: "button", "aria-label": say("removeTag", { tag }), onclick: press(() => on.describe({ removeTags: [tag] })) }, tag + " ×")),
        make("input", { class: "grow", placeholder: say("addTag"), "aria-label": say("addTag"), onchange: describe((tag) => ({ addTags: [tag] })) })),
      ...whole.fields.map((field) => make("label", {}, field.name + (field.source ? ` (${field.source})` : ""),
        make("input", { value: field.value, onchange: describe((value) => ({ fields: { [field.name]: value || null } })) })))),
    make("p", { class: "soft" }, [say("pageCount", { number: document.pages }), day(document.created), document.language].filter(Boolean).join(" · ")),
    whole.entries.length ? entries(whole, on) : undefined,
    whole.receipts.length ? make("div", {}, make("h3", {}, say("receipts")), make("ul", {}, whole.receipts.map((receipt) => make("li", {}, `${receipt.sink}: ${receipt.remoteID ?? receipt.place}, ${day(receipt.made)}`)))) : undefined);
}

function entries(whole, on) {
  const totals = new Map();
  for (const entry of whole.entries)
    for (const { name, value } of entry.fields) if (name === "value" && Number.isFinite(Number(value))) totals.set(name, (totals.get(name) ?? 0) + Number(value));
  return make("div", {}, make("h3", {}, say("entryCount", { number: whole.entries.length }), totals.has("value") ? " · " + say("total", { value: totals.get("value").toFixed(2) }) : ""),
    make("ul", { class: "list" }, whole.entries.map((entry) => make("li", {}, make("details", {},
      make("summary", {}, entry.fields.map((field) => field.value).join(" · ").slice(0, 80) || say("emptyEntry")),
      ...entry.fields.map((field) => make("label", {}, field.name,
        make("textarea", { rows: field.value.length > 60 ? 4 : 1, onchange: press((event) => on.change({ entries: [{ id: entry.id, fields: { [field.name]: event.target.value || null } }] })) }, field.value))),
      make("button", { onclick: press(() => on.change({ deleteEntries: [entry.id] })) }, say("delete")))))));
}
