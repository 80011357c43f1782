// A watched camera: its live view, and the captured pages.
import { labeled, make, press, row, setText, tell, tellProblem, titled } from "../parts/dom.js";
import { empty } from "../parts/drawings.js";
import { film } from "./film.js";
import { ask } from "../shell/host.js";
import { isOver } from "../scan/place.js";
import { regionFrame, shapeChoice } from "./region.js";
import { strip, withPages } from "../parts/strip.js";
import { hostWords, problemWords, say } from "../words/words.js";

// The last captured page, beside the live view.
function result() {
  const picture = make("img", { alt: "" });
  const words = make("p", { class: "read", role: "status" });
  const element = titled(
    say("latest"),
    { class: "latest", hidden: true },
    picture,
    words,
  );
  element.update = (job) => {
    const page = job.pages.findLast((page) => page.hasPicture);
    element.hidden = !page;
    if (!page) return;
    const address = `/api/v1/jobs/${encodeURIComponent(job.id)}/pages/${page.captured}/thumbnail`;
    if (picture.getAttribute("src") !== address) picture.src = address;
    picture.alt = say("page", { number: page.number });
    const text = page.stage !== "finished"
      ? say("stage-" + page.stage)
      : page.excerpt ?? say("noText");
    words.classList.toggle("soft", page.stage !== "finished" || !page.excerpt);
    setText(words, text);
  };
  return element;
}

// The job's card, with its pages below it.
function watchCard(job) {
  const parts = {
    picture: make("div"),
    shape: job.region ? shapeChoice() : undefined,
    latest: result(),
    state: make("p", { class: "state", role: "status", tabindex: -1 }, say("live-searching")),
    figures: make("p", { class: "soft" }),
    pages: strip(),
    capture: make("button", {
      class: "main",
      onclick: press(() => ask(`jobs/${job.id}/capture`, { method: "POST" })),
    }, say("captureNow")),
  };
  const finish = make("button", {
    onclick: press(async () => {
      await ask(`jobs/${job.id}/stop`, { method: "POST" });
      parts.isEnding = parts.capture.hidden = finish.hidden = true;
      parts.state.textContent = say("finishing");
      parts.state.focus();
    }),
  }, say("finish"));
  const card = make(
    "section",
    { class: "card watch" },
    parts.picture,
    make(
      "div",
      { class: "beside" },
      parts.state,
      row(parts.capture, finish),
      parts.figures,
      parts.shape ? labeled(say("shape"), parts.shape) : undefined,
      parts.latest,
    ),
  );
  return Object.assign(parts, { elements: [card, parts.pages] });
}

// Shows the host's view of the page, and the frame rate.
function showState({ state, figures, isEnding }, event) {
  if (isEnding) return;
  // A captured page that still lies there is not about to be captured.
  const isDone = event.state === "ready" && event.reason === "captured";
  const words = isDone ? say("live-done") : [
    say("live-" + event.state),
    event.reason && event.state !== "ready" ? say("live-reason-" + event.reason) : undefined,
  ].filter(Boolean).join(": ");
  setText(state, words);
  state.dataset.state = isDone ? "done" : event.state;
  if (event.rate) {
    figures.textContent = say(event.search === undefined ? "liveRate" : "liveFigures", {
      rate: event.rate.toFixed(0),
      time: event.search?.toFixed(0),
      confidence: Math.round((event.confidence ?? 0) * 100),
    });
  }
}

// The card after the watch's end, with the place of the pages.
function endCard(job) {
  const document = job.deliveries.find((delivery) => delivery.sink === "archive")?.document;
  return make(
    "div",
    { class: "card" },
    make(
      "p",
      { class: job.problem || job.isCut ? "bad" : "" },
      job.isCut
        ? say(job.id ? "liveCutDelivered" : "liveCut")
        : job.problem
        ? problemWords({ code: job.problemCode, message: job.problem })
        : say("liveOver", { number: job.pages.length }),
    ),
    document ? make("a", { href: "#document/" + document }, say("openDocument")) : undefined,
  );
}

// The place beside the form for a watching job.
export class Watching {
  stage = make("div", { class: "stage" });
  job;
  card;
  endFilm = () => {};

  // `columns` are marked while a job is watched.
  constructor(columns) {
    this.columns = columns;
  }

  showHint() {
    this.stage.replaceChildren(empty("camera", say("liveHint")));
  }

  // `isNew` is true for a job that the user has just begun.
  watch(job, isNew = false) {
    this.endFilm();
    this.columns.classList.add("watching");
    const card = watchCard(job);
    this.card = card;
    this.stage.replaceChildren(...card.elements);
    this.follow(job);
    card.capture.focus();
    this.endFilm = film(card.picture, job.id, (event) => {
      if (event.event === "state") showState(card, event);
      else if (event.message) tell(hostWords(event.message));
    }, card.shape && regionFrame(job, card.shape, isNew));
  }

  follow(job) {
    this.job = job;
    this.card.pages.update(job);
    this.card.latest.update(job);
  }

  // A job that the host continues by itself is shown until it ends.
  over(job) {
    this.endFilm();
    this.endFilm = () => {};
    this.job = job.id && !isOver(job) ? job : undefined;
    this.columns.classList.remove("watching");
    this.stage.replaceChildren(endCard(job));
  }

  // Handles the host's events.
  async hear(name, value) {
    const { job } = this;
    if (!job) return;
    if (name === "page" && value.job === job.id && !job.isCut) {
      this.follow(withPages(job, value.pages));
    }
    if (name === "job" && value.id === job.id) {
      job.isCut || isOver(value) ? this.over({ ...value, isCut: job.isCut }) : this.follow(value);
    }
    if (name !== "reset") return;
    const now = await ask("jobs/" + job.id).catch(() => undefined);
    // A job that no longer watches was restarted by a restarted host.
    now?.isWatch && !isOver(now)
      ? this.watch(now)
      : this.over({ deliveries: [], pages: [], ...now, isCut: !now?.isWatch });
  }

  // The space bar captures, unless the focused element uses the key.
  key(event) {
    if (
      event.key !== " " || !this.job || this.job.isCut || this.card.isEnding ||
      event.target.closest("button, input, select, a")
    ) return;
    event.preventDefault();
    ask(`jobs/${this.job.id}/capture`, { method: "POST" }).catch(tellProblem);
  }

  end() {
    this.endFilm();
  }
}
