// Takes a document out of the archive: as a PDF, by the system's share sheet, or to a service.
import { make, menu, press, tell } from "./dom.js";
import { ask, reach, Refusal } from "../shell/host.js";
import { icon } from "./icons.js";
import { recall } from "./memory.js";
import { explain, hostWords, say, sinkText } from "../words/words.js";

// The address of a document as a file; a PDF has the last chosen settings.
export const fileAddress = (id, format = "pdf", pdf = recall("pdf", {}), more = {}) =>
  `/api/v1/documents/${id}/export?` +
  new URLSearchParams({ format, ...(format === "pdf" && pdf), ...more });

// The address of some of its pages as a PDF.
export const pagesAddress = (id, numbers) =>
  fileAddress(id, "pdf", undefined, { pages: ranges(numbers) });

// Ascending numbers as the host reads them: 2,5-7.
export function ranges(numbers) {
  const found = [];
  for (const number of numbers) {
    const last = found.at(-1);
    if (last?.[1] === number - 1) last[1] = number;
    else found.push([number, number]);
  }
  return found.map(([from, to]) => from === to ? from : `${from}-${to}`).join();
}

export const downloadButton = (id, attributes = { class: "button main" }) =>
  make(
    "a",
    { download: "", href: fileAddress(id), ...attributes },
    icon("download"),
    say("downloadPDF"),
  );

// The PDF as a file with the host's file name.
async function pdfFile(id, title) {
  const answer = await reach(fileAddress(id));
  if (!answer.ok) throw new Refusal(await answer.json(), answer.statusText);
  return new File([await answer.blob()], title.replace(/[\\/:]/g, "-") + ".pdf", {
    type: "application/pdf",
  });
}

// A button for the system's share sheet; nothing where there is none. `title()` names the file.
export function shareButton(id, title) {
  const sample = new File([""], "a.pdf", { type: "application/pdf" });
  if (!navigator.canShare?.({ files: [sample] })) return undefined;
  let file;
  return make(
    "button",
    {
      type: "button",
      onclick: press(async () => {
        file ??= await pdfFile(id, title());
        try {
          await navigator.share({ files: [file] });
          file = undefined;
        } catch (problem) {
          // The document may change before it is shared again.
          if (problem.name === "AbortError") return void (file = undefined);
          // After a file that took long to make, the share sheet needs another press.
          if (problem.name === "NotAllowedError") return tell(say("shareAgain"));
          throw problem;
        }
      }),
    },
    icon("share"),
    say("shareFile"),
  );
}

// Sends the document to a sink; returns the host's answer, or the problem with it.
export async function sendTo(sink, id, pdf = recall("pdf", {})) {
  try {
    const body = { sinks: [sink], pdf };
    const { sent: [one] } = await ask(`documents/${id}/send`, { method: "POST", body });
    return one;
  } catch (problem) {
    return { problem: problem.message, nodes: explain(problem) };
  }
}

// A sink's answer as nodes.
export const answerWords = (sink, { problem, nodes, waiting, document }) =>
  problem
    ? [sinkText(sink) + ": ", ...(nodes ?? [hostWords(problem)])]
    : waiting
    ? [say("sentWaiting", { sink: sinkText(sink) }), " ", hostWords(waiting)]
    : [say("sentDone", { sink: sinkText(sink), document: document ?? "" })];

// A menu of the sinks besides the archive; `send(sink)` sends to one.
export function sinkMenu(sinks, attributes, send, ...more) {
  const names = sinks.filter((name) => name !== "archive");
  return menu(
    attributes,
    [icon("send"), say("sendTo") + " …"],
    ...names.map((sink) =>
      make("button", { type: "button", onclick: press(() => send(sink)) }, sinkText(sink))
    ),
    names.length ? undefined : make("p", { class: "soft" }, say("noSinks")),
    ...more,
  );
}

// A menu that sends a document.
export function sendMenu(id, sinks) {
  const send = async (sink) => {
    tell(say("sendingTo", { sink: sinkText(sink) }));
    tell(answerWords(sink, await sendTo(sink, id)));
  };
  return sinkMenu(
    sinks,
    { "data-needs": "scan" },
    send,
    make(
      "a",
      { class: "button", href: "#settings/destinations", "data-needs": "admin" },
      icon("plus"),
      say("addSink"),
    ),
  );
}
