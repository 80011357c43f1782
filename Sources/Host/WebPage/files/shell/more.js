// The views that have no tab of their own on a phone.
import { make } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { session } from "./host.js";
import { signOut } from "./signin.js";
import { item } from "./tabs.js";
import { say } from "../words/words.js";

function show(place, _, views) {
  const ways = views.filter(({ under }) => under === "more");
  place.append(
    make("h2", {}, say("moreViews")),
    make("ul", { class: "card ways" }, ways.map((view) => item(view, undefined, "grow"))),
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
