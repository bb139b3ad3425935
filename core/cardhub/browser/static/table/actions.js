// Buttons of choices without a spot on the table, undo, and the menu of a spot with several choices.

import { element, spokenText, withAttributes } from "./elements.js";
import { spotKey } from "./spots.js";

/**
 * Return the buttons of a view: choices that are not made on the table, and undo.
 * @param {object} context
 * @returns {HTMLElement|null} null without any
 */
export function actionsElement(context) {
  const { view, words, canUndo } = context;
  const buttons = (view.choices ?? [])
    .filter((choice) => isButton(choice, context))
    .map((choice) => choiceButton(choice, words));
  if (view.can_undo && canUndo) buttons.push(undoButton(words));
  if (!buttons.length) return null;
  return withAttributes(element("div", "ch-actions", ...buttons), {
    role: "group",
    "aria-label": words.actions,
  });
}

/**
 * Return the menu of a spot at which several actions can be chosen.
 * @param {import("./spots.js").Choice[]} choices
 * @param {object} words
 * @returns {HTMLElement}
 */
export function choiceMenu(choices, words) {
  const items = choices.map((choice) =>
    withAttributes(element("button", "ch-button", capitalized(choice.name)), {
      type: "button",
      "data-action": choice.action,
    }),
  );
  return withAttributes(element("div", "ch-menu", ...items), {
    role: "group",
    "aria-label": words.choose,
  });
}

/**
 * Return a text with a capital first letter.
 * @param {string} text
 * @returns {string}
 */
export function capitalized(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

// Areas of the hand and before a seat have hardly any room to be pointed at.
function isButton(choice, { placed }) {
  return choice.spots.every(([kind, , index]) => {
    const region = kind === "area" ? placed[index].region : "";
    return kind === "button" || region === "hand" || region === "front";
  });
}

function choiceButton(choice, words) {
  const spot = choice.spots.find(([kind]) => kind === "button") ?? choice.spots[0];
  const button = withAttributes(
    element(
      "button",
      `ch-spot ch-button ${choice.can_undo ? "" : "is-final"}`,
      element("span", "ch-verb", capitalized(choice.verb)),
      choice.object && element("span", "ch-object", choice.object),
      choice.can_undo && spokenText(`, ${words.canUndo}`),
    ),
    { type: "button", "data-spot": spotKey(spot), "data-action": choice.action, tabindex: -1 },
  );
  return button;
}

function undoButton(words) {
  return withAttributes(element("button", "ch-button ch-undo", words.undo), { type: "button" });
}
