// The settings: profiles, sinks, languages, and access.
import { about } from "./about.js";
import { appearance } from "./appearance.js";
import { fold, make } from "../parts/dom.js";
import { deleteButton } from "../parts/asking.js";
import { ask, may } from "../shell/host.js";
import { profileForm } from "./profile.js";
import { itemWords, section } from "./section.js";
import { sinks } from "./sinks.js";
import { tokens } from "./tokens.js";
import { hostWords, languageName, profileText, say, words } from "../words/words.js";

const titleOf = (profile) => profileText(profile, "title");

function profileItem(profile, reload) {
  const { isBuiltIn, problem } = profile;
  const name = titleOf(profile);
  return make(
    "li",
    { class: "row" },
    itemWords(
      name,
      isBuiltIn ? [] : [say("ownProfile")],
      problem ? hostWords(problem) : profileText(profile, "description"),
    ),
    make("a", {
      class: "button quiet",
      "data-needs": "admin",
      href: "#settings/profile/" + encodeURIComponent(profile.name),
      "aria-label": say(isBuiltIn ? "copyOf" : "changeOf", { name }),
    }, say(isBuiltIn ? "copyProfile" : "change")),
    isBuiltIn ? undefined : deleteButton({
      "data-needs": "admin",
      "aria-label": say("deleteOf", { name }),
      path: "profiles/" + encodeURIComponent(profile.name),
      question: say("deleteProfileSure", { name }),
      reload,
    }, say("discard")),
  );
}

async function profiles() {
  const list = make("ul", { class: "rows" });
  async function reload() {
    const { profiles } = await ask("profiles");
    const sorted = [...profiles].sort((a, b) => titleOf(a).localeCompare(titleOf(b)));
    list.replaceChildren(...sorted.map((profile) => profileItem(profile, reload)));
  }
  await reload();
  return section(say("profiles"), say("profilesHint"), list);
}

// The language of the example for another one: the reader's own, where Debian has it by that code.
const package_ = () => ({ de: "deu", fr: "fra", es: "spa" })[words.language] ?? "deu";

async function languages() {
  const { languages } = await ask("languages");
  return section(
    say("languages"),
    say("languagesHint"),
    make(
      "ul",
      { class: "tags" },
      languages.map((code) => make("li", { class: "tag" }, `${languageName(code)} (${code})`)),
    ),
    fold(
      say("forAdministrator"),
      { "data-needs": "admin" },
      make("p", { class: "soft" }, say("languagesMore")),
      make("code", { class: "code block" }, "sudo apt install tesseract-ocr-" + package_()),
    ),
  );
}

// Shows the form for another destination, which other views lead to.
function openAdding(form) {
  if (!form) return;
  form.open = true;
  form.scrollIntoView({ block: "center" });
  form.querySelector("summary").focus({ preventScroll: true });
}

async function show(place, [what, name]) {
  if (what === "profile" && name && may("admin")) return profileForm(place, name);
  place.append(make("h2", {}, say("settings")));
  const parts = await Promise.all([profiles(), sinks(), tokens(), languages(), about()]);
  place.append(make("div", { class: "cards flowing pair" }, appearance(), ...parts));
  if (what === "destinations") openAdding(place.querySelector(".adding-sink"));
  return () => {
    for (const part of parts) part.leave?.();
  };
}

export const view = {
  name: "settings",
  words: "settings",
  icon: "settings",
  help: "help-settings",
  tab: "wide",
  under: "more",
  needs: "scan",
  show,
};
