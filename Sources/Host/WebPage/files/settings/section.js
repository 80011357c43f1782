// A part of the settings, with its title.
import { make } from "../parts/dom.js";

export const section = (title, hint, ...children) =>
  make(
    "section",
    { class: "card settings", "aria-label": title },
    make("h3", {}, title),
    hint ? make("p", { class: "soft" }, hint) : undefined,
    ...children,
  );
