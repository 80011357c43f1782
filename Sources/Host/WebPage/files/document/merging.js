// Choosing the document whose pages are appended: one of the newest, or one found by its words.
import { make, press, tell } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { day, explain, say } from "../words/words.js";

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

const choiceOf = (document) =>
  make(
    "option",
    { value: document.id },
    [
      document.title,
      day(document.created),
      document.pages && say("pageCount", { number: document.pages }),
    ].filter(Boolean).join(" · "),
  );

// A form for the document of that number; `take(other)` gets the number of the chosen one.
export async function merging(id, take, leave) {
  const choice = make("select", { "aria-label": say("mergeDocument") });
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
    choice.replaceChildren(...[...found.values()].map(choiceOf));
    choice.hidden = now.disabled = !found.size;
    none.hidden = Boolean(found.size);
  }

  let timer;
  query.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => look().catch((problem) => tell(explain(problem))), 120);
  });
  await look();
  return make(
    "form",
    {
      class: "jam asks merging",
      "aria-label": say("mergeWith"),
      onsubmit: press(() => take(Number(choice.value))),
    },
    make("p", {}, say("mergeWhich")),
    query,
    choice,
    none,
    make(
      "div",
      { class: "row" },
      now,
      make("button", { type: "button", onclick: leave }, say("cancel")),
    ),
  );
}
