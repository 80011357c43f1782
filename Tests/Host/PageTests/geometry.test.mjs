// The parts of pictures: frames, crops, regions, and how a page is turned.
import assert from "node:assert/strict";
import test from "node:test";
import { Happening, key, see, shown } from "./Support/page.mjs";
import {
  frame,
  pullCorner,
  slidePart,
  spanPoints,
} from "../../../Sources/Host/WebPage/files/parts/frame.js";
import { sheet, size } from "../../../Sources/Host/WebPage/files/parts/sheet.js";
import { cutting, shownPart } from "../../../Sources/Host/WebPage/files/document/cutting.js";
import {
  partOf,
  regionOf,
  shaped,
} from "../../../Sources/Host/WebPage/files/live/region.js";
import { draw } from "../../../Sources/Host/WebPage/files/parts/sheet.js";

const part = (left, top, right, bottom) => ({ left, top, right, bottom });
const bounds = (more = {}) => ({ width: 200, height: 100, least: 10, round: Math.round, ...more });

for (
  const [name, corner, point, more, wanted] of [
    ["up and left", ["left", "top"], { x: 20, y: 30 }, {}, [20, 30, 150, 80]],
    ["down and right", ["right", "bottom"], { x: 180, y: 90 }, {}, [50, 40, 180, 90]],
    ["out of the picture", ["left", "top"], { x: -50, y: -50 }, {}, [0, 0, 150, 80]],
    ["beyond the far edge", ["right", "bottom"], { x: 999, y: 999 }, {}, [50, 40, 200, 100]],
    ["over the opposite corner", ["left", "top"], { x: 190, y: 95 }, {}, [140, 70, 150, 80]],
    // The wider of the two wishes counts: 100 wide are 50 high at 2 : 1.
    ["with a shape", ["right", "bottom"], { x: 150, y: 50 }, { aspect: 2 }, [50, 40, 150, 90]],
    // There are only 60 below the top, so the frame is 120 wide.
    ["with a shape to the edge", ["right", "bottom"], { x: 200, y: 100 }, { aspect: 2 }, [
      50,
      40,
      170,
      100,
    ]],
  ]
) {
  test(`A corner that is pulled ${name} leaves the opposite one in its place`, () => {
    const now = part(50, 40, 150, 80);
    pullCorner(now, corner, point, bounds(more));
    assert.deepEqual(now, part(...wanted));
  });
}

for (
  const [from, to, wanted] of [
    [[20, 10], [80, 60], [20, 10, 80, 60]],
    [[80, 60], [20, 10], [20, 10, 80, 60]],
    // A click without a drag makes the least frame, inside of the picture.
    [[50, 50], [50, 50], [50, 50, 60, 60]],
    [[200, 100], [200, 100], [190, 90, 200, 100]],
    [[-20, -20], [400, 400], [0, 0, 200, 100]],
  ]
) {
  test(`A frame drawn from ${from} to ${to} is ${wanted}`, () => {
    const now = part(0, 0, 200, 100);
    spanPoints(now, { x: from[0], y: from[1] }, { x: to[0], y: to[1] }, bounds());
    assert.deepEqual(now, part(...wanted));
  });
}

for (
  const [across, down, wanted] of [
    [10, -10, [60, 30, 160, 70]],
    [-999, 0, [0, 40, 100, 80]],
    [999, 999, [100, 60, 200, 100]],
  ]
) {
  test(`A frame that is moved by ${across}, ${down} keeps its size and stays inside`, () => {
    const now = part(50, 40, 150, 80);
    slidePart(now, { across, down }, bounds());
    assert.deepEqual(now, part(...wanted));
  });
}

// A frame with what it reported.
function made(more = {}) {
  const heard = [];
  const control = frame({
    width: 200,
    height: 100,
    least: 10,
    part: part(50, 40, 150, 80),
    onChange: (one) => heard.push({ ...one }),
    ...more,
  });
  shown(draw("svg", {}, control.elements));
  const [shade, area, ...handles] = control.elements;
  return { control, heard, shade, area, handles };
}

test("Arrow keys move the frame by a step, and with Shift by ten", async () => {
  const { area, heard } = made({ step: 2 });
  const event = await key(area, "ArrowRight");
  await key(area, "ArrowUp", { shiftKey: true });
  assert.deepEqual(heard, [part(52, 40, 152, 80), part(52, 20, 152, 60)]);
  assert.equal(event.defaultPrevented, true);
  await key(area, "x");
  assert.equal(heard.length, 2);
});

