// The card for files that other programs of this device share: it shows their names, and sends
// nothing before someone presses its button.
import { make, press, row, titled } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { confirm, drop, LIMITS, waiting, waitingFiles } from "./shared.js";
import { say } from "../words/words.js";

// `begin(files)` sends files, and returns whether it did. `key` is that of a share that the host
// has confirmed.
export async function offer(begin, key) {
  const names = make("ul", { class: "rows" });
  const left = make("p", { class: "warn" });
  const element = titled(
    say("sharedFiles"),
    { class: "card shared" },
    make("p", { class: "soft" }, say("sharedHint")),
    names,
    left,
    row(
      make(
        "button",
        {
          class: "main",
          onclick: press(async () => {
            if (await begin(await waitingFiles())) await end();
          }),
        },
        icon("upload"),
        say("sharedSend"),
      ),
      make("button", { onclick: press(() => end()) }, say("discard")),
    ),
  );

  async function show() {
    const shared = await waiting();
    element.hidden = !shared.names.length && !shared.left;
    element.querySelector("button.main").hidden = !shared.names.length;
    names.replaceChildren(...shared.names.map((name) => make("li", { dir: "auto" }, name)));
    left.textContent = shared.left
      ? say("sharedLeft", { number: shared.left, most: LIMITS.files, size: LIMITS.bytes / 1e6 })
      : "";
    left.hidden = !shared.left;
  }

  async function end() {
    await drop();
    await show();
  }

  if (key) await confirm(key);
  await show();
  return element;
}
