// Returns the view's accessibility problems as sentences; an empty list if there are none.
const found = [];
const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const name = (one) => {
  const by = one.getAttribute("aria-labelledby");
  return (by
    ? by.split(" ").map((id) => document.getElementById(id)?.textContent ?? "").join(" ")
    : one.getAttribute("aria-label") ?? "").trim() ||
    [...(one.labels ?? [])].map((label) => label.textContent).join(" ").trim() ||
    one.textContent.trim() || one.getAttribute("title") || "";
};
const say = (one) =>
  `<${one.tagName.toLowerCase()}${one.id ? " id=" + one.id : ""}${
    one.getAttribute("class") ? " class=" + one.getAttribute("class") : ""
  }> "${one.textContent.trim().slice(0, 30)}"`;

if (!document.documentElement.lang) found.push("the page has no language");
if (!document.title.trim()) found.push("the page has no title");
if (document.querySelectorAll("main").length !== 1) found.push("there is not one main landmark");
if (!document.querySelector("main h2")) found.push("the view has no heading");
const ids = [...document.querySelectorAll("[id]")].map((one) => one.id);
for (const id of new Set(ids)) {
  if (ids.filter((other) => other === id).length > 1) found.push(`the id ${id} is there twice`);
}

for (const one of document.querySelectorAll("img")) {
  if (seen(one) && !one.hasAttribute("alt")) {
    found.push(`a picture has no alternative: ${one.src}`);
  }
}
for (const one of document.querySelectorAll("svg")) {
  if (seen(one) && one.getAttribute("aria-hidden") !== "true" && !name(one)) {
    found.push("a drawing has no name");
  }
}
for (
  const one of document.querySelectorAll(
    "button, a[href], input, select, textarea, [role=option], [role=slider], summary",
  )
) {
  if (seen(one) && one.type !== "hidden" && !name(one)) found.push(`nothing names ${say(one)}`);
}
for (const one of document.querySelectorAll("[tabindex]")) {
  if (one.tabIndex > 0) found.push(`the order of focus is forced at ${say(one)}`);
}
for (const list of document.querySelectorAll("[role=listbox]")) {
  const options = list.querySelectorAll("[role=option]");
  if (options.length && [...options].filter((one) => one.tabIndex === 0).length !== 1) {
    found.push("a list of choices has not exactly one place for the focus");
  }
}
const level = { H1: 1, H2: 2, H3: 3, H4: 4 };
let last = 0;
for (const one of document.querySelectorAll("h1, h2, h3, h4")) {
  if (!seen(one)) continue;
  if (level[one.tagName] > last + 1) found.push(`a heading's level is skipped at ${say(one)}`);
  last = level[one.tagName];
}

// Nothing is wider than the window, and buttons are large enough for a finger.
if (document.documentElement.scrollWidth > document.documentElement.clientWidth + 1) {
  const wide = [...document.querySelectorAll("main *")].find((one) =>
    one.getBoundingClientRect().right > innerWidth + 1
  );
  found.push(
    `the view is wider than its window (${document.documentElement.scrollWidth} of ${innerWidth})${
      wide ? ", at " + say(wide) : ""
    }`,
  );
}
for (const one of document.querySelectorAll("button, select, input:not([type=hidden])")) {
  const { width, height } = one.getBoundingClientRect();
  if (seen(one) && (width < 24 || height < 24)) {
    found.push(
      `${say(one)} is too small to be pressed: ${Math.round(width)} × ${Math.round(height)}`,
    );
  }
}

// Contrast of text with its background (WCAG 2.2, 1.4.3).
const rgba = (text) => {
  const n = text.match(/[\d.]+/g).map(Number);
  return text.startsWith("color(srgb")
    ? [n[0] * 255, n[1] * 255, n[2] * 255, n[3] ?? 1]
    : [n[0], n[1], n[2], n[3] ?? 1];
};
const over = (top, under) =>
  top.slice(0, 3).map((value, index) => value * top[3] + under[index] * (1 - top[3]));
const light = (color) => {
  const [r, g, b] = color.map((value) => {
    value /= 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
};
const ground = (one) => {
  const layers = [];
  for (let place = one; place; place = place.parentElement) {
    layers.push(rgba(getComputedStyle(place).backgroundColor));
  }
  return layers.reverse().reduce((under, top) => over(top, under), [255, 255, 255]);
};
const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
const told = new Set();
while (walker.nextNode()) {
  const one = walker.currentNode.parentElement;
  if (
    !walker.currentNode.textContent.trim() || !seen(one) || told.has(one) ||
    one.closest(":disabled, noscript, option, svg")
  ) continue;
  told.add(one);
  const style = getComputedStyle(one);
  const behind = ground(one);
  const [a, b] = [light(over(rgba(style.color), behind)), light(behind)].sort((x, y) => y - x);
  const least = parseFloat(style.fontSize) >= 24 ||
      (parseFloat(style.fontSize) >= 18.66 && Number(style.fontWeight) >= 700)
    ? 3
    : 4.5;
  const ratio = (a + 0.05) / (b + 0.05);
  if (ratio < least) found.push(`${say(one)} has a contrast of ${ratio.toFixed(1)}`);
}
// Contrast of a control's border, or of all of it, with what is around it (1.4.11). What has no
// border is known by its words.
for (
  const one of document.querySelectorAll(
    "button, a.button, summary.button, label.button, select, textarea, input:not([type=checkbox])",
  )
) {
  const style = getComputedStyle(one);
  const edge = rgba(style.borderTopColor);
  if (!seen(one) || one.matches(":disabled") || !edge[3] || !parseFloat(style.borderTopWidth)) {
    continue;
  }
  const around = ground(one.parentElement);
  const ratio = (color) => {
    const [a, b] = [light(color), light(around)].sort((x, y) => y - x);
    return (a + 0.05) / (b + 0.05);
  };
  const best = Math.max(ratio(over(edge, around)), ratio(ground(one)));
  if (best < 3) found.push(`the edge of ${say(one)} has a contrast of ${best.toFixed(2)}`);
}
return found;
