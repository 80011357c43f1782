// A document under review: its pages as a grid, one of them next to its text, its metadata, and its
// entries.
import { make, press, redraw, tell } from "./dom.js";
import { ask, may } from "./host.js";
import { explain, say } from "./words.js";
import { merging } from "./merging.js";
import { grid } from "./grid.js";
import { reading } from "./reading.js";
import { cutting } from "./cutting.js";
import { known } from "./known.js";
import { entries } from "./entries.js";
import { cards, isSession, withCards } from "./cards.js";
import { Saving } from "./saving.js";

// Runs what a key or a click began; a failure is shown.
const told = (work) => (...values) => work(...values).catch((problem) => tell(explain(problem)));

// The buttons above the pages, which act on the selected pages, or on the one that is shown.
function tools(review) {
  const { whole: { pages, undoable, redoable }, shown, chosen } = review;
  const some = () => review.grid.acting(shown);
  const change = (order, focused) => review.change(order, focused);
  const button = (name, work, isOff) =>
    make("button", { "data-keep": name, disabled: isOff, onclick: press(work) }, say(name));
  const isCut = (number) => pages.find((page) => page.number === number).isCut;
  const last = pages.at(-1).number;
  return [
    make(
      "span",
      { class: "soft", role: "status" },
      chosen.size ? say("selected", { number: chosen.size }) : say("page", { number: shown }),
    ),
    button("turnLeft", () => change({ rotate: [{ pages: some(), degrees: -90 }] })),
    button("turnRight", () => change({ rotate: [{ pages: some(), degrees: 90 }] })),
    button("cut", () => review.cut(), chosen.size > 1),
    ...pages.some((page) => page.isCut && some().includes(page.number))
      ? [button("uncut", () => change({ uncut: some().filter(isCut) }))]
      : [],
    button("delete", () => change({ delete: some() }), some().length >= pages.length),
    button(
      "earlier",
      () => change({ move: [{ page: shown, to: shown - 1 }] }, shown - 1),
      chosen.size > 1 || shown === pages[0].number,
    ),
    button(
      "later",
      () => change({ move: [{ page: shown, to: shown + 1 }] }, shown + 1),
      chosen.size > 1 || shown === last,
    ),
    button("splitHere", () => change({ splitAfter: shown }), shown === last),
    button("mergeWith", () => review.merge()),
    button("undo", () => review.step("undo"), !undoable),
    button("redo", () => review.step("redo"), !redoable),
  ];
}

// A document as it is now, and the elements that show it.
class Review {
  chosen = new Set();
  title = make("h2");
  trash = make("p", { class: "warn", role: "status" });
  bar = make("div", {
    class: "row tools",
    "data-needs": "scan",
    role: "toolbar",
    "aria-label": say("pages"),
  });
  sheetPlace = make("div", { class: "in-sheet" });
  words = make("div", { class: "in-words" });
  mergePlace = make("div");
  about = make("div", { class: "list" });
  bin = make("div", { class: "row", "data-needs": "scan" });
  gridPlace = make("div");
  // Counts the requests for a page: only the newest counts.
  turn = 0;

  // `shown` is the number of the page that is shown, `query` what was searched for.
  constructor({ address, whole, sinks, shown, query }) {
    Object.assign(this, { address, whole, shown, query });
    this.out = new Saving(
      address,
      sinks.filter((name) => name !== "archive"),
      () => this.change({ save: true }),
    );
    const listed = {
      change: (order) => this.change(order),
      place: told((number, boxes) => {
        this.shown = number;
        this.show();
        return this.open(boxes);
      }),
      undo: told(() => this.step("undo")),
      redo: told(() => this.step("redo")),
    };
    this.lists = [cards(listed), entries(listed)];
  }

  get elements() {
    return [
      make("div", { class: "row heading" }, this.title, this.out.button),
      this.trash,
      make(
        "div",
        { class: "columns review" },
        make(
          "div",
          { class: "list in-pages" },
          make(
            "div",
            { class: "card" },
            this.bar,
            this.mergePlace,
            this.gridPlace,
            make("p", { class: "soft keys", "data-needs": "scan" }, say("keysHint")),
          ),
          ...this.lists.map((one) => one.element),
        ),
        this.sheetPlace,
        this.words,
        make("div", { class: "list in-about" }, this.about, this.out.element, this.bin),
      ),
    ];
  }

