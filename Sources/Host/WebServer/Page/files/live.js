// Live: a camera's picture, the page in it, and page after page as it is captured.
import { make, press, tell } from "./dom.js";
import { empty } from "./drawings.js";
import { ask, hear } from "./host.js";
import { explain, hostWords, problemWords, profileChoices, say } from "./words.js";
import { film } from "./film.js";
import { isOver } from "./jobs.js";
import { firstRegion, regionFrame, shapeChoice } from "./region.js";
import { strip, withPages } from "./strip.js";

// The last captured page, next to the live view.
function result() {
  const picture = make("img", { alt: "" });
  const words = make("p", { class: "read", role: "status" });
  const element = make(
    "section",
    { class: "latest", hidden: true, "aria-label": say("latest") },
    make("h3", {}, say("latest")),
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
    if (words.textContent !== text) words.textContent = text;
  };
  return element;
}

export async function live(place) {
  const [{ devices }, { profiles }, { jobs }] = await Promise.all([
    ask("devices"),
    ask("profiles"),
    ask("jobs"),
  ]);
  const cameras = devices.filter((device) => device.kind === "camera");
  place.append(make("h2", {}, say("live")));
  const running = jobs.find((job) => job.isWatch && !isOver(job));
  if (!cameras.length && !running) {
    const absent = empty("camera", say("noCameras"));
    place.append(absent);
    let leave = () => {};
    const deaf = hear(async (name) => {
      if (
        name !== "device" || !(await ask("devices")).devices.some((device) =>
          device.kind === "camera"
        ) || !absent.isConnected
      ) return;
      deaf();
      place.replaceChildren();
      leave = (await live(place)) ?? leave;
    });
    return () => {
      deaf();
      leave();
    };
  }
  const choice = (name, items) =>
    make(
      "select",
      { name },
      items.map(([value, text, chosen]) => make("option", { value, selected: chosen }, text)),
    );
  const form = make(
    "form",
    { class: "card", onsubmit: press(begin) },
    make(
      "label",
      {},
      say("camera"),
      choice("device", cameras.map((device) => [device.id, device.name, device.isDefault])),
    ),
    make(
      "label",
      {},
      say("profile"),
      choice(
        "profile",
        profileChoices(profiles),
      ),
    ),
    make(
      "label",
      {},
      say("when"),
      choice("manual", [["", say("byItself"), true], ["yes", say("byHand")]]),
    ),
    make(
      "label",
      {},
      say("what"),
      choice("what", [["", say("whatFound"), true], ["region", say("whatRegion")]]),
    ),
    make("label", {}, say("title"), make("input", { name: "title", autocomplete: "off" })),
    make("button", { class: "main" }, say("watchNow")),
  );
  const refusal = make("p", { class: "bad", role: "alert" });
  form.append(refusal);
  const stage = make("div", { class: "stage" });
  const columns = make("div", { class: "columns" }, form, stage);
  place.append(columns);
  const idle = () => stage.replaceChildren(empty("camera", say("liveHint")));
  let end = () => {};
  // The job that is watched here, and how its pages are shown.
  let current;
  let pages;
  let latest;

  async function begin() {
    const fields = new FormData(form);
    const order = {
      device: fields.get("device"),
      profile: fields.get("profile"),
      watch: { manual: fields.get("manual") === "yes" },
    };
    if (fields.get("what") === "region") order.watch.region = firstRegion;
    if (fields.get("title")) order.title = fields.get("title");
    refusal.textContent = "";
    try {
      const job = await ask("jobs", { method: "POST", body: order });
      watch(job);
      // It may have been over before the answer that it has begun.
      const now = await ask("jobs/" + job.id);
      if (isOver(now)) over(now);
    } catch (problem) {
      refusal.replaceChildren(...explain(problem));
    }
  }

  function watch(job) {
    end();
    current = job;
    columns.classList.add("watching");
    const picture = make("div");
    const shape = job.region ? shapeChoice() : undefined;
    latest = result();
    // Updated when it changes, not twelve times per second: a screen reader reads it out.
    const state = make("p", { class: "state", role: "status" }, say("live-searching"));
    const figures = make("p", { class: "soft" });
    pages = strip();
    const capture = make("button", {
      class: "main",
      onclick: press(() => ask(`jobs/${job.id}/capture`, { method: "POST" })),
    }, say("captureNow"));
    const finish = make("button", {
      onclick: press(() => ask(`jobs/${job.id}/stop`, { method: "POST" })),
    }, say("finish"));
    stage.replaceChildren(
      make(
        "section",
        { class: "card watch" },
        picture,
        make(
          "div",
          { class: "beside" },
          state,
          make("div", { class: "row" }, capture, finish),
          figures,
          shape ? make("label", {}, say("shape"), shape) : undefined,
          latest,
        ),
      ),
      pages,
    );
    follow(job);
    capture.focus();
    end = film(picture, job.id, (event) => {
      if (event.event === "state") {
        const words = [
          say("live-" + event.state),
          event.reason && event.state !== "ready" ? say("live-reason-" + event.reason) : undefined,
        ].filter(Boolean).join(": ");
        if (state.textContent !== words) state.textContent = words;
        state.dataset.state = event.state;
        if (event.rate) {
          figures.textContent = say(event.search === undefined ? "liveRate" : "liveFigures", {
            rate: event.rate.toFixed(0),
            time: event.search?.toFixed(0),
            confidence: Math.round((event.confidence ?? 0) * 100),
          });
        }
      } else if (event.message) tell(hostWords(event.message));
    }, shape && regionFrame(job, shape));
  }

  function follow(job) {
    current = job;
    pages.update(job);
    latest.update(job);
  }

  // The watch's end: where the pages are now. A job that the host continues on its own is shown
  // until it ends.
  function over(job) {
    end();
    end = () => {};
    current = job.id && !isOver(job) ? job : undefined;
    columns.classList.remove("watching");
    const document = job.deliveries.find((delivery) => delivery.sink === "archive")?.document;
    stage.replaceChildren(
      make(
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
      ),
    );
  }

  // The space bar captures, unless the focused element uses it.
  const keys = (event) => {
    if (
      event.key !== " " || !current || current.isCut ||
      event.target.closest("button, input, select, a")
    ) return;
    event.preventDefault();
    ask(`jobs/${current.id}/capture`, { method: "POST" }).catch((problem) =>
      tell(explain(problem))
    );
  };
  addEventListener("keydown", keys);
  const deaf = hear(async (name, value) => {
    if (!current) return;
    if (name === "page" && value.job === current.id && !current.isCut) {
      follow(withPages(current, value.pages));
    }
    if (name === "job" && value.id === current.id) {
      current.isCut || isOver(value) ? over({ ...value, isCut: current.isCut }) : follow(value);
    }
    if (name !== "reset") return;
    const job = await ask("jobs/" + current.id).catch(() => undefined);
    // A job that is no longer a watch was restarted by a host that restarted.
    job?.isWatch && !isOver(job)
      ? watch(job)
      : over({ deliveries: [], pages: [], ...job, isCut: !job?.isWatch });
  });
  running ? watch(running) : idle();
  return () => {
    end();
    removeEventListener("keydown", keys);
    deaf();
  };
}
