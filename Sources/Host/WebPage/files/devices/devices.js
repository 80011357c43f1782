// Devices: every scanner and camera, its picture, its state, and its options.
import { choice, make, press, redraw, removableTag, row, titled } from "../parts/dom.js";
import { asking } from "../parts/asking.js";
import { drawing, empty } from "../parts/drawings.js";
import { ask, askAgain, hear } from "../shell/host.js";
import { mayWatch } from "../live/film.js";
import { inGroups, takes, valueWords } from "./options.js";
import { hostWords, joined, problemWords, profileText, say } from "../words/words.js";

// The help of an option with its accepted values, or why it can't be set.
function describedBy(option) {
  const limits = option.isActive ? takes(option) : say("notNow");
  return option.help && limits
    ? [hostWords(option.help), " · ", limits]
    : [hostWords(option.help), limits];
}

function options(list) {
  return inGroups(list).map(([group, members]) =>
    make(
      "div",
      {},
      group ? make("h4", {}, hostWords(group)) : undefined,
      make(
        "dl",
        { class: "options" },
        members.map((option) =>
          make(
            "div",
            {},
            make(
              "dt",
              {},
              hostWords(option.title),
              " ",
              make("code", { class: "soft" }, option.name),
              make("strong", {}, option.isActive ? valueWords(option.value, option.unit) : ""),
            ),
            make("dd", { class: "soft" }, describedBy(option)),
          )
        ),
      ),
    )
  );
}

// A camera's newest picture, while it is being watched.
function newest(job, name) {
  const picture = make("img", { class: "drawing", alt: say("sees", { name }) });
  const next = () => {
    if (picture.isConnected) {
      picture.src = `/api/v1/jobs/${encodeURIComponent(job)}/live/frame?number=${Date.now()}`;
    }
  };
  const soon = () => setTimeout(next, 1000);
  picture.addEventListener("load", soon);
  // Before the first picture, and after the last, there is none.
  picture.addEventListener("error", soon);
  queueMicrotask(next);
  return picture;
}

// The problems of a device.
const codeOf = { noPermission: "permissionDenied", busy: "busy", offline: "offline" };

// A device with its picture and description; `job` watches it. `view` has the state of the devices'
// view, and `reload()`.
function card(device, job, view) {
  const shown = view.options.get(device.id);
  return make(
    "section",
    { class: "card device", "aria-label": device.name },
    make(
      "div",
      { class: "face" },
      job ? make("a", { href: "#live" }, newest(job.id, device.name)) : drawing(device),
    ),
    facts(device),
    make(
      "div",
      { class: "acts" },
      names(device, view),
      row(optionsButton(device, view), defaultButton(device, view), shareButton(device, view)),
      view.shared.has(device.id) && !view.isServed
        ? make("p", { class: "soft" }, say("shareLater"))
        : undefined,
      view.shared.has(device.id) ? sharedPages(device, view) : undefined,
    ),
    make("div", { class: "more", hidden: !shown }, ...(shown ? options(shown) : [])),
  );
}

function facts(device) {
  return make(
    "div",
    {},
    make("h3", {}, device.name),
    make(
      "p",
      {},
      make("span", { class: "tag state-" + device.state }, say("device-" + device.state)),
      device.isDefault ? [" ", make("span", { class: "tag" }, say("default"))] : [],
    ),
    make(
      "p",
      { class: "soft" },
      joined(
        device.sources.map((source) => say("source-" + source)).join(" / "),
        device.connection,
        device.path,
        device.format,
        device.id,
      ),
    ),
    device.advice
      ? make(
        "p",
        { class: "warn" },
        problemWords({ code: codeOf[device.state], message: device.advice }),
      )
      : undefined,
  );
}

const optionsButton = (device, view) =>
  make("button", {
    "data-keep": device.id,
    "aria-expanded": String(view.options.has(device.id)),
    "aria-label": say("optionsOf", { name: device.name }),
    onclick: press(async () => {
      if (view.options.has(device.id)) view.options.delete(device.id);
      else {
        const told = await ask(`devices/${encodeURIComponent(device.id)}/options`);
        view.options.set(device.id, told.options);
      }
      await view.reload();
    }),
  }, say("options"));

const defaultButton = (device, view) =>
  make("button", {
    "data-keep": "default-" + device.id,
    "data-needs": "admin",
    "aria-pressed": String(device.isDefault),
    "aria-label": say("defaultOf", { name: device.name }),
    onclick: asking(
      "default-device",
      device.isDefault ? { method: "DELETE" } : { method: "PUT", body: { device: device.id } },
      view.reload,
    ),
  }, say("useAsDefault"));

const shareButton = (device, view) =>
  make("button", {
    "data-keep": "share-" + device.id,
    "data-needs": "admin",
    "aria-pressed": String(view.shared.has(device.id)),
    "aria-label": say("shareOf", { name: device.name }),
    onclick: asking(
      "shares/" + encodeURIComponent(device.id),
      { method: view.shared.has(device.id) ? "DELETE" : "PUT" },
      view.reload,
    ),
  }, say("share"));

