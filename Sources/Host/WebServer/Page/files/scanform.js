// The form for a scan: the device, the settings that all devices have, the device's own, and what
// becomes of the pages.
import { announce, choice, make, press } from "./dom.js";
import { DeviceOptions } from "./deviceoptions.js";
import { ask } from "./host.js";
import { parting } from "./parting.js";
import { pdfChoice } from "./pdf.js";
import { Preview } from "./preview.js";
import { explain, profileChoices, say, sinkText } from "./words.js";

const papers = ["a4", "a5", "a6", "a3", "letter", "legal", "card", "photo-10x15"];

// The settings that all devices have, besides the source.
const commonFields = () => [
  make(
    "label",
    {},
    say("paper"),
    choice("paper", [
      ["", say("asDevice")],
      ...papers.map((name) => [name, say("paper-" + name)]),
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
];

// A fold with what becomes of the pages; `services` are the boxes of the sinks.
const documentFold = (parts, services, pdf) =>
  make(
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

export class ScanForm {
  scanners = [];
  device = choice("device", []);
  source = choice("source", []);
  look = make("button", { type: "button", onclick: () => this.openPreview() }, say("preview"));
  // A flatbed gives one page at a time; several of them make a document.
  several = make("input", { type: "checkbox", name: "several" });
  severalRow = make("label", { class: "check-label" }, this.several, say("several"));
  options = new DeviceOptions();
  parts = parting();
  pdf = pdfChoice();
  refusal = make("p", { class: "bad", role: "alert" });
  // The preview of the glass, if there is one.
  preview;

  // `begun(job)` gets the job of a scan; `previewPlace` is where a preview is shown.
  constructor({ profiles, sinks, previewPlace, begun }) {
    Object.assign(this, { previewPlace, begun });
    this.services = sinks.filter((name) => name !== "archive").map((name) =>
      make("input", { type: "checkbox", value: name })
    );
    this.element = make(
      "form",
      { class: "card scanning", onsubmit: press(() => this.begin()) },
      make("label", {}, say("device"), this.device),
      make("label", {}, say("source"), this.source),
      make("label", {}, say("profile"), choice("profile", profileChoices(profiles))),
      ...commonFields(),
      make("label", {}, say("title"), make("input", { name: "title", autocomplete: "off" })),
      this.severalRow,
      this.options.element,
      documentFold(this.parts, this.services, this.pdf),
      this.refusal,
      make(
        "div",
        { class: "row foot" },
        make("button", { class: "main grow" }, say("scanNow")),
        this.look,
      ),
    );
    this.device.addEventListener("change", () => this.showSources());
    for (const name of ["source", "paper", "mode", "resolution"]) {
      this.element.elements[name].addEventListener("change", () => this.showOptions());
    }
  }

  // Shows the scanners that are there; a choice stays while devices come and go.
  showScanners(scanners) {
    const before = this.device.value;
    this.scanners = scanners;
    this.device.replaceChildren(
      ...scanners.map((one) =>
        make(
          "option",
          { value: one.id, selected: before ? one.id === before : one.isDefault },
          one.name,
        )
      ),
    );
    if (this.device.value !== before) this.showSources();
  }

  get sources() {
    return this.scanners.find((one) => one.id === this.device.value)?.sources ?? [];
  }

  showSources() {
    const { sources } = this;
    this.closePreview();
    this.look.hidden = sources.length > 0 && !sources.includes("flatbed");
    this.source.replaceChildren(
      make("option", { value: "" }, say("asDevice")),
      ...sources.map((name) => make("option", { value: name }, say("source-" + name))),
    );
    this.showOptions();
  }

  // Shows what is possible with the chosen source.
  showOptions() {
    const { sources, source } = this;
    const isFeeder = (name) => name.startsWith("feeder");
    this.severalRow.hidden = source.value
      ? isFeeder(source.value)
      : sources.length > 0 && sources.every(isFeeder);
    this.options.show(this.device.value, this.common);
  }

  openPreview() {
    this.closePreview();
    this.preview = new Preview(this.device.value, () => {
      this.preview = undefined;
      this.look.focus();
    });
    if ([...this.source.options].some((option) => option.value === "flatbed")) {
      this.source.value = "flatbed";
    }
    this.showOptions();
    this.previewPlace.prepend(this.preview.element);
    this.preview.element.scrollIntoView({ block: "nearest" });
  }

  closePreview() {
    this.preview?.end();
    this.preview = undefined;
  }

  // The chosen common settings.
  get common() {
    const fields = new FormData(this.element);
    const chosen = {};
    for (const name of ["source", "paper", "mode"]) {
      if (fields.get(name)) chosen[name] = fields.get(name);
    }
    if (fields.get("resolution")) chosen.resolution = Number(fields.get("resolution"));
    return chosen;
  }

  get order() {
    const fields = new FormData(this.element);
    const { common } = this;
    // Feeders take whole sheets.
    const area = !common.source?.startsWith("feeder") && this.preview?.area();
    if (area) {
      common.area = area;
      delete common.paper;
    }
    const order = {
      device: fields.get("device"),
      profile: fields.get("profile"),
      common,
      settings: this.options.settings,
      pdf: this.pdf.value(),
      ...this.parts.wish(),
    };
    if (fields.get("title")) order.title = fields.get("title");
    if (this.several.checked && !this.severalRow.hidden) order.asksForMore = true;
    const sent = this.services.filter((box) => box.checked).map((box) => box.value);
    if (sent.length) order.sinks = ["archive", ...sent];
    return order;
  }

  async begin() {
    const { order } = this;
    this.refusal.textContent = "";
    try {
      this.begun(await ask("jobs", { method: "POST", body: order }));
    } catch (problem) {
      // A problem stays visible until the next attempt.
      this.refusal.replaceChildren(...explain(problem));
      return;
    }
    announce(say("begun"));
  }

  end() {
    this.closePreview();
    this.options.end();
  }
}
