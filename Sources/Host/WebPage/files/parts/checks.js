// A choice of several values, each with its words.
import { make } from "./dom.js";

export class Checks {
  constructor(legend, items, values, onchange) {
    this.boxes = items.map(([value]) =>
      make("input", { type: "checkbox", value, checked: values.includes(value), onchange })
    );
    this.element = make(
      "fieldset",
      {},
      make("legend", {}, legend),
      items.map(([, words], index) =>
        make("label", { class: "check-label" }, this.boxes[index], words)
      ),
    );
  }

  get values() {
    return this.boxes.filter((box) => box.checked).map((box) => box.value);
  }
}
