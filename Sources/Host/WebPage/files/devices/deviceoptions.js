// The settings of a device for the next scan, besides those of every scanner. This browser stores
// them for each device, and the device checks them while the user fills them in.
import { fold, make, redraw } from "../parts/dom.js";
import { field } from "../parts/field.js";
import { ask } from "../shell/host.js";
import { recall, remember } from "../parts/memory.js";
import { inGroups, takes, valueWords } from "./options.js";
import { explain, hostWords, problemWords, say } from "../words/words.js";

// The form itself has most of these, and passwords are never stored. Files of the host can't be
// chosen here.
const others = new Set(["source", "mode", "resolution", "paper", "password"]);
const isSettable = ({ name, type, isReadOnly, hostPath }) =>
  !isReadOnly && !hostPath && type.kind !== "button" && !others.has(name) &&
  !name.startsWith("area-");
const fieldTypes = {
  toggle: "flag",
  text: "text",
  choice: "choice",
  integerChoice: "choice",
  integer: "number",
  number: "number",
};

// The fields of all options; those for experts can be unfolded. `fieldOf(option)` makes a field.
function groups(options, fieldOf) {
  const some = (isAdvanced) =>
    inGroups(options.filter((option) => option.isAdvanced === isAdvanced)).map((
      [group, members],
    ) =>
      make(
        "fieldset",
        {},
        make("legend", {}, group ? hostWords(group) : say("options")),
        members.map(fieldOf),
      )
    );
  const rare = some(true);
  return [
    ...some(false),
    ...(rare.length ? [fold(say("forExperts"), {}, ...rare)] : []),
  ];
}

// The field of an option with its present value.
function optionField(option, value, take) {
  const { name, type, unit } = option;
  return field(
    {
      name,
      label: hostWords(option.title),
      help: hostWords(option.help),
      takes: option.isActive ? takes(option) : say("notNow"),
      type: fieldTypes[type.kind],
      choices: type.choices?.map((one) => [one, valueWords(one, unit)]),
      longest: type.maximumLength,
      minimum: type.minimum,
      maximum: type.maximum,
      isOff: !option.isActive,
    },
    value,
    take,
  );
}

// Shows each problem at its field, and removes solved ones.
function markProblems(list, problems) {
  for (const wrong of list.querySelectorAll("[data-wrong]")) {
    const problem = problems.find((one) => one.option === wrong.dataset.wrong);
    // Advice about the command line does not help here.
    wrong.replaceChildren(
      ...(problem ? problemWords({ code: problem.code, message: problem.message }) : []),
    );
    list.querySelector(`[data-option="${CSS.escape(wrong.dataset.wrong)}"]`).toggleAttribute(
      "aria-invalid",
      Boolean(problem),
    );
  }
}

// A fold with the options of a device.
export class DeviceOptions {
  count = make("span", { class: "soft" });
  state = make("p", { class: "soft", role: "status" });
  list = make("div");
  usual = make("button", { type: "button", onclick: () => this.reset() }, say("usualAll"));
  element = fold(
    [say("deviceOptions"), " ", this.count],
    { ontoggle: () => this.element.open && this.check() },
    make("p", { class: "soft" }, say("deviceOptionsHint")),
    this.state,
    this.list,
    this.usual,
  );
  device;
  // The common settings of the form, and the options of this one.
  common = {};
  settings = {};
  // The options that the fields are for: redrawn only when these change, so that typing is not
  // disturbed.
  shape = "";
  // There is one check at a time, because a device with two requests reports that it is busy;
  // outdated answers are dropped: "idle", "asking", or "outdated" once the settings have changed.
  phase = "idle";
  timer;
  // The effective settings of each device, by the requested settings as text, so that the device
  // need not be opened again.
  effective = {};
  isPaused = false;

  // `onEffective()` is called when the effective settings are known.
  constructor(onEffective = () => {}) {
    this.onEffective = onEffective;
  }

  get question() {
    return JSON.stringify([this.common, this.settings]);
  }

