// The tokens of people and programs, and a form for a new one.
import { copyButton } from "./copy.js";
import { make, press } from "../parts/dom.js";
import { ask, may, session } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { section } from "./section.js";
import { draw } from "../parts/sheet.js";
import { signOut } from "../shell/signin.js";
import { day, say } from "../words/words.js";

export async function tokens() {
  if (!may("admin")) return section(say("tokens"), say("tokensForAdmin"), outButton());
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
  return section(
    say("tokens"),
    say("tokensHint"),
    list,
    inviting(),
    tokenForm(made, reload),
    made,
    outButton(),
  );
}

// Ends the session of this browser.
const outButton = () =>
  session.needsToken
    ? make(
      "div",
      {},
      make("button", { type: "button", onclick: signOut }, icon("signOut"), say("signOut")),
    )
    : undefined;

// A button that shows a QR code for signing in a phone.
function inviting() {
  const place = make("div", { class: "invitation", role: "status" });
  const scope = scopeChoice();
  const show = press(async () => {
    const made = await ask("session/codes", { method: "POST", body: { scope: scope.value } });
    place.replaceChildren(
      qrCode(made.qr),
      make("p", {}, say("inviteHint", { minutes: Math.round(made.life / 60) })),
      make("p", { class: "code" }, made.address),
      location.protocol === "https:"
        ? make("p", { class: "soft" }, say("caHint"), " ", caLink())
        : "",
    );
  });
  return make(
    "form",
    { class: "row", onsubmit: show },
    make("label", { class: "grow" }, say("tokenScope"), scope),
    make("button", { class: "main" }, icon("plus"), say("invite")),
    place,
  );
}

const caLink = () => make("a", { href: "/copystand-ca.crt", download: "" }, say("caLink"));

// A QR code from its rows of fields, dark on light with a margin of four.
export function qrCode(rows) {
  const size = rows.length + 8;
  const dark = rows.flatMap((row, y) =>
    [...row].map((field, x) => (field === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : ""))
  ).join("");
  return draw(
    "svg",
    { class: "qr", viewBox: `0 0 ${size} ${size}`, role: "img", "aria-label": say("qrCode") },
    draw("rect", { width: size, height: size, fill: "#fff" }),
    draw("path", { d: dark, fill: "#000" }),
  );
}

const tokenItem = ({ name, scope, sees, made }, remove) =>
  make(
    "li",
    { class: "row" },
    make(
      "span",
      { class: "grow" },
      make("strong", {}, name),
      " ",
      make("span", { class: "tag" }, say("scope-" + scope)),
      sees === "own" ? [" ", make("span", { class: "tag" }, say("sees-own"))] : [],
      name === session.name ? [" ", make("span", { class: "tag" }, say("thisBrowser"))] : [],
      make("span", { class: "soft block" }, say("made", { day: day(made) })),
    ),
    make("button", {
      "aria-label": say("deleteOf", { name }),
      onclick: (event) =>
        confirm(say("takeBackSure", { name })) && press(() => remove(name))(event),
    }, say("takeBack")),
  );

const scopeChoice = () =>
  make(
    "select",
    { name: "scope" },
    ["read", "scan", "admin"].map((one) =>
      make("option", { value: one, selected: one === "scan" }, say("scope-" + one))
    ),
  );

// What a token sees; a token that may do everything sees everything.
function seesChoice(scope) {
  const choice = make(
    "select",
    { name: "sees" },
    ["all", "own"].map((one) => make("option", { value: one }, say("sees-" + one))),
  );
  scope.addEventListener("change", () => {
    choice.disabled = scope.value === "admin";
    if (choice.disabled) choice.value = "all";
  });
  return choice;
}

// A form for a token, which `made` shows once.
function tokenForm(made, reload) {
  const name = make("input", {
    name: "name",
    required: true,
    maxlength: 40,
    autocomplete: "off",
    placeholder: say("tokenExample"),
  });
  const scope = scopeChoice();
  const sees = seesChoice(scope);
  const form = make(
    "form",
    {
      class: "row",
      onsubmit: press(async () => {
        const { token } = await ask("tokens", {
          method: "POST",
          body: { name: name.value.trim(), scope: scope.value, sees: sees.value },
        });
        showOnce(token, made);
        form.reset();
        sees.disabled = false;
        await reload();
      }),
    },
    make("label", { class: "grow" }, say("tokenName"), name),
    make("label", {}, say("tokenScope"), scope),
    make("label", {}, say("tokenSees"), sees),
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
      copyButton(shown),
    ),
  );
  shown.select();
}
