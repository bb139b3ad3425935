// The log: a line for each sentence with a link to its step, and a search field.

import { element, withAttributes } from "../table/elements.js";
import { summaryTable } from "../table/log.js";
import { sentenceParts } from "../table/mentions.js";

/**
 * The whole log of the viewer; lines after the present step are faint.
 */
export class ReplayLog {
  #viewerNumber = -1;
  #rows = [];

  /**
   * @param {import("./playback.js").Playback} playback
   * @param {() => void} onJump called after a line was chosen
   */
  constructor(playback, onJump) {
    this.playback = playback;
    this.onJump = onJump;
    this.field = withAttributes(element("input", "rp-find"), {
      type: "search", placeholder: "find in the log", "aria-label": "find in the log",
      autocomplete: "off", spellcheck: "false", enterkeyhint: "search",
    });
    this.matchCount = withAttributes(element("span", "rp-found"), { role: "status" });
    this.field.addEventListener("input", () => this.#search());
    this.field.addEventListener("keydown", (event) => this.#keyInField(event));
    this.list = element("ol", "rp-lines");
    this.list.addEventListener("click", (event) => this.#jump(event.target));
    this.node = element("div", "rp-log",
      element("div", "rp-search", this.field, this.matchCount), this.list);
  }

  /** Mark and reveal the lines of the playback's stop. */
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
    // Wait for the next frame, because reading positions now would force a second layout.
    cancelAnimationFrame(this.revealing);
    this.revealing = requestAnimationFrame(() => this.#reveal(last ?? this.list.firstElementChild));
  }

  #fill() {
    this.#viewerNumber = this.playback.viewerNumber;
    this.#rows = this.playback.viewer.log.map((line) => logRow(line, this.playback.data.catalogue));
    this.list.replaceChildren(...this.#rows.map(({ node }) => node));
    this.#search();
  }

  // Scroll the list only; `scrollIntoView` would scroll the page as well.
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
    this.onJump();
  }

  #matches() {
    const sought = this.field.value.trim().toLowerCase();
    if (!sought) return [];
    return this.#rows.filter(({ line }) => line.text.toLowerCase().includes(sought));
  }

  #search() {
    const matches = this.#matches();
    for (const { node } of this.#rows) node.classList.remove("is-found");
    for (const { node } of matches) node.classList.add("is-found");
    const isEmpty = !this.field.value.trim();
    this.matchCount.textContent = isEmpty ? "" : matches.length === 1 ? "1 line found" : `${matches.length} lines found`;
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

  // Go to the next stop whose lines have the text; after the end, continue from the beginning.
  #next(sign) {
    const steps = this.#matches().map(({ line }) => line.step);
    if (!steps.length) return;
    const { step } = this.playback.stop;
    const later = sign > 0
      ? steps.find((candidate) => candidate > step)
      : steps.filter((candidate) => candidate < step).at(-1);
    this.playback.pause();
    this.playback.goToStep(later ?? (sign > 0 ? steps[0] : steps.at(-1)));
  }
}

// The line is a button to its step, and buttons cannot be nested: cards in it are plain chips.
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
