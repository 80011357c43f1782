// Devices: every scanner and camera, its state, and what it takes.
import { make, press } from "./dom.js";
import { ask, hear } from "./host.js";
import { say } from "./words.js";

function options(list) {
  const groups = Map.groupBy(list.filter((option) => option.isActive), (option) => option.group ?? "");
  return [...groups].map(([group, members]) => make("div", {}, group ? make("h3", {}, group) : undefined,
    make("table", {}, make("tbody", {}, members.map((option) => make("tr", {},
      make("th", { scope: "row" }, option.title, make("div", { class: "soft" }, option.name)),
      make("td", {}, String(option.value ?? ""), option.unit ? " " + option.unit : ""),
      make("td", { class: "soft" }, option.help)))))));
}

export async function devices(place) {
  place.append(make("h2", {}, say("devices")));
  const body = make("div", { class: "list" });
  place.append(body);
  async function reload() {
    const { devices, problems } = await ask("devices");
    body.replaceChildren(
      ...devices.map((device) => {
        const more = make("div");
        return make("section", { class: "card" },
          make("div", { class: "row" }, make("strong", { class: "grow" }, device.name),
            device.isDefault ? make("span", { class: "tag" }, say("default")) : undefined,
            make("span", { class: "tag" }, say("device-" + device.state)),
            make("button", { "aria-expanded": "false", onclick: press(async (event) => {
              const button = event.currentTarget ?? event.target;
              const isOpen = more.childElementCount > 0;
              button.setAttribute("aria-expanded", String(!isOpen));
              more.replaceChildren(...(isOpen ? [] : options((await ask(`devices/${encodeURIComponent(device.id)}/options`)).options)));
            }) }, say("options"))),
          make("p", { class: "soft" }, [device.id, device.connection, device.sources.map((source) => say("source-" + source)).join(", "), ...device.aliases].filter(Boolean).join(" · ")),
          device.advice ? make("p", { class: "warn" }, device.advice) : undefined, more);
      }),
      ...problems.map((problem) => make("p", { class: "card warn" }, [problem.message, problem.advice].filter(Boolean).join(" "))));
    if (!devices.length) body.append(make("div", { class: "card empty" }, say("noDevices")));
  }
  await reload();
  return hear((name) => { if (name !== "job") reload(); });
}
