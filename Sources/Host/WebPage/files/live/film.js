// A camera's live view with the found page drawn over it, from a watching job.
import { make } from "../parts/dom.js";
import { may, session, stream } from "../shell/host.js";
import { isOver } from "../scan/place.js";
import { draw } from "../parts/sheet.js";
import { say } from "../words/words.js";

// Each picture is requested after the one before: an endless answer would use one of the browser's
// six connections in every tab.
function pictures(address) {
  const place = make("div", { class: "frames" });
  let isOver = false;
  let shown;
  let number = 0;
  const next = () => {
    if (isOver) return;
    // A hidden page requests no pictures.
    if (document.hidden) return setTimeout(next, 500);
    const picture = make("img", { alt: say("film"), src: `${address}?number=${number += 1}` });
    picture.addEventListener("load", () => {
      if (isOver) return;
      shown ? shown.replaceWith(picture) : place.append(picture);
      shown = picture;
      requestAnimationFrame(next);
    });
    // Before the first picture, and while the host is away, there is none.
    picture.addEventListener("error", () => setTimeout(next, 1000));
  };
  next();
  return {
    place,
    end() {
      isOver = true;
    },
  };
}

// Whether this client may watch the camera of a job: its own, or any as an administrator.
export const mayWatch = (job) =>
  job.isWatch && !isOver(job) && (may("admin") || job.owner === session.name);

// Shows the film of a job in `place`; `hear(event)` gets the events. The returned function ends the
// film.
//
// `over(size)` makes the drawing over the live view instead of the found page, whenever the size
// changes.
export function film(place, job, hear, over) {
  const address = `/api/v1/jobs/${encodeURIComponent(job)}/live`;
  const picture = pictures(address + "/frame");
  const outline = draw("polygon", { points: "" });
  const look = over
    ? { class: "outline framed", role: "group", "aria-label": say("region") }
    : { class: "outline", "aria-hidden": "true" };
  const drawing = draw("svg", { ...look, preserveAspectRatio: "none" }, over ? [] : outline);
  place.replaceChildren(make("div", { class: "film" }, picture.place, drawing));
  const leave = stream(`jobs/${encodeURIComponent(job)}/live/events`, ["live"], (name, event) => {
    if (name !== "live") return;
    if (event.event === "state" && event.width) {
      const box = `0 0 ${event.width} ${event.height}`;
      const isNew = drawing.getAttribute("viewBox") !== box;
      drawing.setAttribute("viewBox", box);
      drawing.dataset.state = event.reason === "captured" ? "done" : event.state;
      if (!over) {
        outline.setAttribute(
          "points",
          (event.corners ?? []).map((corner) => corner.join()).join(" "),
        );
      } else if (isNew) drawing.replaceChildren(...over(event));
    }
    hear(event);
  }, () => {});
  return () => {
    leave();
    picture.end();
    place.replaceChildren();
  };
}
