// Archive: search while typing, narrow the search, or browse the archive and the trash.
import { make, press } from "./dom.js";
import { empty } from "./drawings.js";
import { ask } from "./host.js";
import { day, explain, say } from "./words.js";
import { draw, sheet } from "./sheet.js";
import { types } from "./known.js";

const PORTION = 50;

// The search text, and what narrows the search: `filters` by their names in a query, and `where`.
function searchFields(wanted) {
  const query = make("input", {
    type: "search",
    value: wanted,
    placeholder: say("searchHint"),
    "aria-label": say("search"),
    autocomplete: "off",
  });
  const type = make(
    "select",
    {},
    make("option", { value: "" }, say("anyType")),
    types.map((name) => make("option", { value: name }, say("type-" + name))),
  );
  const tag = make("input", { autocomplete: "off" });
  const since = make("input", { type: "date" });
  const before = make("input", { type: "date" });
  const where = make(
    "select",
    {},
    ["archive", "trash"].map((name) => make("option", { value: name }, say("in-" + name))),
  );
  const narrow = make(
    "details",
    {},
    make("summary", {}, say("narrow")),
    make(
      "div",
      { class: "fields narrow" },
      make("label", {}, say("type"), type),
      make("label", {}, say("tag"), tag),
      make("label", {}, say("since"), since),
      make("label", {}, say("before"), before),
      make("label", {}, say("where"), where),
    ),
  );
  return { query, filters: { type, tag, since, before }, where, narrow };
}

// The path to ask for, and the words searched for, if any; the trash is not searched.
function request({ query, filters, where }) {
  const words = where.value === "trash" ? "" : query.value.trim();
  const chosen = Object.entries(filters).filter(([, field]) => field.value.trim());
  if (!words) {
    return {
      path: "documents?" +
        new URLSearchParams([...chosen.map(([name, field]) => [name, field.value.trim()]), [
          "trash",
          String(where.value === "trash"),
        ]]),
    };
  }
  const quoted = (value) => (/\s/.test(value) ? `"${value}"` : value);
  return {
    path: "search?" + new URLSearchParams({
      q: [
        words,
        ...chosen.map(([name, field]) => `${name}:${quoted(field.value.trim())}`),
      ].join(" "),
    }),
    words,
  };
}

// What to show where nothing was found.
function nothing(words, { filters, where }) {
  const isNarrowed = Object.values(filters).some((field) => field.value);
  const reason = words
    ? "nothingFound"
    : where.value === "trash"
    ? "trashEmpty"
    : isNarrowed
    ? "nothingFound"
    : "archiveEmpty";
  return make("li", {}, empty("files", say(reason)));
}

// A found page, with the words around what was searched for.
const hit = (found, query) =>
  make(
    "li",
    { class: "card row" },
    marked(found),
    make(
      "div",
      { class: "grow" },
      make("a", {
        href: `#document/${found.document}/${found.page}/${encodeURIComponent(query)}`,
      }, found.title),
      make(
        "div",
        { class: "soft" },
        [say("page", { number: found.page }), say("type-" + found.type), day(found.created)].join(
          " · ",
        ),
      ),
      make(
        "p",
        {},
        found.snippet.map((part) => (part.isMatch ? make("mark", {}, part.text) : part.text)),
      ),
    ),
  );

// The page with the found words marked, once it is about to be seen.
function marked(found) {
  const frame = make("div", { class: "small" });
  new IntersectionObserver(async ([seen], watcher) => {
    if (!seen.isIntersecting) return;
    watcher.disconnect();
    const { page } = await ask(`documents/${found.document}/pages/${found.page}`);
    frame.replaceChildren(
      sheet(
        page,
        { small: true },
        found.words.map(({ box }) => draw("rect", { ...box, class: "word sought" })),
      ),
    );
  }, { rootMargin: "300px" }).observe(frame);
  return frame;
}

// A document of the archive or of the trash.
const row = (document, reload) =>
  make(
    "li",
    { class: "card row" },
    picture(document.id, 1),
    make(
      "div",
      { class: "grow" },
      make("a", { href: "#document/" + document.id }, document.title),
      make(
        "div",
        { class: "soft" },
        [
          say("pageCount", { number: document.pages }),
          say("type-" + document.type),
          day(document.created),
        ].join(" · "),
      ),
      ...document.tags.map((tag) => make("span", { class: "tag" }, tag)),
    ),
    document.trashed
      ? make("button", {
        "data-needs": "scan",
        onclick: press(async () => {
          await ask(`documents/${document.id}/restore`, { method: "POST" });
          await reload();
        }),
        "aria-label": say("restoreOf", { name: document.title }),
      }, say("restoreShort"))
      : undefined,
  );

const picture = (id, page) =>
  make("img", {
    class: "sheet small",
    loading: "lazy",
    alt: "",
    src: `/api/v1/documents/${id}/pages/${page}/thumbnail`,
  });

export async function archive(place, wanted = "") {
  place.append(make("h2", {}, say("archive")));
  const fields = searchFields(wanted);
  const { query, filters, where } = fields;
  const count = make("p", { class: "soft", role: "status" });
  const results = make("ul", { class: "list hits" });
  const more = make("button", { hidden: true, onclick: press(() => look(shown)) }, say("more"));
  place.append(query, fields.narrow, count, results, more);
  let turn = 0;
  let shown = 0;

  async function look(from = 0) {
    const mine = ++turn;
    const { path, words } = request(fields);
    query.disabled = where.value === "trash";
    try {
      const told = await ask(`${path}&limit=${PORTION}&offset=${from}`);
      if (mine !== turn) return;
      const items = words
        ? told.hits.map((found) => hit(found, query.value.trim()))
        : told.documents.map((document) => row(document, look));
      count.textContent = words ? say("hitCount", { number: told.total }) : "";
      if (from) results.append(...items);
      else results.replaceChildren(...items);
      shown = from + items.length;
      more.hidden = words ? shown >= told.total : items.length < PORTION;
      if (!shown) results.append(nothing(words, fields));
    } catch (problem) {
      // The sign-in view asks for a token.
      if (mine === 1 && problem.code === "no-token") throw problem;
      if (mine === turn) count.replaceChildren(...explain(problem));
    }
  }

  let timer;
  const soon = () => {
    clearTimeout(timer);
    timer = setTimeout(look, 120);
  };
  for (const field of [query, filters.tag]) field.addEventListener("input", soon);
  for (const field of [filters.type, filters.since, filters.before, where]) {
    field.addEventListener("change", () => look());
  }
  await look();
  query.focus();
}
