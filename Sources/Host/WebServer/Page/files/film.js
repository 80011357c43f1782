// A camera's film with the found page drawn over it; both from a job that watches.
import { make } from "./dom.js";
import { stream } from "./host.js";
import { draw } from "./sheet.js";
import { say } from "./words.js";

// Shows the film of a job in `place`; `hear(event)` gets the events. The result ends it.
//
// `over(size)` makes what is drawn over the live view instead of the found page, whenever its size
// changes.
export function film(place, job, hear, over) {
  const address = `/api/v1/jobs/${encodeURIComponent(job)}/live`;
  const picture = make("img", { src: address, alt: say("film") });
  const outline = draw("polygon", { points: "" });
  const drawing = over
    ? draw("svg", {
      class: "outline framed",
      role: "group",
      "aria-label": say("region"),
      preserveAspectRatio: "none",
    })
    : draw(
      "svg",
      { class: "outline", "aria-hidden": "true", preserveAspectRatio: "none" },
      outline,
    );
  place.replaceChildren(make("div", { class: "film" }, picture, drawing));
  const leave = stream(`jobs/${encodeURIComponent(job)}/live/events`, ["live"], (name, event) => {
    if (name !== "live") return;
    if (event.event === "state" && event.width) {
      const box = `0 0 ${event.width} ${event.height}`;
      const isNew = drawing.getAttribute("viewBox") !== box;
      drawing.setAttribute("viewBox", box);
      drawing.dataset.state = event.state;
      if (!over) {
        outline.setAttribute(
          "points",
          (event.corners ?? []).map((corner) => corner.join()).join(" "),
        );
      } else if (isNew) drawing.replaceChildren(...over(event));
    }
    hear(event);
  }, (isThere, isAgain) => {
    if (!isAgain) return;
    // The live view is one endless answer: if it is cut off, the picture freezes for good.
    picture.src = "";
    picture.src = address;
  });
  return () => {
    leave();
    // A browser keeps loading the live view of a picture that is no longer shown.
    picture.src = "";
    place.replaceChildren();
  };
}
