// Live: a camera's picture, the page in it, and page after page as it is captured.
import { make, press, tell } from "./dom.js";
import { ask, hear } from "./host.js";
import { say } from "./words.js";
import { film } from "./film.js";

export async function live(place) {
  const [{ devices }, { profiles }, { jobs }] = await Promise.all([ask("devices"), ask("profiles"), ask("jobs")]);
  const cameras = devices.filter((device) => device.kind === "camera");
  place.append(make("h2", {}, say("live")));
  const running = jobs.find((job) => job.isWatch && ["running", "waiting"].includes(job.state));
  if (!cameras.length && !running) {
    place.append(make("div", { class: "card empty" }, make("p", {}, say("noCameras"))));
    return;
  }
  const choice = (name, items) => make("select", { name }, items.map(([value, text, chosen]) => make("option", { value, selected: chosen }, text)));
  const form = make("form", { class: "card", onsubmit: press(begin) },
    make("label", {}, say("camera"), choice("device", cameras.map((device) => [device.id, device.name, device.isDefault]))),
    make("label", {}, say("profile"), choice("profile", profiles.filter((one) => !one.problem).map((one) => [one.name, one.title, one.name === "document"]))),
    make("label", {}, say("when"), choice("manual", [["", say("byItself"), true], ["yes", say("byHand")]])),
    make("label", {}, say("title"), make("input", { name: "title", autocomplete: "off" })),
    make("button", { class: "main" }, say("watchNow")));
  const refusal = make("p", { class: "bad", role: "alert" });
  form.append(refusal);
  const stage = make("div", { class: "stage" });
  const columns = make("div", { class: "columns" }, form, stage);
  place.append(columns);
  const idle = () => stage.replaceChildren(make("div", { class: "card empty" }, make("p", {}, say("liveHint"))));
  let end = () => {};
  let current;

  async function begin() {
    const fields = new FormData(form);
    const order = { device: fields.get("device"), profile: fields.get("profile"), watch: { manual: fields.get("manual") === "yes" } };
    if (fields.get("title")) order.title = fields.get("title");
    refusal.textContent = "";
    try {
      const job = await ask("jobs", { method: "POST", body: order });
      watch(job);
      // It may have been over before the answer that it has begun.
      const now = await ask("jobs/" + job.id);
      if (!["running", "waiting"].includes(now.state)) over(now);
    } catch (problem) {
      refusal.textContent = problem.message;
    }
  }

  function watch(job) {
    end();
    current = job.id;
    columns.classList.add("watching");
    const picture = make("div");
    // Told when it changes, and not twelve times a second: a screen reader says it.
    const state = make("p", { class: "state", role: "status" }, say("live-searching"));
    const figures = make("p", { class: "soft" });
    const pages = make("ol", { class: "pages strip", "aria-label": say("pages") });
    const capture = make("button", { class: "main", onclick: press(() => ask(`jobs/${job.id}/capture`, { method: "POST" })) }, say("captureNow"));
    const finish = make("button", { onclick: press(() => ask(`jobs/${job.id}/stop`, { method: "POST" })) }, say("finish"));
    stage.replaceChildren(make("section", { class: "card" }, picture, state, make("div", { class: "row" }, capture, finish, figures)), pages);
    capture.focus();
    end = film(picture, job.id, (event, glimpse) => {
      if (event.event === "state") {
        const words = [say("live-" + event.state), event.reason ? say("live-reason-" + event.reason) : undefined].filter(Boolean).join(": ");
        if (state.textContent !== words) state.textContent = words;
        state.dataset.state = event.state;
        if (event.rate) figures.textContent = say("liveFigures", { rate: event.rate.toFixed(0), confidence: Math.round((event.confidence ?? 0) * 100) });
      } else if (event.event === "captured") {
        pages.append(make("li", {}, glimpse(), make("span", { class: "soft" }, say("page", { number: event.page }))));
        pages.lastChild.scrollIntoView({ block: "nearest" });
      } else if (event.message) tell(event.message);
    });
  }

  // The job's end: where the pages are now.
  function over(job) {
    end();
    end = () => {};
    current = undefined;
    columns.classList.remove("watching");
    const document = job.deliveries.find((delivery) => delivery.sink === "archive")?.document;
    stage.replaceChildren(make("div", { class: "card" },
      make("p", { class: job.problem ? "bad" : "" }, job.problem ?? say("liveOver", { number: job.pages.length })),
      document ? make("a", { href: "#document/" + document }, say("openDocument")) : undefined));
  }

  // The space bar captures, unless it belongs to what has the focus.
  const keys = (event) => {
    if (event.key !== " " || !current || event.target.closest("button, input, select, a")) return;
    event.preventDefault();
    ask(`jobs/${current}/capture`, { method: "POST" }).catch((problem) => tell(problem.message));
  };
  addEventListener("keydown", keys);
  const deaf = hear(async (name, value) => {
    if (name === "job" && value.id === current && !["running", "waiting"].includes(value.state)) over(value);
    if (name !== "reset" || !current) return;
    const job = await ask("jobs/" + current).catch(() => undefined);
    job && ["running", "waiting"].includes(job.state) ? watch(job) : over(job ?? { deliveries: [], pages: [], problem: say("liveCut") });
  });
  running ? watch(running) : idle();
  return () => { end(); removeEventListener("keydown", keys); deaf(); };
}
