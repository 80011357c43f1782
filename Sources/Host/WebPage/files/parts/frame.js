// A part of a picture: a frame with four handles and dimmed surroundings, changed by pointer or by
// arrow keys.
import { draw } from "./sheet.js";
import { say } from "../words/words.js";

const corners = [["left", "top"], ["right", "top"], ["right", "bottom"], ["left", "bottom"]];
const other = { left: "right", right: "left", top: "bottom", bottom: "top" };
const within = (value, low, high) => Math.min(Math.max(value, low), high);

// Moves a corner of `part` to a point; the opposite corner stays. `bounds` has `width`, `height`,
// `least`, `round(value)`, and optionally `aspect`.
export function pullCorner(part, [side, end], { x, y }, bounds) {
  const { width, height, least, round, aspect } = bounds;
  const [fixedX, fixedY] = [part[other[side]], part[other[end]]];
  const [isLeft, isTop] = [side === "left", end === "top"];
  const widest = isLeft ? fixedX : width - fixedX;
  const highest = isTop ? fixedY : height - fixedY;
  let w = within(isLeft ? fixedX - x : x - fixedX, least, widest);
  let h = within(isTop ? fixedY - y : y - fixedY, least, highest);
  if (aspect) {
    w = Math.min(Math.max(w, h * aspect), widest, highest * aspect);
    h = w / aspect;
  }
  part[side] = round(isLeft ? fixedX - w : fixedX + w);
  part[end] = round(isTop ? fixedY - h : fixedY + h);
}

// Sets `part` between two points.
export function spanPoints(part, from, to, { width, height, least, round }) {
  const ends = (a, b, most) => {
    const low = within(Math.min(a, b), 0, most - least);
    return [round(low), round(within(Math.max(a, b), low + least, most))];
  };
  [part.left, part.right] = ends(from.x, to.x, width);
  [part.top, part.bottom] = ends(from.y, to.y, height);
}

// Moves `part` as a whole.
export function slidePart(part, { across, down }, { width, height, round }) {
  const x = round(within(across, -part.left, width - part.right));
  const y = round(within(down, -part.top, height - part.bottom));
  Object.assign(part, {
    left: part.left + x,
    right: part.right + x,
    top: part.top + y,
    bottom: part.bottom + y,
  });
}

// Arrow keys of a handle or of the whole frame move by `step`, with Shift by ten.
const arrows = (step, move) => (event) => {
  const by = step * (event.shiftKey ? 10 : 1);
  const way = {
    ArrowLeft: [-by, 0],
    ArrowRight: [by, 0],
    ArrowUp: [0, -by],
    ArrowDown: [0, by],
  }[event.key];
  if (!way) return;
  event.preventDefault();
  event.stopPropagation();
  move(...way);
};

// The position of a pointer in the picture's units.
const pointOf = (event, drawn) =>
  new DOMPoint(event.clientX, event.clientY).matrixTransform(
    drawn.ownerSVGElement.getScreenCTM().inverse(),
  );

function hold(event) {
  event.preventDefault();
  event.target.setPointerCapture(event.pointerId);
}

const isHeld = (event) => event.target.hasPointerCapture(event.pointerId);

// The four handles; `pull(corner, point)` moves a corner.
function cornerHandles({ width, height }, part, step, pull) {
  // A finger needs more room than a mouse.
  const radius = Math.max(width, height) / (matchMedia("(pointer: coarse)").matches ? 22 : 45);
  return corners.map((corner) => {
    const [side, end] = corner;
    const handle = draw("circle", {
      class: "handle",
      r: radius,
      tabindex: 0,
      role: "slider",
      "aria-label": say(`corner-${end}-${side}`),
      "aria-valuemin": 0,
      "aria-valuemax": width,
      onkeydown: arrows(
        step,
        (across, down) => pull(corner, { x: part[side] + across, y: part[end] + down }),
      ),
      onpointerdown: (event) => {
        hold(event);
        event.target.focus();
      },
      onpointermove: (event) => {
        if (isHeld(event)) pull(corner, pointOf(event, handle));
      },
    });
    return handle;
  });
}

