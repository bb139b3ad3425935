// Practice: a decision of the review at a table of its own, where the person chooses again and plays on with bots.

import { element, withAttributes } from "../../table/elements.js";
import { TableModel } from "../net/table_model.js";
import { pushButton } from "../parts/widgets.js";
import { GamePage } from "./game_page.js";

/**
 * The practice table over the page of a finished game.
 */
export class PracticePage {
  /**
   * @param {TableModel} finished the model of the finished game
   * @param {(type: string, fields?: object) => boolean} send
   * @param {() => void} onClose
   */
  constructor(finished, send, onClose) {
    const sendCommand = (command) => send("in_practice", { command });
    this.model = Object.assign(new TableModel(finished.table, sendCommand), {
      welcome: { ...finished.welcome, is_owner: false },
      game: finished.game,
      state: practiceState(finished),
    });
    this.page = new GamePage(this.model, (type, fields = {}) => sendCommand({ type, ...fields }));
    this.verdict = element("p", "on-verdict");
    const back = pushButton("Back to the result", "primary", onClose);
    const head = element("div", "on-hint-head", element("h2", "ch-heading", "Practice"), back);
    const bar = withAttributes(element("section", "on-review on-practice-bar", head, this.verdict), {
      "aria-label": "Practice", role: "status",
    });
    this.node = element("div", "on-practice", bar, this.page.node);
  }

  /**
   * Update the practice table by a message about it.
   * @param {object} message
   * @param {string} verdict on the person's choice at the decision
   */
  receive(message, verdict) {
    this.model.receive(message);
    if (message.type === "hint") this.page.showHint(message);
    if (message.type === "refused") this.page.release();
    this.verdict.textContent = verdict;
  }

  /**
   * Redraw the practice table.
   * @param {boolean} isOnline
   */
  show(isOnline) {
    this.page.show(isOnline);
  }
}

// Bots take the seats of all other people.
function practiceState({ state, seat }) {
  const seats = state.seats.map((player, number) => ({
    ...player, clock: null, is_here: true, is_reading: false, bot: number === seat ? "" : player.bot || "easy",
  }));
  return {
    ...state, seats, stage: "playing", title: `Practice: ${state.title}`, is_practice: true,
    has_chat: false, is_lesson: false, takeback: null, newcomer: null, replay: "",
  };
}
