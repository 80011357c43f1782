// The sinks that documents are sent to, and a form for a new one.
import {
  cancelButton,
  choice,
  choiceItems,
  fold,
  labeled,
  make,
  plainName,
  press,
  row,
  tell,
} from "../parts/dom.js";
import { deleteButton, refusalPlace } from "../parts/asking.js";
import { copyButton } from "./copy.js";
import { WaitingDeliveries } from "../scan/deliveries.js";
import { ask, hear, may } from "../shell/host.js";
import { itemWords, section } from "./section.js";
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
  make("li", { class: "row" }, itemWords(say("archive"), [], say("archiveSink")));

function sinkItem(sink, kinds, reload) {
  const answer = make("p", { class: "soft", role: "status" });
  const form = make("div");
  const path = "sinks/" + encodeURIComponent(sink.name);
  const kind = kinds.find((one) => one.name === sink.kind);
  return make(
    "li",
    {},
    row(
      itemWords(
        sink.name,
        [kindName(sink.kind)],
        sink.target ?? (may("admin") ? say("onHost") : ""),
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
      deleteButton({
        "data-needs": "admin",
        "aria-label": say("deleteOf", { name: sink.name }),
        path,
        question: say("forgetSure", { name: sink.name }),
        reload,
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
    const none = setting.isNeeded ? [] : [["", ""]];
    const values = setting.choices.map((one) => [one, one, one === value]);
    return choice(common.name, [...none, ...values], { required: common.required });
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
    labeled(
      settingName(kind.name, setting),
      settingField(kind, setting, known),
      setting.name === "url" ? "wide" : "",
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
  labeled(
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
  const refusal = refusalPlace();
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
    row(make("button", { class: "main" }, say("shortcutSave")), cancelButton(leave)),
  );

  function leave() {
    form.remove();
    button.focus();
  }

  async function save() {
    const body = sinkChange(kind, known, new FormData(form));
    const isChange = Object.keys(body.settings).length > 0;
    if (isChange && await refusal.attempt(() => ask(path, { method: "PATCH", body }))) return;
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

const kindItems = (names) => choiceItems(names.map((name) => [name, kindName(name)]));

const kindChoice = (kinds, onchange) =>
  make(
    "select",
    { name: "kind", onchange },
    kindItems(kinds.map(({ name }) => name)),
    make("optgroup", { label: say("hostKinds") }, kindItems(Object.keys(hostKinds))),
  );

function addingForm(kinds, reload) {
  const kindField = kindChoice(kinds, show);
  const chosen = () => kinds.find((kind) => kind.name === kindField.value);
  const name = nameField();
  const settings = make("div", { class: "fields wide" });
  const hint = make("p", { class: "soft" }, say("secretHint"));
  const button = make("button", { class: "main" }, say("addSink"));
  function show() {
    const kind = chosen();
    settings.replaceChildren(...(kind ? settingFields(kind) : [hostKind(kindField.value)]));
    for (const one of [name, hint, button]) one.hidden = !kind;
  }
  show();
  const refusal = refusalPlace();
  const form = make(
    "form",
    { onsubmit: press(add) },
    make("div", { class: "fields" }, labeled(say("kind"), kindField), name, settings),
    hint,
    refusal,
    button,
  );
  const more = fold(say("addSink"), { class: "adding-sink" }, form);

  async function add() {
    const order = sinkOrder(chosen(), new FormData(form));
    if (await refusal.attempt(() => ask("sinks", { method: "POST", body: order }))) return;
    form.reset();
    show();
    more.open = false;
    await reload();
    tell(say("sinkAdded", { name: order.name }));
  }

  return more;
}
