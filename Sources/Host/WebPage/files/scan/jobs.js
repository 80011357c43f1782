// The view of jobs: running ones, interrupted ones, and documents that wait for a sink.
import { make, press, row, setText } from "../parts/dom.js";
import { asking, deleteButton } from "../parts/asking.js";
import { ask, hear } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { downloadButton, sendMenu, shareButton } from "../parts/out.js";
import { has, hostWords, joined, problemWords, saidWords, say, sinkText } from "../words/words.js";
import { deliveryList } from "./deliveries.js";
import { addButton } from "./adding.js";
import { isLeft, isOver, placeWords } from "./place.js";
import { archived, strip, withPages } from "../parts/strip.js";

// The advice which sheets to put back before a job continues, according to its next sheet.
export function putBack(next) {
  if (!next) return undefined;
  const words = say(next.isTurned ? "putBackTurned" : "putBack", { sheet: next.sheet });
  return next.hasFront ? words + " " + say("frontTwice") : words;
}

// Captures the rest of a job.
const goOn = (id) => press(() => ask(`jobs/${id}/continue`, { method: "POST" }));

// What a job needs from the user, and the ways to answer.
const need = (look, title, words, ways) =>
  make(
    "div",
    { class: look, role: "group", "aria-label": title },
    make("strong", {}, title),
    make("p", {}, words),
    ways,
  );

// An interrupted job's problem, advice, and the way to continue it.
function wayOn(job) {
  const help = "do-" + job.code;
  return need(
    "jam",
    say("whatToDo"),
    [has(help) ? say(help) : undefined, putBack(job.next)].filter(Boolean).join(" ") ||
      say("doAgain"),
    make("button", { class: "main", onclick: goOn(job.continuation) }, say("goOn")),
  );
}

// A job's question: whether to add another sheet to its document.
function question(job) {
  const answer = (goesOn) =>
    press(() => ask(`jobs/${job.id}/answer`, { method: "POST", body: { goesOn } }));
  return need(
    "jam asks",
    say("anotherSheet"),
    say("anotherHint"),
    row(
      make(
        "button",
        { class: "main", "data-another": true, onclick: answer(true) },
        say("takeAnother"),
      ),
      make("button", { onclick: answer(false) }, say("wasLast")),
    ),
  );
}

// The most documents that a job's card shows one by one.
const MOST = 6;

// Links to the documents of a job, or to the archive if a split batch has more than fit here.
function ways(documents) {
  const way = (address, ...words) => make("a", { class: "button", href: "#" + address }, ...words);
  if (documents.length > MOST) {
    return [way("archive", say("openDocuments", { number: documents.length }))];
  }
  return documents.map((document, index) =>
    documents.length === 1
      ? way("document/" + document, icon("edit"), say("openDocument"))
      : way("document/" + document, say("openDocumentOf", { number: index + 1 }))
  );
}

// The actions that export a job's only document.
const takingAlong = (document, title, sinks) => [
  downloadButton(document),
  shareButton(document, title),
  sendMenu(document, sinks),
];

// Where a job's documents went besides the archive.
const delivered = (job) =>
  new Set(
    job.deliveries.filter(({ sink, waiting }) => sink !== "archive" && !waiting)
      .map(({ sink }) => sink),
  );

// The host's notices about a job, where it was delivered, and documents that the archive had
// before.
const notices = (job) => [
  ...[...delivered(job)].map((sink) =>
    make("p", { class: "good" }, say("sentDone", { sink: sinkText(sink), document: "" }))
  ),
  ...job.notices.map((notice, index) =>
    make("p", { class: "warn" }, saidWords(job.noticeSayings[index], notice))
  ),
  ...job.deliveries.filter((delivery) => delivery.duplicateOf).map((delivery) =>
    make(
      "p",
      { class: "warn" },
      say("duplicate"),
      " ",
      make(
        "a",
        { href: "#document/" + delivery.duplicateOf },
        say("showDocument", { document: delivery.duplicateOf }),
      ),
    )
  ),
];

