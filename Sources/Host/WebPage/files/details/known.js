// The metadata of a document: title, type, note, tags and fields.
import { choice, labeled, make, press, removableTag, row, tell } from "../parts/dom.js";
import { isOfCards } from "./cards.js";
import { ask, may } from "../shell/host.js";
import { icon } from "../parts/icons.js";
import { day, joined, say } from "../words/words.js";

export const types = ["contract", "invoice", "receipt", "report", "form", "other"];

// The fields that every document has; `describe` makes a handler from the changes for a value.
const commonFields = ({ document, note }, describe, retitle) => [
  labeled(
    say("title"),
    make("input", {
      "data-keep": "title",
      value: document.title,
      dir: "auto",
      onchange(event) {
        // A document without a title could not be opened from a list.
        if (event.target.value.trim()) return retitle(event);
        event.target.value = document.title;
        tell(say("titleNeeded"));
      },
    }),
  ),
  labeled(
    say("type"),
    choice(
      undefined,
      types.map((name) => [name, say("type-" + name), name === document.type]),
      { "data-keep": "type", onchange: describe((type) => ({ type })) },
    ),
  ),
  labeled(
    say("note"),
    make("textarea", {
      "data-keep": "note",
      rows: 2,
      onchange: describe((note) => ({ note })),
    }, note),
  ),
];

// The tags, each of which can be removed, and a field for another.
const tagRow = (tags, change) =>
  row(
    tags.map((tag) =>
      removableTag(tag, say("removeTag", { tag }), press(() => change({ removeTags: [tag] })))
    ),
    make("input", {
      "data-keep": "tag",
      class: "grow",
      placeholder: say("addTag"),
      "aria-label": say("addTag"),
      list: "known-tags",
      onfocus: (event) => proposeTags(event.target.nextElementSibling, tags),
      onchange(event) {
        const tag = event.target.value.trim();
        // A redrawn field must not be submitted again.
        event.target.value = "";
        if (tag) press(() => change({ addTags: [tag] }))(event);
      },
    }),
    make("datalist", { id: "known-tags" }),
  );

// The tags that other documents have, as proposals.
async function proposeTags(list, own) {
  if (list.childElementCount) return;
  const { tags } = await ask("tags").catch(() => ({ tags: [] }));
  list.replaceChildren(
    ...tags.filter(({ name }) => !own.includes(name)).map(({ name }) =>
      make("option", { value: name })
    ),
  );
}

// The suggestions for a document, requested once for each of its versions.
let lastAsked = {};
function likely({ version, document }) {
  const key = `${document.id} ${version}`;
  if (lastAsked.key !== key) {
    const answer = ask(`documents/${document.id}/suggestions`).catch(() => ({ tags: [] }));
    lastAsked = { key, answer };
  }
  return lastAsked.answer;
}

// The suggested type and tags, each applied with one click.
function suggested(whole, change) {
  const place = make("div", {
    class: "row suggested",
    role: "group",
    "aria-label": say("suggested"),
    hidden: true,
  });
  const chip = (words, values) =>
    make("button", {
      type: "button",
      class: "chip",
      "data-keep": "suggested",
      onclick: press(() => change(values)),
    }, icon("plus"), words);
  const show = ({ type, tags }) => {
    place.hidden = !type && !tags.length;
    place.replaceChildren(
      make("span", { class: "soft" }, say("suggested")),
      ...(type ? [chip(say("type-" + type), { type })] : []),
      ...tags.map((tag) => chip(tag, { addTags: [tag] })),
    );
  };
  if (may("scan") && !whole.document.trashed) likely(whole).then(show);
  return place;
}

// A field that was read or found: an emptied one is deleted.
const foundField = (field, describe) =>
  labeled(
    field.name + (field.source ? ` (${field.source})` : ""),
    make("input", {
      "data-keep": "field-" + field.name,
      value: field.value,
      onchange: describe((value) => ({ fields: { [field.name]: value || null } })),
    }),
  );

// `change(values)` changes the document's metadata.
export function known(whole, change) {
  const { document } = whole;
  const describe = (changed) => press((event) => change(changed(event.target.value)));
  const found = whole.fields.filter((field) => !isOfCards(field));
  return make(
    "div",
    { class: "card known" },
    make("h3", {}, say("details")),
    make(
      "form",
      { onsubmit: (event) => event.preventDefault() },
      make(
        "fieldset",
        { class: "bare", disabled: !may("scan") },
        ...commonFields(whole, describe, describe((title) => ({ title }))),
        tagRow(document.tags, change),
        suggested(whole, change),
        ...found.map((field) => foundField(field, describe)),
      ),
    ),
    make(
      "p",
      { class: "soft" },
      joined(
        say("pageCount", { number: document.pages }),
        day(document.created),
        document.language,
      ),
    ),
  );
}
