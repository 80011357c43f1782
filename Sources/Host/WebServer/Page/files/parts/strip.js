// The arriving pages: a strip that fills from the left, with each picture as soon as it is there.
import { make } from "./dom.js";
import { hostWords, say } from "../words/words.js";

// The numbers of a job's documents in the archive: one, or those of a split batch.
export const archived = (job) =>
  job.deliveries.filter((delivery) => delivery.sink === "archive").map((delivery) =>
    delivery.document
  );

// A page's place in the archive; undefined if it is not there yet, or is a sheet between documents.
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
  // The host stores pictures of arriving pages only for a while.
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
    // A page of a document links to its place.
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

// The strip; `update(job)` shows the present state of a job's pages.
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
    // If a user has scrolled back, the strip does not scroll.
    const isAtEnd = list.scrollWidth - list.clientWidth - list.scrollLeft < 400;
    if (list.childElementCount > before && isAtEnd) list.scrollLeft = list.scrollWidth;
  };
  return list;
}
