// A preview of the glass, on which the part to scan is drawn.
import { cancelButton, make, row, titled } from "../parts/dom.js";
import { frame } from "../parts/frame.js";
import { ask, hear } from "../shell/host.js";
import { draw } from "../parts/sheet.js";
import { explain, hostWords, say } from "../words/words.js";

const millimeters = (value) => String(Math.round(value * 2) / 2);

const partWords = ({ left, top, right, bottom }) =>
  say("partWords", {
    width: millimeters(right - left),
    height: millimeters(bottom - top),
    x: millimeters(left),
    y: millimeters(top),
  });

// The frame on a glass of that size in millimeters.
const glassFrame = ({ width, height }, onChange) =>
  frame({
    width,
    height,
    part: { left: 0, top: 0, right: width, bottom: height },
    least: 10,
    grain: 0.5,
    step: 1,
    draws: true,
    told: partWords,
    onChange,
  });

// The picture of the glass; `over` is drawn on top of it.
const glassPicture = (id, { width, height }, over) =>
  draw(
    "svg",
    {
      class: "glass",
      width: width * 5,
      height: height * 5,
      viewBox: `0 0 ${width} ${height}`,
      role: "group",
      "aria-label": say("onGlass"),
    },
    draw("image", {
      width,
      height,
      preserveAspectRatio: "none",
      href: `/api/v1/previews/${encodeURIComponent(id)}/picture`,
    }),
    ...over,
  );

// A card for the preview of a device.
export class Preview {
  state = make("p", { class: "soft", role: "status" }, say("looking"));
  picture = make("div", { class: "picture framed" });
  readout = make("output", { class: "soft" });
  all = make(
    "button",
    { type: "button", hidden: true, onclick: () => this.region.setWhole() },
    say("wholeGlass"),
  );
  close = cancelButton(() => {
    this.end();
    this.onClose();
  });
  element = titled(
    say("onGlass"),
    { class: "card preview" },
    this.state,
    this.picture,
    row(make("span", { class: "grow" }, this.readout), this.all, this.close),
  );
  // The preview as the host has it, and the frame once there is a picture.
  look;
  region;
  isEnded = false;

  constructor(device, onClose) {
    this.onClose = onClose;
    this.deaf = hear((name, value) => {
      if (name === "preview") this.show(value);
      if (name === "reset") this.again()?.catch((problem) => this.fail(explain(problem)));
    });
    this.begin(device);
  }

  async begin(device) {
    try {
      this.look = await ask("previews", { method: "POST", body: { device } });
      // The preview may have finished before the answer to its start.
      await this.again();
    } catch (problem) {
      this.fail(explain(problem));
      this.close.textContent = say("close");
    }
  }

  again() {
    return this.look &&
      ask("previews/" + encodeURIComponent(this.look.id)).then((status) => this.show(status));
  }

  show(status) {
    const isNews = status.id === this.look?.id && status.state !== "running";
    if (this.isEnded || !isNews || this.region) return;
    this.look = status;
    this.deaf();
    this.close.textContent = say("close");
    if (status.state === "failed") return this.fail([hostWords(status.problem)]);
    // Without a size in millimeters, no part can be chosen.
    const size = status.area ?? { width: status.width, height: status.height };
    if (status.area) {
      this.region = glassFrame(size, () => this.readPart());
      this.state.textContent = say("drawHint");
      this.readPart();
    }
    this.state.hidden = !status.area;
    this.all.hidden = !status.area;
    this.picture.replaceChildren(glassPicture(status.id, size, this.region?.elements ?? []));
    this.region?.elements[1].focus({ preventScroll: true });
  }

  fail(nodes) {
    this.state.className = "bad";
    this.state.replaceChildren(...nodes);
  }

  readPart() {
    this.readout.textContent = this.region.isWhole() ? say("partAll") : partWords(this.region.part);
  }

  // The part that was drawn, in millimeters; nothing for the whole glass.
  area() {
    if (!this.region || this.region.isWhole()) return undefined;
    const { left, top, right, bottom } = this.region.part;
    return {
      x: this.look.area.x + left,
      y: this.look.area.y + top,
      width: right - left,
      height: bottom - top,
    };
  }

  end() {
    this.isEnded = true;
    this.deaf();
    if (this.look?.state === "running") {
      const path = "previews/" + encodeURIComponent(this.look.id);
      ask(path, { method: "DELETE" }).catch(() => {});
    }
    this.element.remove();
  }
}
