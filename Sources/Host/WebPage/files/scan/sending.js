// Sends pictures and PDFs from this device: a new photograph, chosen files, or dropped ones.
import { choice, labeled, make, row } from "../parts/dom.js";
import { ask, send } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../parts/memory.js";
import { explain, profileChoices, say } from "../words/words.js";

// A file's name as a title, unless it is the automatic name of a camera or scanner.
export function titleOf([file, ...others]) {
  const name = file.name.replace(/\.[^.]{1,5}$/, "").replaceAll("_", " ").trim();
  const isMadeUp = /^(img|image|dsc|dscn|pxl|photo|scan|screenshot|untitled|document)?[\s\d-]*$/i;
  return others.length || isMadeUp.test(name) ? undefined : name;
}

export const fileInput = (begin, attributes) =>
  make("input", {
    type: "file",
    onchange: async ({ target }) => {
      await begin(target.files);
      target.value = "";
    },
    ...attributes,
  });

export const fileButton = (name, words, input) =>
  make("label", { class: "button" }, icon(name), words, input);

// Accepts what the user drops anywhere on `place`, and marks an element meanwhile.
export function takeDrops(place, marked, take) {
  const mark = (isOver) => marked.classList.toggle("over", isOver);
  place.addEventListener("dragover", (event) => {
    event.preventDefault();
    mark(true);
  });
  place.addEventListener("dragleave", () => mark(false));
  place.addEventListener("drop", (event) => {
    event.preventDefault();
    mark(false);
    take(event.dataTransfer);
  });
}

// Sends files of this device, and makes a job of them; `tellOf(number)` is called before each.
export async function sendFiles(files, order, tellOf = () => {}) {
  const uploads = [];
  for (const file of files) {
    tellOf(uploads.length + 1);
    uploads.push(await send(file));
  }
  return ask("jobs", { method: "POST", body: { ...order, uploads } });
}

// A form for the files; `begun(job)` gets their job.
export function sending(place, profiles, begun) {
  const profile = choice("profile", profileChoices(profiles));
  const last = recall("uploadProfile");
  if ([...profile.options].some(({ value }) => value === last)) profile.value = last;
  const state = make("p", { class: "soft", role: "status" }, say("sendHint"));

  // Sends files; false if that fails, with the reason on the card.
  async function begin(chosen) {
    const files = [...chosen];
    const inputs = card.querySelectorAll("input");
    for (const input of inputs) input.disabled = true;
    try {
      if (files.length) {
        remember("uploadProfile", profile.value);
        const order = { profile: profile.value, title: titleOf(files) };
        const tellOf = (number) => {
          state.textContent = say("sendingFile", { number, of: files.length });
        };
        begun(await sendFiles(files, order, tellOf));
      }
      state.textContent = say("sendHint");
      return true;
    } catch (problem) {
      state.replaceChildren(...explain(problem));
      return false;
    } finally {
      for (const input of inputs) input.disabled = false;
    }
  }

  const card = make(
    "form",
    { class: "card drop", onsubmit: (event) => event.preventDefault() },
    make("h3", {}, say("sendFiles")),
    row(
      fileButton(
        "upload",
        say("chooseFiles"),
        fileInput(begin, { multiple: true, accept: "image/*,application/pdf" }),
      ),
      fileButton(
        "photo",
        say("takePhoto"),
        fileInput(begin, { accept: "image/*", capture: "environment" }),
      ),
    ),
    labeled(say("profile"), profile),
    state,
  );
  card.querySelector("[capture]").parentElement.classList.add("touch");
  takeDrops(place, card, ({ files }) => begin(files));
  return { card, begin };
}
