// The heading of a document's first page, suggested as its title if no one gave it one.
import { make, press } from "../parts/dom.js";
import { may } from "../shell/host.js";
import { say } from "../words/words.js";

export class Proposal {
  element = make("span", { class: "proposal" });

  // `describe(values)` changes the document's metadata.
  constructor(describe) {
    this.describe = describe;
  }

  // Shows the suggestion for the present document; `heading` is known once the first page was
  // shown.
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
