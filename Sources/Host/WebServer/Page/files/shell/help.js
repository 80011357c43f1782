// Help with the purpose of each view and its keys.
import { make } from "../parts/dom.js";
import { say } from "../words/words.js";

const topics = ["scan", "live", "document", "archive", "jobs", "devices", "settings"];

// Keys are between backquotes in the words.
const withKeys = (text) =>
  text.split("`").map((part, index) => index % 2 ? make("kbd", {}, part) : part);

export function help(place) {
  place.append(
    make("h2", {}, say("help")),
    make(
      "div",
      { class: "cards flowing" },
      topics.map((topic) =>
        make(
          "section",
          { class: "card settings", "aria-label": say(topic === "document" ? "review" : topic) },
          make(
            "h3",
            {},
            topic === "document" ? say("review") : make("a", { href: "#" + topic }, say(topic)),
          ),
          ...say("help-" + topic).split("\n").map((line) => make("p", {}, withKeys(line))),
        )
      ),
    ),
  );
}
