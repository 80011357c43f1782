// A button that copies a text that is shown.
import { make, press, tell } from "../parts/dom.js";
import { say } from "../words/words.js";

// `element` is a field, or has the text as its content.
export const copyButton = (element) =>
  make(
    "button",
    {
      type: "button",
      onclick: press(async () => {
        if (element.select) element.select();
        else getSelection().selectAllChildren(element);
        // Browsers have a clipboard only for pages with an encrypted or a local address.
        if (navigator.clipboard) {
          await navigator.clipboard.writeText(element.value ?? element.textContent);
        } else if (!document.execCommand("copy")) return;
        tell(say("copied"));
      }),
    },
    say("copy"),
  );
