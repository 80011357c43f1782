// The tools above a document's page, which act on the selected pages, or on the visible one.
import { choice, make, press } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { pagesAddress } from "../parts/out.js";
import { say } from "../words/words.js";

// A tool; if its icon `isKnown`, the words are only for screen readers and pointers.
const tool = (name, work, isOff, isKnown) =>
  make(
    "button",
    {
      "data-keep": name,
      disabled: isOff,
      title: isKnown ? say(name) : undefined,
      onclick: press(work),
    },
    icon(name),
    make("span", { class: isKnown ? "unseen" : undefined }, say(name)),
  );

// The look of the pages as a choice over its icon; if they differ, none is chosen.
function lookChoice(pages, change) {
  const looks = new Set(pages.map((page) => page.look ?? "original"));
  const now = looks.size === 1 ? [...looks][0] : "";
  const items = [
    ...(now ? [] : [["", "–", true]]),
    ...["original", "clean", "bilevel"].map((look) => [look, say("look-" + look), look === now]),
  ];
  const set = press(({ target: { value: look } }) => {
    const others = pages.filter((page) => (page.look ?? "original") !== look);
    return change({ looks: [{ pages: others.map(({ number }) => number), look }] });
  });
  const field = choice("look", items, { "data-keep": "look", onchange: set });
  const isOriginal = now === "original" || !now;
  return make(
    "label",
    { class: isOriginal ? "look" : "look set" },
    icon("look"),
    make("span", { class: isOriginal ? undefined : "unseen" }, say("look")),
    isOriginal ? undefined : make("span", { "aria-hidden": "true" }, say("look-" + now)),
    field,
  );
}

// The selected pages, or the visible one, as a file.
const pagesLink = (id, numbers) =>
  make(
    "a",
    {
      class: "button",
      "data-keep": "pagesPDF",
      download: "",
      href: pagesAddress(id, numbers),
    },
    icon("download"),
    make("span", {}, say(numbers.length > 1 ? "pagesPDF" : "pagePDF", { number: numbers.length })),
  );

const divider = () => make("span", { class: "divider", "aria-hidden": "true" });

export function tools(review) {
  const { whole: { pages, undoable, redoable }, shown, chosen } = review;
  const some = () => review.grid.acting(shown);
  const change = (order, focused) => review.change(order, focused);
  const isCut = (number) => pages.find((page) => page.number === number).isCut;
  const last = pages.at(-1).number;
  return [
    // The number of the visible page is also below it.
    make(
      "span",
      { class: chosen.size ? "soft" : "unseen", role: "status" },
      chosen.size
        ? say("selected", { number: chosen.size })
        : say("pageOf", { number: shown, all: last }),
    ),
    tool("turnLeft", () => change({ rotate: [{ pages: some(), degrees: -90 }] })),
    tool("turnRight", () => change({ rotate: [{ pages: some(), degrees: 90 }] })),
    tool("delete", () => change({ delete: some() }), some().length >= pages.length),
    tool("cut", () => review.cut(), chosen.size > 1),
    ...pages.some((page) => page.isCut && some().includes(page.number))
      ? [tool("uncut", () => change({ uncut: some().filter(isCut) }))]
      : [],
    lookChoice(pages.filter((page) => some().includes(page.number)), change),
    divider(),
    tool("rescan", () => review.rescan(), chosen.size > 1),
    divider(),
    tool(
      "earlier",
      () => change({ move: [{ page: shown, to: shown - 1 }] }, shown - 1),
      chosen.size > 1 || shown === pages[0].number,
      true,
    ),
    tool(
      "later",
      () => change({ move: [{ page: shown, to: shown + 1 }] }, shown + 1),
      chosen.size > 1 || shown === last,
      true,
    ),
    tool("splitHere", () => change({ splitAfter: shown }), shown === last),
    tool("mergeWith", () => review.merge()),
    ...pages.length > 1 ? [pagesLink(review.whole.document.id, some())] : [],
    divider(),
    tool("undo", () => review.step("undo"), !undoable, true),
    tool("redo", () => review.step("redo"), !redoable, true),
  ];
}
