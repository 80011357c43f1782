// The arriving pages: a strip that fills from the left, with each picture as soon as it is there.
import { make } from "./dom.js";
import { sheet } from "./sheet.js";
import { hostWords, joined, say } from "../words/words.js";

// The numbers of a job's documents in the archive: one, or those of a split batch.
export const archived = (job) =>
  job.deliveries.filter(({ sink, document }) => sink === "archive" && document).map(
    ({ document }) => document,
  );

// A page's place in the archive; undefined if it is not there yet, or is a sheet between documents.
function placeOf(page, job) {
  const documents = archived(job);
  if (page.document === undefined) {
    // A worker may have split the pages differently than the station knows.
    return documents.length === 1 ? { document: documents[0], number: page.number } : undefined;
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

// The pages in the strip, in order: those of the job, or where a document was changed since, those
// that it has now. `wholes` are the job's documents, if they are known.
function contents(job, wholes = []) {
  const shown = new Set();
  return job.pages.flatMap((page) => {
    const place = page.stage === "finished" ? placeOf(page, job) : undefined;
    const whole = wholes.find((one) =>
      one?.undoable && String(one.document.id) === String(place?.document)
    );
    if (!whole) return [{ page, place }];
    if (shown.has(whole)) return [];
    shown.add(whole);
    return whole.pages.map((now) => ({
      page: { ...now, stage: "finished" },
      place: { document: whole.document.id, number: now.number },
      isChanged: true,
    }));
  });
}

// A page's picture as it came in, or as it is in its document.
function picturePlace({ page, place }, job) {
  if (place) return `/api/v1/documents/${place.document}/pages/${place.number}/thumbnail`;
  const id = encodeURIComponent(job.id);
  const version = page.pictureVersion;
  return page.hasPicture
    ? `/api/v1/jobs/${id}/pages/${page.captured}/thumbnail?version=${version}`
    : undefined;
}

// Shows a page's picture, which links to its place in a document.
function showPicture({ picture, way }, one, job) {
  const { page, place, isChanged } = one;
  const title = say("page", { number: page.number });
  if (isChanged) way.replaceChildren(sheet(page, { small: true }));
  else {
    const address = picturePlace(one, job);
    if (address && picture.getAttribute("src") !== address) picture.src = address;
    picture.alt = title;
    if (!picture.isConnected) way.replaceChildren(picture);
  }
  if (place) {
    way.href = `#document/${place.document}/${place.number}`;
    way.setAttribute("aria-label", title);
  } else way.removeAttribute("href");
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
  element.show = (one, job) => {
    const look = JSON.stringify(one);
    if (look === shown) return;
    shown = look;
    const { page } = one;
    element.dataset.stage = page.stage;
    showPicture({ picture, way }, one, job);
    stage.textContent = page.stage === "finished" ? "" : say("stage-" + page.stage);
    words.textContent = joined(
      page.label ?? say("page", { number: page.number }),
      page.words && say("wordCount", { number: page.words }),
    );
    element.classList.toggle("aside", page.document === 0);
    problems.replaceChildren(...page.problems.flatMap((problem) => [hostWords(problem), " "]));
  };
  return element;
}

// The strip; `update(job, wholes)` shows the present state of a job's pages, or of its documents.
export function strip() {
  const list = make("ol", {
    class: "strip",
    tabindex: 0,
    "aria-label": say("pages"),
    hidden: true,
  });
  list.update = (job, wholes) => {
    const before = list.childElementCount;
    const pages = contents(job, wholes);
    pages.forEach((one, index) => {
      if (!list.children[index]) list.append(item());
      list.children[index].show(one, job);
    });
    while (list.childElementCount > pages.length) list.lastChild.remove();
    list.hidden = !pages.length;
    // If a user has scrolled back, the strip does not scroll.
    const isAtEnd = list.scrollWidth - list.clientWidth - list.scrollLeft < 400;
    if (list.childElementCount > before && isAtEnd) list.scrollLeft = list.scrollWidth;
  };
  return list;
}
