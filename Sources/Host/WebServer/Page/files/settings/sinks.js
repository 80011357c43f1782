// The sinks that documents are sent to, and a form for a new one.
import { make, plainName, press, tell } from "../parts/dom.js";
import { ask, may } from "../shell/host.js";
import { section } from "./section.js";
import { explain, has, hostText, hostWords, say } from "../words/words.js";

export async function sinks() {
  const list = make("ul", { class: "rows" });
  async function reload() {
    const { named } = await ask("sinks");
    list.replaceChildren(archiveItem(), ...named.map((sink) => sinkItem(sink, reload)));
  }
  await reload();
  return section(
    say("sinksTitle"),
    say("sinksHint"),
    list,
    may("admin") ? sinkForm(reload, (await ask("sink-kinds")).kinds) : undefined,
  );
}

const archiveItem = () =>
  make(
    "li",
    { class: "row" },
    make(
      "span",
      { class: "grow" },
      make("strong", {}, say("archive")),
      make("span", { class: "soft block" }, say("archiveSink")),
    ),
  );

function sinkItem(sink, reload) {
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
        make("span", { class: "soft block" }, sink.target ?? (may("admin") ? say("onHost") : "")),
      ),
      make("button", {
        "aria-label": say("testOf", { name: sink.name }),
        onclick: press(() => test(path, answer)),
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
}

// Tests a sink, and shows its answer.
async function test(path, answer) {
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
}

const kindName = (kind) => has(`sink.${kind}.name`) ? say(`sink.${kind}.name`) : kind;

// The label of a kind's setting: the kind's own, or the shared one.
function settingName(kind, setting) {
  const own = `sink.${kind}.${setting.name}`;
  return say(has(own) ? own : `sink.${setting.name}`);
}

// The field for a setting; the host describes the kinds, their settings and fields.
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

// The order for a sink, from a form's fields.
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

const nameField = () =>
  make(
    "label",
    {},
    say("sinkName"),
    make("input", {
      name: "name",
      autocomplete: "off",
      required: true,
      maxlength: 40,
      title: say("sinkNameHint"),
      // Any name is converted to the form that the host keeps.
      onchange: ({ target }) => {
        target.value = plainName(target.value.normalize("NFKD").replace(/\p{M}/gu, ""))
          .toLowerCase().replace(/[^a-z0-9-]+/g, "-");
      },
      placeholder: "office",
    }),
  );

function sinkForm(reload, kinds) {
  const choice = make(
    "select",
    { name: "kind", onchange: show },
    kinds.map((kind) => make("option", { value: kind.name }, kindName(kind.name))),
  );
  const chosen = () => kinds.find((kind) => kind.name === choice.value);
  const settings = make("div", { class: "fields wide" });
  function show() {
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
  }
  show();
  const refusal = make("p", { class: "bad", role: "alert" });
  const form = make(
    "form",
    { onsubmit: press(add) },
    make("div", { class: "fields" }, nameField(), make("label", {}, say("kind"), choice), settings),
    make("p", { class: "soft" }, say("secretHint")),
    refusal,
    make("button", { class: "main" }, say("addSink")),
  );
  const more = make("details", {}, make("summary", {}, say("addSink")), form);

  async function add() {
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
  }

  return more;
}
