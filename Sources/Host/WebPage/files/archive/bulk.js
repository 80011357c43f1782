// Actions on several documents of the archive at once.
import { make, menu, press, tell, tellProblem } from "../parts/dom.js";
import { ask, reach } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { answerWords, fileAddress, sendTo, sinkMenu } from "../parts/out.js";
import { say, sinkText } from "../words/words.js";
import { zipped } from "../parts/zip.js";

const button = (name, words, work) =>
  make("button", { type: "button", onclick: press(work) }, icon(name), words);

export class Selection {
  chosen = new Set();
  count = make("span", { role: "status" });
  acts = make("div", { class: "row acts" });
  element = make(
    "div",
    { class: "card row selected", hidden: true, role: "toolbar", "aria-label": say("selection") },
    this.count,
    this.acts,
    make("button", {
      type: "button",
      class: "quiet",
      onclick: () => this.chooseAll(),
    }, say("selectAll")),
    make("button", {
      type: "button",
      class: "bare",
      "aria-label": say("selectNone"),
      onclick: () => this.clear(),
    }, icon("close")),
  );

  // The list ends above these tools, however high they are.
  height = new ResizeObserver(() =>
    document.documentElement.style.setProperty("--selected", this.element.offsetHeight + "px")
  );

  // `reload()` refreshes the list, `sinks` are where documents can be sent.
  constructor(reload, sinks) {
    Object.assign(this, { reload, sinks });
    this.height.observe(this.element);
  }

  has(id) {
    return this.chosen.has(id);
  }

  choose(id, isChosen) {
    this.chosen[isChosen ? "add" : "delete"](id);
    this.show();
  }

  clear() {
    this.chosen.clear();
    this.show();
  }

  // Chooses all documents that are shown.
  chooseAll() {
    for (const box of this.boxes) this.chosen.add(Number(box.dataset.document));
    this.show();
  }

  get boxes() {
    return document.querySelectorAll("main input[data-document]");
  }

  // The list shows documents of the trash, or others.
  setTrash(isTrash) {
    if (isTrash === this.isTrash) return;
    this.isTrash = isTrash;
    this.clear();
  }

  // The actions on the selected documents.
  tools() {
    if (this.isTrash) {
      return [
        button("restore", say("restoreShort"), () => this.change({ action: "restore" })),
        button("delete", say("deleteForGood"), () => this.deleteForGood()),
      ];
    }
    return [
      this.tagMenu(),
      sinkMenu(this.sinks, {}, (sink) => this.send(sink)),
      button("zip", say("downloadZip"), () => this.download()),
      button("mergeWith", say("merge"), () => this.merge()),
      button("delete", say("toTrash"), () => this.trash()),
    ];
  }

  show() {
    for (const box of this.boxes) box.checked = this.has(Number(box.dataset.document));
    const isHidden = !this.chosen.size;
    if (isHidden !== this.element.hidden) {
      this.acts.replaceChildren(...(isHidden ? [] : this.tools()));
    }
    this.element.hidden = isHidden;
    this.count.textContent = say("selectedDocuments", { number: this.chosen.size });
  }

  // Changes all selected documents; those that could not be changed stay selected.
  async change(body) {
    const documents = [...this.chosen];
    const { done, failed } = await ask("bulk", { method: "POST", body: { documents, ...body } });
    for (const id of done) this.chosen.delete(id);
    await this.reload();
    this.show();
    if (failed.length) throw new Error(failed[0].detail);
    return done;
  }

  async trash() {
    const documents = await this.change({ action: "trash" });
    tell(say("documentsTrashed", { number: documents.length }), {
      words: say("undo"),
      work: async () => {
        await ask("bulk", { method: "POST", body: { documents, action: "restore" } });
        await this.reload();
      },
    });
  }

  async deleteForGood() {
    if (confirm(say("deleteManySure", { number: this.chosen.size }))) {
      await this.change({ action: "delete" });
    }
  }

  tagMenu() {
    const name = make("input", {
      autocomplete: "off",
      "aria-label": say("addTag"),
      placeholder: say("tag"),
    });
    const add = make(
      "form",
      {
        class: "row",
        onsubmit: press(async () => {
          const tag = name.value.trim();
          if (!tag) return name.focus();
          name.value = "";
          const { size } = this.chosen;
          await this.change({ addTags: [tag] });
          tell(say("documentsTagged", { number: size, tag }));
        }),
      },
      make("span", { class: "grow" }, name),
      make("button", { class: "main" }, say("addTag")),
    );
    const element = menu({}, [icon("tag"), say("tag")], add);
    element.addEventListener("toggle", () => element.open && name.focus());
    return element;
  }

  // Sends the documents one after another; the first refusal is shown.
  async send(sink) {
    let last;
    let number = 0;
    for (const id of this.chosen) {
      number += 1;
      tell(say("sendingMany", { number, of: this.chosen.size, sink: sinkText(sink) }));
      last = await sendTo(sink, id);
      if (last.problem) break;
    }
    tell(answerWords(sink, last));
    if (!last.problem) this.clear();
  }

  async download() {
    const files = [];
    for (const id of this.chosen) {
      tell(say("packing", { number: files.length + 1, of: this.chosen.size }));
      const answer = await reach(fileAddress(id));
      if (!answer.ok) throw new Error((await answer.json()).detail);
      const bytes = new Uint8Array(await answer.arrayBuffer());
      files.push({ name: nameIn(answer, id), bytes });
    }
    const address = URL.createObjectURL(zipped(files));
    const name = say("zipName", { day: today(), number: files.length });
    make("a", { download: name + ".zip", href: address }).click();
    setTimeout(() => URL.revokeObjectURL(address), 60_000);
    tell(say("packed", { number: files.length }));
    this.clear();
  }

  // Appends the pages of the other documents to the first selected one.
  async merge() {
    const [first, ...others] = [...this.chosen];
    if (!others.length) return tell(say("mergeNeeds"));
    try {
      for (const merge of others) {
        await ask(`documents/${first}/review`, { method: "POST", body: { merge } });
      }
    } catch (problem) {
      return tellProblem(problem);
    } finally {
      this.clear();
      await this.reload();
    }
    tell(say("mergeMade"), { words: say("openDocument"), address: "#document/" + first });
  }
}

// The day as in the names of files, which sort by it: 2026-05-17.
function today() {
  const now = new Date();
  const parts = [now.getFullYear(), now.getMonth() + 1, now.getDate()];
  return parts.map((part) => String(part).padStart(2, "0")).join("-");
}

// The file name in the host's answer (RFC 6266, 4.3).
function nameIn(answer, id) {
  const header = answer.headers.get("Content-Disposition") ?? "";
  const encoded = header.match(/filename\*=UTF-8''([^;]+)/i)?.[1];
  return encoded ? decodeURIComponent(encoded) : header.match(/filename="([^"]+)"/)?.[1] ??
    `${id}.pdf`;
}
