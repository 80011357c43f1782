// The archive's results: documents, or pages with the words of a search; as rows or as tiles.
import { make } from "../parts/dom.js";
import { asking, deleteButton } from "../parts/asking.js";
import { empty } from "../parts/drawings.js";
import { ask } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { downloadButton } from "../parts/out.js";
import { draw, sheet } from "../parts/sheet.js";
import { day, joined, moment, say } from "../words/words.js";

// A document without a title needs words for its link too.
const titleOf = (title, id) => title.trim() || say("untitled", { number: id });

const box = (id, title, selection) =>
  make("input", {
    type: "checkbox",
    "data-needs": "scan",
    "data-document": id,
    "data-keep": "choose-" + id,
    checked: selection.has(id),
    "aria-label": say("selectOf", { name: title }),
    onchange: ({ target }) => selection.choose(id, target.checked),
  });

const download = (id, title) =>
  downloadButton(id, {
    class: "button bare get",
    "aria-label": say("downloadOf", { name: title }),
  });

// A result: the document's `id` and `title`, the `address` to which it leads, a picture, facts, and
// what is below them.
const item = ({ id, title, address, picture, facts, below, acts }, selection) =>
  make(
    "li",
    { class: "card found", "data-document": id },
    box(id, title, selection),
    picture,
    make(
      "div",
      { class: "about" },
      make("a", { class: "title", href: address, dir: "auto" }, title),
      make("div", { class: "soft" }, joined(...facts)),
      below,
    ),
    acts ?? download(id, title),
  );

const typeWords = ({ type }) => type === "other" ? "" : say("type-" + type);

// A result page, with the words around those of the search.
export const hit = (found, query, selection) =>
  item({
    id: found.document,
    title: titleOf(found.title, found.document),
    address: `#document/${found.document}/${found.page}/${encodeURIComponent(query)}`,
    picture: marked(found),
    facts: [say("page", { number: found.page }), typeWords(found), day(found.created)],
    below: make(
      "p",
      { dir: "auto" },
      found.snippet.map((part) => (part.isMatch ? make("mark", {}, part.text) : part.text)),
    ),
  }, selection);

// The page with the searched words marked, loaded just before it becomes visible.
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

const picture = ({ id, changed }) =>
  make("img", {
    class: "sheet small",
    loading: "lazy",
    alt: "",
    src: `/api/v1/documents/${id}/pages/1/thumbnail?` + new URLSearchParams({ version: changed }),
  });

// A tag, which leads to all documents that have it.
const tagLink = (tag, trashed) =>
  trashed
    ? make("span", { class: "tag" }, tag)
    : make("a", { class: "tag", href: "#archive?tag=" + encodeURIComponent(tag) }, tag);

// A document of the archive or the trash; `reload()` refreshes the list.
export function row(document, selection, reload) {
  const { id, tags, trashed, pages } = document;
  const title = titleOf(document.title, id);
  return item({
    id,
    title,
    address: "#document/" + id,
    picture: picture(document),
    facts: [say("pageCount", { number: pages }), typeWords(document), moment(document.created)],
    below: tags.length
      ? make("div", { class: "tags" }, tags.map((tag) => tagLink(tag, trashed)))
      : undefined,
    acts: trashed ? afterlife(id, title, reload) : undefined,
  }, selection);
}

// The actions on a document in the trash.
const afterlife = (id, title, reload) => [
  make("button", {
    "data-needs": "scan",
    onclick: asking(`documents/${id}/restore`, { method: "POST" }, reload),
    "aria-label": say("restoreOf", { name: title }),
  }, say("restoreShort")),
  deleteButton({
    class: "bare",
    "data-needs": "scan",
    "aria-label": say("deleteForGoodOf", { name: title }),
    path: "documents/" + id,
    question: say("deleteForGoodSure", { name: title }),
    reload,
  }, icon("delete")),
];

// The message without results, and the next step.
export function nothing({ query, isNarrowed, isTrash }) {
  const reason = query || (isNarrowed && !isTrash)
    ? "nothingFound"
    : isTrash
    ? "trashEmpty"
    : "archiveEmpty";
  const way = reason === "archiveEmpty"
    ? make(
      "a",
      { class: "button main", href: "#scan", "data-needs": "scan" },
      icon("scan"),
      say("scanNow"),
    )
    : make("a", { class: "button", href: "#archive" }, say("showAll"));
  const element = empty("files", say(reason));
  element.append(way);
  return make("li", { class: "none" }, element);
}