test("Arrow keys move a corner, which has its name and its place for screen readers", async () => {
  const { handles, heard } = made();
  assert.deepEqual(handles.map((one) => one.getAttribute("aria-label")), [
    "Upper left corner",
    "Upper right corner",
    "Lower right corner",
    "Lower left corner",
  ]);
  await key(handles[0], "ArrowRight", { shiftKey: true });
  assert.deepEqual(heard, [part(60, 40, 150, 80)]);
  assert.equal(handles[0].getAttribute("aria-valuetext"), "60, 40");
});

test("A frame moves by its grain", async () => {
  const { heard, area } = made({ grain: 0.5, step: 0.7 });
  await key(area, "ArrowRight");
  assert.deepEqual(heard.at(-1), part(50.5, 40, 150.5, 80));
});

test("A frame around everything is whole, and any other one is not", () => {
  const { control, heard, area } = made();
  assert.equal(control.isWhole(), false);
  control.setWhole();
  assert.equal(control.isWhole(), true);
  assert.deepEqual(heard, [part(0, 0, 200, 100)]);
  assert.deepEqual([area.getAttribute("width"), area.getAttribute("height")], ["200", "100"]);
  control.set({ left: 1 });
  assert.equal(control.isWhole(), false);
});

const page = (more = {}) => ({
  number: 1,
  image: "aaa",
  thumbnail: "bbb",
  turn: 0,
  captured: { width: 1000, height: 600 },
  ...more,
});
const crop = { x: 100, y: 50, width: 300, height: 200 };

for (
  const [more, isWhole, wanted] of [
    [{}, false, [1000, 600]],
    [{ turn: 90 }, false, [600, 1000]],
    [{ turn: 180 }, false, [1000, 600]],
    [{ crop }, false, [300, 200]],
    [{ crop, turn: 270 }, false, [200, 300]],
    [{ crop, turn: 270 }, true, [600, 1000]],
  ]
) {
  test(`A page ${JSON.stringify(more)} is shown as ${wanted}${isWhole ? " whole" : ""}`, () => {
    assert.deepEqual(Object.values(size(page(more), isWhole)), wanted);
  });
}

// Where a point of the captured picture is on the page as it is drawn.
function placed(drawn, x, y) {
  const transform = drawn.querySelector("g").getAttribute("transform");
  const [dx, dy] = transform.match(/translate\((\S+) (\S+)\)/).slice(1).map(Number);
  const [a, b, c, d, e, f] = (transform.match(/matrix\(([^)]+)\)/)?.[1] ?? "1 0 0 1 0 0").split(" ")
    .map(Number);
  const [px, py] = [x + dx, y + dy];
  return [a * px + c * py + e, b * px + d * py + f];
}

for (const turn of [0, 90, 180, 270]) {
  test(`The crop of a page that is turned by ${turn} degrees fills the sheet`, () => {
    const one = page({ crop, turn });
    const drawn = sheet(one);
    const shownSize = size(one);
    assert.equal(drawn.getAttribute("viewBox"), `0 0 ${shownSize.width} ${shownSize.height}`);
    const corners = [[100, 50], [400, 50], [400, 250], [100, 250]].map(([x, y]) =>
      placed(drawn, x, y)
    );
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    assert.deepEqual([Math.min(...xs), Math.min(...ys)], [0, 0]);
    assert.deepEqual([Math.max(...xs), Math.max(...ys)], [shownSize.width, shownSize.height]);
    // The upper left corner goes clockwise around the sheet.
    const clockwise = {
      0: [0, 0],
      90: [shownSize.width, 0],
      180: [shownSize.width, shownSize.height],
      270: [0, shownSize.height],
    };
    assert.deepEqual(corners[0], clockwise[turn]);
  });

  test(`The frame for cropping a page turned by ${turn} degrees is where its crop is`, () => {
    const one = page({ crop, turn });
    const now = shownPart(one);
    const whole = sheet(one, { whole: true });
    const corners = [placed(whole, 100, 50), placed(whole, 400, 250)];
    const [xs, ys] = [corners.map(([x]) => x), corners.map(([, y]) => y)];
    assert.deepEqual(
      now,
      part(Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)),
    );
  });
}

