// Cards: faces have a corner, an emblem, a title, a detail and a text; backs have a letter and a pattern.

import { artOf } from "./art.js";
import { SUIT_GLYPH, cardName, faceOf } from "./descriptions.js";
import { drawing, element, withAttributes, withProperties } from "./elements.js";
import { spotKey } from "./spots.js";

/** The number of patterns of backs; the index of a back chooses its pattern. */
export const BACK_PATTERNS = 8;

// A text longer than this leaves no room for a drawing below the title.
const LONG_TEXT = 40;
// A word of a head from this length on is condensed on a small card.
const LONG_WORD_OF_HEAD = 6;
// Each colour has its own shape, because colour alone must not distinguish cards.
const EMBLEMS = {
  white: "M12 2.5 14.4 9l6.9.3-5.4 4.3 1.9 6.7-5.8-3.8-5.8 3.8 1.9-6.7L2.7 9.3 9.6 9Z",
  blue: "M12 2c4 5.2 6.5 8.4 6.5 12a6.5 6.5 0 0 1-13 0C5.5 10.4 8 7.2 12 2Z",
  violet: "M12 2 20 12 12 22 4 12Z",
  red: "M12 2c.6 4 5.8 6.3 5.8 12.200A5.8 5.8 0 0 1 12 22a5.8 5.8 0 0 1-5.8-5.800c0-3 1.6-4.5 2.5-6.3 1 .7 1.5 1.6 1.6 2.700C11.8 10 11.3 6 12 2Z",
  yellow: "M12 2.5 21 8v8l-9 5.500L3 16V8Z",
  green: "M20.5 3.500C10 3 4 7.5 4 14c0 2 .6 3.7 1.5 5L4 21l1.3 1 2-2c1.3.6 2.8.9 4.2.7C18.5 20 21 12.5 20.5 3.500Z",
  cyan: "M12 3a9 9 0 1 0 9 9c-5 1-10-3.5-9-9Z",
  grey: "M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16Zm0 3.500a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9Z",
};

/**
 * Return a card as an item of a list, with a button that is its spot.
 * @param {object} card
 * @param {object} context `catalogue`, `states`
 * @param {{area: number, canFade?: boolean, size: string, isTab?: boolean}} place
 * @returns {HTMLElement}
 */
export function cardItem(card, context, { area, canFade = false, size }) {
  const spot = ["card", card.token, area];
  const classes = `ch-spot ch-card ch-size-${size} ${context.states.classes(spot, canFade)}`;
  const button = withAttributes(element("button", classes), {
    type: "button",
    "data-spot": spotKey(spot),
    "data-token": card.token,
    "aria-label": cardName(card, context.catalogue),
    tabindex: -1,
  });
  button.classList.toggle("is-in-beat", Boolean(card.is_new && context.view.is_beat));
  dressCard(button, card, context.catalogue, size === "chip");
  return element("li", "ch-slot", button);
}

/**
 * Draw a card into an element: its colour, and its face or back. A chip shows the corner only.
 * @param {HTMLElement} button
 * @param {object} card
 * @param {object} catalogue
 * @param {boolean} isChip
 */
export function dressCard(button, card, catalogue, isChip = false) {
  const face = faceOf(card, catalogue);
  button.classList.add(...(face ? faceClasses(face) : backClasses(card, catalogue)));
  const parts = isChip ? chipParts : face ? faceParts : backParts;
  // Spaces separate the texts for voice control; in a flex container they have no width.
  button.append(...parts(card, catalogue).flatMap((part, n) => (n ? [" ", part] : [part])));
  if (card.copies > 1) button.append(hidden([drawnText("ch-copies", `×${card.copies}`)])[0]);
  if (card.is_new) button.append(element("span", "ch-new"));
}

/**
 * Return an empty place of a card that is expected.
 * @param {string} size
 * @param {string} text
 * @returns {HTMLElement}
 */
export function emptySlot(size, text = "") {
  const outline = withAttributes(element("span", `ch-outline ch-size-${size}`, text), {
    "aria-hidden": "true",
  });
  return element("li", "ch-slot", outline);
}

function faceClasses(face) {
  const glyph = SUIT_GLYPH.exec(face.corner ?? "");
  const isNamed = Boolean(face.corner) && face.corner !== face.short;
  return [
    "ch-face",
    `ch-c-${face.colour}`,
    ...(glyph ? ["is-suited"] : []),
    ...(isNamed ? ["is-named"] : []),
    ...(face.text ? ["has-text"] : []),
    ...(face.detail ? ["has-detail"] : []),
    ...(face.text?.length > LONG_TEXT ? ["is-wordy"] : []),
    ...(face.art?.length ? ["has-art"] : []),
    ...(face.title === face.label ? ["is-titled"] : []),
  ];
}

