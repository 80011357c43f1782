// Returns the words of the view that are cut off or extend beyond their element, as sentences; an
// empty list if there are none.
const found = [];
const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true });
const say = (one) =>
  `<${one.tagName.toLowerCase()}${
    one.getAttribute("class") ? " class=" + one.getAttribute("class") : ""
  }>`;
// Words only for screen readers are cut off on purpose, and so are texts that end after some lines.
const isMeant = (one) =>
  getComputedStyle(one).clipPath !== "none" || getComputedStyle(one).webkitLineClamp !== "none";
const clips = (style, side) => ["hidden", "clip"].includes(style["overflow" + side]);
const isBox = (one) => one.matches("button, .button, summary, .chip, .tag, .card");

const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
while (walker.nextNode()) {
  const text = walker.currentNode;
  const holder = text.parentElement;
  if (
    !text.textContent.trim() || !seen(holder) ||
    holder.closest("noscript, option, svg, textarea, script, .skip")
  ) continue;
  const range = document.createRange();
  range.selectNodeContents(text);
  const words = range.getBoundingClientRect();
  if (!words.width) continue;
  for (let place = holder; place && place !== document.body; place = place.parentElement) {
    if (isMeant(place)) break;
    const style = getComputedStyle(place);
    if (["auto", "scroll"].includes(style.overflowX)) break;
    const { left, right, top, bottom } = place.getBoundingClientRect();
    const isWide = words.left < left - 1 || words.right > right + 1;
    const isHigh = words.top < top - 1 || words.bottom > bottom + 1;
    const isIn = isBox(place) || clips(style, "X") || clips(style, "Y");
    if (isIn && (isWide || isHigh)) {
      found.push(`"${text.textContent.trim().slice(0, 40)}" sticks out of ${say(place)}`);
      break;
    }
    // An open menu covers other elements.
    if (style.position === "absolute") break;
  }
}

// A field's value is not part of the text above. In a window of a few letters, fields show all of
// it only when they are opened.
const areFieldsNarrow = arguments[0];
const pen = document.createElement("canvas").getContext("2d");
const inside = (one) => {
  const { paddingLeft, paddingRight } = getComputedStyle(one);
  return one.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
};
// Returns the width of a selection field's arrow: what an empty field of its own width has.
const arrowOf = ({ font }) => {
  const bare = document.createElement("select");
  bare.style.cssText = `position: absolute; width: auto; font: ${font}`;
  document.body.append(bare);
  const width = inside(bare);
  bare.remove();
  return width;
};
for (const one of document.querySelectorAll("select, input[placeholder]")) {
  if (areFieldsNarrow || !seen(one)) continue;
  const style = getComputedStyle(one);
  const words = one.matches("select")
    ? one.selectedOptions[0]?.textContent ?? ""
    : one.value
    ? ""
    : one.placeholder;
  pen.font = `${style.fontStyle} ${style.fontWeight} ${style.fontSize} ${style.fontFamily}`;
  const arrow = one.matches("select") ? arrowOf(style) : 0;
  const room = inside(one) - arrow;
  const { width } = pen.measureText(words);
  if (width > room + 1) {
    found.push(`"${words}" is ${Math.round(width)} wide in a field with room for ${
      Math.round(room)
    }`);
  }
}
return found;
