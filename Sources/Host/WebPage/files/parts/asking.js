// Requests as the actions of buttons and forms.
import { make, press } from "./dom.js";
import { ask } from "../shell/host.js";
import { explain } from "../words/words.js";

// The action of a button: a request, after which `reload()` shows what there is now.
export const asking = (path, order, reload) =>
  press(async () => {
    await ask(path, order);
    await reload();
  });

// The action of a button once the user is sure.
export const whenSure = (question, act) => (event) => confirm(question) && act(event);

// A button that deletes what is at `path` once the user is sure, and then calls `reload()`.
export const deleteButton = ({ path, question, reload, ...attributes }, ...words) => {
  const act = asking(path, { method: "DELETE" }, reload);
  return make("button", { onclick: whenSure(question, act), ...attributes }, ...words);
};

// The place for the reason of a refusal, which is shown until the next attempt.
export function refusalPlace() {
  const place = make("p", { class: "bad", role: "alert" });
  // Returns the problem if the work fails.
  place.attempt = async (work) => {
    place.textContent = "";
    try {
      await work();
    } catch (problem) {
      place.replaceChildren(...explain(problem));
      return problem;
    }
  };
  return place;
}
