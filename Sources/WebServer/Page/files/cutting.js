// Cutting a page: four handles on all that was captured, by pointer or by arrow keys.
import { make } from "./dom.js";
import { draw, sheet, size } from "./sheet.js";
import { say } from "./words.js";

const corners = [["left", "top"], ["right", "top"], ["right", "bottom"], ["left", "bottom"]];

// The part that a page shows now, in pixels of all that was captured, turned as the page is.
function shownPart(page) {
  const { width, height } = page.captured;
  const { x, y, width: w, height: h } = page.crop ?? { x: 0, y: 0, width, height };
  const [left, top] = { 0: [x, y], 90: [height - y - h, x], 180: [width - x - w, height - y - h], 270: [y, width - x - w] }[page.turn];
  const part = page.turn % 180 ? { width: h, height: w } : { width: w, height: h };
  return { left, top, right: left + part.width, bottom: top + part.height };
}

export function cutting(page, onDone) {
  const all = size(page, true);
  const part = shownPart(page);
  const least = Math.max(8, Math.round(Math.min(all.width, all.height) / 50));
  const shade = draw("path", { class: "shade", "fill-rule": "evenodd" });
  const frame = draw("rect", { class: "frame" });
  const radius = Math.max(all.width, all.height) / 45;
  const handles = corners.map(([side, end]) => draw("circle", {
    class: "handle", r: radius, tabindex: 0, role: "slider", "aria-label": say(`corner-${end}-${side}`), "aria-valuemin": 0,
    onkeydown: (event) => {
      const step = (event.shiftKey ? 50 : 5) * Math.max(1, Math.round(all.width / 1000));
      const by = { ArrowLeft: [-step, 0], ArrowRight: [step, 0], ArrowUp: [0, -step], ArrowDown: [0, step] }[event.key];
      if (!by) return;
      event.preventDefault();
      event.stopPropagation();
      moved(side, end, part[side] + by[0], part[end] + by[1]);
    },
    onpointerdown: (event) => { event.preventDefault(); event.target.setPointerCapture(event.pointerId); event.target.focus(); },
    onpointermove: (event) => {
      if (!event.target.hasPointerCapture(event.pointerId)) return;
      const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(picture.getScreenCTM().inverse());
      moved(side, end, at.x, at.y);
    },
  }));
  const picture = sheet(page, { whole: true, label: say("cut") }, shade, frame, ...handles);
  picture.setAttribute("role", "group");

  function moved(side, end, x, y) {
    part[side] = Math.round(side === "left" ? Math.min(Math.max(0, x), part.right - least) : Math.max(Math.min(all.width, x), part.left + least));
    part[end] = Math.round(end === "top" ? Math.min(Math.max(0, y), part.bottom - least) : Math.max(Math.min(all.height, y), part.top + least));
    show();
  }

  function show() {
    const { left, top, right, bottom } = part;
    shade.setAttribute("d", `M0 0H${all.width}V${all.height}H0ZM${left} ${top}V${bottom}H${right}V${top}Z`);
    for (const [name, value] of Object.entries({ x: left, y: top, width: right - left, height: bottom - top })) frame.setAttribute(name, value);
    handles.forEach((handle, index) => {
      const [side, end] = corners[index];
      handle.setAttribute("cx", part[side]);
      handle.setAttribute("cy", part[end]);
      handle.setAttribute("aria-valuenow", part[side]);
      handle.setAttribute("aria-valuemax", all.width);
      handle.setAttribute("aria-valuetext", `${part[side]}, ${part[end]}`);
    });
  }

  show();
  const isAll = () => !part.left && !part.top && part.right === all.width && part.bottom === all.height;
  const box = () => ({ x: part.left, y: part.top, width: part.right - part.left, height: part.bottom - part.top });
  return make("div", { class: "cutting" }, picture,
    make("div", { class: "row" },
      make("button", { class: "main", onclick: () => onDone(isAll() ? null : box()) }, say("cutDone")),
      make("button", { onclick: () => { Object.assign(part, { left: 0, top: 0, right: all.width, bottom: all.height }); show(); } }, say("cutNothing")),
      make("button", { onclick: () => onDone() }, say("cancel"))));
}
