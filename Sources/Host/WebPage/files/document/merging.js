// Choosing the document whose pages are appended: one of the newest, or one found by its words.
import { cancelButton, choice, choiceItems, make, press, row, told } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { day, joined, say } from "../words/words.js";

// The documents with these words, or the newest, with their numbers; without the document `id`.
async function candidates(words, id) {
  const { hits, documents } = await ask(
    words ? "search?" + new URLSearchParams({ q: words, limit: 50 }) : "documents?limit=50",
  );
  // Pages are found, and several may be of one document.
  const found = documents ??
    hits.map((hit) => ({ id: hit.document, title: hit.title, created: hit.created }));
  return new Map(found.filter((one) => one.id !== id).map((one) => [one.id, one]));
}

const itemOf = ({ id, title, created, pages }) => [
  id,
  joined(title, day(created), pages && say("pageCount", { number: pages })),
];

// A form for the document of that number; `take(other)` gets the number of the chosen one.
export async function merging(id, take, leave) {
  const other = choice(undefined, [], { "aria-label": say("mergeDocument") });
  const none = make("p", { class: "soft", role: "status" }, say("mergeNone"));
  const now = make("button", { class: "main" }, say("mergeNow"));
  const query = make("input", {
    type: "search",
    autocomplete: "off",
    placeholder: say("searchHint"),
    "aria-label": say("search"),
  });
  let turn = 0;

  async function look() {
    const mine = ++turn;
    const found = await candidates(query.value.trim(), id);
    if (mine !== turn) return;
    other.replaceChildren(...choiceItems([...found.values()].map(itemOf)));
    other.hidden = now.disabled = !found.size;
    none.hidden = Boolean(found.size);
  }

  let timer;
  query.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(told(look), 120);
  });
  await look();
  return make(
    "form",
    {
      class: "jam asks merging",
      "aria-label": say("mergeWith"),
      onsubmit: press(() => take(Number(other.value))),
    },
    make("p", {}, say("mergeWhich")),
    query,
    other,
    none,
    row(now, cancelButton(leave)),
  );
}
