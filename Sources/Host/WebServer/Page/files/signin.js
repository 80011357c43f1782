// Sign in: exchange a token for a cookie that only the host can read.
import { make, press } from "./dom.js";
import { ask } from "./host.js";
import { explain, say } from "./words.js";

export function signIn(place) {
  const token = make("input", {
    name: "token",
    type: "password",
    autocomplete: "current-password",
    required: true,
  });
  const refusal = make("p", { class: "bad", role: "alert" });
  place.replaceChildren(
    make("h2", {}, say("signIn")),
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
      make("p", {}, say("signInHint")),
      make("label", {}, say("token"), token),
      refusal,
      make("button", { class: "main" }, say("signIn")),
    ),
  );
  token.focus();
}