// The elements of a job's card that change with the job.
function jobParts(job, on) {
  return {
    title: make("strong"),
    name: make("span", { class: "name" }),
    count: make("span", { class: "soft count", role: "status" }),
    open: make("div", { class: "row out" }),
    stop: make("button", {
      onclick: press(() => ask(`jobs/${job.id}/stop`, { method: "POST" })),
    }, say("stop")),
    more: make(
      "button",
      { hidden: true, "data-more": true, onclick: on.more },
      icon("plus"),
      say("scanMore"),
    ),
    away: make(
      "button",
      {
        hidden: true,
        class: "bare",
        title: say("putAway"),
        "aria-label": say("putAway"),
        onclick: press(() => on.away(job.id)),
      },
      icon("close"),
    ),
    message: make("p", { role: "status" }),
    place: make("p", { role: "status", class: "place" }),
    progress: make("progress", { "aria-label": say("progress") }),
    notices: make("div"),
    way: make("div", { role: "alert" }),
    pages: strip(),
  };
}

function showMessage(message, job) {
  const words = job.problem
    ? problemWords({ code: job.problemCode, message: job.problem })
    : [saidWords(job.saying, job.message)];
  // The text is set only when it changes, because a screen reader announces it.
  if (message.said !== job.message) message.replaceChildren(...words);
  message.said = job.message;
  message.className = job.problem ? "bad" : "soft";
}

// Where the pages of a job are that others read.
function showPlace(place, job) {
  const words = job.problem ? "" : placeWords(job, job.pages.length);
  setText(place, words);
  place.hidden = !words;
}

// The links to the job's documents are made again only when they change.
async function showLinks(parts, job, on) {
  const { open, more } = parts;
  const documents = archived(job);
  const state = documents.join() + isOver(job);
  more.hidden = !isOver(job);
  if (open.state === state) return;
  Object.assign(open, { state, documents: isOver(job) ? documents : [] });
  parts.wholes = undefined;
  open.replaceChildren(...ways(documents), more);
  if (!(await showDocuments(parts, job)) || documents.length !== 1) return;
  const { sinks } = await ask("sinks").catch(() => ({ sinks: [] }));
  if (open.state !== state) return;
  open.prepend(...takingAlong(documents[0], () => parts.name.title, sinks).filter(Boolean));
  // Pages that are added to sent documents would not be sent.
  const isSent = job.deliveries.some(({ sink }) => sink !== "archive");
  if (isOver(job) && on.joins && !job.devices.length && !isSent) {
    const joins = (id) => on.joins(id, job.id);
    more.before(addButton(documents[0], job.profile, { ...on, joins }));
  }
}

// Shows the documents of a finished job as they are now: their pages, and the title of a single
// one. False if there are none, more than fit here, or others by now.
async function showDocuments(parts, job) {
  const { open: { state, documents }, name, pages } = parts;
  if (!documents.length || documents.length > MOST) return false;
  // A document that was deleted for good is null, one that can't be had now is undefined.
  const wholes = await Promise.all(
    documents.map((id) =>
      ask("documents/" + id).catch(({ code }) => code === "no-such-document" ? null : undefined)
    ),
  );
  if (parts.open.state !== state) return false;
  parts.wholes = wholes;
  pages.update(job, wholes);
  const only = wholes.length === 1 ? wholes[0]?.document : undefined;
  name.title = only?.title ?? "";
  name.textContent = only?.title ?? "";
  showPageCount(parts, job, wholes);
  return wholes.every(Boolean);
}

// Documents may have other pages by now than the job had. Those in the trash and deleted ones take
// their card along.
function showPageCount({ message, card }, job, wholes) {
  const isDeleted = (whole) => whole === null || whole?.document.trashed;
  const isGone = wholes.length > 0 && wholes.every(isDeleted);
  card.hidden = Boolean(isGone && !job.continuation && !job.problem);
  if (!wholes.every(Boolean) || job.state !== "completed" || job.problem) return;
  const number = wholes.reduce((sum, { pages }) => sum + pages.length, 0);
  // Skipped pages and sheets between documents are in no document.
  const kept = job.pages.filter((page) => page.stage === "finished" && page.document !== 0);
  if (number === kept.length) return showMessage(message, job);
  const words = say("pageCount", { number });
  if (message.said !== words) message.textContent = message.said = words;
}

