// Lists of tables: the tables at which this browser has a seat, and the tables that everybody can see.

import { element, withAttributes } from "../../table/elements.js";
import { initialOf } from "../parts/widgets.js";

const STAGES = { open: "waiting for players", playing: "playing", over: "game over" };

/**
 * Return the listed tables as a list of links, tables with a free seat first.
 * @param {object[]} tables the tables of the lobby
 * @returns {HTMLElement}
 */
export function tableList(tables) {
  if (!tables.length) {
    return element("p", "on-empty", "There are no listed tables at the moment. You can open an unlisted table by its link.");
  }
  const rank = ({ stage, free }) => (stage === "open" && free ? 0 : 1);
  return listOf([...tables].sort((first, second) => rank(first) - rank(second)));
}

/**
 * Return tables as a list of links in the given order.
 * @param {object[]} tables entries of the lobby; `isOwn` marks the person's own tables
 * @returns {HTMLElement}
 */
export function listOf(tables) {
  return element("ul", "on-table-list", ...tables.map(tableItem));
}

/**
 * Return an item of a list of tables or games, which is a link.
 * @param {{title: string, names: string, facts: string}} words
 * @param {HTMLElement} verb says what the link does
 * @param {object} attributes of the link
 * @param {HTMLElement|null} picture
 * @returns {HTMLElement}
 */
export function linkItem({ title, names, facts }, verb, attributes, picture = null) {
  const words = element("span", "on-table-words",
    element("strong", "", title), element("span", "on-table-names", names), element("span", "on-table-facts", facts));
  return element("li", "", withAttributes(element("a", "on-table-link", picture, words, verb), attributes));
}

function tableItem(offer) {
  const { table, title, stage, names, free } = offer;
  const people = names.length ? names.join(", ") : "no players yet";
  const seats = free ? `${free} free ${free === 1 ? "seat" : "seats"}` : "full";
  const facts = [STAGES[stage] ?? stage, ...(stage === "open" ? [seats] : [])].join(" · ");
  const { text, isNear } = verbOf(offer);
  const words = { title: offer.is_lesson ? `${title}, lesson` : title, names: people, facts };
  const verb = element("span", `on-verb ${isNear ? "is-near" : ""}`, text);
  return linkItem(words, verb, { href: `/t/${encodeURIComponent(table)}` }, element("span", "on-initials", ...names.slice(0, 4).map(initialOf)));
}

function verbOf({ isOwn, is_turn: isTurn, stage, free }) {
  if (isTurn) return { text: "Your turn", isNear: true };
  if (isOwn) return { text: stage === "over" ? "Look back" : "Your seat", isNear: stage !== "over" };
  return stage === "open" && free ? { text: "Join", isNear: true } : { text: "Watch", isNear: false };
}
