// The sign-in view: exchanges a token or a one-time code for a cookie that scripts can't read.
import { make, press } from "../parts/dom.js";
import { ask } from "./host.js";
import { explain, say } from "../words/words.js";

// The reason why the code in the page's address was refused.
let refused;

// Uses the code in the address of a QR code, and removes it from the address.
export async function useCode() {
  const code = location.hash.match(/^#signin\/(\w+)$/)?.[1];
  if (!code) return;
  history.replaceState(history.state, "", "#scan");
  try {
    await ask("session", { method: "POST", body: { code } });
  } catch (problem) {
    refused = problem;
  }
}

// Deletes the cookie, and shows the sign-in view.
export const signOut = press(async () => {
  await ask("session", { method: "DELETE" });
  location.hash = "";
  location.reload();
});

export function signIn(place) {
  const token = make("input", {
    name: "token",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const refusal = make("p", { class: "bad", role: "alert" }, refused ? explain(refused) : []);
  refused = undefined;
  place.replaceChildren(
    make(
      "form",
      {
        class: "card signin",
        onsubmit: press(async () => {
          refusal.textContent = "";
          try {
            await ask("session", { method: "POST", body: { token: token.value.trim() } });
          } catch (problem) {
            refusal.replaceChildren(...explain(problem));
            return;
          }
          location.reload();
        }),
      },
      make("h2", {}, say("signIn")),
      make("p", {}, say("signInHint")),
      make("label", {}, say("token"), token),
      refusal,
      make("button", { class: "main large" }, say("signIn")),
    ),
  );
  token.focus();
}
