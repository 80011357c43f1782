// A preview of the glass, on which the part to scan is drawn.
import { make } from "./dom.js";
import { frame } from "./frame.js";
import { ask, hear } from "./host.js";
import { draw } from "./sheet.js";
import { explain, hostWords, say } from "./words.js";

const millimeters = (value) => String(Math.round(value * 2) / 2);

// A card for the preview of a device; `area()` returns the part that was drawn, in millimeters,
// nothing for all of it.
export function preview(device, onClose) {
  const state = make("p", { class: "soft", role: "status" }, say("looking"));
  const picture = make("div", { class: "picture framed" });
  const readout = make("output", { class: "soft" });
  const all = make(
    "button",
    { type: "button", hidden: true, onclick: () => region.setWhole() },
    say("wholeGlass"),
  );
  const close = make("button", {
    type: "button",
    onclick: () => {
      end();
      onClose();
    },
  }, say("cancel"));
  const card = make(
    "section",
    { class: "card preview", "aria-label": say("onGlass") },
    make("h3", {}, say("onGlass")),
    state,
    picture,
    make("div", { class: "row" }, make("span", { class: "grow" }, readout), all, close),
  );
  let look;
  let region;
  let isEnded = false;

  function show(status) {
    if (isEnded || status.id !== look?.id || status.state === "running" || region) return;
    look = status;
    deaf();
    if (status.state === "failed") {
      state.className = "bad";
      state.replaceChildren(hostWords(status.problem));
      close.textContent = say("close");
      return;
    }
    // Without millimeters there is nothing to choose a part of.
    const { width, height } = status.area ?? { width: status.width, height: status.height };
    const image = draw("image", {
      width,
      height,
      preserveAspectRatio: "none",
      href: `/api/v1/previews/${encodeURIComponent(status.id)}/picture`,
    });
    if (status.area) {
      region = frame({
        width,
        height,
        part: { left: 0, top: 0, right: width, bottom: height },
        least: 10,
        grain: 0.5,
        step: 1,
        draws: true,
        told: (part) =>
          say("partWords", {
            width: millimeters(part.right - part.left),
            height: millimeters(part.bottom - part.top),
            x: millimeters(part.left),
            y: millimeters(part.top),
          }),
        onChange: told,
      });
      state.textContent = say("drawHint");
      told();
    }
    state.hidden = !status.area;
    all.hidden = !status.area;
    close.textContent = say("close");
    picture.replaceChildren(
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
        image,
        ...(region?.elements ?? []),
      ),
    );
    region?.elements[1].focus({ preventScroll: true });
  }

  function told() {
    const { left, top, right, bottom } = region.part;
    readout.textContent = region.isWhole() ? say("partAll") : say("partWords", {
      width: millimeters(right - left),
      height: millimeters(bottom - top),
      x: millimeters(left),
      y: millimeters(top),
    });
  }

  const again = () => look && ask("previews/" + encodeURIComponent(look.id)).then(show);
  const deaf = hear((name, value) => {
    if (name === "preview") show(value);
    if (name === "reset") {
      again()?.catch((problem) => {
        state.className = "bad";
        state.replaceChildren(...explain(problem));
      });
    }
  });

  function end() {
    isEnded = true;
    deaf();
    if (look?.state === "running") {
      ask("previews/" + encodeURIComponent(look.id), { method: "DELETE" }).catch(() => {});
    }
    card.remove();
  }

  async function begin() {
    try {
      look = await ask("previews", { method: "POST", body: { device } });
      // It may have been done before the answer that it has begun.
      await again();
    } catch (problem) {
      state.className = "bad";
      state.replaceChildren(...explain(problem));
      close.textContent = say("close");
    }
  }

  begin();
  return Object.assign(card, {
    device,
    end,
    area() {
      if (!region || region.isWhole()) return undefined;
      const { left, top, right, bottom } = region.part;
      return {
        x: look.area.x + left,
        y: look.area.y + top,
        width: right - left,
        height: bottom - top,
      };
    },
  });
}