// The processing of pages that others scan: a profile's picture steps, and text in PDFs.
function sharedPages(device, view) {
  const share = view.shared.get(device.id);
  const change = async (body) => {
    await ask("shares/" + encodeURIComponent(device.id), { method: "PATCH", body });
    await view.reload();
  };
  return make(
    "div",
    { class: "row", "data-needs": "admin" },
    sharedProfile(device, share, view.profiles, change),
    make(
      "label",
      {},
      make("input", {
        type: "checkbox",
        checked: share.readsText,
        "data-keep": "share-text-" + device.id,
        "aria-label": say("sharedTextOf", { name: device.name }),
        onchange: press((event) => change({ readsText: event.target.checked })),
      }),
      " ",
      say("sharedText"),
    ),
  );
}

function sharedProfile(device, share, profiles, change) {
  // A camera's pages are cut out unless something else is chosen.
  const profile = share.profile ?? (device.kind === "camera" ? "document" : "none");
  const known = profiles.some((one) => one.name === profile)
    ? profiles
    : [...profiles, { name: profile, title: profile }];
  const items = known.map((one) => [one.name, profileText(one, "title"), one.name === profile]);
  const select = choice(undefined, items, {
    "data-keep": "share-profile-" + device.id,
    "aria-label": say("sharedProfileOf", { name: device.name }),
    onchange: press((event) => change({ profile: event.target.value })),
  });
  return make("label", {}, say("sharedProfile"), " ", select);
}

// The user's names for it, each of which can be removed, and a field for another.
function names(device, { reload }) {
  const name = make("input", {
    "data-keep": "name-" + device.id,
    maxlength: 100,
    autocomplete: "off",
    required: true,
    pattern: "[^\\/]*[^\\/\\s][^\\/]*",
    title: say("nameHint"),
    placeholder: say("ownName"),
    "aria-label": say("nameOf", { name: device.name }),
  });
  const give = press(async () => {
    await ask("aliases/" + encodeURIComponent(name.value.trim()), {
      method: "PUT",
      body: { device: device.id },
    });
    name.value = "";
    await reload();
  });
  return make(
    "form",
    { class: "row names", "data-needs": "admin", onsubmit: give },
    device.aliases.map((alias) => aliasTag(alias, reload)),
    make("span", { class: "grow" }, name),
    make("button", {}, say("giveName")),
  );
}

const aliasTag = (alias, reload) => {
  const remove = asking("aliases/" + encodeURIComponent(alias), { method: "DELETE" }, reload);
  const label = say("removeName", { name: alias });
  return removableTag(alias, label, remove, { "data-keep": "alias-" + alias });
};

// Absent devices keep their aliases until a user removes these.
function absent(aliases, devices, reload) {
  const away = Object.keys(aliases).filter((alias) =>
    !devices.some((device) => device.id === aliases[alias])
  ).sort();
  if (!away.length) return [];
  return [
    titled(
      say("namesAway"),
      { class: "card", "data-needs": "admin" },
      row(away.map((alias) => aliasTag(alias, reload))),
    ),
  ];
}

// The job that watches with a device, which may be named by one of its aliases.
const filmOf = (device, films) =>
  films.find((job) =>
    job.devices.includes(device.id) || device.aliases.some((alias) => job.devices.includes(alias))
  );

async function show(place) {
  place.append(make("h2", {}, say("devices")));
  const body = make("div", { class: "cards" });
  place.append(body);
  let films = [];
  // The options that are shown, by device; the devices that are shared, by id, and whether this
  // host serves them.
  const view = {
    options: new Map(),
    shared: new Map(),
    isServed: false,
    profiles: [],
    reload,
  };

  async function reload() {
    const [{ devices, problems }, { jobs }, { aliases }, shares, all] = await Promise.all([
      ask("devices"),
      ask("jobs"),
      ask("aliases"),
      ask("shares"),
      ask("profiles"),
    ]);
    view.shared = new Map(shares.shares.map((share) => [share.device, share]));
    view.profiles = all.profiles.filter((profile) => !profile.problem);
    view.isServed = shares.isServed;
    askAgain(problems, renew);
    films = jobs.filter(mayWatch);
    redraw(body, () =>
      body.replaceChildren(
        ...devices.map((device) => card(device, filmOf(device, films), view)),
        ...problems.map((problem) => make("p", { class: "card warn" }, problemWords(problem))),
        ...absent(aliases, devices, reload),
        ...(devices.length ? [] : [empty("flatbed", say("noDevices"))]),
      ));
  }
  // While the host is away, the list stays; it is loaded when the host is back.
  const renew = () => body.isConnected && reload().catch(() => {});
  await reload();
  const isFilm = (job) => films.some((film) => film.id === job.id);
  return hear((name, value) => {
    const isNews = name === "job" && isFilm(value) !== mayWatch(value);
    if (name === "device" || name === "shares" || name === "reset" || isNews) renew();
  });
}

export const view = {
  name: "devices",
  words: "devices",
  icon: "devices",
  help: "help-devices",
  tab: "wide",
  under: "more",
  needs: "scan",
  show,
};
