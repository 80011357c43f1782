// The page: one view at a time, chosen by the address behind the #.
import { explain, load, say, words } from "./words.js";
import { make } from "./dom.js";
import { enter, listen, may } from "./host.js";
import { scan } from "./scan.js";
import { live } from "./live.js";
import { archive } from "./archive.js";
import { document_ } from "./document.js";
import { jobs } from "./jobs.js";
import { devices } from "./devices.js";
import { help } from "./help.js";
import { settings } from "./settings.js";
import { signIn } from "./signin.js";

// The views for users who may only read the archive.
const readable = ["archive", "document", "help"];
const views = { scan, live, archive, document: document_, jobs, devices, settings, help };
let leave = () => {};
let isMissing = false;
let turn = 0;

async function show() {
  const [asked, ...rest] = (location.hash.slice(1) || "scan").split("/").map(decodeURIComponent);
  const known = asked in views ? asked : "scan";
  const name = may("scan") || readable.includes(known) ? known : "archive";
  const view = views[name];
  const mine = ++turn;
  leave();
  leave = () => {};
  // Each view has its own element: one that is still waiting for the host when it is left disturbs
  // no other.
  const place = make("div");
  document.getElementById("view").replaceChildren(place);
  const waiting = make("p", { class: "soft", role: "status" }, say("loading"));
  const patience = setTimeout(() => place.append(waiting), 300);
  for (const link of document.querySelectorAll("nav a")) {
    const isHere = link.hash === "#" + name || (name === "document" && link.hash === "#archive");
    // The list of views is wider than a phone.
    if (isHere) link.scrollIntoView({ block: "nearest", inline: "nearest" });
    isHere ? link.setAttribute("aria-current", "page") : link.removeAttribute("aria-current");
  }
  isMissing = false;
  try {
    const end = (await view(place, ...rest)) ?? (() => {});
    if (mine !== turn) return end();
    leave = end;
  } catch (problem) {
    if (mine !== turn) return;
    if (problem.code === "no-token") signIn(place);
    else {
      place.replaceChildren(
        make("h2", {}, say("notShown")),
        make("div", { class: "card bad", role: "alert" }, explain(problem)),
        name === "document"
          ? make("p", {}, make("a", { class: "button", href: "#archive" }, say("archive")))
          : "",
      );
    }
    // It may be there when the host is again.
    isMissing = problem.code === undefined;
  } finally {
    clearTimeout(patience);
    waiting.remove();
  }
  document.title = (place.querySelector("h2")?.textContent ?? "") + " – Copystand";
}

await Promise.all([load(), enter()]);
for (const element of document.querySelectorAll("[data-words]")) {
  element.textContent = say(element.dataset.words);
}
document.documentElement.lang = words.language;
// What happens is about devices and jobs.
if (may("scan")) {
  listen((isThere) => {
    document.getElementById("link").textContent = isThere ? "" : say("lost");
    if (isThere && isMissing) show();
  });
}
addEventListener("hashchange", async () => {
  await show();
  document.getElementById("view").focus();
});
await show();
