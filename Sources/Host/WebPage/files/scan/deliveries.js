// Deliveries that wait for their service: with the reason, a button that tries each now, and one
// that deletes it.
import { make, press, row } from "../parts/dom.js";
import { whenSure } from "../parts/asking.js";
import { ask } from "../shell/host.js";
import { hostWords, say, sinkText } from "../words/words.js";

// The sent part of a document; empty without an upload.
const sentWords = ({ sent, bytes }) =>
  sent === undefined ? "" : say("sent", {
    sent: (sent / 1e6).toFixed(0),
    total: (bytes / 1e6).toFixed(0),
  });

// The title of the document, which leads to it if the archive has it.
const titleOf = ({ document, title, id }) =>
  document
    ? make("a", { href: "#document/" + document }, title)
    : make("strong", {}, title ?? id);

// A delivery that waits, and the reason.
function card(item, reload) {
  const act = (method, path) =>
    press(async () => {
      try {
        await ask("outbox/" + path, { method });
      } finally {
        await reload();
      }
    });
  return make(
    "li",
    { class: "card", "data-item": item.id },
    row(
      make("span", { class: "grow" }, titleOf(item)),
      make("span", { class: "sent soft", role: "status" }),
      make("span", { class: "tag" }, sinkText(item.sink ?? "")),
      make("button", { onclick: act("POST", item.id + "/retry") }, say("retry")),
      make("button", {
        onclick: whenSure(say("dropSure"), act("DELETE", item.id)),
      }, say("discard")),
    ),
    item.problem ? make("p", { class: "warn" }, hostWords(item.problem)) : undefined,
  );
}

// The list; `show(items)` shows the present deliveries, and `reload()` is called after one was
// tried or deleted.
export function deliveryList(reload) {
  const list = make("ul", { class: "list" });
  let shown = "";
  list.show = (items) => {
    const now = JSON.stringify(items.map(({ id, problem, document }) => [id, problem, document]));
    // An unchanged list stays, so that nothing is redrawn under the user's pointer.
    if (now !== shown) list.replaceChildren(...items.map((item) => card(item, reload)));
    shown = now;
    items.forEach((item, index) => {
      list.children[index].querySelector(".sent").textContent = sentWords(item);
    });
    list.hidden = !items.length;
  };
  return list;
}

// The deliveries for which `isMeant(item)` is true: `element` has them, `badge` says how many there
// are and leads to them. Both are hidden while there are none.
export class WaitingDeliveries {
  list = deliveryList(() => this.load());
  words = make("strong");
  element = make("section", { class: "jam deliveries", hidden: true }, this.words, this.list);
  badge = make("button", {
    type: "button",
    class: "waits",
    hidden: true,
    onclick: () => {
      this.element.scrollIntoView({ block: "center" });
      this.list.querySelector("button").focus({ preventScroll: true });
    },
  });

  constructor(isMeant) {
    this.isMeant = isMeant;
  }

  async load() {
    const { items } = await ask("outbox");
    const mine = items.filter(this.isMeant);
    const words = mine.length === 1 ? say("oneWaits") : say("manyWait", { number: mine.length });
    this.list.show(mine);
    this.words.textContent = this.badge.textContent = words;
    this.element.setAttribute("aria-label", words);
    this.element.hidden = this.badge.hidden = !mine.length;
  }
}
