// A camera's film with the found page drawn over it; both from a job that watches.
import { make } from "./dom.js";
import { draw } from "./sheet.js";
import { say } from "./words.js";

// Shows the film of a job in `place`; `hear(event)` is told what happens. The result ends it.
//
// `over(size)` makes what is drawn over the film instead of the found page, whenever its size is another.
export function film(place, job, hear, over) {
  const address = `/api/v1/jobs/${encodeURIComponent(job)}/live`;
  const picture = make("img", { src: address, alt: say("film") });
  const outline = draw("polygon", { points: "" });
  const drawing = over
    ? draw("svg", { class: "outline framed", role: "group", "aria-label": say("region"), preserveAspectRatio: "none" })
    : draw("svg", { class: "outline", "aria-hidden": "true", preserveAspectRatio: "none" }, outline);
  place.replaceChildren(make("div", { class: "film" }, picture, drawing));
  const events = new EventSource(address + "/events");
  // The events come again by themselves after the network was away; a film that broke off stays still.
  let isCut = false;
  events.addEventListener("error", () => { isCut = true; });
  events.addEventListener("open", () => {
    if (!isCut) return;
    isCut = false;
    picture.src = "";
    picture.src = address;
  });
  events.addEventListener("live", (message) => {
    const event = JSON.parse(message.data);
    if (event.event === "state" && event.width) {
      const box = `0 0 ${event.width} ${event.height}`;
      const isNew = drawing.getAttribute("viewBox") !== box;
      drawing.setAttribute("viewBox", box);
      drawing.dataset.state = event.state;
      if (!over) outline.setAttribute("points", (event.corners ?? []).map((corner) => corner.join()).join(" "));
      else if (isNew) drawing.replaceChildren(...over(event));
    }
    hear(event);
  });
  return () => {
    events.close();
    // A browser goes on loading the film of a picture that is no longer shown.
    picture.src = "";
    place.replaceChildren();
  };
}
