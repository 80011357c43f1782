// The tokens by which people and programs may use this host, and a form for another.
import { make, press, tell } from "./dom.js";
import { ask, may } from "./host.js";
import { section } from "./section.js";
import { day, say } from "./words.js";

export async function tokens() {
  if (!may("admin")) return section(say("tokens"), say("tokensForAdmin"));
  const { isAsked } = await ask("tokens");
  if (!isAsked) return section(say("tokens"), say("noTokensHere"));
  const list = make("ul", { class: "rows" });
  const made = make("div", { role: "status" });
  async function reload() {
    const { tokens } = await ask("tokens");
    const remove = async (name) => {
      await ask("tokens/" + encodeURIComponent(name), { method: "DELETE" });
      made.replaceChildren();
      await reload();
    };
    list.replaceChildren(...tokens.map((token) => tokenItem(token, remove)));
  }
  await reload();
  return section(say("tokens"), say("tokensHint"), list, tokenForm(made, reload), made);
}

const tokenItem = ({ name, scope, made }, remove) =>
  make(
    "li",
    { class: "row" },
    make(
      "span",
      { class: "grow" },
      make("strong", {}, name),
      " ",
      make("span", { class: "tag" }, say("scope-" + scope)),
      make("span", { class: "soft block" }, say("made", { day: day(made) })),
    ),
    make("button", {
      "aria-label": say("deleteOf", { name }),
      onclick: (event) =>
        confirm(say("takeBackSure", { name })) && press(() => remove(name))(event),
    }, say("takeBack")),
  );

// A form for a token, which is shown in `made` once.
function tokenForm(made, reload) {
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
        showOnce(token, made);
        form.reset();
        await reload();
      }),
    },
    make("label", { class: "grow" }, say("tokenName"), name),
    make("label", {}, say("tokenScope"), scope),
    make("button", { class: "main" }, say("makeToken")),
  );
  return form;
}

// Shows a new token with a button to copy it.
function showOnce(token, place) {
  const shown = make("input", {
    readonly: true,
    value: token,
    "aria-label": say("newToken"),
    class: "code",
  });
  place.replaceChildren(
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
}
