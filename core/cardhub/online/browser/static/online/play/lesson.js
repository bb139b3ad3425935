// The comments of a lesson: a panel next to the table, and marks on the parts of the table that they name.

import { element, withAttributes } from "../../table/elements.js";
import { pushButton } from "../parts/widgets.js";

const HOW_TO_PLAY =
  "Press the card or button with the mark 1 to follow the suggestion. Undo takes an action back, " +
  "and the lamp shows this comment again.";

/**
 * The panel of a lesson. `actions`: the suggested action if there is one; `spots`: what the comment is about.
 */
export class LessonPanel {
  #comment = null;
  #revision = -1;
  #isFirst = true;

  /** @param {() => void} onChange is called after the marks on the table have changed */
  constructor(onChange) {
    this.onChange = onChange;
    [this.actions, this.spots] = [[], []];
    this.node = withAttributes(element("section", "ch-aside on-hint-panel on-lesson-panel"), {
      "aria-label": "Lesson", role: "status", hidden: true,
    });
  }

  /**
   * Follow the table: show the comment on a new decision, and remove it after the decision.
   * @param {object|null} comment as in `LessonComment`
   * @param {number} revision of the view
   */
  follow(comment, revision) {
    if (revision === this.#revision) return;
    [this.#comment, this.#revision] = [comment, revision];
    if (!comment?.lines.length) {
      this.close();
      return;
    }
    const { lines } = comment;
    this.#show(this.#isFirst ? [lines[0], HOW_TO_PLAY, ...lines.slice(1)] : lines);
    this.#isFirst = false;
  }

  /** Show the comment on the present decision again; return whether there is one. */
  repeat() {
    if (!this.#comment?.lines.length || typeof this.#comment.suggested !== "number") return false;
    this.#show(this.#comment.lines);
    return true;
  }

  /**
   * Show why an action was refused.
   * @param {string} why
   */
  refuse(why) {
    this.#show([why]);
  }

  /** Close the panel. */
  close() {
    if (this.node.hidden) return;
    this.node.hidden = true;
    this.#mark(null);
  }

  #show(lines) {
    const head = element("div", "on-hint-head", element("h2", "ch-heading", "Lesson"), pushButton("Close", "plain", () => this.close()));
    this.node.replaceChildren(head, element("div", "on-lesson-lines", ...lines.map((line) => element("p", "", line))));
    this.node.hidden = false;
    this.node.scrollTop = 0;
    this.#mark(this.#comment);
  }

  #mark(comment) {
    this.actions = typeof comment?.suggested === "number" ? [comment.suggested] : [];
    this.spots = comment?.spots ?? [];
    this.onChange();
  }
}
