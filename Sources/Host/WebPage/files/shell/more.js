// The views that have no tab of their own on a phone.
import { make } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { session } from "./host.js";
import { signOut } from "./signin.js";
import { say } from "../words/words.js";

const way = (view) =>
  make(
    "li",
    { "data-needs": view.needs },
    make(
      "a",
      { href: "#" + view.name },
      icon(view.icon),
      make("span", { class: "grow" }, say(view.words)),
    ),
  );

function show(place, _, views) {
  place.append(
    make("h2", {}, say("moreViews")),
    make("ul", { class: "card ways" }, views.filter(({ under }) => under === "more").map(way)),
    session.isOpen && session.needsToken
      ? make("button", { class: "leaving", onclick: signOut }, icon("signOut"), say("signOut"))
      : "",
  );
}

export const view = {
  name: "more",
  words: "moreViews",
  icon: "more",
  tab: "narrow",
  show,
};
