// Scan: choose, press, and see the pages come in.
import { announce, make, press } from "./dom.js";
import { deviceOptions } from "./deviceoptions.js";
import { empty } from "./drawings.js";
import { ask, hear, send } from "./host.js";
import { explain, problemWords, profileChoices, say, sinkText } from "./words.js";
import { jobList } from "./jobs.js";
import { parting } from "./parting.js";
import { pdfChoice } from "./pdf.js";
import { preview } from "./preview.js";

export async function scan(place) {
  const [{ profiles }, { sinks }] = await Promise.all([ask("profiles"), ask("sinks")]);
  // Looking for them may take a while, which nothing else waits for.
  let scanners = [];
  place.append(make("h2", {}, say("scan")));
  const choice = (name, items) =>
    make(
      "select",
      { name },
      items.map(([value, text, chosen]) => make("option", { value, selected: chosen }, text)),
    );
  // The preview of the glass, if there is one.
  let glass;
  const look = make("button", {
    type: "button",
    onclick: () => {
      closeLook();
      glass = preview(device.value, () => {
        glass = undefined;
        look.focus();
      });
      if ([...source.options].some((option) => option.value === "flatbed")) {
        source.value = "flatbed";
      }
      settle();
      columns.lastElementChild.prepend(glass);
      glass.scrollIntoView({ block: "nearest" });
    },
  }, say("preview"));
  function closeLook() {
    glass?.end();
    glass = undefined;
  }
  const device = choice("device", []);
  const source = choice("source", []);
  const fill = () => {
    const sources = scanners.find((one) => one.id === device.value)?.sources ?? [];
    closeLook();
    look.hidden = sources.length > 0 && !sources.includes("flatbed");
    source.replaceChildren(
      make("option", { value: "" }, say("asDevice")),
      ...sources.map((name) => make("option", { value: name }, say("source-" + name))),
    );
    settle();
  };
  device.addEventListener("change", fill);
  // A flatbed gives one page at a time; several of them make a document.
  const several = make("input", { type: "checkbox", name: "several" });
  const severalRow = make("label", { class: "check-label" }, several, say("several"));
  const options = deviceOptions();
  function settle() {
    const sources = scanners.find((one) => one.id === device.value)?.sources ?? [];
    severalRow.hidden = source.value
      ? source.value.startsWith("feeder")
      : sources.length > 0 && sources.every((name) => name.startsWith("feeder"));
    options.show(device.value, common());
  }
  // The chosen common settings.
  function common() {
    const fields = new FormData(form);
    const chosen = {};
    for (const name of ["source", "paper", "mode"]) {
      if (fields.get(name)) chosen[name] = fields.get(name);
    }
    if (fields.get("resolution")) chosen.resolution = Number(fields.get("resolution"));
    return chosen;
  }
  const parts = parting();
  const pdf = pdfChoice();
  const services = sinks.filter((name) => name !== "archive").map((name) =>
    make("input", { type: "checkbox", value: name })
  );
  const documents = make(
    "details",
    { class: "fold" },
    make("summary", {}, say("documentOptions")),
    ...parts.elements,
    services.length
      ? make(
        "fieldset",
        {},
        make("legend", {}, say("sendAtOnce")),
        services.map((box) => make("label", { class: "check-label" }, box, sinkText(box.value))),
      )
      : undefined,
    ...pdf.elements,
  );
  const refusal = make("p", { class: "bad", role: "alert" });
  const form = make(
    "form",
    { class: "card scanning", onsubmit: press(begin) },
    make("label", {}, say("device"), device),
    make("label", {}, say("source"), source),
    make(
      "label",
      {},
      say("profile"),
      choice(
        "profile",
        profileChoices(profiles),
      ),
    ),
    make(
      "label",
      {},
      say("paper"),
      choice("paper", [
        ["", say("asDevice")],
        ...["a4", "a5", "a6", "a3", "letter", "legal", "card", "photo-10x15"].map((
          name,
        ) => [name, say("paper-" + name)]),
      ]),
    ),
    make(
      "label",
      {},
      say("mode"),
      choice("mode", [
        ["", say("asDevice")],
        ...["color", "gray", "bilevel"].map((mode) => [mode, say("mode-" + mode)]),
      ]),
    ),
    make(
      "label",
      {},
      say("resolution"),
      choice("resolution", [
        ["", say("asDevice")],
        ...[150, 200, 300, 400, 600].map((dpi) => [dpi, dpi + " dpi"]),
      ]),
    ),
    make("label", {}, say("title"), make("input", { name: "title", autocomplete: "off" })),
    severalRow,
    options.element,
    documents,
    refusal,
    make(
      "div",
      { class: "row foot" },
      make("button", { class: "main grow" }, say("scanNow")),
      look,
    ),
  );
  for (const name of ["source", "paper", "mode", "resolution"]) {
    form.elements[name].addEventListener("change", settle);
  }
  const searching = make(
    "div",
    { class: "card empty", role: "status", "data-waiting": true },
    say("lookingForDevices"),
  );
  const chooser = make("div", {}, searching);
  const running = make("div", { class: "list" });
  const cards = jobList(running);
  const hint = empty("both", say("nothingYet"));
  const columns = make(
    "div",
    { class: "columns" },
    make("div", { class: "stage" }, chooser, sending()),
    make("div", { class: "stage" }, running),
  );
  place.append(columns);

  // Pictures and PDFs that are on this device: chosen, or dropped.
  function sending() {
    const files = make("input", {
      type: "file",
      multiple: true,
      accept: "image/*,application/pdf",
      onchange: () => begin(files.files),
    });
    const profile = choice(
      "profile",
      profileChoices(profiles),
    );
    const state = make("p", { class: "soft", role: "status" }, say("sendHint"));
    const begin = async (chosen) => {
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
    };
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

  // A choice stays while devices come and go.
  async function search() {
    const { devices, problems } = await ask("devices");
    const before = device.value;
    scanners = devices.filter((one) => one.kind !== "files");
    device.replaceChildren(
      ...scanners.map((one) =>
        make(
          "option",
          { value: one.id, selected: before ? one.id === before : one.isDefault },
          one.name,
        )
      ),
    );
    if (device.value !== before) fill();
    const shown = scanners.length ? form : empty(
      "flatbed",
      say("noDevices"),
      ...problems.map((problem) => make("span", { class: "warn block" }, problemWords(problem))),
    );
    if (chooser.firstElementChild !== shown) chooser.replaceChildren(shown);
  }

  async function begin() {
    const fields = new FormData(form);
    const chosen = common();
    // Feeders take whole sheets.
    const area = !chosen.source?.startsWith("feeder") && glass?.area();
    if (area) {
      chosen.area = area;
      delete chosen.paper;
    }
    const order = {
      device: fields.get("device"),
      profile: fields.get("profile"),
      common: chosen,
      settings: options.settings(),
      pdf: pdf.value(),
      ...parts.wish(),
    };
    if (fields.get("title")) order.title = fields.get("title");
    if (several.checked && !severalRow.hidden) order.asksForMore = true;
    const sent = services.filter((box) => box.checked).map((box) => box.value);
    if (sent.length) order.sinks = ["archive", ...sent];
    refusal.textContent = "";
    try {
      begun(await ask("jobs", { method: "POST", body: order }));
    } catch (problem) {
      // A problem stays visible until the next attempt.
      refusal.replaceChildren(...explain(problem));
      return;
    }
    announce(say("begun"));
  }

  // Events of a job may arrive before the answer that it has begun.
  function begun(job) {
    if (!cards.has(job.id)) show(job);
    // On a phone it is below the form.
    running.firstElementChild.scrollIntoView({ block: "nearest" });
  }

  function show(job) {
    hint.remove();
    cards.show(job);
  }

  async function reload() {
    const { jobs } = await ask("jobs");
    cards.keep(jobs.slice(0, 5));
    jobs.length ? hint.remove() : running.append(hint);
  }

  // The space bar scans, or scans another sheet if that is asked, unless the focused element uses
  // it.
  const keys = (event) => {
    if (
      event.key === " " && scanners.length &&
      (event.target === document.body || event.target.id === "view")
    ) {
      event.preventDefault();
      const another = running.querySelector("[data-another]:not(:disabled)");
      another ? another.click() : form.requestSubmit();
    }
  };
  addEventListener("keydown", keys);
  const deaf = hear((name, value) => {
    if (name === "page") cards.take(value);
    if (name === "job") show(value);
    if (name === "device" || name === "reset") found();
    if (name === "reset") reload();
  });
  const found = () => search().catch((problem) => searching.replaceChildren(...explain(problem)));
  found();
  await reload();
  return () => {
    removeEventListener("keydown", keys);
    deaf();
    closeLook();
    options.end();
  };
}
