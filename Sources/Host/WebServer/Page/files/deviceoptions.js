// The settings of a device for the next scan, besides those of every scanner. This browser keeps
// them for each device, and the device checks them as they are filled in.
import { make, redraw } from "./dom.js";
import { field } from "./field.js";
import { ask } from "./host.js";
import { recall, remember } from "./memory.js";
import { inGroups, takes, valueWords } from "./options.js";
import { explain, hostWords, problemWords, say } from "./words.js";

// The form has most of these itself, and passwords are kept nowhere. Files of the host are not
// chosen from here.
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

// A fold; `show(device, common)` gets the device and the common settings of the form; `settings()`
// returns what is set.
export function deviceOptions() {
  const count = make("span", { class: "soft" });
  const state = make("p", { class: "soft", role: "status" });
  const list = make("div");
  const usual = make("button", {
    type: "button",
    onclick: () => {
      kept = {};
      shape = "";
      changed(0);
    },
  }, say("usualAll"));
  const element = make(
    "details",
    { class: "fold", ontoggle: () => element.open && check() },
    make("summary", {}, say("deviceOptions"), " ", count),
    make("p", { class: "soft" }, say("deviceOptionsHint")),
    state,
    list,
    usual,
  );
  let device;
  let common = {};
  let kept = {};
  // The options that the fields are for: redrawn only when these change, so that typing is not
  // disturbed.
  let shape = "";
  // One check at a time, because a device that is asked twice at once says that it is busy;
  // outdated answers are dropped.
  let isAsking = false;
  let isStale = false;
  let timer;

  function changed(wait = 400) {
    remember("options-" + device, kept);
    const number = Object.keys(kept).length;
    count.textContent = number ? say("setCount", { number }) : "";
    usual.hidden = !number;
    isStale = isAsking;
    clearTimeout(timer);
    timer = setTimeout(check, wait);
  }

  async function check() {
    if (!element.open || !device) return;
    isStale = isAsking;
    if (isAsking) return;
    isAsking = true;
    if (!shape) state.textContent = say("loading");
    try {
      const told = await ask(`devices/${encodeURIComponent(device)}/check`, {
        method: "POST",
        body: { common, settings: kept },
      });
      if (!isStale) {
        const problems = told.problems.filter((problem) =>
          !(problem.code === "noSuchOption" && delete kept[problem.option])
        );
        draw(told.options.filter(isSettable), problems);
      }
    } catch (problem) {
      if (!isStale) state.replaceChildren(...explain(problem));
    }
    isAsking = false;
    if (isStale) check();
  }

  function draw(options, problems) {
    const now = JSON.stringify(options.map(({ name, type, isActive }) => [name, type, isActive]));
    if (now !== shape) redraw(list, () => list.replaceChildren(...groups(options)));
    shape = now;
    for (const wrong of list.querySelectorAll("[data-wrong]")) {
      const problem = problems.find((one) => one.option === wrong.dataset.wrong);
      // What its advice says of the command line is of no use here.
      wrong.replaceChildren(
        ...(problem ? problemWords({ code: problem.code, message: problem.message }) : []),
      );
      list.querySelector(`[data-option="${CSS.escape(wrong.dataset.wrong)}"]`).toggleAttribute(
        "aria-invalid",
        Boolean(problem),
      );
    }
    // Problems with a field that is not shown, or with the form's own settings.
    const rest = problems.filter((problem) =>
      !options.some((option) => option.name === problem.option)
    );
    state.replaceChildren(
      ...(options.length ? rest.flatMap(problemWords) : [say("noDeviceOptions")]),
    );
  }

  function groups(options) {
    const some = (isAdvanced) =>
      inGroups(options.filter((option) => option.isAdvanced === isAdvanced)).map((
        [group, members],
      ) =>
        make(
          "fieldset",
          {},
          make("legend", {}, group ? hostWords(group) : say("options")),
          members.map(one),
        )
      );
    const rare = some(true);
    return [
      ...some(false),
      ...(rare.length
        ? [make("details", { class: "fold" }, make("summary", {}, say("forExperts")), ...rare)]
        : []),
    ];
  }

  function one(option) {
    const { name, type, unit } = option;
    return field(
      {
        name,
        label: hostWords(option.title),
        help: hostWords(option.help),
        takes: option.isActive ? takes(option) : say("notNow"),
        type: fieldTypes[type.kind],
        choices: type.choices?.map((value) => [value, valueWords(value, unit)]),
        longest: type.maximumLength,
        minimum: type.minimum,
        maximum: type.maximum,
        isOff: !option.isActive,
      },
      given(option),
      (value) => {
        if (value === undefined || value === option.defaultValue) delete kept[name];
        else kept[name] = String(value);
        changed();
      },
    );
  }

  // What was typed takes precedence over the device's value.
  const given = (
    { name, type, value },
  ) => (name in kept ? (type.kind === "toggle" ? kept[name] === "true" : kept[name]) : value);

  return {
    element,
    show(next, settings) {
      common = settings;
      if (next !== device) {
        device = next;
        kept = recall("options-" + device, {});
        shape = "";
        list.replaceChildren();
      }
      changed();
    },
    settings: () => kept,
    end: () => clearTimeout(timer),
  };
}
