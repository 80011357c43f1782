// A camera's film with the found page drawn over it; both from a job that watches.
import { make } from "./dom.js";
import { draw } from "./sheet.js";
import { say } from "./words.js";

// Shows the film of a job in `place`; `hear(event)` is told what happens. The result ends it.
export function film(place, job, hear) {
  const address = `/api/v1/jobs/${job}/live`;
  const picture = make("img", { src: address, alt: say("film") });
  const outline = draw("polygon", { points: "" });
  const over = draw("svg", { class: "outline", "aria-hidden": "true", preserveAspectRatio: "none" }, outline);
  place.replaceChildren(make("div", { class: "film" }, picture, over));
  const events = new EventSource(address + "/events");
  events.addEventListener("live", (message) => {
    const event = JSON.parse(message.data);
    if (event.event === "state" && event.width) {
      over.setAttribute("viewBox", `0 0 ${event.width} ${event.height}`);
      over.dataset.state = event.state;
      outline.setAttribute("points", (event.corners ?? []).map((corner) => corner.join()).join(" "));
    }
    hear(event, () => glimpse(picture, event));
  });
  return () => {
    events.close();
    // A browser goes on loading the film of a picture that is no longer shown.
    picture.src = "";
    place.replaceChildren();
  };
}

// What the film shows within a page's corners, as a small picture.
function glimpse(picture, { corners, width }) {
  const scale = picture.naturalWidth / width || 1;
  const [across, down] = [0, 1].map((axis) => (corners ?? []).map((corner) => corner[axis] * scale));
  const [left, top] = corners ? [Math.min(...across), Math.min(...down)] : [0, 0];
  const wide = corners ? Math.max(...across) - left : picture.naturalWidth;
  const high = corners ? Math.max(...down) - top : picture.naturalHeight;
  const canvas = make("canvas", { class: "sheet", width: 240, height: Math.max(1, Math.round(240 * high / wide)) });
  canvas.getContext("2d").drawImage(picture, left, top, wide, high, 0, 0, canvas.width, canvas.height);
  return canvas;
}
