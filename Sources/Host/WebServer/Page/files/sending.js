// Sending pictures and PDFs that are on this device: chosen, or dropped.
import { choice, make } from "./dom.js";
import { ask, send } from "./host.js";
import { explain, profileChoices, say } from "./words.js";

// A form for the files; `begun(job)` gets the job that they become.
export function sending(profiles, begun) {
  const files = make("input", {
    type: "file",
    multiple: true,
    accept: "image/*,application/pdf",
    onchange: () => begin(files.files),
  });
  const profile = choice("profile", profileChoices(profiles));
  const state = make("p", { class: "soft", role: "status" }, say("sendHint"));

  async function begin(chosen) {
    files.disabled = true;
    try {
      const uploads = [];
      for (const file of chosen) {
        state.textContent = say("sendingFile", { number: uploads.length + 1, of: chosen.length });
        uploads.push(await send(file));
      }
      if (uploads.length) {
        begun(await ask("jobs", { method: "POST", body: { uploads, profile: profile.value } }));
      }
      state.textContent = say("sendHint");
    } catch (problem) {
      state.replaceChildren(...explain(problem));
    } finally {
      files.disabled = false;
      files.value = "";
    }
  }

  const card = make(
    "form",
    {
      class: "card drop",
      onsubmit: (event) => event.preventDefault(),
      ondragover: (event) => {
        event.preventDefault();
        card.classList.add("over");
      },
      ondragleave: () => card.classList.remove("over"),
      ondrop: (event) => {
        event.preventDefault();
        card.classList.remove("over");
        begin(event.dataTransfer.files);
      },
    },
    make("label", {}, say("sendFiles"), files),
    make("label", {}, say("profile"), profile),
    state,
  );
  return card;
}
