// A document under review: one page large, all pages as small pictures, the text, the metadata and
// the entries.
import { announce, make, menu, press, redraw, setText, tell, told } from "../parts/dom.js";
import { ask, hear, may } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { say } from "../words/words.js";
import { merging } from "./merging.js";
import { grid, newPage, placeAfter } from "./grid.js";
import { headingOf, reading } from "./reading.js";
import { cutting } from "./cutting.js";
import { known } from "../details/known.js";
import { wayBack } from "../archive/way.js";
import { changeWords } from "../words/changes.js";
import { entries } from "../details/entries.js";
import { History } from "../details/history.js";
import { cards, isSession, withCards } from "../details/cards.js";
import { downloadButton, sendMenu, shareButton } from "../parts/out.js";
import { rescanning } from "./rescan.js";
import { deliveredWords, deliveries, Saving } from "./saving.js";
import { tools } from "./tools.js";
import { WaitingDeliveries } from "../scan/deliveries.js";
import { PageView } from "./pageview.js";
import { Proposal } from "./proposal.js";

// The present document, and the elements that show it.
class Review {
  chosen = new Set();
  title = make("h2", { dir: "auto" });
  titleButton = make(
    "button",
    {
      class: "bare",
      "data-needs": "scan",
      "aria-label": say("rename"),
      title: say("rename"),
      onclick: () => this.rename(),
    },
    icon("edit"),
  );
  trash = make("p", { class: "warn", role: "status" });
  state = make("span", { class: "soft", role: "status" });
  delivered = make("span", { class: "soft delivered" });
  proposal = new Proposal((values) => this.describe(values));
  waiting = new WaitingDeliveries((item) => item.document === this.whole.document.id);
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
  // The number of changes in progress, and the promise of the last one.
  pending = 0;
  last = Promise.resolve();

