// Adds photos or files to the document of a finished job: they become the pages of a job of their
// own, which are then merged into the document.
import { tell, tellProblem } from "../parts/dom.js";
import { archived } from "../parts/strip.js";
import { ask } from "../shell/host.js";
import { hostWords, problemWords, say } from "../words/words.js";
import { isLeft, isOver, jobWhen } from "./place.js";
import { fileButton, fileInput, sendFiles } from "./sending.js";

// True for a job whose documents are in the archive, or that ended without any.
const isDone = (job) => isOver(job) && !isLeft(job);

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
      const job = await jobWhen(id, isDone);
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
      tellProblem(problem);
    } finally {
      input.disabled = false;
      if (id) joined(id, isWhole);
    }
  }

  return fileButton("plus", say("addPages"), input);
}
