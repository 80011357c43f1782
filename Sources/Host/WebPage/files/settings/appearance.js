// The language and colors of the page in this browser.
import { choice, labeled, make } from "../parts/dom.js";
import { recall, remember } from "../parts/memory.js";
import { section } from "./section.js";
import { languages, say } from "../words/words.js";

const themes = ["", "light", "dark"];

// Shows the colors that were chosen, or those of the system.
export function showTheme(theme = recall("theme", "")) {
  document.documentElement.style.colorScheme = theme || "light dark";
}

const select = (label, name, items, onChosen) =>
  labeled(
    label,
    choice(name, items.map(([value, words]) => [value, words, recall(name, "") === value]), {
      onchange: ({ target: { value } }) => {
        remember(name, value);
        onChosen(value);
      },
    }),
  );

// A language by its own name.
const ownName = (code) => new Intl.DisplayNames([code], { type: "language" }).of(code);

export const appearance = () =>
  section(
    say("appearance"),
    say("appearanceHint"),
    make(
      "div",
      { class: "fields" },
      select(
        say("pageLanguage"),
        "language",
        [["", say("asBrowser")], ...languages.map((code) => [code, ownName(code)])],
        () => location.reload(),
      ),
      select(
        say("theme"),
        "theme",
        themes.map((name) => [name, say("theme-" + (name || "system"))]),
        showTheme,
      ),
    ),
  );
