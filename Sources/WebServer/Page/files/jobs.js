// Jobs: what runs, what was interrupted, what waits for its sink.
import { make, press } from "./dom.js";
import { ask, hear } from "./host.js";
import { say } from "./words.js";

const isOver = (job) => !["running", "waiting"].includes(job.state);

// A job of this run of the host, with its pages.
export function jobCard(job) {
  const done = job.pages.filter((page) => page.stage === "finished").length;
  const document = job.deliveries.find((delivery) => delivery.sink === "archive")?.document;
  return make("section", { class: "card", "data-job": job.id },
    make("div", { class: "row" }, make("strong", { class: "grow" }, say("state-" + job.state)),
      document ? make("a", { href: "#document/" + document }, say("openDocument")) : undefined,
      isOver(job) ? undefined : make("button", { onclick: press(() => ask(`jobs/${job.id}/stop`, { method: "POST" })) }, say("stop"))),
    make("p", { class: job.problem ? "bad" : "soft" }, job.message),
    isOver(job) ? undefined : make("progress", job.expected ? { max: job.expected, value: done, "aria-label": say("progress") } : { "aria-label": say("progress") }),
    ...job.notices.map((notice) => make("p", { class: "warn" }, notice)),
    make("ol", { class: "pages" }, job.pages.map((page) => make("li", {},
      document && page.stage === "finished"
        ? make("img", { class: "sheet", loading: "lazy", alt: say("page", { number: page.number }), src: `/api/v1/documents/${document}/pages/${page.number}/thumbnail` })
        : make("div", { class: "sheet blank" }, say("stage-" + page.stage)),
      make("span", { class: "soft" }, page.label ?? say("page", { number: page.number }),
        page.words === undefined ? "" : " · " + say("wordCount", { number: page.words })),
      ...page.problems.map((problem) => make("span", { class: "warn" }, problem))))));
}

function storedCard(job, reload) {
  const size = (job.bytes / 1e6).toFixed(0) + " MB";
  return make("li", { class: "card" },
    make("div", { class: "row" },
      make("strong", { class: "grow" }, job.id), make("span", { class: "tag" }, say("stored-" + job.state)),
      make("button", { onclick: press(async () => { await ask(`jobs/${job.id}/resume`, { method: "POST" }); await reload(); }) }, say("resume")),
      make("button", { onclick: press(async () => {
        if (!confirm(say("discardSure", { pages: job.pages }))) return;
        await ask("jobs/" + job.id, { method: "DELETE" });
        await reload();
      }) }, say("discard"))),
    make("p", { class: "soft" }, [say("pageCount", { number: job.pages }), size, job.reason].filter(Boolean).join(" · ")));
}

// What waits for its sink, and why.
function waitingCard(item, reload) {
  const act = (method, path) => press(async () => {
    try { await ask("outbox/" + path, { method }); } finally { await reload(); }
  });
  return make("li", { class: "card" },
    make("div", { class: "row" }, make("strong", { class: "grow" }, item.title ?? item.id), make("span", { class: "tag" }, item.sink),
      make("button", { onclick: act("POST", item.id + "/retry") }, say("retry")),
      make("button", { onclick: (event) => confirm(say("dropSure")) && act("DELETE", item.id)(event) }, say("discard"))),
    item.problem ? make("p", { class: "warn" }, item.problem) : undefined);
}

export async function jobs(place) {
  place.append(make("h2", {}, say("jobs")));
  const body = make("div");
  place.append(body);
  async function reload() {
    const [{ jobs, stored }, { items }] = await Promise.all([ask("jobs"), ask("outbox")]);
    const waiting = stored.filter((job) => job.state !== "running");
    body.replaceChildren(
      ...jobs.map(jobCard),
      make("h3", {}, say("interrupted")),
      waiting.length ? make("ul", { class: "list" }, waiting.map((job) => storedCard(job, reload))) : make("p", { class: "soft" }, say("noneInterrupted")),
      make("h3", {}, say("outbox")),
      items.length
        ? make("ul", { class: "list" }, items.map((item) => waitingCard(item, reload)))
        : make("p", { class: "soft" }, say("outboxEmpty")));
  }
  await reload();
  return hear((name) => { if (name !== "device") reload(); });
}