test("A page's picture is asked for when it is seen, and small where it is small", () => {
  for (const [small, wanted] of [[true, "bbb"], [false, "aaa?browser=true"]]) {
    const drawn = sheet(page(), { small });
    const picture = drawn.querySelector("image");
    assert.equal(picture.getAttribute("href"), null);
    see(drawn);
    assert.equal(picture.getAttribute("href"), "/api/v1/images/" + wanted);
  }
});

test("A picture with words is read aloud, and a small one beside words is not", () => {
  assert.equal(sheet(page(), { label: "Page 1" }).getAttribute("aria-label"), "Page 1");
  assert.equal(sheet(page()).getAttribute("aria-hidden"), "true");
});

test("Cropping gives the part, or none for the whole picture, or is canceled", () => {
  const heard = [];
  const form = shown(cutting(page({ crop }), (box) => heard.push(box)));
  const [keep, all, cancel] = form.querySelectorAll("button");
  keep.click();
  all.click();
  keep.click();
  cancel.click();
  assert.deepEqual(heard, [crop, null, undefined]);
});

test("A region is a fraction of the picture, and the same part again in pixels", () => {
  const picture = { width: 1280, height: 720 };
  assert.deepEqual(regionOf(part(128, 72, 640, 720), picture), {
    x: 0.1,
    y: 0.1,
    width: 0.4,
    height: 0.9,
  });
  assert.deepEqual(
    partOf({ x: 0.1, y: 0.1, width: 0.4, height: 0.9 }, picture),
    part(128, 72, 640, 720),
  );
  // What reaches over the edge ends there.
  assert.deepEqual(regionOf(part(-10, 0, 2000, 720), picture), { x: 0, y: 0, width: 1, height: 1 });
});

for (
  const [name, before, aspect, wanted] of [
    // 400 wide and 50 high, around the middle at 300, 200.
    ["keeps its width and middle", [100, 100, 500, 300], 8, [100, 175, 500, 225]],
    // 100 wide is 25 high, around 50, 0; it can't be above the picture.
    ["stays in the picture", [0, -20, 100, 20], 4, [0, 0, 100, 25]],
    // As wide as the picture is 800, and 200 high.
    ["is no wider than the picture", [-500, 100, 1500, 300], 4, [0, 100, 800, 300]],
    // The picture is 400 high, so nothing is wider than 200 at 1 : 2.
    ["is no higher than the picture", [0, 0, 800, 400], 0.5, [300, 0, 500, 400]],
  ]
) {
  test(`A region that gets a shape ${name}`, () => {
    assert.deepEqual(shaped(part(...before), aspect, { width: 800, height: 400 }), part(...wanted));
  });
}

// Drags from one point to another, in units of the picture.
function drag(target, from, to) {
  globalThis.DOMPoint = class {
    constructor(x, y) {
      Object.assign(this, { x, y });
    }
    matrixTransform() {
      return this;
    }
  };
  target.ownerSVGElement.getScreenCTM = () => ({ inverse: () => ({}) });
  for (const [type, [clientX, clientY]] of [["pointerdown", from], ["pointermove", to]]) {
    target.dispatchEvent(new Happening(type, { clientX, clientY, pointerId: 1 }));
  }
}

for (
  const [name, more, target, from, to, wanted] of [
    ["in the frame moves it", {}, "area", [60, 50], [70, 45], part(60, 35, 160, 75)],
    ["of a corner pulls it", {}, "corner", [150, 80], [180, 90], part(50, 40, 180, 90)],
    ["outside of a frame does nothing", {}, "shade", [10, 10], [40, 30], undefined],
    [
      "outside draws another frame",
      { draws: true },
      "shade",
      [10, 10],
      [40, 30],
      part(10, 10, 40, 30),
    ],
    [
      "in a frame that can be drawn moves it, too",
      { draws: true },
      "area",
      [60, 50],
      [70, 45],
      part(60, 35, 160, 75),
    ],
    [
      "in a frame around everything draws another one",
      {
        draws: true,
        part: part(0, 0, 200, 100),
      },
      "area",
      [10, 10],
      [40, 30],
      part(10, 10, 40, 30),
    ],
  ]
) {
  test(`A drag ${name}`, () => {
    const { heard, shade, area, handles } = made(more);
    drag({ shade, area, corner: handles[2] }[target], from, to);
    assert.deepEqual(heard.at(-1), wanted);
  });
}
