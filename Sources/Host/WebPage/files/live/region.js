// A fixed part of the camera's picture, with the shape of the device's label to be read.
import { choice, tellProblem } from "../parts/dom.js";
import { frame } from "../parts/frame.js";
import { ask } from "../shell/host.js";
import { say } from "../words/words.js";

// The width of each label divided by its height.
const shapes = {
  macbook: 8,
  imac: 8,
  "mac-mini": 8,
  iphone: 5,
  ipad: 5,
  watch: 4,
  accessory: 4,
  own: undefined,
};

// The initial region of a watch, before the size of its picture is known.
export const firstRegion = { x: 0.15, y: 0.4, width: 0.7, height: 0.2 };

export function shapeChoice() {
  const chosen = localStorage.getItem("shape") ?? "own";
  const items = Object.entries(shapes).map(([name, aspect]) => [
    name,
    say("shape-" + name) + (aspect ? ` · ${aspect} : 1` : ""),
    name === chosen,
  ]);
  return choice(undefined, items);
}

// Sends the regions that the user draws for a job one after the other; outdated ones are left out.
function regionSender(job) {
  let region;
  // "idle", "sending", or "outdated" while a region is sent that has changed since.
  let phase = "idle";
  return async (drawn) => {
    region = drawn;
    if (phase !== "idle") {
      phase = "outdated";
      return;
    }
    try {
      do {
        phase = "sending";
        await ask(`jobs/${encodeURIComponent(job.id)}/live/region`, {
          method: "PUT",
          body: region,
        });
      } while (phase === "outdated");
    } catch (problem) {
      tellProblem(problem);
    } finally {
      phase = "idle";
    }
  };
}

// A part of a picture of that size in pixels, as fractions of its width and height.
export function regionOf(part, { width, height }) {
  const share = (value, all) => Math.min(1, Math.max(0, value / all));
  return {
    x: share(part.left, width),
    y: share(part.top, height),
    width: share(part.right - part.left, width),
    height: share(part.bottom - part.top, height),
  };
}

// The same part in pixels.
export const partOf = ({ x, y, width, height }, size) => ({
  left: Math.round(x * size.width),
  top: Math.round(y * size.height),
  right: Math.round((x + width) * size.width),
  bottom: Math.round((y + height) * size.height),
});

// A part with that aspect: as wide as before, around the same middle, if it fits.
export function shaped({ left, top, right, bottom }, aspect, size) {
  const [middle, center] = [(left + right) / 2, (top + bottom) / 2];
  const wide = Math.min(right - left, size.width, size.height * aspect);
  const high = wide / aspect;
  const at = (value, room, most) => Math.round(Math.min(Math.max(0, value), most - room));
  const [from, down] = [
    at(middle - wide / 2, wide, size.width),
    at(center - high / 2, high, size.height),
  ];
  return {
    left: from,
    top: down,
    right: from + Math.round(wide),
    bottom: down + Math.round(high),
  };
}

// True if a part has that aspect, except for rounding.
const hasAspect = ({ left, top, right, bottom }, aspect) =>
  Math.abs((right - left) / aspect - (bottom - top)) <= 1;

// Makes the frame over the live view of a job, of any size; `shape` is the user's choice of a
// shape. The region of a job that was already running stays until someone changes it (`isNew` is
// false).
export function regionFrame(job, shape, isNew) {
  let region = job.region;
  let change = () => {};
  const sendRegion = regionSender(job);
  shape.addEventListener("change", () => change());
  return (size) => {
    const control = frame({
      width: size.width,
      height: size.height,
      least: Math.ceil(Math.max(size.width, size.height) / 50),
      step: Math.max(1, Math.round(size.width / 400)),
      part: partOf(region, size),
      told: (part) =>
        `${part.right - part.left} × ${part.bottom - part.top}, ${part.left}, ${part.top}`,
      onChange(part) {
        region = regionOf(part, size);
        sendRegion(region);
      },
    });
    change = () => {
      localStorage.setItem("shape", shape.value);
      control.aspect = shapes[shape.value];
      if (control.aspect) control.set(shaped(control.part, control.aspect, size));
    };
    if (isNew) change();
    else if (shapes[shape.value] && hasAspect(control.part, shapes[shape.value])) {
      control.aspect = shapes[shape.value];
    } else shape.value = "own";
    return control.elements;
  };
}
