// The entries of a document, such as a cookbook's recipes: each opens to its fields, next to its
// place on the page.
import { labeled, make, press } from "../parts/dom.js";
import { field, Listing, valueOf } from "../parts/listing.js";
import { has, joined, say } from "../words/words.js";

const name = (entry) =>
  joined(valueOf(entry, "number"), valueOf(entry, "title") ?? entry.fields[0]?.value)
    .slice(0, 80) || say("emptyEntry");

// Entries that were read can get missing fields; others have only the fields that a user added.
function names(entry) {
  const own = entry.fields.map((field) => field.name);
  return entry.fields.some((field) => field.source === "entries")
    ? [...new Set(["number", "title", "text", ...own])]
    : own;
}

function row(entry, { box, whole, isOpen, toggle, remove, on }) {
  const page = whole.pages.find((page) => page.id === entry.page);
  const id = "entry-" + entry.id;
  const opener = make("button", {
    class: "opener grow",
    "data-keep": id,
    "aria-expanded": String(isOpen),
    "aria-controls": isOpen ? id : undefined,
    onclick: () => {
      toggle();
      if (!isOpen && page) {
        on.place(
          page.number,
          entry.fields.map((field) => field.box).filter(Boolean),
        );
      }
    },
  }, name(entry));
  const isUnsure = entry.fields.some((field) => field.confidence < 0.5);
  return [
    make(
      "div",
      { class: "row line" },
      box,
      opener,
      isUnsure ? make("span", { class: "tag warn" }, say("unsureEntry")) : undefined,
      page ? make("span", { class: "soft" }, say("page", { number: page.number })) : undefined,
    ),
    isOpen
      ? make(
        "div",
        { id, class: "fields" },
        names(entry).map((one) => {
          const words = has("field-" + one) ? say("field-" + one) : one;
          return one === "text"
            ? labeled(words, field(entry, one, on, { rows: 6 }, "textarea"), "wide")
            : labeled(words, field(entry, one, on));
        }),
        make(
          "div",
          { class: "wide", "data-needs": "scan" },
          make("button", {
            "aria-label": say("deleteOf", { name: name(entry) }),
            onclick: press(remove),
          }, say("delete")),
        ),
      )
      : undefined,
  ];
}

export const entries = (on) =>
  new Listing({
    title: say("entries"),
    hint: say("entriesHint"),
    name,
    row,
    heading: (whole) => say("entryCount", { number: whole.entries.length }),
    removal: (gone) => ({ deleteEntries: gone.map((entry) => entry.id) }),
  }, on);
