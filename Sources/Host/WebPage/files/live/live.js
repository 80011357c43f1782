// The live view: a camera's picture with the page in it, and the captured pages.
import { choice, labeled, make, press } from "../parts/dom.js";
import { refusalPlace } from "../parts/asking.js";
import { empty } from "../parts/drawings.js";
import { mayWatch } from "./film.js";
import { ask, hear } from "../shell/host.js";
import { isOver } from "../scan/place.js";
import { firstRegion } from "./region.js";
import { Watching } from "./watching.js";
import { deviceName, profileChoices, say } from "../words/words.js";

// Reports that there is no camera, and shows the view when one appears.
function awaitCamera(place) {
  const absent = empty("camera", say("noCameras"));
  place.append(absent);
  let leave = () => {};
  const deaf = hear(async (name) => {
    if (
      name !== "device" || !(await ask("devices")).devices.some((device) =>
        device.kind === "camera"
      ) || !absent.isConnected
    ) return;
    deaf();
    place.replaceChildren();
    leave = (await show(place)) ?? leave;
  });
  return () => {
    deaf();
    leave();
  };
}

function watchForm(cameras, profiles, begin) {
  return make(
    "form",
    { class: "card", onsubmit: press(begin) },
    labeled(
      say("camera"),
      choice("device", cameras.map((device) => [device.id, deviceName(device), device.isDefault])),
    ),
    labeled(say("profile"), choice("profile", profileChoices(profiles))),
    labeled(
      say("when"),
      choice("manual", [["", say("byItself"), true], ["yes", say("byHand")]]),
    ),
    labeled(
      say("what"),
      choice("what", [["", say("whatFound"), true], ["region", say("whatRegion")]]),
    ),
    labeled(say("title"), make("input", { name: "title", autocomplete: "off" })),
    make("button", { class: "main" }, say("watchNow")),
  );
}

// The order for a job that watches, from the form's fields.
export function watchOrder(form) {
  const fields = new FormData(form);
  const order = {
    device: fields.get("device"),
    profile: fields.get("profile"),
    watch: { manual: fields.get("manual") === "yes" },
  };
  if (fields.get("what") === "region") order.watch.region = firstRegion;
  if (fields.get("title")) order.title = fields.get("title");
  return order;
}

async function show(place) {
  place.append(
    make("h2", {}, say("live")),
    make("p", { class: "soft touch" }, make("a", { href: "#scan" }, say("livePhone"))),
  );
  const [{ devices }, { profiles }, { jobs }] = await Promise.all([
    ask("devices"),
    ask("profiles"),
    ask("jobs"),
  ]);
  const cameras = devices.filter((device) => device.kind === "camera");
  const running = jobs.find(mayWatch);
  if (!cameras.length && !running) return awaitCamera(place);
  const form = watchForm(cameras, profiles, begin);
  const refusal = refusalPlace();
  form.append(refusal);
  const columns = make("div", { class: "columns" }, form);
  const watching = new Watching(columns);
  columns.append(watching.stage);
  place.append(columns);

  function begin() {
    return refusal.attempt(async () => {
      const job = await ask("jobs", { method: "POST", body: watchOrder(form) });
      watching.watch(job, true);
      // The job may have ended before the answer to its start.
      const now = await ask("jobs/" + job.id);
      if (isOver(now)) watching.over(now);
    });
  }

  const keys = (event) => watching.key(event);
  addEventListener("keydown", keys);
  const deaf = hear((name, value) => watching.hear(name, value));
  running ? watching.watch(running) : watching.showHint();
  return () => {
    watching.end();
    removeEventListener("keydown", keys);
    deaf();
  };
}

export const view = {
  name: "live",
  words: "live",
  icon: "camera",
  help: "help-live",
  tab: "always",
  needs: "scan",
  show,
};
