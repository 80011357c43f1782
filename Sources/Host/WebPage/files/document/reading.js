// A page next to its text: a word and its place highlight each other, and the text can be
// corrected.
import { cancelButton, make, press, row } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { draw, sheet } from "../parts/sheet.js";
import { say } from "../words/words.js";

// The words of a query to mark, in lowercase letters.
export const sought = (query) =>
  query.split(/\s+/).filter((word) => word && !word.includes(":") && !word.startsWith("-"))
    .map((word) => word.replace(/["*]/g, "").toLowerCase()).filter(Boolean);

// True for lines of running text, which all have about the same length except the last: running
// text is rewrapped if there is less room than on the page.
function isRunning(lines) {
  const lengths = lines.map((words) => words.map(({ text }) => text).join(" ").length);
  const longest = Math.max(...lengths);
  return lines.length > 2 && longest >= 40 &&
    lengths.slice(0, -1).every((length) => length >= 0.75 * longest);
}

// A word of the text and its place on the picture, which highlight each other; a word that contains
// one of `marks` is marked.
function word({ text, box, confidence }, marks) {
  const isSought = marks.some((mark) => text.toLowerCase().includes(mark));
  const place = draw("rect", { ...box, class: isSought ? "word sought" : "word" });
  const written = make(isSought ? "mark" : "span", {
    class: confidence < 0.6 ? "word unsure" : "word",
    title: confidence < 0.6 ? say("unsure") : undefined,
  }, text);
  const both = (isHere) => () => {
    for (const one of [place, written]) one.classList.toggle("here", isHere);
  };
  for (const one of [place, written]) {
    one.addEventListener("pointerenter", both(true));
    one.addEventListener("pointerleave", both(false));
  }
  place.addEventListener("click", () => {
    both(true)();
    written.scrollIntoView({ block: "nearest" });
  });
  written.addEventListener("click", () => {
    both(true)();
    place.scrollIntoView({ block: "center" });
  });
  return { place, written };
}

// A button that leads from one doubtful word to the next; nothing without doubtful words.
function doubtTour(words) {
  if (!words.length) return undefined;
  let next = 0;
  return make("button", {
    class: "chip doubts",
    onclick() {
      const { place, written } = words[next % words.length];
      next += 1;
      for (const one of words) {
        for (const part of [one.place, one.written]) part.classList.remove("here");
      }
      for (const part of [place, written]) part.classList.add("here");
      written.scrollIntoView({ block: "nearest" });
    },
  }, say("doubtful", { number: words.length }));
}

// The text with a button for correcting it; `onCorrect(corrected)` saves it, and `written` is the
// page's present text. `unsaved()` returns the changed text while it is being corrected.
function correctable(text, written, tour, onCorrect) {
  let field;
  const correct = () =>
    make("button", { "data-needs": "scan", onclick: edit }, icon("edit"), say("correct"));
  const body = make("div", {}, tour, text, correct());
  body.unsaved = () =>
    field?.isConnected && field.value !== written ? { text: field.value } : undefined;

  function edit() {
    field = make("textarea", { rows: 14, "aria-label": say("text"), dir: "auto" }, written);
    body.replaceChildren(
      make(
        "form",
        { onsubmit: press(() => onCorrect(field.value)) },
        field,
        make("p", { class: "soft" }, say("correctHint")),
        row(
          make("button", { class: "main" }, say("keepText")),
          cancelButton(() => body.replaceChildren(...[tour].filter(Boolean), text, correct())),
        ),
      ),
    );
    field.focus();
  }

  return body;
}

// `read` is the page with its words, `places` the marked places on it; `onCorrect(text)` saves a
// corrected text.
export function reading(read, query, places, onCorrect) {
  const { page, paragraphs } = read;
  const marks = sought(query);
  const wordPlaces = [];
  const doubtful = [];
  const written = (one) => {
    const made = word(one, marks);
    wordPlaces.push(made.place);
    if (one.confidence < 0.6) doubtful.push(made);
    return made.written;
  };
  const text = make(
    "div",
    { class: "text", lang: page.language, dir: "auto" },
    paragraphs.map((lines) =>
      make(
        "p",
        { class: isRunning(lines) ? "running" : undefined },
        lines.map((words) =>
          make("span", { class: "line" }, words.flatMap((one) => [written(one), " "]))
        ),
      )
    ),
  );
  if (!paragraphs.length) {
    text.append(make("p", { class: "soft" }, say(page.isRead ? "noText" : "notRead")));
  }
  const label = say("page", { number: page.number });
  return {
    picture: sheet(page, { label, places }, ...wordPlaces),
    text: correctable(text, page.text ?? "", doubtTour(doubtful), onCorrect),
  };
}

// The line that looks most like the page's title: the one with the tallest letters near the top;
// undefined if no line does.
export function headingOf({ paragraphs }) {
  // Words read in a drawing are doubtful, or have few letters.
  const isWord = ({ text, confidence }) =>
    confidence >= 0.6 && text.match(/[\p{L}\p{N}]/gu)?.length > text.length / 2;
  const sure = paragraphs.flat().slice(0, 15).map((words) => words.filter(isWord))
    .filter((words) => words.length);
  const lines = sure.map((words) => ({
    text: words.map((one) => one.text).join(" "),
    height: words.reduce((sum, { box }) => sum + box.height, 0) / words.length,
  })).filter(({ text }) => /\p{L}{3}/u.test(text) && text.length <= 80);
  const usual = lines.map((line) => line.height).sort((a, b) => a - b)[lines.length >> 1];
  const tallest = lines.reduce((best, line) => (line.height > best.height ? line : best), {
    height: 0,
  });
  return tallest.height > 1.25 * usual ? tallest.text : undefined;
}
