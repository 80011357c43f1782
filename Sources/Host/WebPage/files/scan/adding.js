// Adds photos or files to the document of a finished job: they become the pages of a job of their
// own, which are then merged into the document.
import { tell } from "../parts/dom.js";
import { archived } from "../parts/strip.js";
import { ask, hear } from "../shell/host.js";
import { explain, hostWords, problemWords, say } from "../words/words.js";
import { isLeft, isOver } from "./place.js";
import { fileButton, fileInput, sendFiles } from "./sending.js";

// A job as it is when its documents are in the archive, or when it ended without any.
function end(id) {
  return new Promise((done, fail) => {
    const take = (job) => isOver(job) && !isLeft(job) && leave(done, job);
    const look = () => ask("jobs/" + id).then(take, (problem) => leave(fail, problem));
    const deaf = hear((name, value) => {
      if (name === "job" && value.id === id) take(value);
      // Events may have been missed while the host was away.
      if (name === "link" && value) look();
    });
    const leave = (settle, value) => {
      deaf();
      settle(value);
    };
    look();
  });
}

// What went wrong with some page of a job; undefined if all pages are there.
function problemOf(job) {
  if (job.problem) return problemWords({ code: job.problemCode, message: job.problem });
  const skipped = job.pages.find(({ stage }) => stage === "skipped");
  return skipped && skipped.problems.map(hostWords);
}

// A button for the files. `joins(id)` gets the job that reads them, and `joined(id, isWhole)` is
// called at its end: whether all of its pages are in the document now.
export function addButton(document, profile, { joins, joined }) {
  const input = fileInput(add, { multiple: true, accept: "image/*,application/pdf" });

  async function add(files) {
    if (!files.length) return;
    input.disabled = true;
    tell(say("addingPages"));
    let id;
    let isWhole = false;
    try {
      ({ id } = await sendFiles([...files], { profile }));
      joins(id);
      const job = await end(id);
      for (const other of archived(job)) {
        const body = { merge: Number(other) };
        await ask(`documents/${document}/review`, { method: "POST", body });
        // Nobody has put it into the trash. Undoing the merge makes it again, with its pages.
        await ask("documents/" + other, { method: "DELETE" }).catch(() => {});
      }
      const problem = problemOf(job);
      isWhole = !problem;
      tell(problem ?? say("pagesAdded"));
    } catch (problem) {
      tell(explain(problem));
    } finally {
      input.disabled = false;
      if (id) joined(id, isWhole);
    }
  }

  return fileButton("plus", say("addPages"), input);
}
