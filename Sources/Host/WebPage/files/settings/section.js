// A part of the settings, with its title, and the items of its list.
import { make, titled } from "../parts/dom.js";

// What an item is: its name with tags, and what is said about it.
export const itemWords = (name, tags, about) =>
  make(
    "span",
    { class: "grow" },
    make("strong", {}, name),
    tags.flatMap((tag) => [" ", make("span", { class: "tag" }, tag)]),
    make("span", { class: "soft block" }, about),
  );

export const section = (title, hint, ...children) =>
  titled(
    title,
    { class: "card settings" },
    hint ? make("p", { class: "soft" }, hint) : undefined,
    ...children,
  );
