// The view for scanning: settings, a button, and the arriving pages.
import { make } from "../parts/dom.js";
import { empty } from "../parts/drawings.js";
import { ask, askAgain, hear } from "../shell/host.js";
import { recall, remember } from "../parts/memory.js";
import { jobList } from "./jobs.js";
import { isOver } from "./place.js";
import { ScanForm } from "./scanform.js";
import { offer } from "./offer.js";
import { sending } from "./sending.js";
import { explain, problemWords, say } from "../words/words.js";

// The devices that were found last.
let lastScanners = [];

// The number of jobs that stay hidden.
const AWAY = 100;

// The jobs beside the form, or instead of it while one of them captures pages and fills the screen.
// The form is back when that job is over; on a phone it is below the result.
class Stage {
  element = make("div", { class: "stage" });
  hint = empty("both", say("nothingYet"));

  // `view` is marked while the jobs fill the screen; `onBusy(isBusy)` is called when a job may have
  // the device.
  constructor(view, onBusy) {
    Object.assign(this, { view, onBusy });
    this.running = make("div", { class: "list" });
    this.element.append(this.running);
    this.cards = jobList(this.running, {
      more: () => this.leave(),
      away: (id) => this.putAway(id),
      joins: (id, to) => this.joins(id, to),
      joined: (id, isWhole) => this.joined(id, isWhole),
    });
    // Jobs whose pages are added to the document of another one.
    this.joining = new Set();
    this.states = new Map();
  }

  show(job) {
    if (this.isAway(job)) return;
    this.hint.remove();
    const before = this.states.get(job.id);
    this.states.set(job.id, job.state);
    this.cards.show(job);
    if (before === undefined && !isOver(job)) this.fill(job.id);
    else if (job.id === this.shown) this.settle(job.state);
    this.showBusy();
  }

  showBusy() {
    this.onBusy([...this.states.values()].some((state) => !isOver({ state })));
  }

  // True for a job that someone hid, unless it runs again, and for one whose pages are added to the
  // document of another one.
  isAway(job) {
    return this.joining.has(job.id) || (isOver(job) && recall("away", []).includes(job.id));
  }

  // Shows a job instead of the form.
  fill(id) {
    this.shown = id;
    this.cards.choose(id);
    this.settle(this.states.get(id));
    scrollTo(0, 0);
  }

  // Brings the form back once the shown job is over, so that what can be done next is there.
  settle(state) {
    this.view.classList.toggle("busy", !isOver({ state }));
    this.view.classList.toggle("done", isOver({ state }));
  }

  // Shows the form again, and all jobs.
  leave() {
    this.shown = undefined;
    this.view.classList.remove("busy", "done");
    this.cards.choose(undefined);
    scrollTo(0, 0);
    this.view.querySelector("button.main")?.focus({ preventScroll: true });
  }

  // Hides a finished job; the view of jobs still has it.
  async putAway(id) {
    this.remember(id);
    this.leave();
    await this.reload();
  }

  remember(id) {
    remember("away", [...recall("away", []), id].slice(-AWAY));
  }

  // Shows the document to which a job's pages are added instead of the job.
  joins(id, to) {
    this.joining.add(id);
    this.states.delete(id);
    this.cards.remove(id);
    this.showBusy();
    this.fill(to);
  }

  // A job whose pages are not all in the document is shown.
  async joined(id, isWhole) {
    this.joining.delete(id);
    if (isWhole) this.remember(id);
    else await this.reload();
  }

  // Events of a job may arrive before the answer to its start.
  begun(job) {
    if (this.states.has(job.id)) this.fill(job.id);
    else this.show(job);
  }

  async reload() {
    const { jobs } = await ask("jobs");
    const shown = jobs.filter((job) => !this.isAway(job)).slice(0, 5);
    this.cards.keep(shown);
    for (const job of [...shown].reverse()) this.show(job);
    shown.length ? this.hint.remove() : this.running.append(this.hint);
  }
}

// The space bar scans, or scans another sheet after that question, unless the focused element uses
// the key.
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

// The message without scanners.
const noDevices = (problems) =>
  empty(
    "flatbed",
    say("noDevices"),
    ...problems.map((problem) => make("span", { class: "warn block" }, problemWords(problem))),
  );

// What the form offers: profiles, sinks, and the job's options as the host declares them.
async function choices() {
  const paths = ["profiles", "sinks", "job-options"];
  const [{ profiles }, { sinks }, { options: declared }] = await Promise.all(
    paths.map((path) => ask(path)),
  );
  return { profiles, sinks, declared };
}

// `what` is "shared" if another program shared files with the page, and `key` that of the share.
async function show(place, [what, key]) {
  const known = await choices();
  place.append(make("h2", {}, say("scan")));
  const view = make("div", { class: "columns scan" });
  let form;
  const stage = new Stage(view, (isBusy) => form.options.pause(isBusy));
  const begun = (job) => stage.begun(job);
  form = new ScanForm({ ...known, previewPlace: stage.element, begun });
  const searching = make(
    "div",
    { class: "card empty", role: "status", "data-waiting": true },
    say("lookingForDevices"),
  );
  const chooser = make("div", {}, searching);
  const files = sending(place, known.profiles, begun);
  const shared = await offer(files.begin, what === "shared" ? key : undefined);
  view.append(
    make("div", { class: "stage setup" }, shared, chooser, files.card),
    stage.element,
  );
  place.append(view);

  async function search() {
    const { devices, problems } = await ask("devices");
    if (!devices.length) askAgain(problems, () => place.isConnected && found());
    lastScanners = devices.filter((one) => one.kind !== "files");
    form.showScanners(lastScanners);
    const shown = form.scanners.length ? form.element : noDevices(problems);
    if (chooser.firstElementChild !== shown) chooser.replaceChildren(shown);
  }

  const keys = spaceKey(form, stage.running);
  addEventListener("keydown", keys);
  const deaf = hear((name, value) => {
    if (name === "page") stage.cards.take(value);
    if (name === "job") stage.show(value);
    if (name === "archive") stage.cards.refresh();
    if (name === "device" || name === "reset") found();
    if (name === "reset") stage.reload();
  });
  // The search for devices may take a while, and nothing else waits for it.
  const found = () =>
    search().catch((problem) =>
      (searching.isConnected ? searching : form.refusal).replaceChildren(...explain(problem))
    );
  await stage.reload();
  // The devices of the last search are there at once.
  if (lastScanners.length) {
    form.showScanners(lastScanners, true);
    chooser.replaceChildren(form.element);
  }
  found();
  return () => {
    removeEventListener("keydown", keys);
    deaf();
    form.end();
  };
}

export const view = {
  name: "scan",
  words: "scan",
  icon: "scan",
  help: "help-scan",
  tab: "always",
  needs: "scan",
  show,
};
