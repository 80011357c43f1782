// Devices: every scanner and camera, its picture, its state, and what it takes.
import { make, press, redraw } from "./dom.js";
import { drawing } from "./drawings.js";
import { ask, hear } from "./host.js";
import { isOver } from "./jobs.js";
import { has, hostWords, problemWords, say } from "./words.js";

// What an option takes, and what it has when nobody has set it.
function takes({ type, unit, defaultValue }) {
  const value = (one) => (typeof one === "boolean" ? say(one ? "yes" : "no") : String(one));
  const range = type.minimum === undefined ? type.choices?.map(value).join(", ") : say("fromTo", { from: type.minimum, to: type.maximum });
  return [range && range + (unit ? " " + sign(unit) : ""), defaultValue === undefined ? undefined : say("usual", { value: value(defaultValue) })].filter(Boolean).join(" · ");
}

const sign = (unit) => (has("unit-" + unit) ? say("unit-" + unit) : unit);

function options(list) {
  const value = ({ value, unit }) => (value === undefined ? "" : (typeof value === "boolean" ? say(value ? "yes" : "no") : String(value)) + (unit ? " " + sign(unit) : ""));
  const groups = Map.groupBy(list, (option) => option.group ?? "");
  return [...groups].map(([group, members]) => make("div", {}, group ? make("h4", {}, hostWords(group)) : undefined,
    make("dl", { class: "options" }, members.map((option) => make("div", {},
      make("dt", {}, hostWords(option.title), " ", make("code", { class: "soft" }, option.name), make("strong", {}, option.isActive ? value(option) : "")),
      make("dd", { class: "soft" }, hostWords(option.help), " ", option.isActive ? takes(option) : say("notNow")))))));
}

// A camera's newest picture, for as long as it is watched.
function newest(job, name) {
  const picture = make("img", { class: "drawing", alt: say("sees", { name }) });
  const next = () => { if (picture.isConnected) picture.src = `/api/v1/jobs/${encodeURIComponent(job)}/live/frame#${Date.now()}`; };
  const soon = () => setTimeout(next, 1000);
  picture.addEventListener("load", soon);
  // Before the first picture, and after the last, there is none.
  picture.addEventListener("error", soon);
  queueMicrotask(next);
  return picture;
}

// What stands in the way of a device, as problems call it.
const codeOf = { noPermission: "permissionDenied", busy: "busy", offline: "offline" };

export async function devices(place) {
  place.append(make("h2", {}, say("devices")));
  const body = make("div", { class: "cards" });
  place.append(body);
  // The options that are shown, by device.
  const shown = new Map();
  let films = [];

  function card(device, job) {
    const isOpen = shown.has(device.id);
    const more = make("div", { class: "more", hidden: !isOpen }, ...(isOpen ? options(shown.get(device.id)) : []));
    return make("section", { class: "card device", "aria-label": device.name },
      make("div", { class: "face" }, job ? make("a", { href: "#live" }, newest(job.id, device.name)) : drawing(device)),
      make("div", {},
        make("h3", {}, device.name),
        make("p", {}, make("span", { class: "tag state-" + device.state }, say("device-" + device.state)), device.isDefault ? [" ", make("span", { class: "tag" }, say("default"))] : [], device.aliases.flatMap((alias) => [" ", make("span", { class: "tag" }, alias)])),
        make("p", { class: "soft" }, [device.sources.map((source) => say("source-" + source)).join(" / "), device.connection, device.id].filter(Boolean).join(" · ")),
        device.advice ? make("p", { class: "warn" }, problemWords({ code: codeOf[device.state], message: device.advice })) : undefined,
        make("button", { "data-keep": device.id, "aria-expanded": String(isOpen), "aria-label": say("optionsOf", { name: device.name }), onclick: press(async () => {
          if (shown.has(device.id)) shown.delete(device.id);
          else shown.set(device.id, (await ask(`devices/${encodeURIComponent(device.id)}/options`)).options);
          await reload();
        }) }, say("options"))), more);
  }

  async function reload() {
    const [{ devices, problems }, { jobs }] = await Promise.all([ask("devices"), ask("jobs")]);
    films = jobs.filter((job) => job.isWatch && !isOver(job));
    redraw(body, () => body.replaceChildren(
      ...devices.map((device) => card(device, films.find((job) => job.devices.includes(device.id) || device.aliases.some((alias) => job.devices.includes(alias))))),
      ...problems.map((problem) => make("p", { class: "card warn" }, problemWords(problem))),
      ...(devices.length ? [] : [make("div", { class: "card empty" }, say("noDevices"))])));
  }
  await reload();
  const isFilm = (job) => films.some((film) => film.id === job.id);
  return hear((name, value) => {
    const isNews = name === "job" && value.isWatch && isFilm(value) === isOver(value);
    if (name === "device" || name === "reset" || isNews) reload();
  });
}
