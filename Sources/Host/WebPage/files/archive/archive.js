// Archive: search while typing, narrow the search, browse, and do something with many documents.
import { make, press } from "../parts/dom.js";
import { deleteButton } from "../parts/asking.js";
import { Arriving } from "./arriving.js";
import { Selection } from "./bulk.js";
import { Finding } from "./finding.js";
import { ask, hear, may } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../parts/memory.js";
import { hit, nothing, row } from "./results.js";
import { explain, say } from "../words/words.js";

const PORTION = 50;

// A button that shows the list as tiles or as rows.
function lookButton(results) {
  const button = make("button", { type: "button", class: "chip look-of" });
  const show = (isTiles) => {
    results.classList.toggle("tiles", isTiles);
    button.replaceChildren(icon(isTiles ? "rows" : "tiles"), say(isTiles ? "asRows" : "asTiles"));
  };
  button.addEventListener("click", () => {
    const isTiles = !results.classList.contains("tiles");
    remember("tiles", isTiles);
    show(isTiles);
  });
  show(recall("tiles", false));
  return button;
}

class ArchiveView {
  count = make("p", { class: "soft count", role: "status" });
  results = make("ul", { class: "list hits" });
  more = make("button", { hidden: true, onclick: press(() => this.look(this.shown)) }, say("more"));
  empty = deleteButton(
    {
      hidden: true,
      "data-needs": "scan",
      path: "trash",
      question: say("emptyTrashSure"),
      reload: () => this.look(),
    },
    icon("delete"),
    say("emptyTrash"),
  );
  arriving = new Arriving();
  turn = 0;
  shown = 0;

  constructor(address, sinks) {
    this.finding = new Finding(address, (isTyping) => this.soon(isTyping ? 120 : 0));
    this.selection = new Selection(() => this.look(), sinks);
    this.elements = [
      this.finding.element,
      make(
        "div",
        { class: "row between" },
        this.count,
        this.finding.sort,
        lookButton(this.results),
        this.empty,
      ),
      this.arriving.element,
      this.selection.element,
      this.results,
      this.more,
    ];
  }

  soon(wait) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.look(), wait);
  }

  // Shows the first results, or those after the first `from`.
  async look(from = 0) {
    const mine = ++this.turn;
    const { finding } = this;
    const { path, query, isTrash } = finding;
    const limit = from ? PORTION : Math.min(1000, Math.max(PORTION, this.shown));
    try {
      const told = await ask(`${path}&limit=${limit}&offset=${from}`);
      if (mine !== this.turn) return;
      this.selection.setTrash(isTrash);
      // An unchanged list stays, so that nothing is redrawn under the user's pointer.
      const answer = JSON.stringify([path, from, told]);
      if (answer !== this.told) this.show(told, from);
      this.told = answer;
      this.count.textContent = say(query ? "hitCount" : "documentCount", { number: told.total });
      this.empty.hidden = !isTrash || !told.total;
      finding.sort.hidden = Boolean(query);
    } catch (problem) {
      // The sign-in view asks for a token.
      if (mine === 1 && ["no-token", "wrong-token"].includes(problem.code)) throw problem;
      if (mine === this.turn) this.count.replaceChildren(...explain(problem));
    }
  }

  show({ hits, documents, total }, from) {
    const { results, finding, selection } = this;
    const items = hits
      ? hits.map((found) => hit(found, finding.query, selection))
      : documents.map((document) => row(document, selection, () => this.look()));
    if (from) results.append(...items);
    else results.replaceChildren(...items);
    this.shown = from + items.length;
    this.more.hidden = this.shown >= total;
    if (!this.shown) results.append(nothing(finding));
    this.count.hidden = !this.shown;
  }
}

async function show(place) {
  const address = location.hash.split("?")[1] ?? "";
  const { sinks } = may("scan") ? await ask("sinks") : { sinks: [] };
  place.append(make("h2", {}, say("archive")));
  const view = new ArchiveView(address, sinks);
  place.append(...view.elements);
  await view.look();
  // If the host can't answer now, the list is loaded when it is back.
  let timer;
  const offer = () => view.finding.offer().catch(() => {});
  offer();
  const arrive = () => view.arriving.load().catch(() => {});
  arrive();
  if (matchMedia("(pointer: fine)").matches) view.finding.words.focus({ preventScroll: true });
  return hear((name, value) => {
    if (name === "archive" || name === "reset" || (name === "link" && value)) {
      view.soon(0);
      clearTimeout(timer);
      timer = setTimeout(offer, 1000);
    }
    if (name === "arrivals" || name === "reset") arrive();
  });
}

export const view = {
  name: "archive",
  words: "archive",
  icon: "archive",
  help: "help-archive",
  tab: "always",
  show,
};
