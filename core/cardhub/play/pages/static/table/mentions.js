// Sentences that mention cards: each card is a chip with its drawing, and a note shows the card's texts.

import { artOf } from "./art.js";
import { dressCard } from "./cards.js";
import { element, withAttributes } from "./elements.js";

/**
 * Return a line of the log as texts and chips; with `canAsk` the chips are buttons.
 * @param {{text: string, parts?: Array<string|[string, number, string]>}} line
 * @param {object} catalogue
 * @param {boolean} canAsk
 * @returns {Node[]}
 */
export function sentenceParts({ text, parts = [] }, catalogue, canAsk) {
  if (!parts.length) return [document.createTextNode(text)];
  return parts.map((part) =>
    typeof part === "string"
      ? document.createTextNode(part)
      : mentionOf(part, catalogue, canAsk) ?? document.createTextNode(part[2]),
  );
}

/**
 * Return a note on a chip: its face as a large card, and the face's texts.
 * @param {HTMLElement} chip
 * @param {object} catalogue
 * @returns {HTMLElement}
 */
export function faceNote(chip, catalogue) {
  const number = Number(chip.dataset.face);
  const face = catalogue.faces[number];
  const card = element("span", "ch-card ch-size-note");
  dressCard(card, { token: -1, back: 0, face: number }, catalogue);
  const lines = [face.detail, face.text].filter(Boolean).map((line) => element("p", "", line));
  const texts = element("div", "", element("strong", "", face.title), ...lines);
  return element("div", "ch-face-note", card, texts);
}

/**
 * Return a face as a chip: its drawing, and its label or `text`.
 * @param {number} number the index of the face
 * @param {object} catalogue
 * @param {{text?: string, canAsk?: boolean}} options with `canAsk` the chip is a button
 * @returns {HTMLElement}
 */
export function faceChip(number, catalogue, { text, canAsk = false } = {}) {
  const face = catalogue.faces[number];
  const drawings = artOf(face, catalogue);
  const icon = drawings && withAttributes(element("span", "ch-icon", ...drawings), {
    "aria-hidden": "true",
  });
  const classes = `ch-mention ch-c-${face.colour}`;
  const chip = element(canAsk ? "button" : "span", classes, icon, text ?? face.label);
  const button = canAsk ? { type: "button", tabindex: -1 } : {};
  return withAttributes(chip, { "data-face": number, ...button });
}

function mentionOf([kind, number, text], catalogue, canAsk) {
  if (kind !== "card" || !catalogue.faces[number]) return null;
  return faceChip(number, catalogue, { text, canAsk });
}
