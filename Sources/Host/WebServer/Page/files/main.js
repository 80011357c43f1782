// The page: one view at a time, chosen by the address behind the #.
import { explain, load, say, words } from "./words/words.js";
import { make } from "./parts/dom.js";
import { enter, listen, may, publish } from "./shell/host.js";
import { icon } from "./parts/icons.js";
import { more } from "./shell/more.js";
import { scan } from "./scan/scan.js";
import { live } from "./live/live.js";
import { archive } from "./archive/archive.js";
import { document_ } from "./document/document.js";
import { jobs } from "./scan/jobs.js";
import { devices } from "./devices/devices.js";
import { help } from "./shell/help.js";
import { settings } from "./settings/settings.js";
import { showTheme } from "./settings/appearance.js";
import { signIn, useCode } from "./shell/signin.js";

// The views for users who may only read the archive.
const readable = ["archive", "document", "help", "more"];
const views = { scan, live, archive, document: document_, jobs, devices, settings, help, more };
// On a phone these are behind the last tab.
const rare = ["devices", "settings", "help"];
let leave = () => {};
let isMissing = false;
let turn = 0;

async function show() {
  const [asked, ...rest] = location.hash.slice(1).split("?")[0].split("/").map(decodeURIComponent);
  const known = asked in views ? asked : "scan";
  const name = may("scan") || readable.includes(known) ? known : "archive";
  const view = views[name];
  const mine = ++turn;
  leave();
  leave = () => {};
  // Each view has its own element, so that one that still waits for the host can't disturb the
  // next.
  const place = make("div", { "aria-busy": "true" });
  document.getElementById("view").replaceChildren(place);
  const waiting = make("p", { class: "soft", role: "status" }, say("loading"));
  const patience = setTimeout(() => place.append(waiting), 300);
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.hash === "#" + name || (name === "document" && link.hash === "#archive") ||
      (link.hash === "#more" && rare.includes(name));
    isHere ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  isMissing = false;
  try {
    const end = (await view(place, ...rest)) ?? (() => {});
    if (mine !== turn) return end();
    leave = end;
  } catch (problem) {
    if (mine !== turn) return;
    if (["no-token", "wrong-token"].includes(problem.code)) signIn(place);
    else {
      place.replaceChildren(
        make("h2", {}, say("notShown")),
        make("div", { class: "card bad", role: "alert" }, explain(problem)),
        name === "document"
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
await useCode();
await enter();
for (const element of document.querySelectorAll("[data-words]")) {
  const text = make("span", {}, say(element.dataset.words));
  element.replaceChildren(...(element.dataset.icon ? [icon(element.dataset.icon), text] : [text]));
}
document.querySelector("nav").setAttribute("aria-label", say("views"));
document.documentElement.lang = words.language;
const view = document.getElementById("view");
document.querySelector(".skip").addEventListener("click", (event) => {
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
navigator.serviceWorker?.register("offline.js").catch(() => {});
