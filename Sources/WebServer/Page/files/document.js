// A document under review: its pages as a grid, one of them beside its text, and what is known of it.
import { make, press, tell } from "./dom.js";
import { ask } from "./host.js";
import { say } from "./words.js";
import { grid } from "./grid.js";
import { reading } from "./reading.js";
import { cutting } from "./cutting.js";
import { known } from "./known.js";
import { sending } from "./sending.js";

export async function document_(place, id, wanted = "1", query = "") {
  const address = "documents/" + id;
  let [whole, { sinks }] = await Promise.all([ask(address), ask("sinks")]);
  let shown = Number(wanted);
  let pages;
  const chosen = new Set();
  const title = make("h2");
  const trash = make("p", { class: "warn", role: "status" });
  const bar = make("div", { class: "row tools", role: "toolbar", "aria-label": say("pages") });
  const left = make("div", { class: "list" });
  const right = make("div", { class: "list" });
  const ways = sending(address, sinks.filter((name) => name !== "archive"));
  place.append(title, trash, make("div", { class: "columns review" }, left, right));

  // Makes a change, and shows what came of it; the keyboard's place goes with the page.
  async function change(order, focused) {
    const answer = await ask(address + "/review", { method: "POST", body: order });
    if (answer.made) tell(say("splitMade"), { words: say("openDocument"), address: "#document/" + answer.made });
    chosen.clear();
    await take(answer.document, focused);
  }
  const describe = async (body) => take(await ask(address, { method: "PATCH", body }));
  const step = async (name) => take(await ask(`${address}/${name}`, { method: "POST" }), shown);
  const told = (work) => (...values) => work(...values).catch((problem) => tell(problem.message));

  async function take(new_, focused) {
    whole = new_;
    if (!whole.pages.some((page) => page.number === shown)) shown = whole.pages[0].number;
    for (const number of chosen) if (!whole.pages.some((page) => page.number === number)) chosen.delete(number);
    if (focused) shown = whole.pages.some((page) => page.number === focused) ? focused : shown;
    show();
    if (focused) pages.focus(shown);
    await open();
  }

  function tools() {
    const some = () => pages.acting(shown);
    const button = (name, work, isOff) => make("button", { disabled: isOff, onclick: press(work) }, say(name));
    const last = whole.pages.at(-1).number;
    bar.replaceChildren(
      make("span", { class: "soft", role: "status" }, chosen.size ? say("selected", { number: chosen.size }) : say("page", { number: shown })),
      button("turnLeft", () => change({ rotate: [{ pages: some(), degrees: -90 }] })),
      button("turnRight", () => change({ rotate: [{ pages: some(), degrees: 90 }] })),
      button("cut", cut, chosen.size > 1),
      button("delete", () => change({ delete: some() }), some().length >= whole.pages.length),
      button("earlier", () => change({ move: [{ page: shown, to: shown - 1 }] }, shown - 1), chosen.size > 1 || shown === whole.pages[0].number),
      button("later", () => change({ move: [{ page: shown, to: shown + 1 }] }, shown + 1), chosen.size > 1 || shown === last),
      button("splitHere", () => change({ splitAfter: shown }), shown === last),
      button("mergeWith", merge),
      button("undo", () => step("undo"), !whole.undoable),
      button("redo", () => step("redo"), !whole.redoable));
  }

  async function merge() {
    const answer = prompt(say("mergeWhich"));
    const other = Number(answer?.replace(/^#/, ""));
    if (Number.isInteger(other) && other > 0) await change({ merge: other });
  }

  async function cut() {
    const page = whole.pages.find((one) => one.number === shown);
    right.replaceChildren(make("div", { class: "card picture" }, cutting(page, told(async (box) => {
      if (box === undefined) return open();
      await change({ crop: box ? [{ page: shown, box: null }, { page: shown, box }] : [{ page: shown, box: null }] });
    }))));
    right.querySelector(".handle").focus();
  }

  function show() {
    title.textContent = whole.document.title;
    trash.textContent = whole.document.trashed ? say("inTrash") : "";
    pages = grid(whole.pages, shown, chosen, {
      open: told(async (number) => { shown = number; show(); pages.focus(number); await open(); }),
      change: told(change), undo: told(() => step("undo")), redo: told(() => step("redo")), chosen: tools,
    });
    tools();
    left.replaceChildren(make("div", { class: "card" }, bar, pages.list, make("p", { class: "soft" }, say("keysHint"))),
      known(whole, { describe, change }), ways,
      make("div", { class: "row" },
        make("button", { class: "main", disabled: whole.document.reviewed, onclick: press(() => change({ save: true })) }, say(whole.document.reviewed ? "reviewed" : "looksRight")),
        make("button", { onclick: press(() => step(whole.document.trashed ? "restore" : "trash")) }, say(whole.document.trashed ? "restore" : "toTrash"))));
  }

  // Shows the page beside its text; only the newest wish counts.
  let turn = 0;
  async function open() {
    const mine = ++turn;
    const read = await ask(`${address}/pages/${shown}`);
    if (mine !== turn) return;
    const { picture, text } = reading(read, query, (corrected) => change({ correct: [{ page: shown, text: corrected }] }));
    right.replaceChildren(make("div", { class: "card picture" }, picture),
      make("div", { class: "card" }, make("h3", {}, say("text")), text));
  }

  show();
  await open();
}
