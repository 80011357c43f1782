// Pages as they come in: a strip that fills from the left, each picture appearing as soon as it is
// there.
import { make } from "./dom.js";
import { hostWords, say } from "./words.js";

// The archive's numbers of the documents that a job has become: one, or those that its batch was
// split into.
export const archived = (job) =>
  job.deliveries.filter((delivery) => delivery.sink === "archive").map((delivery) =>
    delivery.document
  );

// Where a page is in the archive; nothing if it is not there yet, or for a sheet between documents.
function placeOf(page, job) {
  const documents = archived(job);
  if (page.document === undefined) {
    return documents.length ? { document: documents[0], number: page.number } : undefined;
  }
  // If not all documents of a stack arrived, they can't be matched.
  if (
    !page.document || documents.length !== Math.max(...job.pages.map((one) => one.document ?? 0))
  ) return undefined;
  return {
    document: documents[page.document - 1],
    number: 1 +
      job.pages.filter((one) => one.document === page.document && one.number < page.number).length,
  };
}

// A job with the reports about the pages of one captured picture.
export function withPages(job, pages) {
  const number = pages[0]?.captured;
  if (number === undefined) return job;
  const others = job.pages.filter((page) => page.captured !== number);
  const place = others.findIndex((page) => (page.captured ?? 0) > number);
  others.splice(place < 0 ? others.length : place, 0, ...pages);
  return { ...job, pages: others };
}

function item() {
  const picture = make("img", { alt: "", loading: "lazy" });
  const stage = make("span", { class: "stage-word" });
  const way = make("a", {}, picture);
  const frame = make("div", { class: "sheet" }, way, stage);
  const words = make("span", { class: "soft" });
  const problems = make("span", { class: "warn" });
  const element = make("li", {}, frame, words, problems);
  picture.addEventListener("load", () => frame.classList.add("there"));
  // Pictures of pages that came in are kept for a while only.
  picture.addEventListener("error", () => frame.classList.remove("there"));
  let shown = "";
  element.show = (page, job) => {
    const place = placeOf(page, job);
    const look = JSON.stringify([page, place]);
    if (look === shown) return;
    shown = look;
    const isDone = page.stage === "finished";
    element.dataset.stage = page.stage;
    const address = isDone && place
      ? `/api/v1/documents/${place.document}/pages/${place.number}/thumbnail`
      : page.hasPicture
      ? `/api/v1/jobs/${encodeURIComponent(job.id)}/pages/${page.captured}/thumbnail`
      : undefined;
    if (address && picture.getAttribute("src") !== address) picture.src = address;
    picture.alt = say("page", { number: page.number });
    // A page of the document leads to its place there.
    if (isDone && place) {
      way.href = `#document/${place.document}/${place.number}`;
      way.setAttribute("aria-label", picture.alt);
    } else way.removeAttribute("href");
    stage.textContent = isDone ? "" : say("stage-" + page.stage);
    words.textContent = [
      page.label ?? say("page", { number: page.number }),
      !page.words ? "" : say("wordCount", { number: page.words }),
    ].filter(Boolean).join(" · ");
    element.classList.toggle("aside", page.document === 0);
    problems.replaceChildren(...page.problems.flatMap((problem) => [hostWords(problem), " "]));
  };
  return element;
}

// The strip; `update(job)` shows how a job's pages are now.
export function strip() {
  const list = make("ol", {
    class: "strip",
    tabindex: 0,
    "aria-label": say("pages"),
    hidden: true,
  });
  list.update = (job) => {
    const before = list.childElementCount;
    job.pages.forEach((page, index) => {
      if (!list.children[index]) list.append(item());
      list.children[index].show(page, job);
    });
    while (list.childElementCount > job.pages.length) list.lastChild.remove();
    list.hidden = !job.pages.length;
    // A user who has scrolled back to a page stays there.
    const isAtEnd = list.scrollWidth - list.clientWidth - list.scrollLeft < 400;
    if (list.childElementCount > before && isAtEnd) list.scrollLeft = list.scrollWidth;
  };
  return list;
}
