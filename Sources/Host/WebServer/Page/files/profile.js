// A profile as a form, made from what the steps declare, and checked by the host as it is filled
// in.
import { ask } from "./host.js";
import { make, press, tell } from "./dom.js";
import { field } from "./field.js";
import {
  explain,
  hostWords,
  keyedText,
  keyedWords,
  languageName,
  profileText,
  say,
} from "./words.js";

// A step of a profile is its name, or an object of its options under its name.
const read = (entry) =>
  typeof entry === "string"
    ? { name: entry, values: {} }
    : { name: Object.keys(entry)[0], values: { ...Object.values(entry)[0] } };
const written = ({ name, values }) => Object.keys(values).length ? { [name]: values } : name;

// One option of a step; default values are left out of the profile.
function option(declared, step, values, changed) {
  const { name, type, minimum, maximum, unit, usual } = declared;
  const range = type === "number" ? `${minimum} – ${maximum}${unit ? " " + unit : ""}` : "";
  const shown = {
    ...declared,
    label: say("option-" + name),
    help: keyedWords(`step.${step}.${name}.help`, declared.help),
    takes: [range, say("usual", { value: String(usual) })].filter(Boolean).join(" · "),
    choices: declared.choices?.map((one) => [one, one]),
  };
  return field(shown, values[name] ?? usual, (given) => {
    if (given === usual || given === undefined) delete values[name];
    else values[name] = given;
    changed();
  });
}

