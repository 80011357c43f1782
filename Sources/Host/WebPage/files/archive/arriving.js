// What is on its way into the archive: from other stations, or left to readers.
import { make } from "../parts/dom.js";
import { ask } from "../shell/host.js";
import { hostWords, say } from "../words/words.js";
import { isLeft } from "../scan/place.js";

// The most lines that are shown.
const MOST = 5;

// Where the pages are; the scan view shows those that this host has.
function stateOf({ place, ahead, read, pages, problem }) {
  if (problem) return make("span", { class: "warn" }, hostWords(problem));
  const words = read ? say("readingSome", { read, all: pages }) : say("place-" + place);
  return ahead ? `${words} · ${say("pagesBefore", { number: ahead })}` : words;
}

const line = (arrival) =>
  make(
    "p",
    { class: "row" },
    make("span", { class: "tag" }, arrival.station),
    say("pageCount", { number: arrival.pages }),
    make("span", { class: "soft" }, stateOf(arrival)),
  );

export class Arriving {
  element = make("section", {
    class: "card arriving",
    "aria-label": say("arriving"),
    hidden: true,
  });

  async load() {
    const { arrivals } = await ask("arrivals");
    const others = arrivals.filter((one) => isLeft(one) || !one.job);
    const rest = others.length - MOST;
    this.element.hidden = !others.length;
    this.element.replaceChildren(
      make("h3", {}, say("arriving")),
      ...others.slice(0, MOST).map(line),
      rest > 0 ? make("p", { class: "soft" }, say("arrivingMore", { number: rest })) : "",
    );
  }
}
