// Sentences with cards in them: a card is a chip with its drawing, and tells about itself.

import { artOf } from "./art.js";
import { dressCard } from "./cards.js";
import { element, withAttributes } from "./elements.js";

/**
 * Return a line of the log as texts and chips; a chip that can be asked is a button.
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
 * Return the face of a chip as a large card with its texts, for a note.
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

function mentionOf([kind, number, text], catalogue, canAsk) {
  const face = catalogue.faces[number];
  if (kind !== "card" || !face) return null;
  const drawings = artOf(face, catalogue);
  const icon = drawings && withAttributes(element("span", "ch-icon", ...drawings), {
    "aria-hidden": "true",
  });
  const chip = element(canAsk ? "button" : "span", `ch-mention ch-c-${face.colour}`, icon, text);
  const button = canAsk ? { type: "button", tabindex: -1 } : {};
  return withAttributes(chip, { "data-face": number, ...button });
}
