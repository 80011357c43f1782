// Cutting a page: a frame over the whole captured picture.
import { cancelButton, make, row } from "../parts/dom.js";
import { frame } from "../parts/frame.js";
import { sheet, size } from "../parts/sheet.js";
import { say } from "../words/words.js";

// The part that a page shows now, in pixels of the whole captured picture, turned as the page is.
export function shownPart(page) {
  const { width, height } = page.captured;
  const { x, y, width: w, height: h } = page.crop ?? { x: 0, y: 0, width, height };
  const [left, top] = {
    0: [x, y],
    90: [height - y - h, x],
    180: [width - x - w, height - y - h],
    270: [y, width - x - w],
  }[page.turn];
  const part = page.turn % 180 ? { width: h, height: w } : { width: w, height: h };
  return { left, top, right: left + part.width, bottom: top + part.height };
}

export function cutting(page, onDone) {
  const all = size(page, true);
  const cut = frame({
    ...all,
    part: shownPart(page),
    least: Math.max(8, Math.round(Math.min(all.width, all.height) / 50)),
    step: 5 * Math.max(1, Math.round(all.width / 1000)),
  });
  const picture = sheet(page, { whole: true, label: say("cut") }, ...cut.elements);
  picture.setAttribute("role", "group");
  const box = () => ({
    x: cut.part.left,
    y: cut.part.top,
    width: cut.part.right - cut.part.left,
    height: cut.part.bottom - cut.part.top,
  });
  return make(
    "div",
    { class: "cutting framed" },
    picture,
    row(
      make(
        "button",
        { class: "main", onclick: () => onDone(cut.isWhole() ? null : box()) },
        say("cutDone"),
      ),
      make("button", { onclick: () => cut.setWhole() }, say("cutNothing")),
      cancelButton(() => onDone()),
    ),
  );
}
