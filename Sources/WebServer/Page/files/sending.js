// A document on its way out: as a file, or to sinks, with what each of them answered.
import { make, press } from "./dom.js";
import { ask } from "./host.js";
import { say } from "./words.js";

export function sending(address, sinks) {
  const receipts = make("ul", { class: "list", "aria-live": "polite" });
  const files = ["pdf", "tiff", "txt"].map((format) => make("a", { href: `/api/v1/${address}/export?format=${format}`, download: "" }, say("format-" + format)));
  const choice = make("select", { "aria-label": say("sink") }, sinks.map((name) => make("option", {}, name)));
  const send = press(async () => {
    const { sent } = await ask(address + "/send", { method: "POST", body: { sinks: [choice.value] } });
    receipts.prepend(...sent.map((one) => make("li", { class: one.problem ? "bad" : one.waiting ? "warn" : "" },
      one.problem ? `${one.sink}: ${one.problem}`
        : one.waiting ? say("sentWaiting", { sink: one.sink, reason: one.waiting })
          : say("sentDone", { sink: one.sink, document: one.document ?? "" }))));
  });
  return make("section", { class: "card", "aria-label": say("out") },
    make("h3", {}, say("out")),
    make("p", { class: "row" }, say("download"), ...files),
    sinks.length ? make("div", { class: "row" }, make("span", { class: "grow" }, choice), make("button", { onclick: send }, say("send"))) : make("p", { class: "soft" }, say("noSinks")),
    receipts);
}
