// The log: a line for every sentence, which leads to its step, and a search in it.

import { element, withAttributes } from "../table/elements.js";
import { summaryTable } from "../table/log.js";
import { sentenceParts } from "../table/mentions.js";

/**
 * The log of the viewer up to the end, with the lines that are still to come faint.
 */
export class ReplayLog {
  #viewerNumber = -1;
  #rows = [];

  /**
   * @param {import("./playback.js").Playback} playback
   * @param {() => void} jumped called after a line was chosen
   */
  constructor(playback, jumped) {
    this.playback = playback;
    this.jumped = jumped;
    this.field = withAttributes(element("input", "rp-find"), {
      type: "search", placeholder: "find in the log", "aria-label": "find in the log",
      autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
    });
    this.found = withAttributes(element("span", "rp-found"), { role: "status" });
    this.field.addEventListener("input", () => this.#search());
    this.field.addEventListener("keydown", (event) => this.#keyInField(event));
    this.list = element("ol", "rp-lines");
    this.list.addEventListener("click", (event) => this.#jump(event.target));
    this.node = element("div", "rp-log",
      element("div", "rp-search", this.field, this.found), this.list);
  }

  /** Show the log at the stop of the playback. */
  show() {
    if (this.#viewerNumber !== this.playback.viewerNumber) this.#fill();
    const { step } = this.playback.stop;
    const news = new Set(this.playback.news);
    let last = null;
    for (const { line, node, button } of this.#rows) {
      const isPast = line.step <= step;
      const current = news.has(line) ? "step" : "false";
      node.classList.toggle("is-coming", !isPast);
      node.classList.toggle("is-now", news.has(line));
      if (button?.getAttribute("aria-current") !== current) {
        withAttributes(button, { "aria-current": current });
      }
      if (isPast) last = node;
    }
    // With the next frame, which is laid out anyway: here it would be laid out twice.
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => this.#reveal(last ?? this.list.firstElementChild));
  }

  #fill() {
    this.#viewerNumber = this.playback.viewerNumber;
    this.#rows = this.playback.viewer.log.map((line) => logRow(line, this.playback.data.catalogue));
    this.list.replaceChildren(...this.#rows.map(({ node }) => node));
    this.#search();
  }

  // Only the list scrolls, never the page.
  #reveal(node) {
    if (!node || !this.list.clientHeight) return;
    const middle = node.offsetTop - this.list.offsetTop - this.list.clientHeight * 0.6;
    this.list.scrollTop = Math.max(middle, 0);
  }

  #jump(target) {
    const button = target.closest("button[data-step]");
    if (!button) return;
    this.playback.pause();
    this.playback.goToStep(Number(button.dataset.step));
    this.jumped();
  }

  #matches() {
    const sought = this.field.value.trim().toLowerCase();
    if (!sought) return [];
    return this.#rows.filter(({ line }) => line.text.toLowerCase().includes(sought));
  }

  #search() {
    const found = this.#matches();
    for (const { node } of this.#rows) node.classList.remove("is-found");
    for (const { node } of found) node.classList.add("is-found");
    const isEmpty = !this.field.value.trim();
    this.found.textContent = isEmpty ? "" : found.length ? `${found.length} found` : "not found";
  }

  #keyInField(event) {
    if (event.key === "Enter") {
      event.preventDefault();
      this.#next(event.shiftKey ? -1 : 1);
    } else if (event.key === "Escape") {
      this.field.value = "";
      this.#search();
      this.field.blur();
      event.stopPropagation();
    }
  }

  // The next stop after this one whose lines have the text, from the beginning after the end.
  #next(sign) {
    const steps = this.#matches().map(({ line }) => line.step);
    if (!steps.length) return;
    const { step } = this.playback.stop;
    const later = sign > 0
      ? steps.find((each) => each > step)
      : steps.filter((each) => each < step).at(-1);
    this.playback.pause();
    this.playback.goToStep(later ?? (sign > 0 ? steps[0] : steps.at(-1)));
  }
}

// A line is a button that leads to its step: the cards in it are none.
function logRow(line, catalogue) {
  const button = withAttributes(
    element("button", "rp-line", element("span", "rp-number", String(line.step)),
      element("span", "rp-text", ...sentenceParts(line, catalogue, false))),
    { type: "button", "data-step": line.step },
  );
  const node = element("li", `rp-row rp-kind-${line.kind}`, line.text ? button : null,
    line.summary ? element("div", "rp-scroll scroll", summaryTable(line.summary)) : null);
  return { line, node, button };
}
