// Named scan settings that start with one click, stored by this browser.
import { fold, freeName, make, press, removableTag, row, tell } from "../parts/dom.js";
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
  // The name that was proposed, until someone writes another one.
  proposed = "";
  known = make("ul", { class: "tags" });
  element = fold(
    say("shortcutKeep"),
    { ontoggle: () => this.offer() },
    make("p", { class: "soft" }, say("shortcutHint")),
    row(
      make("span", { class: "grow" }, this.name),
      make("button", { type: "button", onclick: () => this.keep() }, say("shortcutSave")),
    ),
    this.known,
  );

  // `order()` returns the settings in the form, `title()` a name for them,
  // `begin(order, name)` begins a scan.
  constructor({ order, title, begin }) {
    Object.assign(this, { order, title, begin });
    this.draw(recall("shortcuts", []));
  }

  // Proposes a name that says what the shortcut does.
  offer() {
    if (!this.element.open || this.name.value !== this.proposed) return;
    this.name.value = this.proposed = this.freeName();
    this.name.select();
  }

  // What the settings do, and a number if another shortcut is called that.
  freeName() {
    const taken = recall("shortcuts", []).map(({ name }) => name);
    return freeName(this.title().slice(0, 50), taken, " ");
  }

  keep() {
    const name = this.name.value.trim() || this.freeName();
    const others = recall("shortcuts", []).filter((one) => one.name !== name);
    this.change([...others, { name, order: this.order() }]);
    this.name.value = this.proposed = "";
    this.element.open = false;
    this.element.querySelector("summary").focus();
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
          { type: "button", class: "chip", onclick: press(() => this.begin(order, name)) },
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
          removableTag(
            name,
            say("deleteOf", { name }),
            () => this.change(all.filter((one) => one.name !== name)),
          ),
        )
      ),
    );
  }
}
