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
import { saving } from "./saving.js";

export async function document_(place, id, wanted = "1", query = "") {
  const address = "documents/" + id;
  let [whole, { sinks }] = await Promise.all([
    ask(address),
    may("scan") ? ask("sinks") : { sinks: [] },
  ]);
  let shown = Number(wanted);
  let pages;
  const chosen = new Set();
  const title = make("h2");
  const trash = make("p", { class: "warn", role: "status" });
  const bar = make("div", {
    class: "row tools",
    "data-needs": "scan",
    role: "toolbar",
    "aria-label": say("pages"),
  });
  const sheetPlace = make("div", { class: "in-sheet" });
  const words = make("div", { class: "in-words" });
  const mergePlace = make("div");
  const out = saving(
    address,
    sinks.filter((name) => name !== "archive"),
    () => change({ save: true }),
  );
  const about = make("div", { class: "list" });
  const bin = make("div", { class: "row", "data-needs": "scan" });
  const gridPlace = make("div");
  const listed = {
    change,
    place: told((number, boxes) => {
      shown = number;
      show();
      return open(boxes);
    }),
    undo: told(() => step("undo")),
    redo: told(() => step("redo")),
  };
  const lists = [cards(listed), entries(listed)];
  place.append(
    make("div", { class: "row heading" }, title, out.button),
    trash,
    make(
      "div",
      { class: "columns review" },
      make(
        "div",
        { class: "list in-pages" },
        make(
          "div",
          { class: "card" },
          bar,
          mergePlace,
          gridPlace,
          make("p", { class: "soft keys", "data-needs": "scan" }, say("keysHint")),
        ),
        ...lists.map((one) => one.element),
      ),
      sheetPlace,
      words,
      make("div", { class: "list in-about" }, about, out.element, bin),
    ),
  );

  // Makes a change, and shows the result; the keyboard focus moves with the page.
  async function change(order, focused) {
    if (!may("scan")) return;
    const answer = await ask(address + "/review", {
      method: "POST",
      body: withCards(order, whole),
    });
    if (answer.made) {
      tell(say("splitMade"), { words: say("openDocument"), address: "#document/" + answer.made });
    }
    chosen.clear();
    await take(answer.document, focused);
  }
  const describe = async (body) => take(await ask(address, { method: "PATCH", body }));
  const step = async (name, focused) =>
    may("scan") && take(await ask(`${address}/${name}`, { method: "POST" }), focused);
  function told(work) {
    return (...values) => work(...values).catch((problem) => tell(explain(problem)));
  }

  async function take(new_, focused) {
    whole = new_;
    if (!whole.pages.some((page) => page.number === shown)) shown = whole.pages[0].number;
    for (const number of chosen) {
      if (!whole.pages.some((page) => page.number === number)) chosen.delete(number);
    }
    if (focused) shown = whole.pages.some((page) => page.number === focused) ? focused : shown;
    show();
    if (focused) pages.focus(shown);
    await open();
  }

  function tools() {
    const some = () => pages.acting(shown);
    const button = (name, work, isOff) =>
      make("button", { "data-keep": name, disabled: isOff, onclick: press(work) }, say(name));
    const last = whole.pages.at(-1).number;
    redraw(bar, () =>
      bar.replaceChildren(
        make(
          "span",
          { class: "soft", role: "status" },
          chosen.size ? say("selected", { number: chosen.size }) : say("page", { number: shown }),
        ),
        button("turnLeft", () => change({ rotate: [{ pages: some(), degrees: -90 }] })),
        button("turnRight", () => change({ rotate: [{ pages: some(), degrees: 90 }] })),
        button("cut", cut, chosen.size > 1),
        ...whole.pages.some((page) => page.isCut && some().includes(page.number))
          ? [button("uncut", () =>
            change({
              uncut: some().filter((number) =>
                whole.pages.find((page) => page.number === number).isCut
              ),
            }))]
          : [],
        button("delete", () => change({ delete: some() }), some().length >= whole.pages.length),
        button(
          "earlier",
          () => change({ move: [{ page: shown, to: shown - 1 }] }, shown - 1),
          chosen.size > 1 || shown === whole.pages[0].number,
        ),
        button(
          "later",
          () => change({ move: [{ page: shown, to: shown + 1 }] }, shown + 1),
          chosen.size > 1 || shown === last,
        ),
        button("splitHere", () => change({ splitAfter: shown }), shown === last),
        button("mergeWith", merge),
        button("undo", () => step("undo"), !whole.undoable),
        button("redo", () => step("redo"), !whole.redoable),
      ));
  }

  async function merge() {
    const leave = () => {
      mergePlace.replaceChildren();
      bar.querySelector('[data-keep="mergeWith"]').focus();
    };
    const form = await merging(whole.document.id, async (other) => {
      await change({ merge: other });
      leave();
    }, leave);
    mergePlace.replaceChildren(form);
    form.querySelector("input, button").focus();
  }

  async function cut() {
    const page = whole.pages.find((one) => one.number === shown);
    // A page that is still loading arrives too late.
    turn += 1;
    words.replaceChildren();
    sheetPlace.replaceChildren(
      make(
        "div",
        { class: "card picture" },
        cutting(
          page,
          told(async (box) => {
            if (box === undefined) return open();
            await change({
              crop: box
                ? [{ page: shown, box: null }, { page: shown, box }]
                : [{ page: shown, box: null }],
            });
          }),
        ),
      ),
    );
    sheetPlace.querySelector(".handle").focus();
  }

  function show() {
    title.textContent = whole.document.title;
    trash.textContent = whole.document.trashed ? say("inTrash") : "";
    pages = grid(whole.pages, shown, chosen, {
      open: told(async (number) => {
        shown = number;
        show();
        pages.focus(number);
        await open();
      }),
      change: told(change),
      undo: told(() => step("undo", shown)),
      redo: told(() => step("redo", shown)),
      chosen: tools,
    });
    tools();
    const hadFocus = gridPlace.contains(window.document.activeElement);
    gridPlace.replaceChildren(pages.list);
    if (hadFocus) pages.focus(shown);
    lists[0].update(whole, isSession(whole));
    lists[1].update(whole, whole.entries.length > 0 && !isSession(whole));
    out.update(whole);
    redraw(about, () => about.replaceChildren(known(whole, describe)));
    redraw(
      bin,
      () =>
        bin.replaceChildren(make("button", {
          "data-keep": "bin",
          onclick: press(() => step(whole.document.trashed ? "restore" : "trash")),
        }, say(whole.document.trashed ? "restore" : "toTrash"))),
    );
  }

  // Shows the page next to its text; only the newest request counts.
  let turn = 0;
  async function open(places = []) {
    const mine = ++turn;
    const read = await ask(`${address}/pages/${shown}`);
    if (mine !== turn) return;
    const { picture, text } = reading(
      read,
      query,
      places,
      (corrected) => change({ correct: [{ page: shown, text: corrected }] }),
    );
    sheetPlace.replaceChildren(make("div", { class: "card picture" }, picture));
    words.replaceChildren(make("div", { class: "card" }, make("h3", {}, say("text")), text));
  }

  show();
  await open();
}
