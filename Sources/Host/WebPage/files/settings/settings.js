// The settings: profiles, sinks, languages, and access.
import { about } from "./about.js";
import { appearance } from "./appearance.js";
import { make, press } from "../parts/dom.js";
import { ask, may } from "../shell/host.js";
import { profileForm } from "./profile.js";
import { section } from "./section.js";
import { sinks } from "./sinks.js";
import { tokens } from "./tokens.js";
import { hostWords, languageName, profileText, say, words } from "../words/words.js";

async function profiles() {
  const list = make("ul", { class: "rows" });
  async function reload() {
    const { profiles } = await ask("profiles");
    const title = (profile) => profileText(profile, "title");
    list.replaceChildren(
      ...[...profiles].sort((a, b) => title(a).localeCompare(title(b))).map((profile) =>
        make(
          "li",
          { class: "row" },
          make(
            "span",
            { class: "grow" },
            make("strong", {}, profileText(profile, "title")),
            profile.isBuiltIn ? "" : " ",
            profile.isBuiltIn ? undefined : make("span", { class: "tag" }, say("ownProfile")),
            make(
              "span",
              { class: "soft block" },
              profile.problem ? hostWords(profile.problem) : profileText(profile, "description"),
            ),
          ),
          make("a", {
            class: "button quiet",
            "data-needs": "admin",
            href: "#settings/profile/" + encodeURIComponent(profile.name),
            "aria-label": say(profile.isBuiltIn ? "copyOf" : "changeOf", {
              name: profileText(profile, "title"),
            }),
          }, say(profile.isBuiltIn ? "copyProfile" : "change")),
          profile.isBuiltIn ? undefined : make("button", {
            "data-needs": "admin",
            "aria-label": say("deleteOf", { name: profileText(profile, "title") }),
            onclick: (event) =>
              confirm(say("deleteProfileSure", { name: profileText(profile, "title") })) &&
              press(async () => {
                await ask("profiles/" + encodeURIComponent(profile.name), { method: "DELETE" });
                await reload();
              })(event),
          }, say("discard")),
        )
      ),
    );
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
    make(
      "details",
      { class: "fold", "data-needs": "admin" },
      make("summary", {}, say("forAdministrator")),
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
