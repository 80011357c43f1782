// The tools above a document's page, which act on the selected pages, or on the one that is shown.
import { make, press } from "./dom.js";
import { icon } from "./icons.js";
import { say } from "./words.js";

const tool = (name, work, isOff) =>
  make(
    "button",
    { "data-keep": name, disabled: isOff, onclick: press(work) },
    icon(name),
    make("span", {}, say(name)),
  );

export function tools(review) {
  const { whole: { pages, undoable, redoable }, shown, chosen } = review;
  const some = () => review.grid.acting(shown);
  const change = (order, focused) => review.change(order, focused);
  const isCut = (number) => pages.find((page) => page.number === number).isCut;
  const last = pages.at(-1).number;
  return [
    make(
      "span",
      { class: "soft", role: "status" },
      chosen.size
        ? say("selected", { number: chosen.size })
        : say("pageOf", { number: shown, all: last }),
    ),
    tool("turnLeft", () => change({ rotate: [{ pages: some(), degrees: -90 }] })),
    tool("turnRight", () => change({ rotate: [{ pages: some(), degrees: 90 }] })),
    tool("cut", () => review.cut(), chosen.size > 1),
    ...pages.some((page) => page.isCut && some().includes(page.number))
      ? [tool("uncut", () => change({ uncut: some().filter(isCut) }))]
      : [],
    tool("delete", () => change({ delete: some() }), some().length >= pages.length),
    tool(
      "earlier",
      () => change({ move: [{ page: shown, to: shown - 1 }] }, shown - 1),
      chosen.size > 1 || shown === pages[0].number,
    ),
    tool(
      "later",
      () => change({ move: [{ page: shown, to: shown + 1 }] }, shown + 1),
      chosen.size > 1 || shown === last,
    ),
    tool("splitHere", () => change({ splitAfter: shown }), shown === last),
    tool("mergeWith", () => review.merge()),
    tool("undo", () => review.step("undo"), !undoable),
    tool("redo", () => review.step("redo"), !redoable),
  ];
}
