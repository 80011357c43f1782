// Help with the purpose of each view and its keys.
import { make } from "../parts/dom.js";
import { say } from "../words/words.js";

// Keys are between backquotes in the words.
const withKeys = (text) =>
  text.split("`").map((part, index) => index % 2 ? make("kbd", {}, part) : part);

const card = ({ name, words, help, tab }) =>
  make(
    "section",
    { class: "card settings", "aria-label": say(words) },
    make("h3", {}, tab ? make("a", { href: "#" + name }, say(words)) : say(words)),
    ...say(help).split("\n").map((line) => make("p", {}, withKeys(line))),
  );

function show(place, _, views) {
  place.append(
    make("h2", {}, say("help")),
    make("div", { class: "cards flowing" }, views.filter(({ help }) => help).map(card)),
  );
}

export const view = {
  name: "help",
  words: "help",
  icon: "help",
  tab: "wide",
  under: "more",
  show,
};
