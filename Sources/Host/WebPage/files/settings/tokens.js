// The tokens of people and programs, and a form for a new one.
import { copyButton } from "./copy.js";
import { choice, labeled, make, press, row } from "../parts/dom.js";
import { deleteButton } from "../parts/asking.js";
import { ask, may, session } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { itemWords, section } from "./section.js";
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
    const withoutMade = () => {
      made.replaceChildren();
      return reload();
    };
    list.replaceChildren(...tokens.map((token) => tokenItem(token, withoutMade)));
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
    labeled(say("tokenScope"), scope, "grow"),
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

function tokenItem({ name, scope, sees, made }, reload) {
  const tags = [say("scope-" + scope)];
  if (sees === "own") tags.push(say("sees-own"));
  if (name === session.name) tags.push(say("thisBrowser"));
  return make(
    "li",
    { class: "row" },
    itemWords(name, tags, say("made", { day: day(made) })),
    deleteButton({
      "aria-label": say("deleteOf", { name }),
      path: "tokens/" + encodeURIComponent(name),
      question: say("takeBackSure", { name }),
      reload,
    }, say("takeBack")),
  );
}

const scopeChoice = () =>
  choice(
    "scope",
    ["read", "scan", "admin"].map((one) => [one, say("scope-" + one), one === "scan"]),
  );

// What a token sees; a token that may do everything sees everything.
function seesChoice(scope) {
  const field = choice("sees", ["all", "own"].map((one) => [one, say("sees-" + one)]));
  scope.addEventListener("change", () => {
    field.disabled = scope.value === "admin";
    if (field.disabled) field.value = "all";
  });
  return field;
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
    labeled(say("tokenName"), name, "grow"),
    labeled(say("tokenScope"), scope),
    labeled(say("tokenSees"), sees),
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
    row(make("span", { class: "grow" }, shown), copyButton(shown)),
  );
  shown.select();
}
