// The form for a scan: the device, a description of the scan, the common settings, the device's own
// settings, and those of the document.
import {
  announce,
  choice,
  choiceItems,
  fold,
  labeled,
  make,
  press,
  setText,
  tellProblem,
} from "../parts/dom.js";
import { refusalPlace } from "../parts/asking.js";
import { Checks } from "../parts/checks.js";
import { DeviceOptions } from "../devices/deviceoptions.js";
import { jobOptions } from "../devices/joboptions.js";
import { drawing } from "../parts/drawings.js";
import { ask } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { recall, remember } from "../parts/memory.js";
import { parting } from "./parting.js";
import { pdfChoice } from "../parts/pdf.js";
import { Preview } from "./preview.js";
import { Shortcuts } from "./shortcuts.js";
import { deviceName, has, joined, profileChoices, say, sinkText } from "../words/words.js";

const papers = ["a4", "a5", "a6", "a3", "letter", "legal", "card", "photo-10x15"];
// The settings that most devices have.
const common = ["source", "paper", "mode", "resolution"];

// A value of a common setting in words.
const valueWords = (name, value) =>
  name === "resolution"
    ? value + " dpi"
    : has(`${name}-${value}`)
    ? say(`${name}-${value}`)
    : String(value);

const choices = {
  source: () => [],
  paper: () => papers,
  mode: () => ["color", "gray", "bilevel"],
  resolution: () => [150, 200, 300, 400, 600],
};

// A setting as a choice whose first item is the device's default.
const commonField = (name, width) =>
  labeled(
    say(name),
    choice(name, [
      ["", say("automatic")],
      ...choices[name]().map((one) => [one, valueWords(name, one)]),
    ]),
    width,
  );

// A fold with the settings of the document.
const documentFold = (parts, declared, services, pdf) =>
  fold(
    say("documentOptions"),
    {},
    ...parts.elements,
    ...declared.elements,
    services.boxes.length ? services.element : undefined,
    ...pdf.elements,
  );

export class ScanForm {
  scanners = [];
  device = choice("device", [], {
    onchange: () => {
      remember("device", this.device.value);
      this.showSources();
    },
  });
  face = make("div", { class: "face" });
  plan = make("p", { class: "plan", role: "status" });
  look = make(
    "button",
    { type: "button", class: "large", onclick: () => this.openPreview() },
    say("preview"),
  );
  // A flatbed scans one page at a time; several can become a document.
  several = make("input", { type: "checkbox", name: "several", onchange: () => this.keep() });
  severalRow = make("label", { class: "check-label wide" }, this.several, say("several"));
  // What becomes of several sheets with the chosen source.
  stack = make("p", { class: "soft stack" });
  options = new DeviceOptions(() => this.showPlan());
  parts = parting();
  pdf = pdfChoice();
  refusal = refusalPlace();
  shortcuts = new Shortcuts({
    order: () => this.order,
    title: () => this.plan.textContent,
    begin: (order, name) => this.sendShortcut(order, name),
  });
  // The preview of the glass, if there is one, and the source that was chosen before it.
  preview;
  sourceBefore;
  // True while the devices of an earlier search are shown.
  hadEarlier = false;

  // `begun(job)` gets the job of a scan; `previewPlace` is the place for a preview.
  // `declared` are the job's options as the host declares them.
  constructor({ profiles, sinks, declared = [], previewPlace, begun }) {
    Object.assign(this, { previewPlace, begun, declared: jobOptions(declared) });
    this.services = new Checks(
      say("sendAtOnce"),
      sinks.filter((name) => name !== "archive").map((name) => [name, sinkText(name)]),
      [],
      () => this.showPlan(),
    );
    this.element = this.form(profiles);
    for (const name of [...common, "profile"]) {
      this.field(name).addEventListener("change", () => this.changed());
    }
  }

  form(profiles) {
    // Where there is little room the settings are folded, and the words above describe them.
    const isRoomy = matchMedia("(min-width: 62rem) and (min-height: 46rem)").matches;
    return make(
      "form",
      { class: "card scanning", onsubmit: press(() => this.begin()) },
      this.shortcuts.list,
      make(
        "div",
        { class: "chosen" },
        this.face,
        labeled(say("device"), this.device, "grow"),
      ),
      make("div", {}, this.plan, this.stack),
      make(
        "div",
        { class: "row foot" },
        make("button", { class: "main large grow" }, icon("scan"), say("scanNow")),
        this.look,
      ),
      this.refusal,
      fold(
        say("scanSettings"),
        { class: "basics", open: isRoomy },
        make(
          "div",
          { class: "fields close" },
          commonField("source", "wide"),
          labeled(say("profile"), choice("profile", profileChoices(profiles))),
          ...common.slice(1).map((name) => commonField(name)),
          labeled(say("title"), make("input", { name: "title", autocomplete: "off" })),
          this.severalRow,
        ),
      ),
      this.options.element,
      documentFold(this.parts, this.declared, this.services, this.pdf),
      this.shortcuts.element,
    );
  }

  field(name) {
    return this.element.elements[name];
  }

  // A profile may have been deleted since the shortcut was made.
  sendShortcut(order, name) {
    const isThere = [...this.field("profile").options].some(({ value }) => value === order.profile);
    if (!isThere) throw new Error(say("shortcutLost", { name }));
    return this.send(order);
  }

