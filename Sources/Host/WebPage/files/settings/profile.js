// A profile as a form, made from what the steps declare, and checked by the host as it is filled
// in.
import { choice, freeName, labeled, make, plainName, press, tell, told } from "../parts/dom.js";
import { Checks } from "../parts/checks.js";
import { ask, hear } from "../shell/host.js";
import { Sample } from "./sample.js";
import { StepList } from "./steps.js";
import { hostWords, languageName, profileText, say } from "../words/words.js";

// The fields that are not lists, with their first values; the name of a copy can be chosen.
function plainFields(profile, first, isCopy, changed) {
  const text = (name, attributes) =>
    make("input", { name, autocomplete: "off", oninput: changed, ...attributes });
  return {
    name: text("name", {
      value: first.name,
      required: true,
      readonly: !isCopy,
      pattern: "[\\p{L}\\p{N}][\\p{L}\\p{N}_\\-]{0,63}",
      title: say("profileNameHint"),
    }),
    title: text("title", { value: first.title, required: true }),
    description: make(
      "textarea",
      { name: "description", rows: 2, oninput: changed },
      first.description,
    ),
    looksFor: choice(
      "looksFor",
      ["page", "card", "nothing", ...(profile.region ? ["region"] : [])].map((
        one,
      ) => [one, say("looksFor-" + one), one === profile.looksFor]),
      { onchange: changed },
    ),
  };
}

function languageChecks(own, installed, changed) {
  const codes = [...new Set([...own, ...installed])];
  const items = codes.map((code) => [code, `${languageName(code)} (${code})`]);
  return new Checks(say("readText"), items, own, changed);
}

function sinkChecks(own, sinks, changed) {
  const items = sinks.map((one) => [one, one === "archive" ? say("archive") : one]);
  // Whatever goes nowhere else goes to the archive.
  const checks = new Checks(say("goesTo"), items, own, () => {
    const archive = checks.boxes.find(({ value }) => value === "archive");
    archive.checked ||= !checks.values.length;
    changed();
  });
  const hint = make("p", { class: "soft" }, say("goesToHint"));
  checks.element.append(hint);
  return checks;
}

class ProfileForm {
  state = make("p", { class: "soft", role: "status" });
  mistakes = make("ul", { class: "bad" });
  timer;
  // Counts the checks: the result of the latest one counts.
  latest = 0;

  // `first` has the initial values of the plain fields, `copied` the title of the copied profile,
  // if any.
  constructor(profile, { first, copied, steps, languages, sinks }) {
    this.profile = profile;
    this.offered = first.name;
    const changed = () => this.changed();
    this.fields = plainFields(profile, first, copied !== undefined, changed);
    this.fields.title.addEventListener("input", () => this.offerName(first.names));
    this.languages = languageChecks(profile.text?.languages ?? [], languages, changed);
    // A profile that names no place sends to the archive.
    const places = profile.sinks?.length ? profile.sinks : ["archive"];
    this.sinks = sinkChecks(places, sinks, changed);
    this.steps = new StepList(steps, profile.steps, changed);
    this.sample = new Sample(steps);
    this.deaf = hear((name, value) => {
      if (name === "reset" || (name === "link" && value)) this.sample.again();
    });
    this.element = make(
      "div",
      { class: "columns profiling" },
      this.form(copied),
      this.sample.element,
    );
  }

  // The name of a copy follows its title until someone writes another name; `names` are taken.
  offerName(names) {
    const { name, title } = this.fields;
    const made = plainName(title.value).slice(0, 60);
    if (!names || !made || name.value !== this.offered) return;
    this.offered = name.value = freeName(made.toLowerCase(), names);
  }

  form(copied) {
    const { name, title, description, looksFor } = this.fields;
    return make(
      "form",
      { class: "card profile", onsubmit: press(() => this.save()) },
      copied === undefined
        ? undefined
        : make("p", { class: "soft" }, say("copyHint", { title: copied })),
      make(
        "div",
        { class: "fields" },
        labeled(say("title"), title),
        labeled(say("profileName"), name),
        labeled(say("description"), description, "wide"),
        labeled(say("looksFor"), looksFor),
      ),
      make("h3", {}, say("steps")),
      make("p", { class: "soft" }, say("stepsHint")),
      this.steps.list,
      this.steps.adding,
      make("div", { class: "fields" }, this.languages.element, this.sinks.element),
      this.mistakes,
      make(
        "div",
        { class: "row foot" },
        make("button", { class: "main" }, say("keepProfile")),
        make("a", { class: "button quiet", href: "#settings" }, say("cancel")),
        this.state,
      ),
    );
  }

  // Where documents go; empty for the archive alone, unless the profile named it before.
  get places() {
    const { values } = this.sinks;
    return values.join() === "archive" && !this.profile.sinks?.length ? [] : values;
  }

  // The profile in the form.
  get value() {
    const { title, description, looksFor } = this.fields;
    const languages = this.languages.values;
    const { region, live } = this.profile;
    return {
      title: title.value,
      description: description.value,
      looksFor: looksFor.value,
      ...(looksFor.value === "region" && { region }),
      ...(live && { live }),
      steps: this.steps.entries,
      text: languages.length ? { languages } : "off",
      sinks: this.places,
    };
  }

  changed() {
    clearTimeout(this.timer);
    this.timer = setTimeout(told(() => this.check()), 250);
  }

  async check() {
    const number = ++this.latest;
    const body = this.value;
    const { problems } = await ask("profile-check", { method: "POST", body });
    if (number !== this.latest) return problems;
    this.steps.clearMistakes();
    const others = problems.filter((problem) => !this.steps.showMistake(problem));
    this.mistakes.replaceChildren(
      ...others.map((problem) => make("li", {}, hostWords(problem.message))),
    );
    this.state.textContent = problems.length
      ? say("mistakeCount", { number: problems.length })
      : say("profileFine");
    this.state.className = problems.length ? "bad" : "good";
    if (!problems.length) this.sample.show(body);
    return problems;
  }

  async save() {
    const { name, title } = this.fields;
    clearTimeout(this.timer);
    if ((await this.check()).length) return this.steps.focusMistake();
    await ask("profiles/" + encodeURIComponent(name.value), { method: "PUT", body: this.value });
    tell(say("profileKept", { title: title.value }));
    location.hash = "#settings";
  }

  end() {
    clearTimeout(this.timer);
    this.deaf();
  }
}

// The form to change a profile of the user's, or a copy of a built-in one.
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
  const copied = isCopy ? (known ? profileText(known, "title") : from) : undefined;
  const first = isCopy
    ? {
      names: profiles.map((one) => one.name),
      name: freeName(say("myProfile") + "-" + from, profiles.map((one) => one.name)),
      title: say("myTitle", { title: copied }),
      description: known ? profileText(known, "description") : profile.description,
    }
    : { name: from, title: profile.title, description: profile.description };
  const form = new ProfileForm(profile, { first, copied, steps, languages, sinks });
  const heading = isCopy
    ? say("copyOf", { name: copied })
    : say("changeOf", { name: profile.title });
  place.append(make("h2", {}, heading), form.element);
  form.steps.draw();
  return () => form.end();
}
