// The result of a profile's steps for a page, tried while the user fills in the profile.
import { choice, choiceItems, labeled, make, titled } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { explain, keyedText, say } from "../words/words.js";

// A JPEG in base64 as an element; the page's policy allows pictures from the host's addresses only,
// and this one has none.
async function painted(base64, label) {
  const bytes = Uint8Array.from(atob(base64), (sign) => sign.charCodeAt(0));
  const picture = await createImageBitmap(new Blob([bytes], { type: "image/jpeg" }));
  const { width, height } = picture;
  const canvas = make("canvas", { width, height, role: "img", "aria-label": label });
  canvas.getContext("2d").drawImage(picture, 0, 0);
  return make("figure", {}, canvas, make("figcaption", { class: "soft" }, label));
}

export class Sample {
  page = choice("sample", [["", say("samplePage")]], { onchange: () => this.show(this.profile) });
  pictures = make("div", { class: "samples" });
  zoom = make("button", {
    type: "button",
    class: "quiet",
    onclick: () => this.resize(),
  }, say("zoomIn"));
  state = make("p", { class: "soft", role: "status" });
  element = titled(
    say("sample"),
    { class: "card sample" },
    labeled(say("sampleOf"), this.page),
    this.zoom,
    this.pictures,
    this.state,
  );
  // "shown", "trying", "retrying" if the host came back during the attempt, or "failed".
  phase = "shown";

  // `declared` are all steps.
  constructor(declared) {
    this.declared = declared;
    this.offerPages();
  }

  // Shows the pictures below each other as wide as there is room, or side by side again.
  resize() {
    const isLarge = this.pictures.classList.toggle("large");
    this.zoom.textContent = say(isLarge ? "zoomOut" : "zoomIn");
  }

  // The latest documents, on whose first pages the steps can be tried.
  async offerPages() {
    const { documents } = await ask("documents?limit=20").catch(() => ({ documents: [] }));
    this.page.append(
      ...choiceItems(documents.map(({ id, title }) => [id, title || String(id)])),
    );
  }

  // Tries a profile without mistakes; if the profile changes meanwhile, it is tried again
  // afterward.
  async show(profile) {
    this.profile = profile;
    if (this.isTrying) return;
    this.phase = "trying";
    let ended = "shown";
    this.pictures.setAttribute("aria-busy", "true");
    try {
      let tried;
      do {
        tried = [this.profile, this.page.value];
        await this.attempt(...tried);
      } while (tried[0] !== this.profile || tried[1] !== this.page.value);
    } catch (problem) {
      ended = "failed";
      this.state.replaceChildren(...explain(problem));
    } finally {
      this.pictures.removeAttribute("aria-busy");
    }
    const isWorthAnother = ended === "failed" && this.phase === "retrying";
    this.phase = ended;
    if (isWorthAnother) await this.show(this.profile);
  }

  get isTrying() {
    return this.phase === "trying" || this.phase === "retrying";
  }

  // Tries again after the host was away.
  again() {
    if (this.isTrying) this.phase = "retrying";
    else if (this.phase === "failed") this.show(this.profile);
  }

  async attempt(body, document) {
    const query = document ? "?" + new URLSearchParams({ document }) : "";
    const made = await ask("profile-preview" + query, { method: "POST", body });
    this.pictures.replaceChildren(
      await painted(made.captured, say("sampleBefore")),
      await painted(made.page, say("sampleAfter")),
    );
    const titles = made.steps.filter((step) => step.changed).map(({ name }) => {
      const { title } = this.declared.find((one) => one.name === name);
      return keyedText(`step.${name}.title`, title);
    });
    this.state.textContent = [
      titles.length ? say("sampleChanged", { steps: titles.join(" · ") }) : say("sampleSame"),
      made.pages > 1 ? say("samplePages", { number: made.pages }) : "",
    ].join(" ").trim();
  }
}