  // Shows the present scanners. A choice stays while devices come and go, and while there is no
  // scanner for a moment because its driver restarts. Those of an earlier search keep no choice.
  showScanners(scanners, areEarlier = false) {
    this.scanners = scanners;
    if (!scanners.length) return;
    const before = this.hadEarlier ? "" : this.device.value;
    this.hadEarlier = areEarlier;
    const wanted = before || recall("device");
    const chosen = scanners.find((one) => one.id === wanted) ??
      scanners.find((one) => one.isDefault) ?? scanners[0];
    this.device.replaceChildren(
      ...choiceItems(scanners.map((one) => [one.id, deviceName(one), one === chosen])),
    );
    if (this.device.value !== before) this.showSources();
  }

  get scanner() {
    return this.scanners.find((one) => one.id === this.device.value);
  }

  showSources() {
    const sources = this.scanner?.sources ?? [];
    this.closePreview();
    this.face.replaceChildren(...(this.scanner ? [drawing(this.scanner)] : []));
    this.look.hidden = sources.length > 0 && !sources.includes("flatbed");
    this.field("source").replaceChildren(...choiceItems([
      ["", say("automatic")],
      ...sources.map((name) => [name, say("source-" + name)]),
    ]));
    this.restore();
    this.showOptions();
  }

  // Restores the last settings of the device.
  restore() {
    const before = recall("scan-" + this.device.value, {});
    for (const name of [...common, "profile"]) {
      const field = this.field(name);
      field.disabled = false;
      const value = before[name] ?? (name === "profile" ? "document" : "");
      if ([...field.options].some((option) => option.value === value)) field.value = value;
    }
    this.several.checked = Boolean(before.several);
  }

  keep() {
    const values = [...common, "profile"].map((name) => [name, this.field(name).value]);
    remember("scan-" + this.device.value, {
      ...Object.fromEntries(values),
      several: this.several.checked,
    });
  }

  changed() {
    this.keep();
    this.showOptions();
  }

  // Shows the possible options for the chosen source.
  showOptions() {
    const sources = this.scanner?.sources ?? [];
    const source = this.field("source");
    const isFeeder = (name) => name.startsWith("feeder");
    this.severalRow.hidden = source.value
      ? isFeeder(source.value)
      : sources.length > 0 && sources.every(isFeeder);
    this.options.show(this.device.value, this.common);
    this.showPlan();
  }

  // Says that a feeder takes the whole stack; with an automatic source, if there is paper in it.
  showStack() {
    const sources = this.scanner?.sources ?? [];
    const inEffect = this.field("source").value || this.options.value("source") || sources[0] || "";
    const isFeeder = inEffect.startsWith("feeder");
    const mayFeed = inEffect === "auto" && sources.some((name) => name.startsWith("feeder"));
    this.stack.textContent = isFeeder ? say("stackFed") : mayFeed ? say("stackAuto") : "";
  }

  // Turns off the settings that the device does not have now, as soon as it was asked.
  offer() {
    if (!this.options.isKnown) return;
    const before = JSON.stringify(this.common);
    for (const name of ["mode", "resolution"]) {
      this.field(name).disabled = this.options.value(name) === undefined;
    }
    if (JSON.stringify(this.common) !== before) this.options.show(this.device.value, this.common);
  }

  // Describes the scan, and the meaning of "automatic" for this device.
  showPlan() {
    this.offer();
    this.showStack();
    const words = common.map((name) => {
      const field = this.field(name);
      const value = this.options.value(name);
      const inEffect = value === undefined || value === "" ? undefined : valueWords(name, value);
      field.options[0].textContent = inEffect && !field.value
        ? say("automatically", { value: inEffect })
        : say(field.disabled ? "notOffered" : "automatic");
      return field.value && !field.disabled ? valueWords(name, field.value) : inEffect;
    });
    const profile = this.field("profile").selectedOptions[0]?.textContent ?? "";
    const settings = joined(...words);
    const what = settings ? say("plan", { settings, profile }) : profile;
    const text = this.sent.reduce(
      (before, sink) => say("plan", { settings: before, profile: sinkText(sink) }),
      what,
    );
    setText(this.plan, text);
  }

  openPreview() {
    this.closePreview();
    this.preview = new Preview(this.device.value, () => {
      this.preview = undefined;
      this.restoreSource();
      this.look.focus();
    });
    const source = this.field("source");
    if ([...source.options].some((option) => option.value === "flatbed")) {
      this.sourceBefore = source.value;
      source.value = "flatbed";
    }
    this.showOptions();
    this.previewPlace.prepend(this.preview.element);
    this.preview.element.scrollIntoView({ block: "nearest" });
  }

  // A preview of the glass does not change the source for the scan.
  restoreSource() {
    if (this.sourceBefore !== undefined) this.field("source").value = this.sourceBefore;
    this.sourceBefore = undefined;
    this.showOptions();
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

  // The sinks that get the document at once, besides the archive.
  get sent() {
    return this.services.values;
  }

  get order() {
    const fields = new FormData(this.element);
    const { common } = this;
    // A feeder scans whole sheets.
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
      ...this.declared.wish(),
    };
    if (fields.get("title")) order.title = fields.get("title");
    if (this.several.checked && !this.severalRow.hidden) order.asksForMore = true;
    if (this.sent.length) order.sinks = ["archive", ...this.sent];
    return order;
  }

  begin() {
    return this.send(this.order);
  }

  // Orders a scan. A device that is reporting its options is busy for a moment.
  async send(order) {
    const problem = await this.refusal.attempt(async () => {
      await this.options.idle();
      this.begun(await ask("jobs", { method: "POST", body: order }));
    });
    if (!problem) announce(say("begun"));
    // The space bar scans even while the form is out of view.
    else if (!this.element.checkVisibility()) tellProblem(problem);
  }

  end() {
    this.closePreview();
    this.options.end();
  }
}
