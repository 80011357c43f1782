// Saving and sending a document: saved, sent to sinks with the answer of each, or downloaded as a
// file.
import { make, press, tell } from "./dom.js";
import { ask } from "./host.js";
import { recall, remember } from "./memory.js";
import { pdfChoice } from "./pdf.js";
import { day, explain, hostWords, say, sinkText } from "./words.js";

// `button` saves and sends, and `element` has the destinations, the results, and the files. `names`
// are the sinks besides the archive; `save()` marks the document as looked through. `update(whole)`
// shows how it is now.
export function saving(address, names, save) {
  const receipts = make("ul", { class: "receipts" });
  const fresh = make("ul", { class: "receipts", "aria-live": "polite" });
  const boxes = names.map((name) =>
    make("input", { type: "checkbox", value: name, onchange: label })
  );
  const button = make("button", {
    class: "main",
    "data-needs": "scan",
    onclick: async (event) => {
      await press(begin)(event);
      label();
    },
  });
  const chosen = () => boxes.filter((box) => box.checked).map((box) => box.value);
  let whole;

  function label() {
    const isSaved = whole.document.reviewed;
    button.textContent = say(
      chosen().length ? (isSaved ? "sendAgain" : "saveAndSend") : isSaved ? "saved" : "save",
    );
    button.disabled = isSaved && !chosen().length;
  }

  async function begin() {
    const sinks = chosen();
    remember("sinks", sinks);
    fresh.replaceChildren();
    // The answer of each is next to it; the button is above all.
    if (sinks.length) element.scrollIntoView({ block: "nearest" });
    if (!whole.document.reviewed) {
      await save();
      const words = say("savedHere", { number: whole.document.id });
      if (!sinks.length) tell(words);
      fresh.append(make("li", { class: "good" }, words));
    }
    // One after the other, so that each answer appears as soon as it arrives.
    for (const sink of sinks) {
      const item = make("li", { class: "soft" }, say("sendingTo", { sink: sinkText(sink) }));
      fresh.append(item);
      const { sent: [one] } = await ask(address + "/send", {
        method: "POST",
        body: { sinks: [sink], pdf: pdf.value() },
      })
        .catch((problem) => ({
          sent: [{ sink, problem: problem.message, nodes: explain(problem) }],
        }));
      // Nothing is sent twice by pressing twice.
      if (!one.problem) boxes.find((box) => box.value === sink).checked = false;
      item.className = one.problem ? "bad" : one.waiting ? "warn" : "good";
      item.replaceChildren(
        ...(one.problem
          ? [sinkText(sink) + ": ", ...(one.nodes ?? [hostWords(one.problem)])]
          : one.waiting
          ? [say("sentWaiting", { sink: sinkText(sink) }), " ", hostWords(one.waiting)]
          : [say("sentDone", { sink: sinkText(sink), document: one.document ?? "" })]),
      );
    }
  }

  const files = ["pdf", "tiff", "txt"].map((
    format,
  ) => [format, make("a", { download: "" }, say("format-" + format))]);
  const pdf = pdfChoice(link);
  function link() {
    for (const [format, file] of files) {
      file.href = `/api/v1/${address}/export?` +
        new URLSearchParams({ format, ...(format === "pdf" && pdf.value()) });
    }
  }
  link();
  const originals = make("span", {});
  const element = make(
    "section",
    { class: "card settings saving", "aria-label": say("goingOut") },
    make("h3", {}, say("goingOut")),
    names.length
      ? make(
        "fieldset",
        {},
        make("legend", {}, say("sendTo")),
        boxes.map((box) => make("label", { class: "check-label" }, box, sinkText(box.value))),
      )
      : make("p", { class: "soft", "data-needs": "scan" }, say("noSinks")),
    fresh,
    receipts,
    make("p", { class: "row" }, say("download"), ...files.map(([, file]) => file), originals),
    make(
      "details",
      { class: "fold" },
      make("summary", {}, say("pdfOptions")),
      make("div", { class: "fields" }, pdf.elements),
    ),
  );
  return {
    element,
    button,
    update(next) {
      // A reviewed document goes where the last one went: the browser remembers it.
      if (!whole && !next.document.reviewed) {
        for (const box of boxes) box.checked = recall("sinks", []).includes(box.value);
      }
      whole = next;
      label();
      originals.replaceChildren(
        ...whole.originals.map(({ name }, index) =>
          make("a", {
            download: "",
            title: name,
            href: `/api/v1/${address}/originals/${index + 1}`,
          }, say("original"))
        ),
      );
      receipts.replaceChildren(
        ...whole.receipts.map((receipt) =>
          make(
            "li",
            { class: "soft" },
            `${receipt.sink}: ${receipt.remoteID ?? receipt.place}, ${day(receipt.made)}`,
          )
        ),
      );
    },
  };
}
