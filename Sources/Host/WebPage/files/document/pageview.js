// A large view of one page, for zooming and swiping to the next.
import { make } from "../parts/dom.js";
import { icon } from "../parts/icons.js";
import { say } from "../words/words.js";

const steps = [1, 1.5, 2, 3, 4];
// Pixels that a finger moves to turn the page.
const swipe = 60;

const control = (name, words, work) =>
  make("button", { type: "button", "aria-label": words, title: words, onclick: work }, icon(name));

export class PageView {
  isCutting = false;
  zoom = 1;
  paper = make("div", { class: "picture" });
  level = make("span", { class: "soft", role: "status" });
  number = make("span", { class: "soft" });
  previous = control("previous", say("previousPage"), () => this.onTurn(-1));
  next = control("next", say("nextPage"), () => this.onTurn(1));
  controls = make(
    "div",
    { class: "row zoom" },
    this.previous,
    this.number,
    this.next,
    make("span", { class: "grow" }),
    control("zoomOut", say("zoomOut"), () => this.step(-1)),
    this.level,
    control("zoomIn", say("zoomIn"), () => this.step(1)),
  );
  element = make("div", { class: "card paper" }, this.paper, this.controls);

  // `onTurn(step)` shows the next page or the one before.
  constructor(onTurn) {
    this.onTurn = onTurn;
    this.paper.addEventListener("wheel", (event) => {
      if (!event.ctrlKey || this.isCutting) return;
      event.preventDefault();
      this.step(event.deltaY < 0 ? 1 : -1);
    }, { passive: false });
    this.paper.addEventListener("dblclick", () => this.set(this.zoom > 1 ? 1 : 2));
    this.takeSwipes();
  }

  takeSwipes() {
    let start;
    this.paper.addEventListener("touchstart", ({ touches }) => {
      start = touches.length === 1 && this.zoom === 1 && !this.isCutting ? touches[0] : undefined;
    }, { passive: true });
    this.paper.addEventListener("touchend", ({ changedTouches: [end] }) => {
      if (!start) return;
      const across = end.clientX - start.clientX;
      const isFlat = Math.abs(across) > 2 * Math.abs(end.clientY - start.clientY);
      if (isFlat && Math.abs(across) > swipe) this.onTurn(across < 0 ? 1 : -1);
      start = undefined;
    });
  }

  step(by) {
    const nearest = steps.findIndex((one) => one >= this.zoom);
    this.set(steps[Math.min(Math.max(0, nearest + by), steps.length - 1)]);
  }

  // Shows the page that many times as large as it fits.
  set(zoom) {
    this.zoom = zoom;
    const { paper } = this;
    const picture = paper.firstElementChild;
    if (!picture) return;
    paper.classList.toggle("zoomed", zoom > 1);
    picture.style.removeProperty("width");
    const { width } = picture.getBoundingClientRect();
    if (zoom > 1) picture.style.setProperty("width", width * zoom + "px");
    this.level.textContent = Math.round(zoom * 100) + " %";
  }

  // Shows the picture of a page among all pages.
  show(picture, number, pages) {
    this.isCutting = false;
    this.element.classList.remove("cuts");
    this.paper.replaceChildren(picture);
    this.number.textContent = say("pageOf", { number, all: pages.at(-1).number });
    this.previous.disabled = number === pages[0].number;
    this.next.disabled = number === pages.at(-1).number;
    this.set(1);
  }

  // Shows a frame on the picture instead.
  cut(element) {
    this.isCutting = true;
    this.element.classList.add("cuts");
    this.paper.classList.remove("zoomed");
    this.paper.replaceChildren(element);
    element.querySelector(".handle").focus({ preventScroll: true });
  }
}
