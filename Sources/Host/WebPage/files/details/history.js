// Who owns a document, and the last of what was done with it.
import { fold, labeled, make, press } from "../parts/dom.js";
import { ask, may, session } from "../shell/host.js";
import { joined, moment, say, sinkText } from "../words/words.js";

// The number of entries that are shown.
const shown = 8;

// What was done, such as "Changed: title, tags".
function actWords({ action, changes, sink }) {
  const what = (changes ?? []).map((part) => say("part-" + part)).join(", ");
  return say("act-" + action, { what, sink: sink && sinkText(sink) });
}

const entryItem = (entry) =>
  make(
    "li",
    {},
    actWords(entry),
    make("span", { class: "soft block" }, joined(moment(entry.made), entry.name, entry.station)),
  );

// The owner: a field for those who may give the document to someone else.
function ownerElements(owner, give) {
  if (!may("scan") || session.sees !== "all" || !session.needsToken) {
    return make("p", {}, say("ownedBy", { owner: owner ?? say("everyone") }));
  }
  const name = make("input", {
    value: owner ?? "",
    maxlength: 60,
    placeholder: say("everyone"),
    onchange: press(() => give(name.value.trim())),
  });
  return labeled(say("owner"), name);
}

// `element` is the part of a document's details; `give(owner)` gives the document to someone.
export class History {
  owner = make("div", {});
  list = make("ul", { class: "receipts" });
  element = fold(
    say("history"),
    { class: "card", ontoggle: press(() => this.load()) },
    this.owner,
    this.list,
  );

  constructor(address, give) {
    Object.assign(this, { address, give });
  }

  // Shows the present state of the document.
  update({ document, version, receipts }) {
    const state = `${version} ${receipts.length}`;
    if (state === this.state) return;
    this.state = state;
    this.owner.replaceChildren(ownerElements(document.owner, this.give));
    this.load().catch(() => {});
  }

  async load() {
    if (!this.element.open) return;
    const { entries } = await ask(`${this.address}/history?limit=${shown}`);
    this.list.replaceChildren(...entries.map(entryItem));
  }
}
