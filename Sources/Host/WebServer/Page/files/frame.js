// A part of a picture: a frame with four handles and dimmed surroundings, changed by pointer or by
// arrow keys.
import { draw } from "./sheet.js";
import { say } from "./words.js";

const corners = [["left", "top"], ["right", "top"], ["right", "bottom"], ["left", "bottom"]];
const other = { left: "right", right: "left", top: "bottom", bottom: "top" };
const within = (value, low, high) => Math.min(Math.max(value, low), high);

// The frame's drawing, for a picture of width × height units.
//
// `part` has left, top, right and bottom; `grain` is the least unit that counts, `step` what an
// arrow key moves by. With `draws` a frame is drawn again where there is none. `aspect` holds the
// width over the height, once it is set. `told(part)` are the words for it.
export function frame(
  { width, height, part, least, grain = 1, step = grain, draws = false, told, onChange = () => {} },
) {
  const round = (value) => Math.round(value / grain) * grain;
  const shade = draw("path", { class: "shade", "fill-rule": "evenodd" });
  const control = { part, aspect: undefined };
  const isWhole = () =>
    part.left <= 0 && part.top <= 0 && part.right >= width && part.bottom >= height;

  // Arrow keys of a handle or of the whole frame.
  const keys = (work) => (event) => {
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
    work(...way);
  };
  const place = (event) =>
    new DOMPoint(event.clientX, event.clientY).matrixTransform(
      shade.ownerSVGElement.getScreenCTM().inverse(),
    );
  const hold = (event) => {
    event.preventDefault();
    event.target.setPointerCapture(event.pointerId);
  };
  const isHeld = (event) => event.target.hasPointerCapture(event.pointerId);

  // A finger needs more room than a mouse.
  const radius = Math.max(width, height) / (matchMedia("(pointer: coarse)").matches ? 28 : 45);
  const handles = corners.map(([side, end]) =>
    draw("circle", {
      class: "handle",
      r: radius,
      tabindex: 0,
      role: "slider",
      "aria-label": say(`corner-${end}-${side}`),
      "aria-valuemin": 0,
      "aria-valuemax": width,
      onkeydown: keys((across, down) => pull(side, end, part[side] + across, part[end] + down)),
      onpointerdown: (event) => {
        hold(event);
        event.target.focus();
      },
      onpointermove: (event) => {
        if (isHeld(event)) {
          const at = place(event);
          pull(side, end, at.x, at.y);
        }
      },
    })
  );

  // Where a drag began, and where the frame was then.
  let start;
  const begin = (event) => {
    hold(event);
    const at = place(event);
    const isNew = draws && (event.target === shade || isWhole());
    start = { x: at.x, y: at.y, isNew, left: part.left, top: part.top };
    area.focus();
  };
  const drag = (event) => {
    if (!isHeld(event) || !start) return;
    const at = place(event);
    if (start.isNew) span(start, at);
    else if (event.target !== shade) {
      slide(start.left + at.x - start.x - part.left, start.top + at.y - start.y - part.top);
    }
  };
  const area = draw("rect", {
    class: "frame",
    tabindex: 0,
    role: "slider",
    "aria-label": say("region"),
    "aria-valuemin": 0,
    "aria-valuemax": width,
    onkeydown: keys((across, down) => slide(across, down)),
    onpointerdown: begin,
    onpointermove: drag,
  });
  if (draws) {
    for (const [name, work] of [["pointerdown", begin], ["pointermove", drag]]) {
      shade.addEventListener(name, work);
    }
  }
  shade.classList.toggle("draws", draws);

  // Moves a corner; the one across stays where it is.
  function pull(side, end, x, y) {
    const [fixedX, fixedY] = [part[other[side]], part[other[end]]];
    let w = within(
      side === "left" ? fixedX - x : x - fixedX,
      least,
      side === "left" ? fixedX : width - fixedX,
    );
    let h = within(
      end === "top" ? fixedY - y : y - fixedY,
      least,
      end === "top" ? fixedY : height - fixedY,
    );
    if (control.aspect) {
      w = Math.min(
        Math.max(w, h * control.aspect),
        side === "left" ? fixedX : width - fixedX,
        (end === "top" ? fixedY : height - fixedY) * control.aspect,
      );
      h = w / control.aspect;
    }
    part[side] = round(side === "left" ? fixedX - w : fixedX + w);
    part[end] = round(end === "top" ? fixedY - h : fixedY + h);
    changed();
  }

  // A new frame between two points.
  function span(from, to) {
    const ends = (a, b, most) => {
      const low = within(Math.min(a, b), 0, most - least);
      return [round(low), round(within(Math.max(a, b), low + least, most))];
    };
    [part.left, part.right] = ends(from.x, to.x, width);
    [part.top, part.bottom] = ends(from.y, to.y, height);
    changed();
  }

  function slide(across, down) {
    const x = round(within(across, -part.left, width - part.right));
    const y = round(within(down, -part.top, height - part.bottom));
    Object.assign(part, {
      left: part.left + x,
      right: part.right + x,
      top: part.top + y,
      bottom: part.bottom + y,
    });
    changed();
  }

  function changed() {
    show();
    onChange(part);
  }

  function show() {
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
    const words = told ? told(part) : `${left}, ${top}, ${right}, ${bottom}`;
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
