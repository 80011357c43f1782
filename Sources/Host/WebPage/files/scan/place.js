// How far a job is, and where its pages are on their way into an archive that machines share.
import { ask, hear } from "../shell/host.js";
import { say } from "../words/words.js";

// True for a job that will not change any more.
export const isOver = (job) => !["running", "waiting"].includes(job.state);

// True for pages that wait for a reader, or are being read.
export const isLeft = ({ place }) => place === "waiting" || place === "reading";

// A job as it is once `isDone(job)`.
export function jobWhen(id, isDone) {
  let deaf;
  return new Promise((resolve, reject) => {
    const take = (job) => isDone(job) && resolve(job);
    const look = () => ask("jobs/" + encodeURIComponent(id)).then(take, reject);
    deaf = hear((name, value) => {
      if (name === "job" && value.id === id) take(value);
      // Events may have been missed while the host was away.
      if (name === "reset" || (name === "link" && value)) look();
    });
    // The job may have ended before the listener was added.
    look();
  }).finally(() => deaf());
}

// Where the pages of a job are; empty where the job itself says it.
export function placeWords({ place, ahead, read }, all) {
  if (place === "waiting" && ahead) {
    return ahead === 1 ? say("oneAhead") : say("manyAhead", { number: ahead });
  }
  if (place === "reading" && read) return say("readingSome", { read, all });
  return isLeft({ place }) || place === "uploading" ? say("place-" + place) : "";
}
