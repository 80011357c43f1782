// The page: one view at a time, chosen by the address behind the #.
import { explain, load, say, words } from "./words/words.js";
import { make } from "./parts/dom.js";
import { enter, listen, may, publish } from "./shell/host.js";
import { showTheme } from "./settings/appearance.js";
import { signIn } from "./shell/signin.js";
import { markTab, showTabs } from "./shell/tabs.js";
import { views } from "./views.js";

let leave = () => {};
let isMissing = false;
let turn = 0;

// The view with that name, or the first tab if there is none that the user may see.
function find(wanted) {
  const visible = views.filter(({ needs }) => !needs || may(needs));
  return visible.find(({ name }) => name === wanted) ?? visible.find(({ tab }) => tab);
}

// The parts of the address behind the #; none if it is not an address that a view made.
function parts() {
  try {
    return location.hash.slice(1).split("?")[0].split("/").map(decodeURIComponent);
  } catch {
    return [];
  }
}

async function show() {
  const [asked, ...rest] = parts();
  const view = find(asked);
  const mine = ++turn;
  leave();
  leave = () => {};
  // Each view has its own element, so that one that still waits for the host can't disturb the
  // next.
  const place = make("div", { "aria-busy": "true" });
  document.getElementById("view").replaceChildren(place);
  const waiting = make("p", { class: "soft", role: "status" }, say("loading"));
  const patience = setTimeout(() => place.append(waiting), 300);
  markTab(view);
  isMissing = false;
  try {
    const end = (await view.show(place, rest, views)) ?? (() => {});
    if (mine !== turn) return end();
    leave = end;
  } catch (problem) {
    if (mine !== turn) return;
    if (["no-token", "wrong-token"].includes(problem.code)) signIn(place);
    else {
      place.replaceChildren(
        make("h2", {}, say("notShown")),
        make("div", { class: "card bad", role: "alert" }, explain(problem)),
        view.name === "document"
          ? make("p", {}, make("a", { class: "button", href: "#archive" }, say("archive")))
          : "",
      );
    }
    // The host may be back later.
    isMissing = problem.code === undefined;
  } finally {
    clearTimeout(patience);
    waiting.remove();
    place.removeAttribute("aria-busy");
  }
  entitle(place.querySelector("h2")?.textContent ?? "");
}

// Sets the browser's title; a view reports when its title changes.
function entitle(title) {
  document.title = title + " – Copystand";
}

showTheme();
await load();
await enter();
showTabs(views);
document.documentElement.lang = words.language;
const view = document.getElementById("view");
const skip = document.querySelector(".skip");
skip.append(say("skip"));
skip.addEventListener("click", (event) => {
  // The address says which view is shown.
  event.preventDefault();
  view.focus();
});
view.addEventListener("retitle", (event) => entitle(event.detail));
// Events are about devices and jobs.
if (may("scan")) {
  listen((isThere) => {
    document.getElementById("link").textContent = isThere ? "" : say("lost");
    if (isThere && isMissing) show();
    publish("link", isThere);
  });
}
addEventListener("hashchange", async () => {
  await show();
  scrollTo(0, 0);
  view.focus({ preventScroll: true });
});
await show();
// If the browser allows it, the page also opens while the host is away.
navigator.serviceWorker?.register("offline.js", { type: "module" }).catch(() => {});
