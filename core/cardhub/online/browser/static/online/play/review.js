// The review after a game: the person's three costliest moves in words, and decisions that are taken again.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";
import { pushButton } from "../parts/widgets.js";

/**
 * The panel below a finished game that asks for a review, and shows its progress and its moves.
 */
export class ReviewPanel {
  /**
   * @param {(type: string, fields?: object) => boolean} send
   * @param {(step: number) => void} onStep shows the decision after a step, to be taken again
   * @param {() => void} onClose shows the end of the game again
   */
  constructor(send, onStep, onClose) {
    this.send = send;
    this.onStep = onStep;
    this.onClose = onClose;
    this.isRunning = false;
    this.canPlayOn = false;
    this.answer = withAttributes(element("p", "on-verdict"), { hidden: true });
    this.node = withAttributes(element("section", "on-review"), {
      "aria-label": "Your costliest moves", role: "status", hidden: true,
    });
  }

  /** Ask for a review of the person's moves. */
  ask() {
    if (this.isRunning || !this.send("review", { request: "ask" })) return;
    this.isRunning = true;
    this.show({});
  }

  /**
   * Show the state of the review.
   * @param {object} review as in `ReviewMessage`
   */
  show({ bot = "", done = 0, total = 0, moves = [], why_none: whyNone = "", can_play_on: canPlayOn = false }) {
    if (!this.isRunning) return;
    this.canPlayOn = canPlayOn;
    const isFinished = Boolean(whyNone || (bot && done === total));
    this.isRunning = !isFinished;
    this.node.hidden = false;
    const heading = element("h2", "ch-heading", "Your costliest moves");
    const closer = pushButton(isFinished ? "Close" : "Cancel", "plain", () => this.close());
    const opener = pushButton("All moves", "plain", () => this.#showMoves());
    opener.classList.add("on-all-moves");
    const parts = [
      element("div", "on-hint-head", heading, opener, closer),
      this.answer,
      !whyNone && element("p", "on-help", progressText(bot, done, total)),
      whyNone && element("p", "", capitalized(whyNone)),
      isFinished && !whyNone && !moves.length && element("p", "", "By its ratings, no decision cost you anything."),
      moves.length && moveList(moves, bot, isFinished && ((move) => this.#showStep(move))),
    ];
    this.node.replaceChildren(...parts.filter(Boolean));
  }

  /** Close the panel, and end a review that is running. */
  close() {
    if (this.isRunning) this.send("review", { request: "cancel" });
    this.isRunning = false;
    if (this.node.hidden) return;
    this.node.hidden = true;
    this.#showMoves();
    this.onClose();
  }

  /**
   * Show how a new choice compares with the old one.
   * @param {string} text
   */
  showVerdict(text) {
    this.answer.textContent = text;
    this.answer.hidden = !text;
  }

  // A game that keeps cards hidden is not played on: then the bot only compares another choice with the old one.
  // On a narrow page, the moves make room for the position, so that the person's hand is in sight.
  #showStep({ step, taken }) {
    if (this.canPlayOn) {
      this.send("begin_practice", { id: 0, step });
      return;
    }
    this.node.classList.add("is-at-step");
    this.showVerdict(`In the game you chose “${taken}”. Choose again.`);
    this.onStep(step);
  }

  #showMoves() {
    this.node.classList.remove("is-at-step");
    this.showVerdict("");
  }
}

function progressText(bot, done, total) {
  if (!bot) return "A bot looks at your decisions …";
  if (total === 1) return `You had one decision, and the ${bot} bot ${done ? "has looked" : "looks"} at it.`;
  return done === total ? `The ${bot} bot has looked at all ${total} of your decisions.` : `The ${bot} bot has looked at ${done} of your ${total} decisions.`;
}

// Moves of a review that goes on may still be replaced, so the buttons come at its end.
function moveList(moves, bot, onStep) {
  const items = moves.map((move) =>
    element("li", "on-hint-row", element("div", "", element("strong", "", `Step ${move.step + 1}: You chose “${move.taken}”.`),
      element("p", "", `The ${bot} bot would choose “${move.best}”. ${move.comparison}`)),
    onStep && pushButton("Choose again", "plain", () => onStep(move))));
  return element("ol", "on-hint-rows", ...items);
}
