// The bar above a table: game, phase, status, and the prompt with the player to act.

import { capitalized } from "./actions.js";
import { element, withAttributes } from "./elements.js";

/**
 * Return the parts of the header.
 * @param {object} view
 * @param {{coming: {text: string}|null, news: string, busy?: {player: string, since: string}|null, words: object, tools?: HTMLElement|null}} extras
 * @returns {HTMLElement[]}
 */
export function headerParts(view, { coming, news, busy = null, words, tools = null }) {
  const title = element("h2", "ch-title-of-game", view.title);
  const status = statusText(view);
  // A game that is over has no phase.
  const hasPhases = view.phases?.length && !view.is_over;
  const facts = [hasPhases && phaseList(view), status && element("span", "ch-status", status)];
  // No paragraph: at the end of a game it is two bold words, which would pass for a heading.
  const prompt = element("div", "ch-prompt", ...promptParts(view, words), busy && busyElement(busy));
  prompt.classList.toggle("is-own", isOwnTurn(view));
  prompt.classList.toggle("is-busy", Boolean(busy));
  const parts = [title, element("div", "ch-facts", ...facts), prompt];
  if (coming?.text) parts.push(element("p", "ch-coming", coming.text));
  else if (news) parts.push(element("p", "ch-news", news));
  // The tools are the same node in every view, so they keep the focus.
  return [element("div", "ch-header-words", ...parts), tools].filter(Boolean);
}

/**
 * Return the player to act and the prompt as one sentence.
 * @param {object} view
 * @param {object} words
 * @returns {string}
 */
export function turnText(view, words) {
  const actor = actorText(view, words);
  return [actor, view.prompt].filter(Boolean).join(": ");
}

function promptParts(view, words) {
  const actor = actorText(view, words);
  const text = view.is_over ? "" : capitalized(view.prompt);
  const isNamed = actor && text && !isOwnTurn(view);
  // A sentence that is strong as a whole would look like a heading without being one.
  const tag = text ? "strong" : "span";
  return [
    actor && element(tag, "ch-actor", isNamed ? `${actor}:` : actor),
    " ",
    text && element("span", "", text),
  ];
}

// It covers the prompt, which keeps its room: the table does not move while a bot thinks.
function busyElement({ player, since }) {
  return element("span", "ch-busy", element("strong", "ch-busy-player", player), element("span", "", since));
}

function actorText(view, words) {
  if (view.is_over) return words.over;
  // The sentence about a beat names its player.
  if (view.is_beat || view.to_act < 0) return "";
  // The sentence about an own choice names those who have yet to choose.
  if ((view.choices ?? []).some((choice) => choice.is_chosen)) return "";
  return isOwnTurn(view) ? words.yourTurn : view.players[view.to_act].name;
}

function isOwnTurn(view) {
  return !view.is_over && !view.is_beat && view.to_act === view.viewer;
}

// A finished game of `round 10` has the status `10 rounds`, which says the same.
function statusText({ chapter = "", status = "" }) {
  const [noun, number] = chapter.split(" ");
  if (number && status.startsWith(`${number} ${noun}`)) return status;
  return status.includes(chapter) ? status : [chapter, status].filter(Boolean).join(" · ");
}

function phaseList(view) {
  const items = view.phases.map((phase) =>
    withAttributes(element("li", "ch-phase", phase), {
      "aria-current": phase === view.phase ? "step" : null,
    }),
  );
  return element("ol", "ch-phases", ...items);
}