function showCount(count, { pages, state }) {
  const read = pages.filter((page) => page.stage === "finished").length;
  const isShown = pages.length && !isOver({ state });
  setText(count, isShown ? say("readOf", { read, all: pages.length }) : "");
}

// While the device does not say how many pages come, another one may, so the bar is never full.
function showProgress(progress, { expected, pages }) {
  const done = pages.filter((page) => page.stage === "finished").length;
  if (!expected && !pages.length) return progress.removeAttribute("value");
  const most = Math.max(expected ?? 0, expected ? pages.length : pages.length + 1);
  Object.assign(progress, { max: most, value: done });
}

// The name of the words for a job's state.
export function stateName(job) {
  if (job.state === "failed" && job.continuation) return "brokenOff";
  // Its pages are safe, and are delivered without anyone's help.
  if (job.state === "failed" && job.problemCode === "archive-unreachable") return "state-kept";
  return job.state === "completed" && isLeft(job) ? "scanned" : "state-" + job.state;
}

// A job with its pages since the host's start; `update(job)` shows its present state, and keeps the
// focus. `on.more()` leads back to the form for a scan, and `on.away(id)` hides a finished job,
// where these are given; `on.joins` and `on.joined` are those of `addButton`.
export function jobCard(job, on) {
  const parts = jobParts(job, on);
  const { title, stop, message, progress, way, pages } = parts;
  const card = make(
    "article",
    { class: "card job", "data-job": job.id, "aria-label": say("job") },
    make("div", { class: "row top" }, title, parts.name, parts.count, stop, parts.away),
    progress,
    message,
    parts.place,
    parts.open,
    parts.notices,
    way,
    pages,
  );
  parts.card = card;
  parts.more.classList.toggle("none", !on.more);
  let shown;
  card.update = (job) => {
    shown = job;
    card.dataset.state = job.state;
    const isStuck = isOver(job) && job.continuation;
    const wanted = isStuck ? "wayOn" : job.question;
    title.textContent = say(stateName(job));
    showLinks(parts, job, on);
    showCount(parts.count, job);
    stop.hidden = progress.hidden = isOver(job);
    parts.away.hidden = !on.away || !isOver(job) || isStuck;
    showMessage(message, job);
    showPlace(parts.place, job);
    showProgress(progress, job);
    parts.notices.replaceChildren(...notices(job));
    if (card.asked !== wanted) {
      if (way.contains(document.activeElement)) stop.focus();
      way.replaceChildren(...(wanted ? [isStuck ? wayOn(job) : question(job)] : []));
    }
    card.asked = wanted;
    // Pages may be gone from a document that is still being loaded.
    const { documents = [] } = parts.open;
    const isLoading = !parts.wholes && documents.length > 0 && documents.length <= MOST;
    if (!isLoading) pages.update(job, parts.wholes);
  };
  // Documents are changed elsewhere, and cards out of sight are made again when they are shown.
  card.refresh = () => {
    const { top, bottom } = card.getBoundingClientRect();
    if (isOver(shown) && (card.hidden || (bottom > 0 && top < innerHeight))) {
      showDocuments(parts, shown);
    }
  };
  // Merges reports that contain only some pages.
  card.take = (pages) => card.update(withPages(shown, pages));
  card.update(job);
  return card;
}

// The cards of jobs in a place, which change as the jobs do.
export function jobList(place, on = {}) {
  const cardOf = (id) => place.querySelector(`[data-job="${CSS.escape(id)}"]`);
  return {
    has: (id) => Boolean(cardOf(id)),
    remove: (id) => cardOf(id)?.remove(),
    show(job) {
      const card = cardOf(job.id);
      if (card) card.update(job);
      else place.prepend(jobCard(job, on));
    },
    // Marks the job that is shown alone.
    choose(id) {
      for (const card of place.querySelectorAll("[data-job]")) {
        card.classList.toggle("chosen", card.dataset.job === id);
      }
    },
    take: ({ job, pages }) => cardOf(job)?.take(pages),
    // Shows the documents of finished jobs again, because some document has changed.
    refresh() {
      for (const card of place.querySelectorAll("[data-job]")) card.refresh();
    },
    keep(jobs) {
      for (const card of place.querySelectorAll("[data-job]")) {
        if (!jobs.some((job) => job.id === card.dataset.job)) card.remove();
      }
      let next;
      for (const job of [...jobs].reverse()) {
        this.show(job);
        const card = cardOf(job.id);
        // A card in its place is not moved, so that it keeps the focus.
        if (next && card.nextElementSibling !== next) next.before(card);
        else if (!next && card !== place.lastElementChild) place.append(card);
        next = card;
      }
    },
  };
}

