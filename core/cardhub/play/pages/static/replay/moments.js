// The notable steps and the chapters as lists; each line is a link to its step.

import { element, withAttributes } from "../table/elements.js";
import { MARK_KINDS } from "./timeline.js";

/**
 * The list of marks and chapters of the viewer.
 */
export class Moments {
  #viewerNumber = -1;

  /**
   * @param {import("./playback.js").Playback} playback
   * @param {() => void} onJump called after a line was chosen
   */
  constructor(playback, onJump) {
    this.playback = playback;
    this.node = element("div", "rp-moments");
    this.node.addEventListener("click", (event) => {
      const button = event.target.closest("button[data-step]");
      if (!button) return;
      playback.pause();
      playback.goToStep(Number(button.dataset.step));
      onJump();
    });
  }

  /** Whether any viewer has a mark or a chapter. */
  get isUseful() {
    return this.playback.data.viewers.some(({ marks, chapters }) => marks.length || chapters.length);
  }

  /** Show the marks of the playback's viewer. */
  show() {
    const { playback } = this;
    if (this.#viewerNumber !== playback.viewerNumber) {
      this.#viewerNumber = playback.viewerNumber;
      const { marks, chapters } = playback.viewer;
      this.node.replaceChildren(
        ...momentList("notable steps", marks.map(markRow)),
        ...momentList("parts of the game", chapters.map(chapterRow)),
      );
    }
    const chapter = playback.chapter;
    for (const button of this.node.querySelectorAll(".rp-chapter")) {
      const isHere = Boolean(chapter) && Number(button.dataset.step) === chapter.first;
      button.setAttribute("aria-current", isHere ? "step" : "false");
    }
  }
}

function momentList(title, rows) {
  return rows.length ? [element("h3", "", title), element("ol", "rp-lines", ...rows)] : [];
}

function markRow({ step, kind, text }) {
  const { sign, name, classes } = MARK_KINDS[kind];
  const head = withAttributes(element("span", `rp-sign ${classes}`, sign), { "aria-hidden": "true" });
  return momentRow(step, "", head, element("span", "rp-text", element("strong", "", name), ` ${text}`));
}

function chapterRow({ title, first }) {
  return momentRow(first, "rp-chapter", element("span", "rp-number", String(first)),
    element("span", "rp-text", title));
}

function momentRow(step, classes, ...parts) {
  return element("li", "rp-row", withAttributes(element("button", `rp-line ${classes}`, ...parts), {
    type: "button", "data-step": step,
  }));
}
