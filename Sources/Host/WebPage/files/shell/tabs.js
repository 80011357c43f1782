// The navigation: a tab for each view that has one.
import { make } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { say } from "../words/words.js";

// An item with the link to a view.
export const item = (view, look, wordsLook) =>
  make(
    "li",
    { class: look, "data-needs": view.needs },
    make(
      "a",
      { href: "#" + view.name },
      icon(view.icon),
      make("span", { class: wordsLook }, say(view.words)),
    ),
  );

export function showTabs(views) {
  const place = document.querySelector("nav");
  place.setAttribute("aria-label", say("views"));
  const tabs = views.filter((view) => view.tab).map((view) => item(view, view.tab));
  place.replaceChildren(make("ul", {}, tabs));
}

// Marks the tab of the view that is shown, and of the one that it is under.
export function markTab({ name, under }) {
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = ["#" + name, "#" + under].includes(link.hash);
    isHere ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
}