  // The value that a setting has in effect; nothing where it is not known.
  value(name) {
    return this.effective[this.question]?.[name];
  }

  // True if the device has said what is in effect.
  get isKnown() {
    return this.question in this.effective;
  }

  keepEffective(question, options) {
    const values = Object.fromEntries(
      options.filter((one) => one.value !== undefined && one.isActive)
        .map((one) => [one.name, one.value]),
    );
    const kept = Object.entries(this.effective).filter(([key]) => key !== question).slice(-20);
    this.effective = { ...Object.fromEntries(kept), [question]: values };
    remember("effective-" + this.device, this.effective);
    this.onEffective();
  }

  // Resolves when the device is not being asked.
  async idle() {
    clearTimeout(this.timer);
    await this.asking;
  }

  // Asks the device nothing while a job may have it.
  pause(isPaused) {
    const ends = this.isPaused && !isPaused;
    this.isPaused = isPaused;
    if (ends) this.check();
  }

  // Shows the options of a device for those common settings.
  show(device, common) {
    this.common = common;
    if (device !== this.device) {
      this.device = device;
      this.settings = recall("options-" + device, {});
      this.effective = recall("effective-" + device, {});
      this.shape = "";
      this.list.replaceChildren();
    }
    this.changed();
  }

  end() {
    clearTimeout(this.timer);
  }

  reset() {
    this.settings = {};
    this.shape = "";
    this.changed(0);
  }

  set({ name, defaultValue }, value) {
    if (value === undefined || value === defaultValue) delete this.settings[name];
    else this.settings[name] = String(value);
    this.changed();
  }

  changed(wait = 400) {
    remember("options-" + this.device, this.settings);
    const number = Object.keys(this.settings).length;
    this.count.textContent = number ? say("setCount", { number }) : "";
    this.usual.hidden = !number;
    this.outdate();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.check(), wait);
  }

  outdate() {
    if (this.phase === "asking") this.phase = "outdated";
  }

  check() {
    const isNeeded = this.element.open || !this.isKnown;
    if (!isNeeded || !this.device || this.isPaused) return;
    if (this.phase !== "idle") return this.outdate();
    this.phase = "asking";
    if (!this.shape) this.state.textContent = say("loading");
    this.asking = this.askDevice();
  }

  async askDevice() {
    const { question } = this;
    try {
      const told = await ask(`devices/${encodeURIComponent(this.device)}/check`, {
        method: "POST",
        body: { common: this.common, settings: this.settings },
      });
      if (this.phase === "asking") {
        const problems = told.problems.filter((problem) =>
          !(problem.code === "noSuchOption" && delete this.settings[problem.option])
        );
        this.draw(told.options.filter(isSettable), problems);
        this.keepEffective(question, told.options);
      }
    } catch (problem) {
      if (this.phase === "asking") this.state.replaceChildren(...explain(problem));
    }
    const isOutdated = this.phase === "outdated";
    this.phase = "idle";
    if (isOutdated) this.check();
  }

  draw(options, problems) {
    const shape = JSON.stringify(options.map(({ name, type, isActive }) => [name, type, isActive]));
    if (shape !== this.shape) {
      redraw(this.list, () =>
        this.list.replaceChildren(
          ...groups(options, (option) =>
            optionField(option, this.given(option), (value) => this.set(option, value))),
        ));
    }
    this.shape = shape;
    markProblems(this.list, problems);
    // Problems with a field that is not shown, or with the form's own settings.
    const rest = problems.filter((problem) =>
      !options.some((option) => option.name === problem.option)
    );
    this.state.replaceChildren(
      ...(options.length ? rest.flatMap(problemWords) : [say("noDeviceOptions")]),
    );
  }

  // A typed value takes precedence over the device's value.
  given({ name, type, value }) {
    if (!(name in this.settings)) return value;
    return type.kind === "toggle" ? this.settings[name] === "true" : this.settings[name];
  }
}