function chipParts(card, catalogue) {
  const face = faceOf(card, catalogue);
  return hidden([face ? cornerOf(face) : letterPart(card, catalogue)]);
}

function cornerOf(face) {
  const corner = face.corner || face.short;
  return cornerPart(corner, SUIT_GLYPH.exec(corner)?.[0]);
}

function faceParts(card, catalogue) {
  const face = faceOf(card, catalogue);
  const corner = face.corner || face.short;
  const glyph = SUIT_GLYPH.exec(corner)?.[0];
  const drawings = artOf(face, catalogue);
  const title = face.title === corner ? "" : face.title;
  return hidden([
    !drawings && emblemPart(face, glyph),
    card.head && element("span", headClasses(card.head), card.head),
    cornerOf(face),
    title && titlePart(title),
    drawings && element("span", "ch-drawn", ...drawings),
    face.text && drawnText("ch-text", face.text),
    card.mark && drawnText("ch-mark", card.mark),
    footPart(face, card),
  ]);
}

function headClasses(head) {
  return head.split(" ").some((word) => word.length >= LONG_WORD_OF_HEAD) ? "ch-head is-long" : "ch-head";
}

function emblemPart(face, glyph) {
  if (glyph) return element("span", "ch-art ch-glyph", glyph);
  const path = EMBLEMS[face.colour] ?? EMBLEMS.grey;
  return element("span", "ch-art", drawing("ch-emblem", path));
}

function cornerPart(corner, glyph) {
  if (!glyph) return withProperties(element("span", "ch-corner", corner), { long: corner.length });
  const value = corner.replace(glyph, "");
  return element("span", "ch-corner", value, element("span", "ch-suit", glyph));
}

// The longest word of a title determines its font size.
function titlePart(title) {
  const longest = Math.max(...title.split(/[\s-]+/).map((word) => word.length));
  return withProperties(element("span", "ch-title", hyphenated(title)), { word: longest, long: title.length });
}

// Soft hyphens split long words between consonants, at least three letters from either end.
const CONSONANTS = /(?:ck|[cgpst]h|[bcdfghjklmnpqrstvwxz])/gi;
const CLUSTER = /([aeiouy])((?:ck|[cgpst]h|[bcdfghjklmnpqrstvwxz]){2,})(?=[aeiouy])/gi;
const LONG_WORD = 8;
const LEAST_PART = 3;

function hyphenated(title) {
  return title.split(" ").map((word) => (word.length < LONG_WORD ? word : parted(word))).join(" ");
}

function parted(word) {
  return word.replace(CLUSTER, (part, vowel, cluster, place) => {
    const units = cluster.match(CONSONANTS);
    if (units.length < 2) return part;
    const cut = vowel.length + units.slice(0, Math.floor(units.length / 2)).join("").length;
    const isFar = place + cut >= LEAST_PART && word.length - place - cut >= LEAST_PART;
    return isFar ? `${part.slice(0, cut)}\u00ad${part.slice(cut)}` : part;
  });
}

function footPart(face, card) {
  if (card.foot) return drawnText("ch-foot", card.foot);
  return face.detail ? withProperties(drawnText("ch-detail", face.detail), { long: face.detail.length }) : null;
}

function backClasses(card, catalogue) {
  const pattern = card.back % BACK_PATTERNS;
  return ["ch-back", `ch-c-${catalogue.backs[card.back].colour}`, `ch-pattern-${pattern}`];
}

function backParts(card, catalogue) {
  const drawings = artOf(catalogue.backs[card.back], catalogue);
  return hidden([
    drawings && element("span", "ch-motif", ...drawings),
    letterPart(card, catalogue),
    card.head && drawnText(headClasses(card.head), card.head),
    card.mark && drawnText("ch-mark", card.mark),
    card.foot && drawnText("ch-foot", card.foot),
  ]);
}

// The letter distinguishes backs, so a game with a single back does not need it.
function letterPart({ back }, { backs }) {
  return backs.length > 1 ? element("span", "ch-letter", backs[back].letter) : null;
}

// The style sheet draws texts below the title and texts of backs from `data-text`. Voice control needs
// a label that begins with the visible texts, and these texts are visible only if there is room.
function drawnText(classes, text) {
  return withAttributes(element("span", classes), { "data-text": text });
}

function hidden(parts) {
  return parts
    .filter(Boolean)
    .map((part) => withAttributes(part, { "aria-hidden": "true" }));
}
