// The sinks that documents are sent to, and a form for a new one.
import { make, plainName, press, tell } from "../parts/dom.js";
import { copyButton } from "./copy.js";
import { WaitingDeliveries } from "../scan/deliveries.js";
import { ask, hear, may } from "../shell/host.js";
import { section } from "./section.js";
import { explain, has, hostText, hostWords, say } from "../words/words.js";

export async function sinks() {
  const list = make("ul", { class: "rows" });
  let shown;
  const { kinds } = may("admin") ? await ask("sink-kinds") : { kinds: [] };
  // `keepsForm` is true where nobody asked for it.
  async function reload(keepsForm = false) {
    const { named } = await ask("sinks");
    const look = JSON.stringify(named);
    if (look === shown || (keepsForm && list.querySelector("form"))) return;
    shown = look;
    list.replaceChildren(archiveItem(), ...named.map((sink) => sinkItem(sink, kinds, reload)));
  }
  const waiting = new WaitingDeliveries(() => true);
  const wait = () => may("scan") ? waiting.load() : undefined;
  await Promise.all([reload(), wait()]);
  const part = section(
    say("sinksTitle"),
    say("sinksHint"),
    waiting.element,
    list,
    may("admin") ? addingForm(kinds, reload) : undefined,
  );
  const deaf = hear((name) => name === "outbox" && wait());
  // A command may change them without an event.
  const timer = setInterval(() => {
    if (!document.hidden) reload(true).catch(() => {});
  }, 2000);
  part.leave = () => {
    deaf();
    clearInterval(timer);
  };
  return part;
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

function sinkItem(sink, kinds, reload) {
  const answer = make("p", { class: "soft", role: "status" });
  const form = make("div");
  const path = "sinks/" + encodeURIComponent(sink.name);
  const kind = kinds.find((one) => one.name === sink.kind);
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
      kind && make("button", {
        "data-needs": "admin",
        "aria-label": say("changeOf", { name: sink.name }),
        onclick: press(async ({ currentTarget }) => {
          const known = await ask(path);
          form.replaceChildren(changingForm(kind, known, { path, reload, button: currentTarget }));
          form.querySelector("input, select").focus();
        }),
      }, say("change")),
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
    form,
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

// The field for a setting; the host describes the kinds, their settings and fields. `known` has the
// settings of a sink that is changed: what is hidden of it stays unless it is filled in.
function settingField(kind, setting, known) {
  const isHidden = known?.hidden.includes(setting.name);
  const value = known?.settings[setting.name];
  const common = {
    name: "setting." + setting.name,
    required: setting.isNeeded && !isHidden,
    placeholder: isHidden ? say("settingKept") : undefined,
    value,
  };
  if (setting.choices.length > 0) {
    const none = setting.isNeeded ? [] : [make("option", { value: "" }, "")];
    const values = setting.choices.map((one) =>
      make("option", { value: one, selected: one === value }, one)
    );
    return make("select", { name: common.name, required: common.required }, none, values);
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
    placeholder: common.placeholder ?? kind.schemes[0] + "://",
  });
}

const settingFields = (kind, known) =>
  kind.settings.map((setting) =>
    make(
      "label",
      { class: setting.name === "url" ? "wide" : "" },
      settingName(kind.name, setting),
      settingField(kind, setting, known),
    )
  );

// The value of each setting in a form; empty where nothing is filled in.
const settingValues = (kind, fields) =>
  kind.settings.map((
    setting,
  ) => [setting, (fields.get("setting." + setting.name) ?? "").trim()]);

// The order for a sink, from a form's fields.
export function sinkOrder(kind, fields) {
  const order = { name: fields.get("name").trim(), kind: kind.name };
  for (const [setting, value] of settingValues(kind, fields)) {
    if (value === "") continue;
    if (setting.isParameter) order.parameters = { ...order.parameters, [setting.name]: value };
    else order[setting.name] = value;
  }
  return order;
}

// What a form changes of a sink; an emptied setting is removed.
export function sinkChange(kind, known, fields) {
  const changed = settingValues(kind, fields).filter(([{ name }, value]) =>
    value !== (known.settings[name] ?? "")
  );
  const settings = changed.map(([{ name }, value]) => [name, value || null]);
  return { settings: Object.fromEntries(settings) };
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

// The form for the settings of a sink that is there; its name and kind stay.
function changingForm(kind, known, { path, reload, button }) {
  const refusal = make("p", { class: "bad", role: "alert" });
  const form = make(
    "form",
    {
      class: "jam asks changing",
      "aria-label": say("changeOf", { name: known.name }),
      onsubmit: press(save),
    },
    make("div", { class: "fields" }, settingFields(kind, known)),
    make("p", { class: "soft" }, say("secretHint")),
    refusal,
    make(
      "div",
      { class: "row" },
      make("button", { class: "main" }, say("shortcutSave")),
      make("button", { type: "button", onclick: leave }, say("cancel")),
    ),
  );

  function leave() {
    form.remove();
    button.focus();
  }

  async function save() {
    refusal.textContent = "";
    try {
      const body = sinkChange(kind, known, new FormData(form));
      if (Object.keys(body.settings).length) await ask(path, { method: "PATCH", body });
    } catch (problem) {
      refusal.replaceChildren(...explain(problem));
      return;
    }
    leave();
    await reload();
    tell(say("sinkChanged", { name: known.name }));
  }

  return form;
}

// The kinds that only someone at the host can add, with the command for each.
const hostKinds = {
  file: "copystand sinks add NAME --kind file --template '/FOLDER/{date} {title}.pdf'",
  exec: "copystand sinks add NAME --kind exec --command /FOLDER/PROGRAM",
  print: "copystand sinks add NAME --kind print --parameter printer=PRINTER",
};

// How to add a kind that the page can't add, and why.
function hostKind(name) {
  const command = make("code", { class: "code block" }, hostKinds[name]);
  return make(
    "div",
    { class: "jam wide" },
    make("p", {}, say("hostKindHint", { kind: kindName(name) })),
    command,
    copyButton(command),
  );
}

const kindChoice = (kinds, onchange) =>
  make(
    "select",
    { name: "kind", onchange },
    kinds.map((kind) => make("option", { value: kind.name }, kindName(kind.name))),
    make(
      "optgroup",
      { label: say("hostKinds") },
      Object.keys(hostKinds).map((name) => make("option", { value: name }, kindName(name))),
    ),
  );

function addingForm(kinds, reload) {
  const choice = kindChoice(kinds, show);
  const chosen = () => kinds.find((kind) => kind.name === choice.value);
  const name = nameField();
  const settings = make("div", { class: "fields wide" });
  const hint = make("p", { class: "soft" }, say("secretHint"));
  const button = make("button", { class: "main" }, say("addSink"));
  function show() {
    const kind = chosen();
    settings.replaceChildren(...(kind ? settingFields(kind) : [hostKind(choice.value)]));
    for (const one of [name, hint, button]) one.hidden = !kind;
  }
  show();
  const refusal = make("p", { class: "bad", role: "alert" });
  const form = make(
    "form",
    { onsubmit: press(add) },
    make("div", { class: "fields" }, make("label", {}, say("kind"), choice), name, settings),
    hint,
    refusal,
    button,
  );
  const more = make(
    "details",
    { class: "adding-sink" },
    make("summary", {}, say("addSink")),
    form,
  );

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
