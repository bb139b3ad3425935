// Texts about cards, areas and sites: names for screen readers, and the details in notes.

import { spotOf } from "./spots.js";

/** The sign of a suit; cards with a suit are drawn without their title. */
export const SUIT_GLYPH = /[^\p{L}\p{N}\p{P}\s]/u;

/**
 * Return the name of a card for screen readers: "3♥, Three of hearts, new, from Bob's hand".
 *
 * The name begins with the visible texts in their order, because voice control finds a card by them.
 * @param {object} card
 * @param {object} catalogue
 * @param {string} below the names of the visible cards below it
 * @returns {string}
 */
export function cardName(card, catalogue, below = "") {
  const copies = card.copies > 1 ? `${card.copies} cards` : "";
  return [...printedTexts(card, catalogue), copies, below, originOf(card)].filter(Boolean).join(", ");
}

function printedTexts(card, catalogue) {
  const face = faceOf(card, catalogue);
  if (!face) return [titleOfCard(card, catalogue), ...notesOfCard(card)];
  const corner = face.corner || face.short;
  const title = face.title === corner ? "" : face.title;
  const [lower, hidden] = card.foot ? [card.foot, face.detail] : [face.detail, ""];
  const isSuited = SUIT_GLYPH.test(corner);
  const label = isSuited ? corner : `${corner} ${title}`.trim();
  return [card.head, label, card.mark, lower, isSuited && title, hidden];
}

/**
 * Return the title and the lines of text on a card.
 * @param {object} card
 * @param {object} catalogue
 * @returns {{title: string, lines: string[]}}
 */
export function cardDetails(card, catalogue) {
  const face = faceOf(card, catalogue);
  const lines = [face?.detail, face?.text, notesOfCard(card).join(" · "), originOf(card)];
  return { title: titleOfCard(card, catalogue), lines: lines.filter(Boolean) };
}

/**
 * Return the face of a card, or null if only its back is visible.
 * @param {object} card
 * @param {object} catalogue
 * @returns {object|null}
 */
export function faceOf(card, catalogue) {
  return card.face === undefined || card.face === null ? null : catalogue.faces[card.face];
}

/**
 * Return the label of a site: `a1` for the first site, `e1` for the fifth site of the first row.
 * @param {number} site
 * @param {number} columns
 * @returns {string}
 */
export function siteLabel(site, columns) {
  return `${columnLabel(site % columns)}${Math.floor(site / columns) + 1}`;
}

/**
 * Return the letters of a column: `a` to `z`, then `aa`.
 * @param {number} column
 * @returns {string}
 */
export function columnLabel(column) {
  const first = Math.floor(column / 26);
  return (first ? columnLabel(first - 1) : "") + String.fromCharCode(97 + (column % 26));
}

/**
 * Return the title and the lines of text on a spot.
 * @param {string} key the spot as text
 * @param {object} view
 * @param {object} catalogue
 * @returns {{title: string, lines: string[]}|null} null if the spot itself shows all its texts
 */
export function spotDetails(key, view, catalogue) {
  const [kind, number, index] = spotOf(key);
  const area = view.areas[index];
  if (kind === "card") {
    const card = area.cards?.find(({ token }) => token === number);
    return card ? cardDetails(card, catalogue) : null;
  }
  if (kind === "seat") return seatDetails(view.players[number]);
  if (kind !== "site" || !area.stacks[number].length) return null;
  const stack = [...area.stacks[number]].reverse();
  const { title, lines } = cardDetails(stack[0], catalogue);
  const below = stack.slice(1).map((card) => shortOfCard(card, catalogue));
  const label = siteLabel(number, area.columns);
  return { title: `${label} · ${title}`, lines: below.length ? [...lines, below.join(" ")] : lines };
}

/**
 * Return the details of a spot with the lines of an answer about it below.
 * @param {{title: string, lines: string[]}|null} details
 * @param {string[]} answer
 * @returns {{title: string, lines: string[]}}
 */
export function withAnswer(details, answer) {
  if (!details) return { title: answer[0], lines: answer.slice(1) };
  return { title: details.title, lines: [...details.lines, ...answer] };
}

/**
 * Return the short name of a card, or the notation of its back if its face is not visible.
 * @param {object} card
 * @param {object} catalogue
 * @returns {string}
 */
export function shortOfCard(card, catalogue) {
  return faceOf(card, catalogue)?.short ?? catalogue.backs[card.back].unknown;
}

function seatDetails({ name, bot = "", score = "", badges = [] }) {
  const lines = [bot, [score, ...badges].filter(Boolean).join(" · ")];
  return { title: name, lines: lines.filter(Boolean) };
}

function titleOfCard(card, catalogue) {
  const face = faceOf(card, catalogue);
  if (!face) return capital(catalogue.backs[card.back].title);
  // The corner matters in the game, so the label includes it even if the card has a title.
  const corner = face.corner || face.short;
  if (face.title.includes(corner)) return face.title;
  return corner === face.label
    ? `${face.title}, ${corner}`
    : `${corner} ${face.title}`;
}

function notesOfCard(card) {
  return [card.head, card.mark, card.foot].filter(Boolean);
}

function originOf(card) {
  if (!card.is_new) return "";
  return card.origin ? `new, ${card.origin}` : "new";
}

function capital(text) {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
