// The timeline: a slider over the stops, with marks for chapters and notable steps.

import { element, withAttributes, withProperties } from "../table/elements.js";

/** The sign, the name and the CSS class of each kind of mark. */
export const MARK_KINDS = {
  "turning point": { sign: "◆", name: "turning point", classes: "is-turning" },
  fault: { sign: "✕", name: "fault", classes: "is-fault" },
  mistake: { sign: "▼", name: "mistake", classes: "is-mistake" },
  said: { sign: "“", name: "said", classes: "is-said" },
};

/**
 * A slider that shows and changes the stop.
 */
export class Timeline {
  #viewerNumber = -1;

  /**
   * @param {import("./playback.js").Playback} playback
   */
  constructor(playback) {
    this.playback = playback;
    this.slider = withAttributes(element("input", "rp-slider"), {
      type: "range", min: 0, step: 1, "aria-label": "step of the game",
    });
    this.slider.addEventListener("input", () => {
      playback.pause();
      playback.go(Number(this.slider.value));
    });
    this.marks = withAttributes(element("div", "rp-marks"), { "aria-hidden": "true" });
    this.node = element("div", "rp-timeline", this.marks, this.slider);
  }

  /** Move the slider to the playback's stop. */
  show() {
    const { playback, slider } = this;
    slider.max = String(playback.last);
    slider.value = String(playback.stopNumber);
    slider.setAttribute("aria-valuetext", positionText(playback));
    withProperties(this.node, { done: share(playback.stopNumber, playback.last) });
    if (this.#viewerNumber !== playback.viewerNumber) {
      this.#viewerNumber = playback.viewerNumber;
      this.marks.replaceChildren(...chapterTicks(playback), ...markSigns(playback));
    }
  }
}

/**
 * Return the position as text: "step 41 of 150, round 3".
 * @param {import("./playback.js").Playback} playback
 * @returns {string}
 */
export function positionText(playback) {
  const place = `step ${playback.stop.step} of ${playback.viewer.stops[playback.last].step}`;
  return playback.chapter ? `${place}, ${playback.chapter.title}` : place;
}

function share(number, last) {
  return last ? (number / last).toFixed(4) : "0";
}

function chapterTicks(playback) {
  return playback.viewer.chapters.map(({ first }) =>
    withProperties(element("span", "rp-tick"), { at: share(playback.stopAt(first), playback.last) }),
  );
}

function markSigns(playback) {
  return playback.viewer.marks.map(({ step, kind, text }) => {
    const { sign, name, classes } = MARK_KINDS[kind];
    const node = withProperties(element("span", `rp-mark ${classes}`, sign), {
      at: share(playback.stopAt(step), playback.last),
    });
    node.title = `${name}: ${text}`;
    node.addEventListener("click", () => {
      playback.pause();
      playback.goToStep(step);
    });
    return node;
  });
}
