// Hints: at most three actions in words, marked on the table; the numbers behind them on request.

import { capitalized } from "../../table/actions.js";
import { choiceNamed } from "../../table/amounts.js";
import { element, withAttributes } from "../../table/elements.js";
import { pushButton } from "../parts/widgets.js";

const MOST_RATINGS = 3;

/**
 * The panel that asks for a hint and shows it beside the table, which it never covers.
 *
 * At most one hint is requested. `actions` are the actions of the hint, the best first.
 */
export class HintPanel {
  /**
   * @param {(type: string, fields?: object) => boolean} send
   * @param {(choice: object) => void} onChoice takes a choice of the view
   * @param {() => void} onChange is called after the marks on the table have changed
   */
  constructor(send, onChoice, onChange) {
    this.send = send;
    this.onChoice = onChoice;
    this.onChange = onChange;
    this.actions = [];
    this.node = withAttributes(element("section", "ch-aside on-hint-panel"), {
      "aria-label": "Hint", role: "status", hidden: true,
    });
    this.node.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.close();
    });
  }

  /** Ask for a hint. */
  ask() {
    if (this.isWaiting || !this.send("hint", { request: "ask" })) return;
    this.isWaiting = true;
    this.#fill([], element("p", "on-thinking", "A bot is looking at your cards …"), [
      pushButton("Cancel", "plain", () => this.close()),
      pushButton("Answer now", "plain", () => this.send("hint", { request: "hurry" })),
    ]);
  }

  /**
   * Show the answer.
   * @param {object} hint as in `HintMessage`
   * @param {object[]} choices the choices of the view
   */
  show({ bot = "", actions = [], ratings = [], why = "", why_none: whyNone = "" }, choices) {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    const hinted = actions.map((action) => choiceNamed(choices, action.name));
    const best = hinted[0];
    const content = whyNone
      ? element("p", "", capitalized(whyNone))
      : element("div", "", actionList(actions), why && element("p", "", capitalized(why)), ratingList(ratings, bot));
    this.#fill(hinted.map((choice) => choice?.action ?? -1), content, [
      pushButton("Close", "plain", () => this.close()),
      best && pushButton(capitalized(best.name), "primary", () => this.onChoice(best)),
    ]);
  }

  /** Close the panel; if the hint is still to come, it is ignored. */
  close() {
    if (this.isWaiting) this.send("hint", { request: "cancel" });
    this.isWaiting = false;
    if (this.node.hidden) return;
    this.node.hidden = true;
    this.#mark([]);
  }

  #fill(actions, content, buttons) {
    this.node.replaceChildren(element("div", "on-hint-head", element("h2", "ch-heading", "Hint"), ...buttons), content);
    this.node.hidden = false;
    this.#mark(actions);
  }

  #mark(actions) {
    this.actions = actions;
    this.onChange();
  }
}

// The number of an action is the mark of its cards on the table.
function actionList(actions) {
  const items = actions.map(({ name, reason = "", comparison = "" }) =>
    element("li", "on-hint-row", element("div", "", element("strong", "", capitalized(name)),
      reason && element("p", "", reason), comparison && element("p", "on-hint-comparison", comparison))));
  return element("ol", "on-hint-rows", ...items);
}

// The numbers are folded, because most players do not need them.
function ratingList(ratings, bot) {
  const items = ratings.slice(0, MOST_RATINGS).map(({ name, worth: valueText }) =>
    element("li", "on-hint-rating", element("span", "", capitalized(name)), element("span", "on-number", valueText)));
  return element("details", "on-hint-ratings", element("summary", "", `Ratings by the ${bot} bot`), element("ol", "", ...items));
}
