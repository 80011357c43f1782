// The steps of a profile in order, each with its options.
import { choiceItems, make } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { has, joined, keyedText, keyedWords, say } from "../words/words.js";

// A step of a profile is its name, or an object of its options under its name.
const read = (entry) =>
  typeof entry === "string"
    ? { name: entry, values: {} }
    : { name: Object.keys(entry)[0], values: { ...Object.values(entry)[0] } };
const written = ({ name, values }) => Object.keys(values).length ? { [name]: values } : name;

// A value of an option in words, if there are any for it.
function choiceWords(step, name, value) {
  if (typeof value === "boolean") return say(value ? "yes" : "no");
  const keys = [`choice-${step}-${name}-${value}`, `${name}-${value}`, `choice-${value}`];
  const key = keys.find(has);
  return key ? say(key) : String(value);
}

// The key of an option's label: the step's own, or the one of all options with that name.
const optionKey = (step, name) =>
  has(`option-${step}-${name}`) ? `option-${step}-${name}` : "option-" + name;

// One option of a step; default values are left out of the profile.
function option(declared, step, values, changed) {
  const { name, type, minimum, maximum, unit, usual } = declared;
  const range = type === "number" ? `${minimum} – ${maximum}${unit ? " " + unit : ""}` : "";
  const shown = {
    ...declared,
    label: say(optionKey(step, name)),
    // The host's help names the values as programs write them.
    help: has(`help-${step}-${name}`)
      ? say(`help-${step}-${name}`)
      : keyedWords(`step.${step}.${name}.help`, declared.help),
    takes: joined(range, say("usual", { value: choiceWords(step, name, usual) })),
    choices: declared.choices?.map((one) => [one, choiceWords(step, name, one)]),
  };
  return field(shown, values[name] ?? usual, (given) => {
    if (given === usual || given === undefined) delete values[name];
    else values[name] = given;
    changed();
  });
}

// A step with its options; `isOpen` shows them. `buttons` move and remove the step.
const stepItem = (step, { title, help, options }, { isOpen, buttons, changed }) =>
  make(
    "li",
    { "data-step": step.name },
    make(
      "details",
      { open: isOpen },
      make(
        "summary",
        {},
        make("strong", {}, keyedWords(`step.${step.name}.title`, title)),
        make("span", { class: "soft" }, " ", keyedWords(`step.${step.name}.help`, help)),
      ),
      options.length
        ? make(
          "div",
          { class: "fields" },
          options.map((one) => option(one, step.name, step.values, changed)),
        )
        : make("p", { class: "soft" }, say("noOptions")),
    ),
    make("span", { class: "tools row" }, buttons),
    make("p", { class: "bad", "data-wrong": "" }),
  );

export class StepList {
  list = make("ol", { class: "steps", "aria-label": say("steps") });
  adding = make("select", { "aria-label": say("addStep"), onchange: () => this.add() });

  // `declared` are all steps, `entries` those of the profile.
  constructor(declared, entries, changed) {
    Object.assign(this, { declared, changed });
    this.chosen = entries.map(read);
  }

  // The steps in the form of a profile, as a copy, so that later input does not change them.
  get entries() {
    return structuredClone(this.chosen.map(written));
  }

  // Redraws the list; `focus` is the button of the moved step that gets the focus.
  draw(step, focus) {
    const { list, declared, chosen } = this;
    const isOpen = new Map(
      [...list.children].map((one) => [one.dataset.step, one.querySelector("details").open]),
    );
    list.replaceChildren(
      ...chosen.map((one, index) => this.item(one, index, isOpen.get(one.name))),
    );
    const others = declared.filter((other) => !chosen.some((one) => one.name === other.name));
    this.adding.replaceChildren(...choiceItems([
      ["", say("addStep") + " …"],
      ...others.map(({ name, title }) => [name, keyedText(`step.${name}.title`, title)]),
    ]));
    const buttons = step && list.querySelector(`[data-step="${step.name}"]`);
    (buttons?.querySelector(`[data-act="${focus}"]:not(:disabled)`) ??
      buttons?.querySelector("button:not(:disabled)"))?.focus();
    this.changed();
  }

  item(step, index, isOpen) {
    const about = this.declared.find((one) => one.name === step.name);
    const button = (what, words, isOff, work) =>
      make("button", {
        type: "button",
        "data-act": what,
        disabled: isOff,
        "aria-label": `${say(what)}: ${keyedText(`step.${step.name}.title`, about.title)}`,
        onclick: work,
      }, words);
    const isLast = index === this.chosen.length - 1;
    const buttons = [
      button("earlier", "↑", index === 0, () => this.move(index, -1)),
      button("later", "↓", isLast, () => this.move(index, 1)),
      button("remove", "×", false, () => this.remove(index)),
    ];
    return stepItem(step, about, { isOpen, buttons, changed: this.changed });
  }

  move(index, by) {
    const [step] = this.chosen.splice(index, 1);
    this.chosen.splice(index + by, 0, step);
    this.draw(step, by < 0 ? "earlier" : "later");
  }

  remove(index) {
    this.chosen.splice(index, 1);
    this.draw(this.chosen[Math.min(index, this.chosen.length - 1)], "remove");
  }

  // Adds the chosen step at its place in the catalog, which suits most pages.
  add() {
    const { value } = this.adding;
    if (!value) return;
    const order = this.declared.map((one) => one.name);
    const place = this.chosen.findIndex((one) => order.indexOf(one.name) > order.indexOf(value));
    const step = { name: value, values: {} };
    this.chosen.splice(place < 0 ? this.chosen.length : place, 0, step);
    this.draw(step, "earlier");
  }

  // Removes the shown mistakes.
  clearMistakes() {
    for (const one of this.list.querySelectorAll("[data-wrong]")) one.textContent = "";
    for (const one of this.list.querySelectorAll("[aria-invalid]")) {
      one.removeAttribute("aria-invalid");
    }
  }

  // Shows a mistake at its field; false if there is no such field.
  showMistake({ place, message }) {
    const [, index, name] = place.match(/^steps\[(\d+)\](?:\.[^.]+\.([^.]+))?$/) ?? [];
    const step = index === undefined ? undefined : this.list.children[index];
    if (!step) return false;
    const input = name && step.querySelector(`[data-option="${CSS.escape(name)}"]`);
    input?.setAttribute("aria-invalid", "true");
    const wrong = (input && step.querySelector(`[data-wrong="${CSS.escape(name)}"]`)) ??
      step.querySelector('[data-wrong=""]');
    // The message is shown at its place, so the place is removed from it.
    wrong.textContent = message.replace(/^(?:\d+:\d+: )?steps\[[^:]*: /, "");
    if (input) step.querySelector("details").open = true;
    return true;
  }

  focusMistake() {
    this.list.querySelector("[aria-invalid]")?.focus();
  }
}
