// Devices: every scanner and camera, its picture, its state, and its options.
import { make, press, redraw } from "./dom.js";
import { drawing, empty } from "./drawings.js";
import { ask, hear } from "./host.js";
import { isOver } from "./jobs.js";
import { inGroups, takes, valueWords } from "./options.js";
import { hostWords, problemWords, profileText, say } from "./words.js";

// What an option does, and what it accepts or why it can't be set.
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
      picture.src = `/api/v1/jobs/${encodeURIComponent(job)}/live/frame#${Date.now()}`;
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

export async function devices(place) {
  place.append(make("h2", {}, say("devices")));
  const body = make("div", { class: "cards" });
  place.append(body);
  // The options that are shown, by device.
  const shown = new Map();
  let films = [];
  // The devices that are shared, by id, and whether this host serves them.
  let shared = new Map();
  let isServed = false;
  let profiles = [];

  function card(device, job) {
    const isOpen = shown.has(device.id);
    const more = make(
      "div",
      { class: "more", hidden: !isOpen },
      ...(isOpen ? options(shown.get(device.id)) : []),
    );
    return make(
      "section",
      { class: "card device", "aria-label": device.name },
      make(
        "div",
        { class: "face" },
        job ? make("a", { href: "#live" }, newest(job.id, device.name)) : drawing(device),
      ),
      make(
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
          [
            device.sources.map((source) => say("source-" + source)).join(" / "),
            device.connection,
            device.path,
            device.format,
            device.id,
          ].filter(Boolean).join(" · "),
        ),
        device.advice
          ? make(
            "p",
            { class: "warn" },
            problemWords({ code: codeOf[device.state], message: device.advice }),
          )
          : undefined,
      ),
      make(
        "div",
        { class: "acts" },
        names(device),
        make(
          "div",
          { class: "row" },
          make("button", {
            "data-keep": device.id,
            "aria-expanded": String(isOpen),
            "aria-label": say("optionsOf", { name: device.name }),
            onclick: press(async () => {
              if (shown.has(device.id)) shown.delete(device.id);
              else {shown.set(
                  device.id,
                  (await ask(`devices/${encodeURIComponent(device.id)}/options`)).options,
                );}
              await reload();
            }),
          }, say("options")),
          make("button", {
            "data-keep": "default-" + device.id,
            "data-needs": "admin",
            "aria-pressed": String(device.isDefault),
            "aria-label": say("defaultOf", { name: device.name }),
            onclick: press(() =>
              (device.isDefault
                ? ask("default-device", { method: "DELETE" })
                : ask("default-device", { method: "PUT", body: { device: device.id } })).then(
                  reload,
                )
            ),
          }, say("useAsDefault")),
          make("button", {
            "data-keep": "share-" + device.id,
            "data-needs": "admin",
            "aria-pressed": String(shared.has(device.id)),
            "aria-label": say("shareOf", { name: device.name }),
            onclick: press(() =>
              ask("shares/" + encodeURIComponent(device.id), {
                method: shared.has(device.id) ? "DELETE" : "PUT",
              }).then(reload)
            ),
          }, say("share")),
        ),
        shared.has(device.id) && !isServed
          ? make("p", { class: "soft" }, say("shareLater"))
          : undefined,
        shared.has(device.id) ? sharedPages(device, shared.get(device.id)) : undefined,
      ),
      more,
    );
  }

  // What is done with the pages that others scan: a profile's picture steps, and text in PDFs.
  function sharedPages(device, share) {
    const change = (body) =>
      ask("shares/" + encodeURIComponent(device.id), { method: "PATCH", body }).then(reload);
    // A camera's pages are cut out unless something else is chosen.
    const profile = share.profile ?? (device.kind === "camera" ? "document" : "none");
    const known = profiles.some((one) => one.name === profile)
      ? profiles
      : [...profiles, { name: profile, title: profile }];
    return make(
      "div",
      { class: "row", "data-needs": "admin" },
      make(
        "label",
        {},
        say("sharedProfile"),
        " ",
        make(
          "select",
          {
            "data-keep": "share-profile-" + device.id,
            "aria-label": say("sharedProfileOf", { name: device.name }),
            onchange: press((event) => change({ profile: event.target.value })),
          },
          known.map((one) =>
            make(
              "option",
              { value: one.name, selected: one.name === profile },
              profileText(one, "title"),
            )
          ),
        ),
      ),
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

  // The user's names for it, each of which can be removed, and a field for another.
  function names(device) {
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
      device.aliases.map(aliasTag),
      make("span", { class: "grow" }, name),
      make("button", {}, say("giveName")),
    );
  }

  const aliasTag = (alias) =>
    make("button", {
      type: "button",
      class: "tag",
      "data-keep": "alias-" + alias,
      "aria-label": say("removeName", { name: alias }),
      onclick: press(() =>
        ask("aliases/" + encodeURIComponent(alias), { method: "DELETE" }).then(reload)
      ),
    }, alias + " ×");

  // Names of devices that are not there keep to them until someone takes them away.
  const absent = (aliases, devices) => {
    const away = Object.keys(aliases).filter((alias) =>
      !devices.some((device) => device.id === aliases[alias])
    ).sort();
    return away.length
      ? [
        make(
          "section",
          { class: "card", "data-needs": "admin", "aria-label": say("namesAway") },
          make("h3", {}, say("namesAway")),
          make("div", { class: "row" }, away.map(aliasTag)),
        ),
      ]
      : [];
  };

  async function reload() {
    const [{ devices, problems }, { jobs }, { aliases }, shares, all] = await Promise.all([
      ask("devices"),
      ask("jobs"),
      ask("aliases"),
      ask("shares"),
      ask("profiles"),
    ]);
    shared = new Map(shares.shares.map((share) => [share.device, share]));
    profiles = all.profiles.filter((profile) => !profile.problem);
    isServed = shares.isServed;
    films = jobs.filter((job) => job.isWatch && !isOver(job));
    redraw(body, () =>
      body.replaceChildren(
        ...devices.map((device) =>
          card(
            device,
            films.find((job) =>
              job.devices.includes(device.id) ||
              device.aliases.some((alias) => job.devices.includes(alias))
            ),
          )
        ),
        ...problems.map((problem) => make("p", { class: "card warn" }, problemWords(problem))),
        ...absent(aliases, devices),
        ...(devices.length ? [] : [empty("flatbed", say("noDevices"))]),
      ));
  }
  await reload();
  const isFilm = (job) => films.some((film) => film.id === job.id);
  return hear((name, value) => {
    const isNews = name === "job" && value.isWatch && isFilm(value) === isOver(value);
    if (name === "device" || name === "shares" || name === "reset" || isNews) reload();
  });
}
