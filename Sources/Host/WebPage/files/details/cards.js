// A session of cards: each with its picture, its name and its value; their number and their total.
import { labeled, make, press } from "../parts/dom.js";
import { field, Listing, valueOf } from "../parts/listing.js";
import { sheet } from "../parts/sheet.js";
import { joined, say } from "../words/words.js";

// The host's counts and totals, by the document's fields.
const totals = (whole) =>
  whole.fields.filter((field) =>
    field.source === "card" && (field.name === "cards" || field.name.startsWith("total-value"))
  );

export const isSession = (whole) => totals(whole).some((field) => field.name === "cards");

// Fields that are shown here, card by card, and not for the document as a whole.
export const isOfCards = (field) => field.source === "card";

// Deleting a card deletes its page too.
export function withCards(order, whole) {
  if (!order.delete || order.deleteEntries || !isSession(whole)) return order;
  const ids = new Set(
    whole.pages.filter((page) => order.delete.includes(page.number)).map((page) => page.id),
  );
  return {
    ...order,
    deleteEntries: whole.entries.filter((entry) => ids.has(entry.page)).map((entry) => entry.id),
  };
}

const name = (entry) => valueOf(entry, "title") ?? say("card", { number: entry.id });

function heading(whole) {
  const sums = totals(whole).filter((field) => field.name !== "cards").map((field) => field.value);
  const bare = whole.entries.filter((entry) => !valueOf(entry, "value")).length;
  return joined(
    say("cardCount", { number: whole.entries.length }),
    sums.length ? say("total", { value: sums.join(" + ") }) : undefined,
    bare ? say("bareCards", { number: bare }) : undefined,
  );
}

// Enter moves from one value to the next, to work through a stack.
function further(event) {
  if (event.key !== "Enter") return;
  const fields = [...event.target.closest("ul").querySelectorAll("[data-value]")];
  const next = fields[fields.indexOf(event.target) + 1];
  if (!next) return;
  event.preventDefault();
  next.focus();
  next.select();
}

function row(entry, { box, whole, remove, on }) {
  const page = whole.pages.find((page) => page.id === entry.page);
  return make(
    "div",
    { class: "cardrow" },
    box,
    page
      ? make("button", {
        class: "picture",
        "aria-label": say("showOf", { name: name(entry) }),
        "data-keep": "show-" + entry.id,
        onclick: () => on.place(page.number, []),
      }, sheet(page, { small: true }))
      : make("span"),
    labeled(say("field-name"), field(entry, "title", on), "grow"),
    labeled(
      say("field-value"),
      field(entry, "value", on, {
        "data-value": true,
        pattern: "\\D{0,5}\\d{1,7}([.,]\\d{2})?\\D{0,5}",
        title: say("valueHint"),
        placeholder: "0.00 EUR",
        onkeydown: further,
      }),
      "worth",
    ),
    make("button", {
      "data-needs": "scan",
      "aria-label": say("deleteOf", { name: name(entry) }),
      onclick: press(remove),
    }, "×"),
  );
}

export const cards = (on) =>
  new Listing({
    title: say("cards"),
    hint: say("cardsHint"),
    name,
    row,
    heading,
    // A card includes its picture; the last page stays, because a document needs one.
    removal(gone, whole) {
      const ids = new Set(gone.map((entry) => entry.page));
      const pages = whole.pages.filter((page) => ids.has(page.id)).map((page) => page.number);
      return {
        deleteEntries: gone.map((entry) => entry.id),
        ...(pages.length < whole.pages.length && { delete: pages }),
      };
    },
  }, on);
