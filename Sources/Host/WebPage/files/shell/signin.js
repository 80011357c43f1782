// Signing in: a token or a one-time code is exchanged for a cookie that scripts can't read.
import { labeled, make, press, row } from "../parts/dom.js";
import { refusalPlace } from "../parts/asking.js";
import { ask, session } from "./host.js";
import { say } from "../words/words.js";

// Deletes the cookie, and shows the sign-in view.
export const signOut = press(async () => {
  await ask("session", { method: "DELETE" });
  location.hash = "";
  location.reload();
});

// Signs in by a form's token or code, and begins again with the new rights.
const entering = (refusal, bodyOf) =>
  press(async () => {
    const enter = () => ask("session", { method: "POST", body: bodyOf() });
    if (await refusal.attempt(enter)) return;
    if (location.hash === "#signin") location.hash = "";
    location.reload();
  });

// Shows the form for a token.
export function signIn(place) {
  const token = make("input", {
    name: "token",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const refusal = refusalPlace();
  place.replaceChildren(
    make(
      "form",
      { class: "card signin", onsubmit: entering(refusal, () => ({ token: token.value.trim() })) },
      make("h2", {}, say("signIn")),
      make("p", {}, say("signInHint")),
      labeled(say("token"), token),
      refusal,
      make("button", { class: "main large" }, say("signIn")),
    ),
  );
  token.focus();
}

// Asks before the code of a QR code is used: a page of another site may lead to an address with its
// own code, to get what this browser scans.
function show(place, [code]) {
  if (!code) return signIn(place);
  // Neither the address nor the browser's history has the code.
  history.replaceState(history.state, "", "#signin");
  const refusal = refusalPlace();
  place.append(
    make(
      "form",
      { class: "card signin", onsubmit: entering(refusal, () => ({ code })) },
      make("h2", {}, say("signInHere", { host: location.host })),
      make("p", {}, say("signInAsk")),
      session.isOpen
        ? make("p", { class: "warn" }, say("signInReplaces", { name: session.name }))
        : "",
      refusal,
      row(
        make("button", { class: "main large" }, say("signIn")),
        make("a", { class: "button", href: "#scan" }, say("cancel")),
      ),
    ),
  );
}

export const view = {
  name: "signin",
  words: "signIn",
  show,
};
