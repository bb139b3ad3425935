// Hints: a bot's ratings of the legal actions, and its reason for the best action.

import { element, withAttributes } from "../../table/elements.js";
import { capitalized } from "../../table/actions.js";
import { openDialog } from "../parts/dialogs.js";

/**
 * The dialog that asks for a hint and shows it; at most one hint is requested.
 */
export class HintDialog {
  #dialog = null;

  /**
   * @param {(type: string, fields?: object) => boolean} send
   * @param {(choice: object) => void} onChoice takes a choice of the view
   */
  constructor(send, onChoice) {
    this.send = send;
    this.onChoice = onChoice;
  }

  /** Ask for a hint. */
  ask() {
    if (!this.send("hint", { request: "ask" })) return;
    this.isWaiting = true;
    this.#dialog = openDialog({
      title: "Hint",
      content: [withAttributes(element("p", "on-thinking", "A bot looks at your cards …"), { role: "status" })],
      classes: "is-hint",
      buttons: [
        { text: "Cancel", onClick: () => this.#request("cancel") },
        { text: "Answer now", tone: "primary", onClick: () => this.#request("hurry") },
      ],
    });
  }

  /**
   * Show the answer.
   * @param {object} hint as in `HintMessage`
   * @param {object[]} choices the choices of the view
   */
  show({ bot = "", rows = [], why = "", why_none: whyNone = "" }, choices) {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.#dialog?.close();
    const best = choices.find((choice) => choice.name === rows[0]?.name);
    const buttons = [{ text: "Close" }];
    if (best) buttons.push({ text: capitalized(best.name), tone: "primary", onClick: () => this.onChoice(best) });
    const content = whyNone
      ? [element("p", "", capitalized(whyNone))]
      : [element("p", "", capitalized(why)), rowTable(rows), element("p", "on-help", bot && `Rated by ${bot}`)];
    this.#dialog = openDialog({ title: "Hint", content, buttons, classes: "is-hint" });
  }

  // After `hurry` the dialog waits for the hint; after `cancel` a late hint is ignored.
  #request(request) {
    this.isWaiting = request === "hurry";
    this.send("hint", { request });
  }
}

function rowTable(rows) {
  const body = rows.map(({ name, worth: valueText, tries }) =>
    element("tr", "", element("td", "", capitalized(name)), element("td", "on-number", valueText), element("td", "on-number on-help", tries)),
  );
  const head = ["Action", "Value", "Tries"].map((text) => withAttributes(element("th", "", text), { scope: "col" }));
  return element("table", "on-hint-rows", element("thead", "", element("tr", "", ...head)), element("tbody", "", ...body));
}
