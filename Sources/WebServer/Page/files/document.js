// A document: its pages, what is written on them, and what is known of it.
import { make, press, tell } from "./dom.js";
import { ask } from "./host.js";
import { say, day } from "./words.js";

const types = ["contract", "invoice", "receipt", "report", "form", "other"];

export async function document_(place, id, wanted = "1", query = "") {
  let whole = await ask(`documents/${id}?text=true`);
  let shown = Number(wanted);

  const change = async (body) => { await ask("documents/" + id, { method: "PATCH", body }); await reload(); };
  const step = (name) => press(async () => { await ask(`documents/${id}/${name}`, { method: "POST" }); await reload(); });

  async function reload() {
    whole = await ask(`documents/${id}?text=true`);
    draw();
  }

  function draw() {
    const { document, pages } = whole;
    const page = pages.find((one) => one.number === shown) ?? pages[0];
    const title = make("input", { value: document.title, "aria-label": say("title"), onchange: press((event) => change({ title: event.target.value })) });
    const type = make("select", { "aria-label": say("type"), onchange: press((event) => change({ type: event.target.value })) },
      types.map((name) => make("option", { value: name, selected: name === document.type }, say("type-" + name))));
    place.replaceChildren(
      make("h2", {}, document.title),
      document.trashed ? make("p", { class: "warn" }, say("inTrash")) : "",
      make("div", { class: "columns" },
        make("div", { class: "card" },
          make("form", { onsubmit: (event) => event.preventDefault() },
            make("label", {}, say("title"), title), make("label", {}, say("type"), type),
            make("label", {}, say("note"), make("textarea", { rows: 3, onchange: press((event) => change({ note: event.target.value })) }, whole.note))),
          make("p", { class: "soft" }, [say("pageCount", { number: document.pages }), day(document.created), document.language].filter(Boolean).join(" · ")),
          make("div", { class: "row" },
            make("button", { disabled: !whole.undoable, onclick: step("undo") }, say("undo")),
            make("button", { disabled: !whole.redoable, onclick: step("redo") }, say("redo")),
            make("button", { onclick: step(document.trashed ? "restore" : "trash") }, say(document.trashed ? "restore" : "toTrash"))),
          make("h3", {}, say("pages")),
          make("ol", { class: "pages" }, pages.map((one) => make("li", {},
            make("button", { "aria-pressed": String(one === page), "aria-label": say("page", { number: one.number }), onclick: () => { shown = one.number; draw(); } },
              make("img", { class: "sheet", loading: "lazy", alt: "", src: `/api/v1/documents/${id}/pages/${one.number}/thumbnail` })))))),
        make("div", { class: "list" },
          make("div", { class: "card picture" }, make("img", { alt: say("page", { number: page.number }), src: `/api/v1/documents/${id}/pages/${page.number}/image` })),
          make("div", { class: "card" }, make("h3", {}, say("text")), make("pre", {}, marked(page.text ?? ""))))));
  }

  // The text with the words that were searched for marked.
  function marked(text) {
    const wordsOf = query.split(/\s+/).filter((word) => word && !word.includes(":") && !word.startsWith("-")).map((word) => word.replace(/["*]/g, "").toLowerCase()).filter(Boolean);
    if (!text) return [say("noText")];
    return text.split(/(\s+)/).map((part) => (wordsOf.some((word) => part.toLowerCase().includes(word)) ? make("mark", {}, part) : part));
  }

  draw();
}
