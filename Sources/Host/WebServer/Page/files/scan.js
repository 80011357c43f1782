// Scan: choose, press, and see the pages come in.
import { make } from "./dom.js";
import { empty } from "./drawings.js";
import { ask, hear } from "./host.js";
import { jobList } from "./jobs.js";
import { ScanForm } from "./scanform.js";
import { sending } from "./sending.js";
import { explain, problemWords, say } from "./words.js";

// The newest jobs, in `place`.
function newestJobs(place) {
  const cards = jobList(place);
  const hint = empty("both", say("nothingYet"));
  const show = (job) => {
    hint.remove();
    cards.show(job);
  };
  return {
    show,
    take: cards.take,
    // Events of a job may arrive before the answer that it has begun.
    begun(job) {
      if (!cards.has(job.id)) show(job);
      // On a phone it is below the form.
      place.firstElementChild.scrollIntoView({ block: "nearest" });
    },
    async reload() {
      const { jobs } = await ask("jobs");
      cards.keep(jobs.slice(0, 5));
      jobs.length ? hint.remove() : place.append(hint);
    },
  };
}

// The space bar scans, or scans another sheet if that is asked, unless the focused element uses it.
const spaceKey = (form, running) => (event) => {
  if (
    event.key === " " && form.scanners.length &&
    (event.target === document.body || event.target.id === "view")
  ) {
    event.preventDefault();
    const another = running.querySelector("[data-another]:not(:disabled)");
    another ? another.click() : form.element.requestSubmit();
  }
};

// Where there are no scanners.
const noDevices = (problems) =>
  empty(
    "flatbed",
    say("noDevices"),
    ...problems.map((problem) => make("span", { class: "warn block" }, problemWords(problem))),
  );

export async function scan(place) {
  const [{ profiles }, { sinks }] = await Promise.all([ask("profiles"), ask("sinks")]);
  place.append(make("h2", {}, say("scan")));
  const running = make("div", { class: "list" });
  const jobs = newestJobs(running);
  const previewPlace = make("div", { class: "stage" }, running);
  const form = new ScanForm({ profiles, sinks, previewPlace, begun: jobs.begun });
  const searching = make(
    "div",
    { class: "card empty", role: "status", "data-waiting": true },
    say("lookingForDevices"),
  );
  const chooser = make("div", {}, searching);
  place.append(
    make(
      "div",
      { class: "columns" },
      make("div", { class: "stage" }, chooser, sending(profiles, jobs.begun)),
      previewPlace,
    ),
  );

  async function search() {
    const { devices, problems } = await ask("devices");
    form.showScanners(devices.filter((one) => one.kind !== "files"));
    const shown = form.scanners.length ? form.element : noDevices(problems);
    if (chooser.firstElementChild !== shown) chooser.replaceChildren(shown);
  }

  const keys = spaceKey(form, running);
  addEventListener("keydown", keys);
  const deaf = hear((name, value) => {
    if (name === "page") jobs.take(value);
    if (name === "job") jobs.show(value);
    if (name === "device" || name === "reset") found();
    if (name === "reset") jobs.reload();
  });
  // Looking for them may take a while, which nothing else waits for.
  const found = () => search().catch((problem) => searching.replaceChildren(...explain(problem)));
  found();
  await jobs.reload();
  return () => {
    removeEventListener("keydown", keys);
    deaf();
    form.end();
  };
}