  // `shown` is the number of the visible page, `query` the words of the search,
  // `early` a page that is already asked for.
  constructor({ address, whole, sinks, shown, query, early }) {
    Object.assign(this, { address, whole, shown, query, sinks, early });
    this.out = new Saving(
      address,
      sinks.filter((name) => name !== "archive"),
      () => this.change({ save: true }),
    );
    this.history = new History(address, (owner) => this.describe({ owner }));
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

  // The menu with rare actions on the whole document.
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

  // Makes the title a field in its place.
  rename() {
    const { title } = this.whole.document;
    const field = make("input", { class: "renaming", value: title, "aria-label": say("title") });
    const end = (renamed) => {
      if (!field.isConnected || field.isOver) return;
      field.isOver = true;
      field.replaceWith(this.title);
      this.titleButton.hidden = false;
      if (renamed && renamed !== title) return this.describe({ title: renamed });
    };
    const save = told(async () => end(field.value.trim()));
    field.addEventListener("blur", save);
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter") save();
      else if (event.key === "Escape") end();
      else return;
      event.stopPropagation();
      // The key must not press the button, too.
      event.preventDefault();
      this.titleButton.focus();
    });
    this.title.replaceWith(field);
    this.titleButton.hidden = true;
    field.select();
  }

  // Where the document goes, and what waits.
  get sent() {
    return [this.waiting.element, this.out.element];
  }

  // What is said below the title.
  get notes() {
    return [this.state, this.delivered, this.waiting.badge, this.proposal.element];
  }

  get elements() {
    return [
      make(
        "div",
        { class: "row heading" },
        make(
          "a",
          { class: "button bare", href: wayBack(), "aria-label": say("archive") },
          icon("back"),
        ),
        make(
          "div",
          { class: "grow" },
          make("div", { class: "row titled" }, this.title, this.titleButton),
          make("div", { class: "row saved" }, ...this.notes),
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
          make("div", { class: "list in-about" }, this.about, ...this.sent, this.history.element),
        ),
      ),
      make("p", { class: "soft keys", "data-needs": "scan" }, say("keysHint")),
    ];
  }

  // Runs an action on the document after earlier changes are saved. If it fails, the document is
  // loaded again, because others may have changed it. `work(seen)` gets the visible version.
  saving(work) {
    this.pending += 1;
    this.showState();
    const mine = this.last.then(() => work(this.whole.version)).catch(async (problem) => {
      if (problem.code) await this.reload();
      throw problem.code === "changed-meanwhile"
        ? new Error(say(this.text?.unsaved() ? "changedBeside" : "changedMeanwhile"))
        : problem;
    }).finally(() => {
      this.pending -= 1;
      this.showState();
    });
    this.last = mine.catch(() => {});
    return mine;
  }

  // Makes a change, and shows the result; the keyboard focus moves with the page.
  async change(order, focused) {
    if (!may("scan")) return;
    await this.saving(async (seen) => {
      const body = withCards(order, this.whole);
      const answer = await ask(this.address + "/review", { method: "POST", body, seen });
      this.chosen.clear();
      // The text is saved now, so it is no longer an unsaved one.
      if (order.correct) this.text = undefined;
      await this.take(answer.document, focused);
      const [words, isHidden] = changeWords(body);
      if (answer.made) {
        const address = "#document/" + answer.made;
        tell(say("splitMade"), { words: say("openDocument"), address });
      } else if (words && isHidden) {
        const { version } = this.whole;
        tell(words, { words: say("undo"), work: () => this.step("undo", undefined, version) });
      } else if (words) announce(words);
    });
  }

  describe(body) {
    return this.saving(async (seen) =>
      this.take(await ask(this.address, { method: "PATCH", body, seen }))
    );
  }

  // `wanted` is the version to change; the visible version by default.
  async step(name, focused, wanted) {
    if (!may("scan")) return;
    await this.saving(async (seen) => {
      const order = { method: "POST", seen: wanted ?? seen };
      await this.take(await ask(`${this.address}/${name}`, order), focused, name === "undo");
    });
    // The processing is a change, too, of which nothing is seen on a page far away.
    if (name === "undo" && !this.whole.undoable) {
      tell(say("asCaptured"), { words: say("redo"), work: () => this.step("redo") });
    } else if (name === "undo") announce(say("undoMade"));
    if (name === "redo") announce(say("redoMade"));
  }

  async toTrash() {
    const isBack = Boolean(this.whole.document.trashed);
    await this.step(isBack ? "restore" : "trash");
    if (!isBack) tell(say("trashed"), { words: say("undo"), work: () => this.step("restore") });
  }

  // Shows the document as the host says it is now.
  async take(whole, focused, isUndo = false) {
    const isThere = (number) => whole.pages.some((page) => page.number === number);
    // What an undo brings back is shown.
    const back = isUndo && newPage(this.whole.pages, whole.pages);
    this.shown = back ? back.number : placeAfter(this.whole.pages, whole.pages, this.shown);
    this.whole = whole;
    for (const number of this.chosen) {
      if (!isThere(number)) this.chosen.delete(number);
    }
    if (focused && !back && isThere(focused)) this.shown = focused;
    this.shown = this.corrected?.number ?? this.shown;
    this.show();
    if (focused) this.grid.focus(this.shown);
    await this.draw();
  }

  // Shows the changes of others to the document, except while the user crops it.
  async reload() {
    const whole = await ask(this.address);
    if (this.view.isCutting) return;
    if (JSON.stringify(whole) !== JSON.stringify(this.whole)) await this.take(whole);
  }

  // The page whose text is being corrected.
  get corrected() {
    return this.text?.unsaved() && this.whole.pages.find(({ id }) => id === this.opened.id);
  }

  // Saves a corrected text before its page is hidden.
  keepText() {
    const page = this.corrected?.number;
    if (!page) return Promise.resolve();
    const { text } = this.text.unsaved();
    this.keeping ??= this.change({ correct: [{ page, text }] }).finally(() => {
      this.keeping = undefined;
    });
    return this.keeping;
  }

  // Shows a form below the tools: `makeForm(take, leave)` makes it, and `orderOf(taken)` turns its
  // result into a change. Then the tool with that name has the focus again.
  async askFor(tool, makeForm, orderOf) {
    const leave = () => {
      this.mergePlace.replaceChildren();
      this.bar.querySelector(`[data-keep="${tool}"]`).focus();
    };
    const form = await makeForm(async (taken) => {
      await this.change(orderOf(taken));
      leave();
    }, leave);
    this.mergePlace.replaceChildren(form);
    form.querySelector("input, select, button").focus();
  }

  // Asks for another document, whose pages are added to this one.
  merge() {
    const { id } = this.whole.document;
    const form = (take, leave) => merging(id, take, leave);
    return this.askFor("mergeWith", form, (other) => ({ merge: other }));
  }

  // Captures the page that is shown again.
  rescan() {
    const page = this.shown;
    const form = (take, leave) => rescanning(page, take, leave);
    return this.askFor("rescan", form, (other) => ({ replace: { page, document: other } }));
  }

  // Shows a frame over the whole captured picture of the page.
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
    const frame = cutting(page, done);
    this.view.cut(frame);
    frame.scrollIntoView({ block: "nearest" });
  }

  show() {
    const { whole } = this;
    const { title, trashed } = whole.document;
    this.title.textContent = title;
    this.title.dispatchEvent(new CustomEvent("retitle", { detail: title, bubbles: true }));
    this.trash.textContent = trashed ? say("inTrash") : "";
    this.bin.replaceChildren(
      icon(trashed ? "restore" : "delete"),
      say(trashed ? "restore" : "documentToTrash"),
    );
    this.showState();
    this.delivered.replaceChildren(...deliveries(whole).slice(0, 2).map(deliveredWords));
    this.showGrid();
    this.lists[0].update(whole, isSession(whole));
    this.lists[1].update(whole, whole.entries.length > 0 && !isSession(whole));
    this.out.update(whole);
    this.history.update(whole);
    redraw(
      this.about,
      () => this.about.replaceChildren(known(whole, (body) => this.describe(body))),
    );
    this.proposal.show(whole);
  }

  showState() {
    setText(this.state, may("scan") ? say(this.pending ? "savingNow" : "allSaved") : "");
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

  // Shows another page next to its text.
  async open(places = []) {
    await this.keepText();
    await this.draw(places);
  }

  // Shows the page beside its text; a text that is being corrected stays in its field.
  async draw(places = []) {
    const mine = ++this.turn;
    const { early, shown } = this;
    this.early = undefined;
    const read = (shown === early?.number && await early.read) ||
      await ask(`${this.address}/pages/${shown}`);
    if (mine !== this.turn) return;
    const { picture, text } = reading(
      read,
      this.query,
      places,
      (corrected) => this.change({ correct: [{ page: this.opened.number, text: corrected }] }),
    );
    this.view.show(picture, this.shown, this.whole.pages);
    const isKept = Boolean(this.corrected);
    if (isKept && read.page.text !== this.opened.text) tell(say("changedBeside"));
    this.opened = read.page;
    if (isKept) return;
    this.text = text;
    this.words.replaceChildren(make("div", { class: "card" }, make("h3", {}, say("text")), text));
    if (this.shown !== this.whole.pages[0].number) return;
    this.proposal.show(this.whole, headingOf(read));
  }

  // Ctrl+Z and Ctrl+Shift+Z work wherever the focus is, except in a text field, where the browser
  // handles them.
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

async function show(place, [id, wanted = "1", query = ""]) {
  const address = "documents/" + encodeURIComponent(id);
  const shown = Number(wanted);
  // The page is asked for together with its document; if that fails, it is asked for again.
  const read = ask(`${address}/pages/${shown}`).catch(() => undefined);
  const [whole, { sinks }] = await Promise.all([
    ask(address),
    may("scan") ? ask("sinks") : { sinks: [] },
  ]);
  const early = { number: shown, read };
  const review = new Review({ address, whole, sinks, shown, query, early });
  place.append(...review.elements);
  review.show();
  await review.open();
  const wait = () => may("scan") && review.waiting.load().catch(() => {});
  wait();
  const keys = (event) => review.key(event);
  // The browser asks before a text is lost with the whole page.
  const warn = (event) => review.text?.unsaved() && event.preventDefault();
  const deaf = hear((name) => {
    const isNews = name === "archive" || name === "outbox";
    if ((isNews && !review.pending) || name === "reset") {
      review.reload().catch(() => {});
    }
    if (name === "outbox" || name === "reset") wait();
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

export const view = {
  name: "document",
  words: "review",
  help: "help-document",
  under: "archive",
  show,
};
