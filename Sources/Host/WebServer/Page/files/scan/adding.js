// Adds photos or files to the document of a finished job: they become the pages of a job of their
// own, which are then merged into the document.
import { tell } from "../parts/dom.js";
import { archived } from "../parts/strip.js";
import { ask, hear } from "../shell/host.js";
import { explain, problemWords, say } from "../words/words.js";
import { isOver } from "./place.js";
import { fileButton, fileInput, sendFiles } from "./sending.js";

// A job as it is at its end.
function end(id) {
  return new Promise((done, fail) => {
    const look = (job) => {
      if (!isOver(job)) return;
      deaf();
      done(job);
    };
    const deaf = hear((name, value) => {
      if (name === "job" && value.id === id) look(value);
      // Events may have been missed while the host was away.
      if (name === "reset") ask("jobs/" + id).then(look, fail);
    });
    ask("jobs/" + id).then(look, fail);
  });
}

// A button for the files. `joins(id)` gets the job that reads them, and `joined(id, isDone)` is
// called at its end: when its pages are in the document, or it has none.
export function addButton(document, profile, { joins, joined }) {
  const input = fileInput(add, { multiple: true, accept: "image/*,application/pdf" });

  async function add(files) {
    if (!files.length) return;
    input.disabled = true;
    tell(say("addingPages"));
    try {
      const { id } = await sendFiles([...files], { profile });
      joins(id);
      const job = await end(id);
      const others = archived(job);
      for (const other of others) {
        const body = { merge: Number(other) };
        await ask(`documents/${document}/review`, { method: "POST", body });
      }
      joined(id, others.length > 0);
      tell(
        others.length
          ? say("pagesAdded")
          : problemWords({ code: job.problemCode, message: job.problem ?? job.message }),
      );
    } catch (problem) {
      tell(explain(problem));
    } finally {
      input.disabled = false;
    }
  }

  return fileButton("plus", say("addPages"), input);
}