// The inside of the frame, for moving it; `slide(across, down)` moves it.
const frameArea = (width, step, slide) =>
  draw("rect", {
    class: "frame",
    tabindex: 0,
    role: "slider",
    "aria-label": say("region"),
    "aria-valuemin": 0,
    "aria-valuemax": width,
    onkeydown: arrows(step, slide),
  });

// Moves the frame with a pointer by `slide(across, down)`. If it `draws`, a drag that begins
// outside, or on a frame around everything, draws a new frame by `span(from, to)`.
function dragFrame({ shade, area, part, draws, isWhole, span, slide }) {
  // The start of a drag, and the frame at that time.
  let start;
  const begin = (event) => {
    hold(event);
    const { x, y } = pointOf(event, shade);
    const isNew = draws && (event.target === shade || isWhole());
    start = { x, y, isNew, left: part.left, top: part.top };
    area.focus();
  };
  const drag = (event) => {
    if (!isHeld(event) || !start) return;
    const at = pointOf(event, shade);
    if (start.isNew) span(start, at);
    else if (event.target !== shade) {
      slide(start.left + at.x - start.x - part.left, start.top + at.y - start.y - part.top);
    }
  };
  for (const element of draws ? [area, shade] : [area]) {
    element.addEventListener("pointerdown", begin);
    element.addEventListener("pointermove", drag);
  }
}

// Puts the shade, the area and the handles where `part` is; `words` say where that is.
function showPart({ shade, area, handles }, part, { width, height }, words) {
  const { left, top, right, bottom } = part;
  shade.setAttribute("d", `M0 0H${width}V${height}H0ZM${left} ${top}V${bottom}H${right}V${top}Z`);
  for (
    const [name, value] of Object.entries({
      x: left,
      y: top,
      width: right - left,
      height: bottom - top,
    })
  ) area.setAttribute(name, value);
  area.setAttribute("aria-valuenow", left);
  area.setAttribute("aria-valuetext", words);
  handles.forEach((handle, index) => {
    const [side, end] = corners[index];
    handle.setAttribute("cx", part[side]);
    handle.setAttribute("cy", part[end]);
    handle.setAttribute("aria-valuenow", part[side]);
    handle.setAttribute("aria-valuetext", `${part[side]}, ${part[end]}`);
  });
}

// The frame's drawing, for a picture of width × height units.
//
// `part` has left, top, right and bottom; `grain` is the smallest unit, `step` the distance of an
// arrow key. With `draws`, a new frame can be drawn. `aspect` is the width over the height, once it
// is set. `told(part)` returns the words for the part.
export function frame(
  { width, height, part, least, grain = 1, step = grain, draws = false, told, onChange = () => {} },
) {
  const round = (value) => Math.round(value / grain) * grain;
  const control = { part, aspect: undefined };
  const bounds = () => ({ width, height, least, round, aspect: control.aspect });
  const isWhole = () =>
    part.left <= 0 && part.top <= 0 && part.right >= width && part.bottom >= height;

  const slide = (across, down) => {
    slidePart(part, { across, down }, bounds());
    changed();
  };
  const span = (from, to) => {
    spanPoints(part, from, to, bounds());
    changed();
  };
  const pull = (corner, point) => {
    pullCorner(part, corner, point, bounds());
    changed();
  };
  const shade = draw("path", { class: "shade", "fill-rule": "evenodd" });
  shade.classList.toggle("draws", draws);
  const area = frameArea(width, step, slide);
  const handles = cornerHandles({ width, height }, part, step, pull);
  dragFrame({ shade, area, part, draws, isWhole, span, slide });

  function changed() {
    show();
    onChange(part);
  }

  function show() {
    const words = told ? told(part) : `${part.left}, ${part.top}, ${part.right}, ${part.bottom}`;
    showPart({ shade, area, handles }, part, { width, height }, words);
  }

  show();
  return Object.assign(control, {
    elements: [shade, area, ...handles],
    isWhole,
    set(next) {
      Object.assign(part, next);
      changed();
    },
    setWhole() {
      this.set({ left: 0, top: 0, right: width, bottom: height });
    },
  });
}
