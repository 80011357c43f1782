// The heading of a document's first page, offered as its title where nobody gave it one.
import { make, press } from "./dom.js";
import { may } from "./host.js";
import { say } from "./words.js";

export class Proposal {
  element = make("span", { class: "proposal" });

  // `describe(values)` changes the document's metadata.
  constructor(describe) {
    this.describe = describe;
  }

  // Shows the proposal for a document as it is now; `heading` once its first page was shown.
  show({ document: { title, trashed }, isTitleGiven }, heading = this.heading) {
    this.heading = heading;
    const isOwn = isTitleGiven || title.includes(heading);
    const isUseful = may("scan") && !trashed && heading && !isOwn;
    this.element.replaceChildren(
      ...(isUseful
        ? [make("button", {
          type: "button",
          class: "chip",
          "data-keep": "proposal",
          onclick: press(() => this.describe({ title: heading })),
        }, say("useTitle", { title: heading }))]
        : []),
    );
  }
}
