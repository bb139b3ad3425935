// Choices that take numbers of several things: one button opens a menu that asks for each number.

import { capitalized } from "./actions.js";
import { element, withAttributes } from "./elements.js";

/**
 * Return the menu that asks for the numbers; each press keeps them within what is legal.
 * @param {import("./spots.js").Choice[]} choices
 * @param {object} words
 * @returns {HTMLElement}
 */
export function countsMenu(choices, words) {
  const menu = withAttributes(element("div", "ch-menu ch-counts"), { role: "group", "aria-label": words.choose });
  const draw = (choice) => menu.replaceChildren(...countRows(choice, choices), countsButton(choice));
  menu.addEventListener("click", (event) => {
    const { countOf: name, count } = event.target.closest("[data-count]")?.dataset ?? {};
    if (name === undefined) return;
    // The pressed button leaves the page, and a press outside of the menu would close it.
    event.stopPropagation();
    const present = choices.find(({ action }) => action === Number(menu.querySelector("[data-action]").dataset.action));
    draw(nearestCounts(choices.filter(({ counts }) => counts[name] === Number(count)), present));
    menu.querySelector(`[data-count-of="${CSS.escape(name)}"][data-count="${count}"]`)?.focus();
  });
  draw(choices.reduce((best, choice) => (totalOf(choice) > totalOf(best) ? choice : best)));
  return menu;
}

function countRows(choice, choices) {
  return Object.keys(choice.counts).map((name) => {
    const numbers = [...new Set(choices.map(({ counts }) => counts[name]))].sort((first, second) => first - second);
    const buttons = numbers.map((number) => withAttributes(element("button", "ch-button", String(number)), {
      type: "button", "data-count-of": name, "data-count": number, "aria-pressed": String(choice.counts[name] === number),
    }));
    const row = element("div", "ch-count-row", element("span", "ch-group-verb", capitalized(name)), ...buttons);
    return withAttributes(row, { role: "group", "aria-label": name });
  });
}

function countsButton({ action, name }) {
  return withAttributes(element("button", "ch-button is-primary", capitalized(name)), { type: "button", "data-action": action });
}

// Return the choice whose other numbers change least; of these, the one that takes most.
function nearestCounts(choices, present) {
  const change = ({ counts }) => Object.keys(counts).reduce((all, name) => all + Math.abs(counts[name] - present.counts[name]), 0);
  return choices.reduce((best, choice) => {
    const difference = change(choice) - change(best);
    return difference < 0 || (difference === 0 && totalOf(choice) > totalOf(best)) ? choice : best;
  });
}

function totalOf({ counts }) {
  return Object.values(counts).reduce((all, number) => all + number, 0);
}
