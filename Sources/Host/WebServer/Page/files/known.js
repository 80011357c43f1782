// The metadata of a document: title, type, note, tags and fields.
import { make, press } from "./dom.js";
import { isOfCards } from "./cards.js";
import { may } from "./host.js";
import { day, say } from "./words.js";

export const types = ["contract", "invoice", "receipt", "report", "form", "other"];

// `describe(change)` changes the document's metadata.
export function known(whole, describe_) {
  const { document } = whole;
  const describe = (make_) => press((event) => describe_(make_(event.target.value)));
  return make(
    "div",
    { class: "card known" },
    make(
      "form",
      { onsubmit: (event) => event.preventDefault() },
      make(
        "fieldset",
        { class: "bare", disabled: !may("scan") },
        make(
          "label",
          {},
          say("title"),
          make("input", {
            "data-keep": "title",
            value: document.title,
            onchange: describe((title) => ({ title })),
          }),
        ),
        make(
          "label",
          {},
          say("type"),
          make(
            "select",
            { "data-keep": "type", onchange: describe((type) => ({ type })) },
            types.map((name) =>
              make("option", { value: name, selected: name === document.type }, say("type-" + name))
            ),
          ),
        ),
        make(
          "label",
          {},
          say("note"),
          make("textarea", {
            "data-keep": "note",
            rows: 2,
            onchange: describe((note) => ({ note })),
          }, whole.note),
        ),
        make(
          "div",
          { class: "row" },
          document.tags.map((tag) =>
            make("button", {
              class: "tag",
              type: "button",
              "aria-label": say("removeTag", { tag }),
              onclick: press(() => describe_({ removeTags: [tag] })),
            }, tag + " ×")
          ),
          make("input", {
            "data-keep": "tag",
            class: "grow",
            placeholder: say("addTag"),
            "aria-label": say("addTag"),
            onchange: describe((tag) => ({ addTags: [tag] })),
          }),
        ),
        ...whole.fields.filter((field) => !isOfCards(field)).map((field) =>
          make(
            "label",
            {},
            field.name + (field.source ? ` (${field.source})` : ""),
            make("input", {
              "data-keep": "field-" + field.name,
              value: field.value,
              onchange: describe((value) => ({ fields: { [field.name]: value || null } })),
            }),
          )
        ),
      ),
    ),
    make(
      "p",
      { class: "soft" },
      [say("pageCount", { number: document.pages }), day(document.created), document.language]
        .filter(Boolean).join(" · "),
    ),
  );
}
