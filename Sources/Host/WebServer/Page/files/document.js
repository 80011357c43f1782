// A document under review: one page large, all pages as small pictures, the text, the metadata and
// the entries.
import { announce, make, menu, press, redraw, tell } from "./dom.js";
import { ask, hear, may } from "./host.js";
import { icon } from "./icons.js";
import { explain, say } from "./words.js";
import { merging } from "./merging.js";
import { grid } from "./grid.js";
import { headingOf, reading } from "./reading.js";
import { cutting } from "./cutting.js";
import { known } from "./known.js";
import { entries } from "./entries.js";
import { cards, isSession, withCards } from "./cards.js";
import { downloadButton, sendMenu, shareButton } from "./out.js";
import { Saving } from "./saving.js";
import { tools } from "./tools.js";
import { PageView } from "./pageview.js";

// Runs what a key or a click began; a failure is shown.
const told = (work) => (...values) => work(...values).catch((problem) => tell(explain(problem)));

// What a change is called once it is made, and whether it can be seen to have been made.
function changeWords(order) {
  const number = (order.delete ?? order.uncut ?? order.move ?? []).length;
  if (order.delete) return [say("pagesDeleted", { number }), true];
  if (order.deleteEntries) return [say("entriesDeleted"), true];
  if (order.merge) return [say("mergeMade"), true];
  if (order.crop || order.uncut) return [say("pageCropped"), true];
  if (order.correct) return [say("textKept"), true];
  if (order.rotate) return [say("pagesTurned"), false];
  if (order.move) return [say("pagesMoved"), false];
  return [];
}

// A document as it is now, and the elements that show it.
class Review {
  chosen = new Set();
  title = make("h2", { dir: "auto" });
  trash = make("p", { class: "warn", role: "status" });
  state = make("span", { class: "soft", role: "status" });
  proposal = make("span", { class: "proposal" });
  head = make("div", { class: "row out" });
  bar = make("div", {
    class: "tools",
    "data-needs": "scan",
    role: "toolbar",
    "aria-label": say("pages"),
  });
  view = new PageView((step) => this.turnPage(step));
  words = make("div", { class: "in-words" });
  mergePlace = make("div");
  about = make("div", { class: "list" });
  gridPlace = make("div");
  // Counts the requests for a page: only the newest counts.
  turn = 0;
  // Changes that are on their way.
  pending = 0;

