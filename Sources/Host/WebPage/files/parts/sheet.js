// A page's picture in its document: the captured picture, turned and cut, with sizes in its own
// pixels.
import { fill } from "./dom.js";

export function draw(name, attributes, ...children) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);
}

// Pictures load just before they become visible: a document may have hundreds of pages.
const watcher = new IntersectionObserver((seen) => {
  for (const { target, isIntersecting } of seen) {
    if (!isIntersecting) continue;
    watcher.unobserve(target);
    const picture = target.querySelector("image");
    picture.setAttribute("href", picture.dataset.href);
  }
}, { rootMargin: "600px" });

// The transformations from the captured picture to the shown page, for each turn, with a part of w
// × h pixels.
const turns = {
  0: () => "",
  90: (w, h) => `matrix(0 1 -1 0 ${h} 0)`,
  180: (w, h) => `matrix(-1 0 0 -1 ${w} ${h})`,
  270: (w) => `matrix(0 -1 1 0 0 ${w})`,
};

// The size of a page as shown; of the whole captured picture when `whole`.
export function size(page, whole = false) {
  const part = (!whole && page.crop) ||
    { width: page.captured.width, height: page.captured.height };
  return page.turn % 180
    ? { width: part.height, height: part.width }
    : { width: part.width, height: part.height };
}

// `places` are marked, in pixels of the captured picture; `over` is drawn on top, in pixels of the
// page as shown.
export function sheet(page, { small = false, whole = false, label, places = [] } = {}, ...over) {
  const { width, height } = page.captured;
  const part = (!whole && page.crop) || { x: 0, y: 0, width, height };
  const shown = size(page, whole);
  const picture = draw("image", {
    width,
    height,
    preserveAspectRatio: "none",
    "data-href": "/api/v1/images/" +
      ((small && page.thumbnail) || page.image + "?browser=true"),
  });
  const drawn = draw(
    "svg",
    {
      class: "sheet",
      viewBox: `0 0 ${shown.width} ${shown.height}`,
      role: "img",
      "aria-label": label,
      "aria-hidden": label ? undefined : "true",
    },
    draw(
      "g",
      {
        transform: `${turns[page.turn](part.width, part.height)} translate(${-part.x} ${-part.y})`,
      },
      picture,
      places.map((box) => draw("rect", { ...box, class: "place" })),
    ),
    ...over,
  );
  watcher.observe(drawn);
  return drawn;
}
