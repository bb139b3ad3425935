// Buttons of choices without a spot on the table, undo, and the menu of a spot with several choices.

import { element, spokenText, withAttributes } from "./elements.js";
import { spotKey } from "./spots.js";

// At least this number of buttons with the same verb form a group.
const LEAST_GROUP = 3;

/**
 * Return the buttons of a view: the choices that have no spot on the table, and undo.
 * @param {object} context
 * @returns {HTMLElement|null} null if there are no buttons
 */
export function actionsElement(context) {
  const { view, words, canUndo } = context;
  const choices = (view.choices ?? []).filter((choice) => isButton(choice, context));
  const buttons = byVerb(choices).flatMap((group) => buttonsOf(group, context));
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
 * Return the question that follows the first press of a costly choice; a second press confirms it.
 * @param {import("./spots.js").Choice} choice
 * @param {object} words
 * @returns {HTMLElement}
 */
export function confirmation(choice, words) {
  const name = capitalized(choice.name);
  const yes = withAttributes(element("button", "ch-button is-costly", name), {
    type: "button",
    "data-confirmed": choice.action,
    "data-action": choice.listed ?? choice.action,
    ...(choice.amount === undefined ? {} : { "data-amount": choice.amount }),
  });
  const no = withAttributes(element("button", "ch-button", words.cancel), { type: "button", "data-cancel": "" });
  const title = element("strong", "ch-question", words.confirm);
  return withAttributes(element("div", "ch-menu", title, element("p", "", words.isFinal), yes, no), {
    role: "group",
    "aria-label": `${words.confirm} ${name}`,
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

// Group consecutive choices with the same verb.
function byVerb(choices) {
  const groups = [];
  for (const choice of choices) {
    const last = groups.at(-1);
    if (last?.[0].verb === choice.verb) last.push(choice);
    else groups.push([choice]);
  }
  return groups;
}

// A group shows its verb once, before the buttons.
function buttonsOf(group, context) {
  if (hasCounts(group)) return [countedButton(group, context)];
  const isList = group.length >= LEAST_GROUP && group.every((choice) => choice.object);
  if (!isList) return group.map((choice) => choiceButton(choice, context, true));
  const verb = withAttributes(element("span", "ch-group-verb", capitalized(group[0].verb)), {
    "aria-hidden": "true",
  });
  const buttons = group.map((choice) => choiceButton(choice, context, false));
  return [element("div", "ch-button-group", verb, ...buttons)];
}

function hasCounts(group) {
  return group.length >= LEAST_GROUP && group.every(({ counts }) => counts && Object.keys(counts).length > 1);
}

// One button for choices that take numbers of several things; it opens the menu that asks for the numbers.
function countedButton(group, { words, states }) {
  const [{ verb, spots }] = group;
  const rank = states.hints.findIndex((hint) => group.some(({ action }) => action === hint)) + 1;
  const classes = `ch-spot ch-button is-final is-legal ${rank ? `is-hinted is-hint-${rank}` : ""}`;
  return withAttributes(element("button", classes, `${capitalized(verb)} …`, spokenText(` ${words.choose}`)), {
    type: "button", "data-spot": spotKey(spots[0]), "data-counts": verb, "aria-haspopup": "true", tabindex: -1,
  });
}

// Areas in the hand or before a seat are too small to click, so their choices are buttons.
function isButton(choice, { placed }) {
  return choice.spots.every(([kind, , index]) => {
    const region = kind === "area" ? placed[index].region : "";
    return kind === "button" || region === "hand" || region === "front";
  });
}

function choiceButton(choice, { words, states }, hasVerb) {
  const spot = choice.spots.find(([kind]) => kind === "button") ?? choice.spots[0];
  const button = withAttributes(
    element(
      "button",
      `ch-spot ch-button ${toneClass(choice)} ${choice.amounts ? "has-amounts" : ""} ${states.classes(spot)}`,
      element("span", hasVerb ? "ch-verb" : "ch-spoken", `${capitalized(choice.verb)} `),
      choice.object && element("span", "ch-object", choice.object),
      choice.can_undo && spokenText(`, ${words.canUndo}`),
    ),
    { type: "button", "data-spot": spotKey(spot), "data-action": choice.action, tabindex: -1 },
  );
  return button;
}

// Choices that can be undone are outlined, except the choice that usually continues the turn.
function toneClass({ tone = "plain", can_undo: canUndo }) {
  if (tone !== "plain") return `is-${tone}`;
  return canUndo ? "" : "is-final";
}

function undoButton(words) {
  return withAttributes(element("button", "ch-button ch-undo", words.undo), { type: "button" });
}
