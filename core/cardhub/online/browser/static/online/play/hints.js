// Hints: a bot rates the legal actions, and tells why it likes the best one.

import { element, withAttributes } from "../../table/elements.js";
import { capitalized } from "../../table/actions.js";
import { openDialog } from "../parts/dialogs.js";

/**
 * Asks for hints and shows them; one at a time.
 */
export class HintDialog {
  #dialog = null;

  /**
   * @param {(type: string, fields?: object) => boolean} send
   * @param {(action: object) => void} act carries out a choice of the view
   */
  constructor(send, act) {
    this.send = send;
    this.act = act;
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
        { text: "Cancel", act: () => this.#request("cancel") },
        { text: "Answer now", tone: "primary", act: () => this.#request("hurry") },
      ],
    });
  }

  /**
   * Show the answer.
   * @param {object} hint as in `HintMessage`
   * @param {object[]} choices of the view
   */
  show({ bot = "", rows = [], why = "", why_none: none = "" }, choices) {
    if (!this.isWaiting) return;
    this.isWaiting = false;
    this.#dialog?.close();
    const best = choices.find((choice) => choice.name === rows[0]?.name);
    const buttons = [{ text: "Close" }];
    if (best) buttons.push({ text: capitalized(best.name), tone: "primary", act: () => this.act(best) });
    const content = none
      ? [element("p", "", capitalized(none))]
      : [element("p", "", capitalized(why)), rowTable(rows), element("p", "on-help", bot && `Rated by ${bot}`)];
    this.#dialog = openDialog({ title: "Hint", content, buttons, classes: "is-hint" });
  }

  // The answer to "now" comes as every other one.
  #request(request) {
    this.isWaiting = request === "hurry";
    this.send("hint", { request });
  }
}

function rowTable(rows) {
  const body = rows.map(({ name, worth, tries }) =>
    element("tr", "", element("td", "", capitalized(name)), element("td", "on-number", worth), element("td", "on-number on-help", tries)),
  );
  const head = ["Action", "Value", "Tries"].map((text) => withAttributes(element("th", "", text), { scope: "col" }));
  return element("table", "on-hint-rows", element("thead", "", element("tr", "", ...head)), element("tbody", "", ...body));
}
