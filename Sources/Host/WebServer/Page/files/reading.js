// A page next to its text: a word and its place highlight each other, and the text can be
// corrected.
import { make, press } from "./dom.js";
import { draw, sheet } from "./sheet.js";
import { say } from "./words.js";

// The words of a query that are to be marked, in small letters.
export const sought = (query) =>
  query.split(/\s+/).filter((word) => word && !word.includes(":") && !word.startsWith("-"))
    .map((word) => word.replace(/["*]/g, "").toLowerCase()).filter(Boolean);

// Whether lines are running text, all of about the same length except the last: it is rewrapped if
// there is less room than on the page.
function isRunning(lines) {
  const lengths = lines.map((words) => words.map(({ text }) => text).join(" ").length);
  const longest = Math.max(...lengths);
  return lines.length > 2 && longest >= 40 &&
    lengths.slice(0, -1).every((length) => length >= 0.75 * longest);
}

// A word of the text, and its place on the picture, which highlight each other; a word that holds
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

// The text with a button to correct it, which `onCorrect(corrected)` keeps; `written` is what the
// page has until then.
function correctable(text, written, onCorrect) {
  const body = make(
    "div",
    {},
    text,
    make("button", { "data-needs": "scan", onclick: edit }, say("correct")),
  );

  function edit() {
    const field = make("textarea", { rows: 14, "aria-label": say("text") }, written);
    body.replaceChildren(
      make(
        "form",
        { onsubmit: press(() => onCorrect(field.value)) },
        field,
        make("p", { class: "soft" }, say("correctHint")),
        make(
          "div",
          { class: "row" },
          make("button", { class: "main" }, say("keepText")),
          make("button", {
            type: "button",
            onclick: () =>
              body.replaceChildren(text, make("button", { onclick: edit }, say("correct"))),
          }, say("cancel")),
        ),
      ),
    );
    field.focus();
  }

  return body;
}

// `read` is the page with its words, `places` what is marked on it; `onCorrect(text)` keeps a
// corrected text.
export function reading(read, query, places, onCorrect) {
  const { page, paragraphs } = read;
  const marks = sought(query);
  const wordPlaces = [];
  const written = (one) => {
    const made = word(one, marks);
    wordPlaces.push(made.place);
    return made.written;
  };
  const text = make(
    "div",
    { class: "text", lang: page.language },
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
  if (!paragraphs.length) text.append(make("p", { class: "soft" }, say("noText")));
  const label = say("page", { number: page.number });
  return {
    picture: sheet(page, { label, places }, ...wordPlaces),
    text: correctable(text, page.text ?? "", onCorrect),
  };
}
