// The timeline: a slider over the stops, with marks of chapters and of steps worth a look.

import { element, withAttributes, withProperties } from "../table/elements.js";

/** The signs and names of the kinds of marks. */
export const MARK_KINDS = {
  "turning point": { sign: "◆", name: "turning point", classes: "is-turning" },
  fault: { sign: "✕", name: "fault", classes: "is-fault" },
  mistake: { sign: "▼", name: "mistake", classes: "is-mistake" },
};

/**
 * A slider that shows and changes the stop.
 */
export class Timeline {
  #viewerNumber = -1;

  /**
   * @param {import("./course.js").Course} course
   */
  constructor(course) {
    this.course = course;
    this.slider = withAttributes(element("input", "rp-slider"), {
      type: "range", min: 0, step: 1, "aria-label": "step of the game",
    });
    this.slider.addEventListener("input", () => {
      course.pause();
      course.go(Number(this.slider.value));
    });
    this.marks = withAttributes(element("div", "rp-marks"), { "aria-hidden": "true" });
    this.node = element("div", "rp-timeline", this.marks, this.slider);
  }

  /** Show the stop of the course. */
  show() {
    const { course, slider } = this;
    slider.max = String(course.last);
    slider.value = String(course.stopNumber);
    slider.setAttribute("aria-valuetext", positionText(course));
    withProperties(this.node, { done: share(course.stopNumber, course.last) });
    if (this.#viewerNumber !== course.viewerNumber) {
      this.#viewerNumber = course.viewerNumber;
      this.marks.replaceChildren(...chapterTicks(course), ...markSigns(course));
    }
  }
}

/**
 * Return the position in words: "step 41 of 150, round 3".
 * @param {import("./course.js").Course} course
 * @returns {string}
 */
export function positionText(course) {
  const place = `step ${course.stop.step} of ${course.viewer.stops[course.last].step}`;
  return course.chapter ? `${place}, ${course.chapter.title}` : place;
}

function share(number, last) {
  return last ? (number / last).toFixed(4) : "0";
}

function placeOfStep(course, step) {
  const found = course.viewer.stops.findIndex((stop) => stop.step >= step);
  return share(found < 0 ? course.last : found, course.last);
}

function chapterTicks(course) {
  return course.viewer.chapters.map(({ first }) =>
    withProperties(element("span", "rp-tick"), { at: placeOfStep(course, first) }),
  );
}

function markSigns(course) {
  return course.viewer.marks.map(({ step, kind, text }) => {
    const { sign, name, classes } = MARK_KINDS[kind];
    const node = withProperties(element("span", `rp-mark ${classes}`, sign), {
      at: placeOfStep(course, step),
    });
    node.title = `${name}: ${text}`;
    node.addEventListener("click", () => {
      course.pause();
      course.goToStep(step);
    });
    return node;
  });
}
