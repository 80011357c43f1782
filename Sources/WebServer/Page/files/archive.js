// Archive: search as one types, or look through what is there.
import { make } from "./dom.js";
import { ask } from "./host.js";
import { day, explain, say } from "./words.js";
import { draw, sheet } from "./sheet.js";
import { types } from "./known.js";

export async function archive(place, wanted = "") {
  place.append(make("h2", {}, say("archive")));
  const query = make("input", { type: "search", value: wanted, placeholder: say("searchHint"), "aria-label": say("search"), autocomplete: "off" });
  const type = make("select", { "aria-label": say("type") }, make("option", { value: "" }, say("anyType")), types.map((name) => make("option", { value: name }, say("type-" + name))));
  const count = make("p", { class: "soft", role: "status" });
  const results = make("ul", { class: "list" });
  place.append(make("div", { class: "row" }, make("div", { class: "grow" }, query), make("div", {}, type)), count, results);
  let turn = 0;

  async function look() {
    const mine = ++turn;
    const text = [query.value.trim(), query.value.trim() && type.value ? "type:" + type.value : ""].filter(Boolean).join(" ");
    try {
      if (text) {
        const found = await ask("search?limit=50&q=" + encodeURIComponent(text));
        if (mine !== turn) return;
        count.textContent = say("hitCount", { number: found.total });
        results.replaceChildren(...found.hits.map(hit));
      } else {
        const { documents } = await ask("documents?limit=100" + (type.value ? "&type=" + type.value : ""));
        if (mine !== turn) return;
        count.textContent = "";
        results.replaceChildren(...documents.map(row));
        if (!documents.length) results.append(make("li", { class: "card empty" }, say("archiveEmpty")));
      }
    } catch (problem) {
      if (mine === turn) count.replaceChildren(...explain(problem));
    }
  }

  const hit = (found) => make("li", { class: "card row" }, marked(found),
    make("div", { class: "grow" }, make("a", { href: `#document/${found.document}/${found.page}/${encodeURIComponent(query.value.trim())}` }, found.title),
      make("div", { class: "soft" }, [say("page", { number: found.page }), say("type-" + found.type), day(found.created)].join(" · ")),
      make("p", {}, found.snippet.map((part) => (part.isMatch ? make("mark", {}, part.text) : part.text)))));

  const row = (document) => make("li", { class: "card row" }, picture(document.id, 1),
    make("div", { class: "grow" }, make("a", { href: "#document/" + document.id }, document.title),
      make("div", { class: "soft" }, [say("pageCount", { number: document.pages }), say("type-" + document.type), day(document.created)].join(" · ")),
      ...document.tags.map((tag) => make("span", { class: "tag" }, tag))));

  // The page with the found words marked, once it is about to be seen.
  function marked(found) {
    const frame = make("div", { class: "small" });
    new IntersectionObserver(async ([seen], watcher) => {
      if (!seen.isIntersecting) return;
      watcher.disconnect();
      const { page } = await ask(`documents/${found.document}/pages/${found.page}`);
      frame.replaceChildren(sheet(page, { small: true }, found.words.map(({ box }) => draw("rect", { ...box, class: "word sought" }))));
    }, { rootMargin: "300px" }).observe(frame);
    return frame;
  }

  const picture = (id, page) => make("img", { class: "sheet small", loading: "lazy", alt: "", src: `/api/v1/documents/${id}/pages/${page}/thumbnail` });

  let timer;
  query.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(look, 120); });
  type.addEventListener("change", look);
  await look();
  query.focus();
}
