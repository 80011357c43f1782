// Named scan settings that start with one click, stored by this browser.
import { make, press, tell } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../parts/memory.js";
import { say } from "../words/words.js";

export class Shortcuts {
  list = make("div", { class: "row shortcuts", role: "group", "aria-label": say("shortcuts") });
  name = make("input", {
    autocomplete: "off",
    maxlength: 60,
    "aria-label": say("shortcutName"),
  });
  known = make("ul", { class: "tags" });
  element = make(
    "details",
    { class: "fold", ontoggle: () => this.offer() },
    make("summary", {}, say("shortcutKeep")),
    make("p", { class: "soft" }, say("shortcutHint")),
    make(
      "div",
      { class: "row" },
      make("span", { class: "grow" }, this.name),
      make("button", { type: "button", onclick: () => this.keep() }, say("shortcutSave")),
    ),
    this.known,
  );

  // `order()` returns the settings in the form, `title()` a name for them, `begin(order)` begins a
  // scan.
  constructor({ order, title, begin }) {
    Object.assign(this, { order, title, begin });
    this.draw(recall("shortcuts", []));
  }

  // Proposes a name that says what the shortcut does.
  offer() {
    if (!this.element.open || this.name.value) return;
    this.name.value = this.title();
    this.name.select();
  }

  keep() {
    const name = this.name.value.trim() || this.title();
    const others = recall("shortcuts", []).filter((one) => one.name !== name);
    this.change([...others, { name, order: this.order() }]);
    this.name.value = "";
    this.element.open = false;
    tell(say("shortcutSaved", { name }));
  }

  change(all) {
    remember("shortcuts", all);
    this.draw(all);
  }

  draw(all) {
    this.list.hidden = !all.length;
    this.list.replaceChildren(
      ...all.map(({ name, order }) =>
        make(
          "button",
          { type: "button", class: "chip", onclick: press(() => this.begin(order)) },
          icon("scan"),
          name,
        )
      ),
    );
    this.known.replaceChildren(
      ...all.map(({ name }) =>
        make(
          "li",
          {},
          make("button", {
            type: "button",
            class: "tag",
            "aria-label": say("deleteOf", { name }),
            onclick: () => this.change(all.filter((one) => one.name !== name)),
          }, name + " ×"),
        )
      ),
    );
  }
}