// The confirmation for deleting a job, with what would be lost.
const discardQuestion = (job) =>
  job.undelivered > 0
    ? say("discardLoses", { pages: job.undelivered })
    : say("discardSure", { pages: job.pages });

function storedCard(job, reload) {
  const size = (job.bytes / 1e6).toFixed(0) + " MB";
  const act = (path) => asking(path, { method: "POST" }, reload);
  const can = (action) => job.advice.some((one) => one.action === action);
  // Only the pages in the question are deleted: the host refuses if there are more by now.
  const away = "jobs/" + job.id + (job.undelivered > 0 ? "?force=true" : "");
  return make(
    "li",
    { class: "card" },
    row(
      make("strong", { class: "grow" }, job.id),
      make("span", { class: "tag" }, say("stored-" + job.state)),
      can("resume")
        ? make("button", { class: "main", onclick: act(`jobs/${job.id}/resume`) }, say("resume"))
        : undefined,
      can("append")
        ? make("button", {
          class: can("resume") ? undefined : "main",
          onclick: act(`jobs/${job.id}/continue`),
        }, say("goOn"))
        : undefined,
      deleteButton({ path: away, question: discardQuestion(job), reload }, say("discard")),
    ),
    make(
      "p",
      { class: "soft" },
      joined(say("pageCount", { number: job.pages }), size, putBack(job.next)),
      job.reason ? [" · ", hostWords(job.reason)] : [],
    ),
    job.awaitsArchive ? make("p", { class: "soft" }, say("awaitsArchive")) : undefined,
    job.problem ? make("p", {}, hostWords(job.problem)) : undefined,
  );
}

async function show(place) {
  const running = make("div", { class: "list" });
  const body = make("div", { class: "list" });
  const deliveries = deliveryList(() => reload());
  const nothing = make("p", { class: "soft" }, say("outboxEmpty"));
  place.append(
    make("h2", {}, say("jobs")),
    running,
    body,
    make("h3", {}, say("outbox")),
    deliveries,
    nothing,
  );
  const cards = jobList(running);
  function showDeliveries(items) {
    deliveries.show(items);
    nothing.hidden = items.length > 0;
  }
  async function reload() {
    const [{ jobs, stored }, { items }] = await Promise.all([ask("jobs"), ask("outbox")]);
    const waiting = stored.filter((job) => job.state !== "running");
    cards.keep(jobs);
    body.replaceChildren(
      make("h3", {}, say("interrupted")),
      waiting.length
        ? make("ul", { class: "list" }, waiting.map((job) => storedCard(job, reload)))
        : make("p", { class: "soft" }, say("noneInterrupted")),
    );
    showDeliveries(items);
  }
  await reload();
  // No event reports every megabyte, so the progress is requested while the view is open.
  const timer = setInterval(async () => {
    const { items } = await ask("outbox").catch(() => ({ items: undefined }));
    if (items && body.isConnected) showDeliveries(items);
  }, 2000);
  const deaf = hear((name, value) => {
    if (name === "page") return cards.take(value);
    if (name === "job") cards.show(value);
    if (name === "archive") cards.refresh();
    if (name === "reset" || name === "outbox" || (name === "job" && isOver(value))) reload();
  });
  return () => {
    clearInterval(timer);
    deaf();
  };
}

export const view = {
  name: "jobs",
  words: "jobs",
  icon: "jobs",
  help: "help-jobs",
  tab: "always",
  needs: "scan",
  show,
};