  // `shown` is the number of the page that is shown, `query` what was searched for.
  constructor({ address, whole, sinks, shown, query }) {
    Object.assign(this, { address, whole, shown, query, sinks });
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
    };
    this.lists = [cards(listed), entries(listed)];
    const { id } = whole.document;
    this.head.append(
      ...[
        downloadButton(id),
        shareButton(id, () => this.whole.document.title),
        sendMenu(id, sinks),
        this.binMenu(),
      ].filter(Boolean),
    );
  }

  // What is rarely done with a document as a whole.
  binMenu() {
    this.bin = make("button", {
      onclick: press(() => this.toTrash()),
    });
    return menu(
      { "data-needs": "scan", "aria-label": say("moreActions") },
      [icon("more")],
      this.bin,
    );
  }

  get elements() {
    return [
      make(
        "div",
        { class: "row heading" },
        make(
          "a",
          { class: "button bare", href: "#archive", "aria-label": say("archive") },
          icon("back"),
        ),
        make(
          "div",
          { class: "grow" },
          this.title,
          make("div", { class: "row saved" }, this.state, this.proposal),
        ),
        this.head,
      ),
      this.trash,
      make(
        "div",
        { class: "review columns" },
        make("div", { class: "in-tools" }, this.bar, this.mergePlace),
        make("div", { class: "in-pages" }, this.gridPlace),
        make("div", { class: "in-sheet" }, this.view.element),
        make(
          "div",
          { class: "list in-side" },
          ...this.lists.map((one) => one.element),
          this.words,
          make("div", { class: "list in-about" }, this.about, this.out.element),
        ),
      ),
      make("p", { class: "soft keys", "data-needs": "scan" }, say("keysHint")),
    ];
  }

  // Does something to the document; what was changed elsewhere meanwhile is shown if it fails.
  async saving(work) {
    this.pending += 1;
    this.showState();
    try {
      return await work();
    } catch (problem) {
      if (problem.code) await this.reload();
      throw problem;
    } finally {
      this.pending -= 1;
      this.showState();
    }
  }

  // Makes a change, and shows the result; the keyboard focus moves with the page.
  async change(order, focused) {
    if (!may("scan")) return;
    await this.saving(async () => {
      const body = withCards(order, this.whole);
      const answer = await ask(this.address + "/review", { method: "POST", body });
      this.chosen.clear();
      await this.take(answer.document, focused);
      const [words, isHidden] = changeWords(body);
      if (answer.made) {
        const address = "#document/" + answer.made;
        tell(say("splitMade"), { words: say("openDocument"), address });
      } else if (words && isHidden) {
        tell(words, { words: say("undo"), work: () => this.step("undo") });
      } else if (words) announce(words);
    });
  }

  describe(body) {
    return this.saving(async () =>
      this.take(await ask(this.address, { method: "PATCH", body }))
    );
  }

  async step(name, focused) {
    if (!may("scan")) return;
    await this.saving(async () =>
      this.take(await ask(`${this.address}/${name}`, { method: "POST" }), focused)
    );
    if (name === "undo") announce(say("undoMade"));
    if (name === "redo") announce(say("redoMade"));
  }

  async toTrash() {
    const isBack = Boolean(this.whole.document.trashed);
    await this.step(isBack ? "restore" : "trash");
    if (!isBack) tell(say("trashed"), { words: say("undo"), work: () => this.step("restore") });
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

  // Shows what others did to the document, unless something is being done to it here.
  async reload() {
    const whole = await ask(this.address);
    if (this.view.isCutting || this.text?.unsaved()) return;
    if (JSON.stringify(whole) !== JSON.stringify(this.whole)) await this.take(whole);
  }

  // Keeps a text that is being corrected before it is no longer shown.
  async keepText() {
    const unsaved = this.text?.unsaved();
    if (!unsaved) return;
    const page = this.opened;
    this.text = undefined;
    await this.change({ correct: [{ page, text: unsaved.text }] });
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
      this.view.isCutting = false;
      if (box === undefined) return this.open();
      const whole = { page: this.shown, box: null };
      await this.change({ crop: box ? [whole, { page: this.shown, box }] : [whole] });
    });
    this.view.cut(cutting(page, done));
  }

  show() {
    const { whole } = this;
    const { title, trashed } = whole.document;
    this.title.textContent = title;
    this.title.dispatchEvent(new CustomEvent("retitle", { detail: title, bubbles: true }));
    this.trash.textContent = trashed ? say("inTrash") : "";
    this.bin.replaceChildren(
      icon(trashed ? "restore" : "delete"),
      say(trashed ? "restore" : "toTrash"),
    );
    this.showState();
    this.showGrid();
    this.lists[0].update(whole, isSession(whole));
    this.lists[1].update(whole, whole.entries.length > 0 && !isSession(whole));
    this.out.update(whole);
    redraw(
      this.about,
      () => this.about.replaceChildren(known(whole, (body) => this.describe(body))),
    );
    this.propose();
  }

  showState() {
    const words = say(this.pending ? "savingNow" : "allSaved");
    if (this.state.textContent !== words) this.state.textContent = may("scan") ? words : "";
  }

  // Proposes the page's heading as the title.
  propose() {
    const { title, trashed } = this.whole.document;
    const isUseful = may("scan") && !trashed && this.heading && !title.includes(this.heading);
    this.proposal.replaceChildren(
      ...(isUseful
        ? [make("button", {
          type: "button",
          class: "chip",
          "data-keep": "proposal",
          onclick: press(() => this.describe({ title: this.heading })),
        }, say("useTitle", { title: this.heading }))]
        : []),
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
      chosen: () => this.showTools(),
    });
    this.showTools();
    const hadFocus = this.gridPlace.contains(document.activeElement);
    const { scrollTop, scrollLeft } = this.gridPlace.firstElementChild ?? {};
    this.gridPlace.replaceChildren(this.grid.list);
    Object.assign(this.grid.list, { scrollTop, scrollLeft });
    if (hadFocus) this.grid.focus(this.shown);
  }

  showTools() {
    redraw(this.bar, () => this.bar.replaceChildren(...tools(this)));
  }

  // Shows the next page or the one before.
  turnPage(step) {
    const { pages } = this.whole;
    const next = pages[pages.findIndex((page) => page.number === this.shown) + step];
    if (!next) return;
    this.shown = next.number;
    this.show();
    told(() => this.open())();
  }

  // Shows the page next to its text.
  async open(places = []) {
    await this.keepText();
    const mine = ++this.turn;
    const read = await ask(`${this.address}/pages/${this.shown}`);
    if (mine !== this.turn) return;
    const { picture, text } = reading(
      read,
      this.query,
      places,
      (corrected) => {
        this.text = undefined;
        return this.change({ correct: [{ page: this.shown, text: corrected }] });
      },
    );
    [this.opened, this.text] = [this.shown, text];
    this.view.show(picture, this.shown, this.whole.pages);
    this.words.replaceChildren(make("div", { class: "card" }, make("h3", {}, say("text")), text));
    if (this.shown !== this.whole.pages[0].number) return;
    this.heading = headingOf(read);
    this.propose();
  }

  // Ctrl+Z and Ctrl+Shift+Z, wherever the focus is but in a text; there they are the browser's.
  key(event) {
    const isText = event.target.matches("input:not([type=checkbox]), textarea, select");
    if (event.key.toLowerCase() !== "z" || !(event.ctrlKey || event.metaKey) || isText) return;
    const { undoable, redoable } = this.whole;
    event.preventDefault();
    if (event.shiftKey ? redoable : undoable) {
      told(() => this.step(event.shiftKey ? "redo" : "undo", this.shown))();
    }
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
  const keys = (event) => review.key(event);
  // The browser asks before a text is lost with the whole page.
  const warn = (event) => review.text?.unsaved() && event.preventDefault();
  const deaf = hear((name) => {
    if ((name === "archive" && !review.pending) || name === "reset") {
      review.reload().catch(() => {});
    }
  });
  addEventListener("keydown", keys);
  addEventListener("beforeunload", warn);
  return () => {
    told(() => review.keepText())();
    deaf();
    removeEventListener("keydown", keys);
    removeEventListener("beforeunload", warn);
  };
}
