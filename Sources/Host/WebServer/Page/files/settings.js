// Settings: profiles, where documents go, languages, and access.
import { ask, may } from "./host.js";
import { make, press, tell } from "./dom.js";
import { day, explain, has, hostText, hostWords, languageName, profileText, say } from "./words.js";
import { profileForm } from "./profile.js";

const section = (title, hint, ...children) =>
  make(
    "section",
    { class: "card settings", "aria-label": title },
    make("h3", {}, title),
    hint ? make("p", { class: "soft" }, hint) : undefined,
    ...children,
  );

async function profiles() {
  const list = make("ul", { class: "rows" });
  async function reload() {
    const { profiles } = await ask("profiles");
    list.replaceChildren(
      ...profiles.map((profile) =>
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

async function sinks() {
  const list = make("ul", { class: "rows" });
  async function reload() {
    const { named } = await ask("sinks");
    list.replaceChildren(
      make(
        "li",
        { class: "row" },
        make(
          "span",
          { class: "grow" },
          make("strong", {}, say("archive")),
          make("span", { class: "soft block" }, say("archiveSink")),
        ),
      ),
      ...named.map((sink) => {
        const answer = make("p", { class: "soft", role: "status" });
        const path = "sinks/" + encodeURIComponent(sink.name);
        return make(
          "li",
          {},
          make(
            "div",
            { class: "row" },
            make(
              "span",
              { class: "grow" },
              make("strong", {}, sink.name),
              " ",
              make("span", { class: "tag" }, kindName(sink.kind)),
              make(
                "span",
                { class: "soft block" },
                sink.target ?? (may("admin") ? say("onHost") : ""),
              ),
            ),
            make("button", {
              "aria-label": say("testOf", { name: sink.name }),
              onclick: press(async () => {
                answer.className = "soft";
                answer.textContent = say("testing");
                const told = await ask(path + "/test", { method: "POST" }).catch((problem) => ({
                  works: false,
                  nodes: explain(problem),
                }));
                answer.replaceChildren(
                  ...(told.works
                    ? [say("works", { answer: hostText(told.answer) })]
                    : told.nodes ?? [hostWords(told.answer)]),
                );
                answer.className = told.works ? "good" : "bad";
              }),
            }, say("test")),
            make("button", {
              "data-needs": "admin",
              "aria-label": say("deleteOf", { name: sink.name }),
              onclick: (event) =>
                confirm(say("forgetSure", { name: sink.name })) && press(async () => {
                  await ask(path, { method: "DELETE" });
                  await reload();
                })(event),
            }, say("discard")),
          ),
          answer,
        );
      }),
    );
  }
  await reload();
  return section(
    say("sinksTitle"),
    say("sinksHint"),
    list,
    may("admin") ? sinkForm(reload, (await ask("sink-kinds")).kinds) : undefined,
  );
}

const kindName = (kind) => has(`sink.${kind}.name`) ? say(`sink.${kind}.name`) : kind;

// The label of a kind's setting: the kind's own, or the shared one.
function settingName(kind, setting) {
  const own = `sink.${kind}.${setting.name}`;
  return say(has(own) ? own : `sink.${setting.name}`);
}

/** The field for a setting; settings and fields are the host's, which knows the kinds. */
function settingField(kind, setting) {
  const common = { name: "setting." + setting.name, required: setting.isNeeded };
  if (setting.choices.length > 0) {
    const none = setting.isNeeded ? [] : [make("option", { value: "" }, "")];
    const values = setting.choices.map((one) => make("option", { value: one }, one));
    return make("select", common, none, values);
  }
  if (setting.isSecret) {
    return make("input", { ...common, type: "password", autocomplete: "new-password" });
  }
  if (setting.name !== "url") return make("input", { ...common, autocomplete: "off" });
  const schemes = kind.schemes.join("|");
  return make("input", {
    ...common,
    autocomplete: "off",
    pattern: `(${schemes})://.+`,
    placeholder: kind.schemes[0] + "://",
  });
}

/** The order for a sink, from a form's fields. */
function sinkOrder(kind, fields) {
  const order = { name: fields.get("name").trim(), kind: kind.name };
  for (const setting of kind.settings) {
    const value = (fields.get("setting." + setting.name) ?? "").trim();
    if (value === "") continue;
    if (setting.isParameter) order.parameters = { ...order.parameters, [setting.name]: value };
    else order[setting.name] = value;
  }
  return order;
}

function sinkForm(reload, kinds) {
  const choice = make(
    "select",
    { name: "kind" },
    kinds.map((kind) => make("option", { value: kind.name }, kindName(kind.name))),
  );
  const chosen = () => kinds.find((kind) => kind.name === choice.value);
  const settings = make("div", { class: "fields wide" });
  const show = () =>
    settings.replaceChildren(
      ...chosen().settings.map((setting) =>
        make(
          "label",
          { class: setting.name === "url" ? "wide" : "" },
          settingName(choice.value, setting),
          settingField(chosen(), setting),
        )
      ),
    );
  choice.addEventListener("change", show);
  show();
  const refusal = make("p", { class: "bad", role: "alert" });
  const form = make(
    "form",
    {
      onsubmit: press(async () => {
        refusal.textContent = "";
        const order = sinkOrder(chosen(), new FormData(form));
        try {
          await ask("sinks", { method: "POST", body: order });
        } catch (problem) {
          refusal.replaceChildren(...explain(problem));
          return;
        }
        form.reset();
        show();
        more.open = false;
        await reload();
        tell(say("sinkAdded", { name: order.name }));
      }),
    },
    make(
      "div",
      { class: "fields" },
      make(
        "label",
        {},
        say("sinkName"),
        make("input", {
          name: "name",
          autocomplete: "off",
          required: true,
          pattern: "[a-z0-9\\-]{1,40}",
          title: say("sinkNameHint"),
          placeholder: "office",
        }),
      ),
      make("label", {}, say("kind"), choice),
      settings,
    ),
    make("p", { class: "soft" }, say("secretHint")),
    refusal,
    make("button", { class: "main" }, say("addSink")),
  );
  const more = make("details", {}, make("summary", {}, say("addSink")), form);
  return more;
}

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
  );
}

async function tokens() {
  if (!may("admin")) return section(say("tokens"), say("tokensForAdmin"));
  const { isAsked } = await ask("tokens");
  if (!isAsked) return section(say("tokens"), say("noTokensHere"));
  const list = make("ul", { class: "rows" });
  const made = make("div", { role: "status" });
  async function reload() {
    const { tokens } = await ask("tokens");
    list.replaceChildren(
      ...tokens.map((token) =>
        make(
          "li",
          { class: "row" },
          make(
            "span",
            { class: "grow" },
            make("strong", {}, token.name),
            " ",
            make("span", { class: "tag" }, say("scope-" + token.scope)),
            make("span", { class: "soft block" }, say("made", { day: day(token.made) })),
          ),
          make("button", {
            "aria-label": say("deleteOf", { name: token.name }),
            onclick: (event) =>
              confirm(say("takeBackSure", { name: token.name })) &&
              press(async () => {
                await ask("tokens/" + encodeURIComponent(token.name), { method: "DELETE" });
                made.replaceChildren();
                await reload();
              })(event),
          }, say("takeBack")),
        )
      ),
    );
  }
  await reload();
  const name = make("input", {
    name: "name",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    placeholder: say("tokenExample"),
  });
  const scope = make(
    "select",
    { name: "scope" },
    ["read", "scan", "admin"].map((one) =>
      make("option", { value: one, selected: one === "scan" }, say("scope-" + one))
    ),
  );
  const form = make(
    "form",
    {
      class: "row",
      onsubmit: press(async () => {
        const { token } = await ask("tokens", {
          method: "POST",
          body: { name: name.value.trim(), scope: scope.value },
        });
        const shown = make("input", {
          readonly: true,
          value: token,
          "aria-label": say("newToken"),
          class: "code",
        });
        made.replaceChildren(
          make("p", { class: "good" }, say("tokenOnce")),
          make(
            "div",
            { class: "row" },
            make("span", { class: "grow" }, shown),
            make("button", {
              type: "button",
              onclick: press(async () => {
                shown.select();
                await navigator.clipboard.writeText(token);
                tell(say("copied"));
              }),
            }, say("copy")),
          ),
        );
        shown.select();
        form.reset();
        await reload();
      }),
    },
    make("label", { class: "grow" }, say("tokenName"), name),
    make("label", {}, say("tokenScope"), scope),
    make("button", { class: "main" }, say("makeToken")),
  );
  return section(say("tokens"), say("tokensHint"), list, form, made);
}

export async function settings(place, what, name) {
  if (what === "profile" && name && may("admin")) return profileForm(place, name);
  place.append(make("h2", {}, say("settings")));
  const parts = await Promise.all([profiles(), sinks(), tokens(), languages()]);
  place.append(make("div", { class: "cards flowing pair" }, ...parts));
}
