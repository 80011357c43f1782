// The views that have no tab of their own on a phone.
import { make } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { session } from "./host.js";
import { signOut } from "./signin.js";
import { say } from "../words/words.js";

export function more(place) {
  const way = (name, needs) =>
    make(
      "li",
      { "data-needs": needs },
      make("a", { href: "#" + name }, icon(name), make("span", { class: "grow" }, say(name))),
    );
  place.append(
    make("h2", {}, say("moreViews")),
    make(
      "ul",
      { class: "card ways" },
      way("devices", "scan"),
      way("settings", "scan"),
      way("help"),
    ),
    session.isOpen && session.needsToken
      ? make("button", { class: "leaving", onclick: signOut }, icon("signOut"), say("signOut"))
      : "",
  );
}
