// Saving and sending a document: to the archive, to sinks with the answer of each, or as a
// downloaded file.
import { fold, make, press, row, tell, titled } from "../parts/dom.js";
import { Checks } from "../parts/checks.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../parts/memory.js";
import { answerWords, fileAddress, sendTo } from "../parts/out.js";
import { pdfChoice } from "../parts/pdf.js";
import { moment, say, sinkText } from "../words/words.js";

// Shows a sink's answer.
function showAnswer(item, sink, answer) {
  item.className = answer.problem ? "bad" : answer.waiting ? "warn" : "good";
  item.replaceChildren(...answerWords(sink, answer));
}

// The links to the document as files; `setPDF(pdf)` changes the settings of the PDF.
function fileLinks(id) {
  const links = ["pdf", "tiff", "txt"].map((
    format,
  ) => [format, make("a", { download: "" }, say("format-" + format))]);
  return {
    elements: links.map(([, link]) => link),
    setPDF(pdf) {
      for (const [format, link] of links) link.href = fileAddress(id, format, pdf);
    },
  };
}

const originalLink = (address, { name }, index) =>
  make("a", {
    download: "",
    title: name,
    href: `/api/v1/${address}/originals/${index + 1}`,
  }, say("original"));

// Where and when a document was delivered; the place at the service is its title.
export const deliveredWords = ({ sink, made, remoteID, place }) =>
  make(
    "span",
    { title: remoteID ?? place },
    icon("check"),
    " ",
    say("deliveredTo", { sink: sinkText(sink), time: moment(made) }),
  );

// The last delivery to each place besides the archive, the newest first.
export function deliveries({ receipts }) {
  const others = receipts.filter(({ sink }) => sink !== "archive");
  const last = new Map(others.map((one) => [one.sink, one]));
  return [...last.values()].sort((a, b) => b.made.localeCompare(a.made));
}

const receiptItem = (receipt) => make("li", { class: "soft" }, deliveredWords(receipt));

// A choice of the sinks, if there are any.
const destinations = ({ boxes, element }) =>
  boxes.length ? element : make("p", { class: "soft", "data-needs": "scan" }, say("noSinks"));

// `button` saves and sends; `element` has the sinks, the results, and the files.
export class Saving {
  receipts = make("ul", { class: "receipts" });
  fresh = make("ul", { class: "receipts", "aria-live": "polite" });
  originals = make("span", {});
  button = make("button", {
    "data-needs": "scan",
    onclick: async (event) => {
      await press(() => this.begin())(event);
      this.label();
    },
  });

  // `names` are the sinks besides the archive; `save()` marks the document as reviewed.
  constructor(address, names, save) {
    Object.assign(this, { address, save });
    const items = names.map((name) => [name, sinkText(name)]);
    this.sinks = new Checks(say("sendTo"), items, [], () => this.label());
    const files = fileLinks(address.split("/")[1]);
    this.pdf = pdfChoice(() => files.setPDF(this.pdf.value()));
    files.setPDF(this.pdf.value());
    this.element = titled(
      say("goingOut"),
      { class: "card settings saving" },
      destinations(this.sinks),
      row(this.button),
      this.fresh,
      this.receipts,
      make("p", { class: "row" }, say("download"), ...files.elements, this.originals),
      fold(say("pdfOptions"), {}, make("div", { class: "fields" }, this.pdf.elements)),
    );
  }

  // Shows the present state of the document.
  update(whole) {
    // A reviewed document has the sinks of the last one, which the browser stores.
    if (!this.whole && !whole.document.reviewed) {
      for (const box of this.sinks.boxes) box.checked = recall("sinks", []).includes(box.value);
    }
    this.whole = whole;
    this.label();
    this.originals.replaceChildren(
      ...whole.originals.map((original, index) => originalLink(this.address, original, index)),
    );
    this.receipts.replaceChildren(...deliveries(whole).map(receiptItem));
  }

  get chosen() {
    return this.sinks.values;
  }

  label() {
    const isSaved = this.whole.document.reviewed;
    this.button.textContent = say(
      this.chosen.length ? (isSaved ? "sendAgain" : "saveAndSend") : isSaved ? "saved" : "save",
    );
    this.button.disabled = isSaved && !this.chosen.length;
  }

  async begin() {
    const sinks = this.chosen;
    remember("sinks", sinks);
    this.fresh.replaceChildren();
    if (!this.whole.document.reviewed) {
      await this.save();
      const words = say("savedHere", { number: this.whole.document.id });
      if (!sinks.length) tell(words);
      this.fresh.append(make("li", { class: "good" }, words));
    }
    // The sinks get the document one after the other, so that each answer appears immediately.
    for (const sink of sinks) {
      const item = make("li", { class: "soft" }, say("sendingTo", { sink: sinkText(sink) }));
      this.fresh.append(item);
      const answer = await sendTo(sink, this.whole.document.id, this.pdf.value());
      // A delivered document is not sent twice by clicking twice.
      if (!answer.problem) this.sinks.boxes.find((box) => box.value === sink).checked = false;
      showAnswer(item, sink, answer);
    }
  }
}