export async function profileForm(place, from) {
  const [profile, { steps }, { languages }, { sinks }, { profiles }] = await Promise.all([
    ask(`profiles/${encodeURIComponent(from)}/form`),
    ask("steps"),
    ask("languages"),
    ask("sinks"),
    ask("profiles"),
  ]);
  const known = profiles.find((one) => one.name === from);
  const isCopy = known?.isBuiltIn ?? true;
  const free = (base) => {
    let name = base;
    for (let n = 2; profiles.some((one) => one.name === name); n += 1) name = `${base}-${n}`;
    return name;
  };
  const declared = (name) => steps.find((step) => step.name === name);
  const chosen = profile.steps.map(read);
  const text = (name, attributes = {}) =>
    make("input", { name, autocomplete: "off", oninput: changed, ...attributes });

  const name = text("name", {
    value: isCopy ? free(say("myProfile") + "-" + from) : from,
    required: true,
    readonly: !isCopy,
    pattern: "[\\p{L}\\p{N}][\\p{L}\\p{N}_\\-]{0,63}",
    title: say("profileNameHint"),
  });
  const title = text("title", {
    value: isCopy
      ? say("myTitle", { title: known ? profileText(known, "title") : from })
      : profile.title,
    required: true,
  });
  const description = make(
    "textarea",
    { name: "description", rows: 2, oninput: changed },
    isCopy && known ? profileText(known, "description") : profile.description,
  );
  const looksFor = make(
    "select",
    { name: "looksFor", onchange: changed },
    ["page", "card", "nothing", ...(profile.region ? ["region"] : [])].map((one) =>
      make("option", { value: one, selected: one === profile.looksFor }, say("looksFor-" + one))
    ),
  );
  const list = make("ol", { class: "steps", "aria-label": say("steps") });
  const adding = make("select", { "aria-label": say("addStep") });
  const state = make("p", { class: "soft", role: "status" });
  const mistakes = make("ul", { class: "bad" });
  const own = profile.text?.languages ?? [];
  const reads = checks(
    say("readText"),
    [...new Set([...own, ...languages])].map((code) => [code, `${languageName(code)} (${code})`]),
    own,
  );
  const goes = checks(
    say("goesTo"),
    sinks.map((one) => [one, one === "archive" ? say("archive") : one]),
    profile.sinks ?? [],
  );

  function checks(legend, items, on) {
    const inputs = items.map(([value]) =>
      make("input", { type: "checkbox", value, checked: on.includes(value), onchange: changed })
    );
    const group = make(
      "fieldset",
      {},
      make("legend", {}, legend),
      items.map(([, words], index) =>
        make("label", { class: "check-label" }, inputs[index], words)
      ),
    );
    group.values = () => inputs.filter((input) => input.checked).map((input) => input.value);
    return group;
  }

  const now = () => {
    const codes = reads.values();
    const { region, live } = profile;
    return {
      title: title.value,
      description: description.value,
      looksFor: looksFor.value,
      ...(looksFor.value === "region" && { region }),
      ...(live && { live }),
      steps: chosen.map(written),
      text: codes.length ? { languages: codes } : "off",
      sinks: goes.values(),
    };
  };

  // The list is redrawn; `focus` is the button that is looked for in the step that was moved.
  function draw(step, focus) {
    const isOpen = new Map(
      [...list.children].map((one) => [one.dataset.step, one.querySelector("details").open]),
    );
    list.replaceChildren(...chosen.map((one, index) => card(one, index, isOpen.get(one.name))));
    const others = steps.filter((other) => !chosen.some((one) => one.name === other.name));
    adding.replaceChildren(
      make("option", { value: "" }, say("addStep") + " …"),
      ...others.map((other) =>
        make("option", { value: other.name }, keyedText(`step.${other.name}.title`, other.title))
      ),
    );
    const buttons = step && list.querySelector(`[data-step="${step.name}"]`);
    (buttons?.querySelector(`[data-act="${focus}"]:not(:disabled)`) ??
      buttons?.querySelector("button:not(:disabled)"))?.focus();
    changed();
  }

  function card(step, index, isOpen) {
    const about = declared(step.name);
    const act = (what, words, isOff, work) =>
      make("button", {
        type: "button",
        "data-act": what,
        disabled: isOff,
        "aria-label": `${say(what)}: ${keyedText(`step.${step.name}.title`, about.title)}`,
        onclick: work,
      }, words);
    const move = (by) => {
      chosen.splice(index, 1);
      chosen.splice(index + by, 0, step);
      draw(step, by < 0 ? "earlier" : "later");
    };
    return make(
      "li",
      { "data-step": step.name },
      make(
        "details",
        { open: isOpen },
        make(
          "summary",
          {},
          make("strong", {}, keyedWords(`step.${step.name}.title`, about.title)),
          make(
            "span",
            { class: "soft" },
            " ",
            keyedWords(`step.${step.name}.help`, about.help),
          ),
        ),
        about.options.length
          ? make(
            "div",
            { class: "fields" },
            about.options.map((one) => option(one, step.name, step.values, changed)),
          )
          : make("p", { class: "soft" }, say("noOptions")),
      ),
      make(
        "span",
        { class: "tools row" },
        act("earlier", "↑", index === 0, () => move(-1)),
        act("later", "↓", index === chosen.length - 1, () => move(1)),
        act("remove", "×", false, () => {
          chosen.splice(index, 1);
          draw(chosen[Math.min(index, chosen.length - 1)], "remove");
        }),
      ),
      make("p", { class: "bad", "data-wrong": "" }),
    );
  }

  adding.addEventListener("change", () => {
    if (!adding.value) return;
    // Where the catalog has it, which suits most pages.
    const order = steps.map((one) => one.name);
    const place = chosen.findIndex((one) => order.indexOf(one.name) > order.indexOf(adding.value));
    const step = { name: adding.value, values: {} };
    chosen.splice(place < 0 ? chosen.length : place, 0, step);
    draw(step, "earlier");
  });

  let timer;
  let latest = 0;
  function changed() {
    clearTimeout(timer);
    timer = setTimeout(() => check().catch((problem) => tell(explain(problem))), 250);
  }

  async function check() {
    const number = ++latest;
    const { problems } = await ask("profile-check", { method: "POST", body: now() });
    // A later check decides.
    if (number !== latest) return problems;
    for (const one of list.querySelectorAll("[data-wrong]")) one.textContent = "";
    for (const one of list.querySelectorAll("[aria-invalid]")) one.removeAttribute("aria-invalid");
    const others = problems.filter((problem) => !mark(problem));
    mistakes.replaceChildren(
      ...others.map((problem) => make("li", {}, hostWords(problem.message))),
    );
    state.textContent = problems.length
      ? say("mistakeCount", { number: problems.length })
      : say("profileFine");
    state.className = problems.length ? "bad" : "good";
    return problems;
  }

  // Shows a mistake at its field; false when it has none.
  function mark({ place, message }) {
    const [, index, name] = place.match(/^steps\[(\d+)\](?:\.[^.]+\.([^.]+))?$/) ?? [];
    const step = index === undefined ? undefined : list.children[index];
    if (!step) return false;
    const input = name && step.querySelector(`[data-option="${CSS.escape(name)}"]`);
    input?.setAttribute("aria-invalid", "true");
    const room = (input && step.querySelector(`[data-wrong="${CSS.escape(name)}"]`)) ??
      step.querySelector('[data-wrong=""]');
    // It is already in this place.
    room.textContent = message.replace(/^(?:\d+:\d+: )?steps\[[^:]*: /, "");
    if (input) step.querySelector("details").open = true;
    return true;
  }

  const form = make(
    "form",
    {
      class: "card profile",
      onsubmit: press(async () => {
        clearTimeout(timer);
        if ((await check()).length) return list.querySelector("[aria-invalid]")?.focus();
        await ask("profiles/" + encodeURIComponent(name.value), { method: "PUT", body: now() });
        tell(say("profileKept", { title: title.value }));
        location.hash = "#settings";
      }),
    },
    isCopy
      ? make(
        "p",
        { class: "soft" },
        say("copyHint", { title: known ? profileText(known, "title") : from }),
      )
      : undefined,
    make(
      "div",
      { class: "fields" },
      make("label", {}, say("profileName"), name),
      make("label", {}, say("title"), title),
      make("label", { class: "wide" }, say("description"), description),
      make("label", {}, say("looksFor"), looksFor),
    ),
    make("h3", {}, say("steps")),
    make("p", { class: "soft" }, say("stepsHint")),
    list,
    adding,
    make("div", { class: "fields" }, reads, goes),
    mistakes,
    make(
      "div",
      { class: "row foot" },
      make("button", { class: "main" }, say("keepProfile")),
      make("a", { class: "button quiet", href: "#settings" }, say("cancel")),
      state,
    ),
  );
  place.append(
    make(
      "h2",
      {},
      isCopy
        ? say("copyOf", { name: known ? profileText(known, "title") : from })
        : say("changeOf", { name: profile.title }),
    ),
    form,
  );
  draw();
  return () => clearTimeout(timer);
}
