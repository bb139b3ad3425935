// Dialogs to read during a game: rules, cards, unseen cards, the log, summaries, and why an action is not legal.

import { dressCard } from "../../table/cards.js";
import { element, withAttributes } from "../../table/elements.js";
import { summaryTable } from "../../table/log.js";
import { sentenceParts } from "../../table/mentions.js";
import { openDialog } from "../parts/dialogs.js";
import { markdownElements } from "../parts/markdown.js";
import { textField } from "../parts/widgets.js";

/**
 * Show the rules of the game with its present options.
 * @param {{title: string, rules: string}} game
 */
export function showRules({ title, rules }) {
  // The first heading repeats the title of the game.
  const text = rules.replace(/^\s*# .*\n/u, "");
  openDialog({ title: `Rules of ${title}`, content: markdownElements(text), classes: "is-text" });
}

/**
 * Show all faces of the game with their texts.
 * @param {{catalogue: object}} game
 */
export function showCards({ catalogue }) {
  const hasTexts = catalogue.faces.some((face) => face.text);
  const cards = catalogue.faces.map((face, number) => cardEntry(face, number, catalogue));
  const list = element("ul", hasTexts ? "on-card-list has-texts" : "on-card-list", ...cards);
  openDialog({ title: "Cards", content: [element("div", "ch-table on-cards", list)], classes: "is-wide" });
}

/**
 * Show the faces that the viewer has not seen yet.
 * @param {string[]} lines
 */
export function showUnseen(lines) {
  openDialog({ title: "Cards not seen yet", content: lines.map((line) => element("p", "", line)), classes: "is-text" });
}

/**
 * Show the whole log.
 * @param {object[]} lines
 * @param {{catalogue: object}} game
 */
export function showLog(lines, { catalogue }) {
  const items = lines.map((line) => element("li", `ch-log-line ch-log-${line.kind}`,
    ...sentenceParts(line, catalogue, false), line.summary && summaryTable(line.summary)));
  const dialog = openDialog({ title: "Log", content: [element("ol", "on-log", ...items)], classes: "is-text" });
  const body = dialog.querySelector(".on-dialog-body");
  body.scrollTop = body.scrollHeight;
}

/**
 * Show the summaries of finished rounds.
 * @param {object[]} summaries
 * @param {() => void} onClose called when the dialog is closed
 * @returns {HTMLDialogElement}
 */
export function showSummaries(summaries, onClose) {
  const tables = summaries.map((summary) => element("div", "on-scroll", summaryTable(summary)));
  return openDialog({ title: "End of the round", content: tables, classes: "is-summary", buttons: [{ text: "Continue", tone: "primary" }], onClose });
}

/**
 * Ask for an action in words, and show why it is not legal.
 * @param {(text: string) => Promise<string|null>} ask
 */
export function askWhyNot(ask) {
  const field = textField("Action", { maxlength: 200, autocomplete: "off", placeholder: "the action in your own words" });
  const answer = withAttributes(element("p", "on-answer"), { "aria-live": "polite" });
  const button = withAttributes(element("button", "on-button is-primary", "Why not?"), { type: "submit" });
  const form = element("form", "on-form is-row", field, button);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const text = field.control.value.trim();
    answer.textContent = text ? (await ask(text)) ?? "The server did not answer." : "";
  });
  const help = element("p", "on-help", "You can also tap a card or a place of the table that cannot be chosen.");
  openDialog({ title: "Why can't I …?", content: [form, answer, help], classes: "is-form" });
  field.control.focus();
}

function cardEntry(face, number, catalogue) {
  const card = withAttributes(element("span", "ch-card ch-size-centre"), { "aria-hidden": "true" });
  dressCard(card, { token: -1, back: 0, face: number }, catalogue);
  const name = face.title && face.title !== face.label ? `${face.label} · ${face.title}` : face.label;
  const words = element("span", "on-card-words", element("strong", "", name), face.text && element("span", "", face.text));
  return element("li", "on-card-entry", card, words);
}