  // Makes a change, and shows the result; the keyboard focus moves with the page.
  async change(order, focused) {
    if (!may("scan")) return;
    const answer = await ask(this.address + "/review", {
      method: "POST",
      body: withCards(order, this.whole),
    });
    if (answer.made) {
      tell(say("splitMade"), { words: say("openDocument"), address: "#document/" + answer.made });
    }
    this.chosen.clear();
    await this.take(answer.document, focused);
  }

  async describe(body) {
    return this.take(await ask(this.address, { method: "PATCH", body }));
  }

  async step(name, focused) {
    return may("scan") &&
      this.take(await ask(`${this.address}/${name}`, { method: "POST" }), focused);
  }

  // Shows the document as the host says it is now.
  async take(whole, focused) {
    this.whole = whole;
    const isThere = (number) => whole.pages.some((page) => page.number === number);
    if (!isThere(this.shown)) this.shown = whole.pages[0].number;
    for (const number of this.chosen) {
      if (!isThere(number)) this.chosen.delete(number);
    }
    if (focused) this.shown = isThere(focused) ? focused : this.shown;
    this.show();
    if (focused) this.grid.focus(this.shown);
    await this.open();
  }

  // Asks for another document, whose pages are added to this one.
  async merge() {
    const leave = () => {
      this.mergePlace.replaceChildren();
      this.bar.querySelector('[data-keep="mergeWith"]').focus();
    };
    const form = await merging(this.whole.document.id, async (other) => {
      await this.change({ merge: other });
      leave();
    }, leave);
    this.mergePlace.replaceChildren(form);
    form.querySelector("input, button").focus();
  }

  // Shows a frame on all that was captured of the page.
  cut() {
    const page = this.whole.pages.find((one) => one.number === this.shown);
    // A page that is still loading arrives too late.
    this.turn += 1;
    this.words.replaceChildren();
    const done = told(async (box) => {
      if (box === undefined) return this.open();
      const whole = { page: this.shown, box: null };
      await this.change({ crop: box ? [whole, { page: this.shown, box }] : [whole] });
    });
    this.sheetPlace.replaceChildren(make("div", { class: "card picture" }, cutting(page, done)));
    this.sheetPlace.querySelector(".handle").focus();
  }

  show() {
    const { whole } = this;
    this.title.textContent = whole.document.title;
    this.trash.textContent = whole.document.trashed ? say("inTrash") : "";
    this.showGrid();
    this.lists[0].update(whole, isSession(whole));
    this.lists[1].update(whole, whole.entries.length > 0 && !isSession(whole));
    this.out.update(whole);
    redraw(
      this.about,
      () => this.about.replaceChildren(known(whole, (body) => this.describe(body))),
    );
    redraw(
      this.bin,
      () =>
        this.bin.replaceChildren(make("button", {
          "data-keep": "bin",
          onclick: press(() => this.step(this.whole.document.trashed ? "restore" : "trash")),
        }, say(whole.document.trashed ? "restore" : "toTrash"))),
    );
  }

  showGrid() {
    this.grid = grid(this.whole.pages, this.shown, this.chosen, {
      open: told(async (number) => {
        this.shown = number;
        this.show();
        this.grid.focus(number);
        await this.open();
      }),
      change: told((order, focused) => this.change(order, focused)),
      undo: told(() => this.step("undo", this.shown)),
      redo: told(() => this.step("redo", this.shown)),
      chosen: () => this.showTools(),
    });
    this.showTools();
    const hadFocus = this.gridPlace.contains(document.activeElement);
    this.gridPlace.replaceChildren(this.grid.list);
    if (hadFocus) this.grid.focus(this.shown);
  }

  showTools() {
    redraw(this.bar, () => this.bar.replaceChildren(...tools(this)));
  }

  // Shows the page next to its text.
  async open(places = []) {
    const mine = ++this.turn;
    const read = await ask(`${this.address}/pages/${this.shown}`);
    if (mine !== this.turn) return;
    const { picture, text } = reading(
      read,
      this.query,
      places,
      (corrected) => this.change({ correct: [{ page: this.shown, text: corrected }] }),
    );
    this.sheetPlace.replaceChildren(make("div", { class: "card picture" }, picture));
    this.words.replaceChildren(make("div", { class: "card" }, make("h3", {}, say("text")), text));
  }
}

export async function document_(place, id, wanted = "1", query = "") {
  const address = "documents/" + id;
  const [whole, { sinks }] = await Promise.all([
    ask(address),
    may("scan") ? ask("sinks") : { sinks: [] },
  ]);
  const review = new Review({ address, whole, sinks, shown: Number(wanted), query });
  place.append(...review.elements);
  review.show();
  await review.open();
}
