// Areas: cards under a caption as a hand, a row, a pile, a queue, or as a number only.

import { cardItem, emptySlot } from "./cards.js";
import { element, spokenText, withAttributes, withProperties } from "./elements.js";
import { spotKey } from "./spots.js";

// Cards of a row of a hand on narrow and on wide tables: with more there are several rows.
const NARROW_ROW = 8;
const WIDE_ROW = 20;
// The last cards of a closed pile, and the first ones of a queue, in the size of the place.
const PILE_CARDS = 4;
const QUEUE_CARDS = 1;

/**
 * Return an area; `size` is that of its cards.
 * @param {{area: object, index: number}} placed
 * @param {object} context `catalogue`, `states`, `view`, `open`, `words`
 * @param {{size: string, slotText?: string, hasCaption?: boolean, isHand?: boolean}} style
 * @returns {HTMLElement}
 */
export function areaElement({ area, index }, context, style) {
  if (!cardsOf(area).length && !area.slots) return lineOfArea(area, index, context);
  const look = area.look === "pile" || area.look === "queue" ? area.look : "row";
  const box = element("div", `ch-area ch-look-${style.isHand ? "hand" : look} ch-of-${style.size}`);
  const list = LISTS[look](area, index, context, style);
  withAttributes(list, { "aria-label": areaName(area) });
  box.append(captionOf(area, index, context, style), list);
  return box;
}

/**
 * Return the caption of an area, which is its spot.
 * @param {object} area
 * @param {number} index
 * @param {object} context
 * @param {{hasCaption?: boolean}} style
 * @returns {HTMLElement}
 */
export function captionOf(area, index, context, { hasCaption = true } = {}) {
  const spot = ["area", 0, index];
  const classes = `ch-spot ch-caption ${context.states.classes(spot)}`;
  const isCounted = area.count !== cardsOf(area).length || area.count > 3;
  const button = withAttributes(
    element(
      "button",
      hasCaption || context.states.at(spot).length ? classes : `${classes} ch-spoken`,
      element("span", "ch-name", area.caption),
      isCounted && element("span", "ch-count", String(area.count)),
      area.note && element("span", "ch-note", area.note),
    ),
    { type: "button", "data-spot": spotKey(spot), "aria-label": areaName(area), tabindex: -1 },
  );
  return button;
}

/**
 * Return the name of an area for screen readers: "discarded, 12 cards".
 * @param {object} area
 * @returns {string}
 */
export function areaName(area) {
  const cards = area.count === 1 ? "1 card" : `${area.count} cards`;
  return [area.caption, area.note, area.count || !area.note ? cards : ""]
    .filter(Boolean)
    .join(", ");
}

/**
 * Return the cards of an area that are in sight.
 * @param {object} area
 * @returns {object[]}
 */
export function cardsOf(area) {
  return area.cards ?? [];
}

/**
 * Set the columns of a list of cards, for its rows on narrow and on wide tables.
 * @param {HTMLElement} list
 * @param {number} count
 * @param {number} narrow the most cards of a row on narrow tables
 * @returns {HTMLElement}
 */
export function inRows(list, count, narrow = NARROW_ROW) {
  return withProperties(list, { narrow: stepsOf(count, narrow), wide: stepsOf(count, WIDE_ROW) });
}

const LISTS = { row: rowList, pile: pileList, queue: queueList };

// Rows are of equal length; the last card of a row has a column of its own width.
function stepsOf(count, most) {
  const columns = Math.ceil(count / Math.ceil(Math.max(count, 1) / most));
  return Math.max(columns - 1, 1);
}

function lineOfArea(area, index, context) {
  const line = element("div", "ch-area ch-line", captionOf(area, index, context));
  const isMissing = area.look !== "count" && area.region === "centre" && !area.note;
  line.classList.toggle("is-empty", isMissing && area.count === 0);
  return line;
}

function rowList(area, index, context, { size, slotText = "", isHand = false }) {
  const canFade = isHand || area.seat === context.view.viewer;
  const cards = cardsOf(area).map((card) => cardItem(card, context, { area: index, canFade, size }));
  const missing = Math.max((area.slots ?? 0) - cards.length, 0);
  const slots = Array.from({ length: missing }, () => emptySlot(size, slotText));
  return inRows(element("ul", "ch-cards", ...cards, ...slots), cards.length + slots.length);
}

function pileList(area, index, context, { size }) {
  const key = pileKey(area);
  const isOpen = context.open.has(key);
  const cards = cardsOf(area);
  const buried = isOpen ? 0 : Math.max(cards.length - PILE_CARDS, 0);
  const items = cards.map((card) => cardItem(card, context, { area: index, size }));
  items.slice(0, buried).forEach((item) => item.classList.add("is-buried"));
  const list = inRows(element("ul", "ch-cards", ...items), isOpen ? items.length : PILE_CARDS);
  list.classList.toggle("is-open", isOpen);
  if (cards.length > PILE_CARDS) list.append(pileToggle(area, key, isOpen, context));
  return list;
}

function pileKey(area) {
  return `${area.caption}:${area.seat ?? ""}`;
}

function pileToggle(area, key, isOpen, context) {
  const text = isOpen ? context.words.fewer : context.words.all;
  const button = withAttributes(element("button", "ch-toggle", text, spokenText(` ${area.caption}`)), {
    type: "button",
    "aria-expanded": String(isOpen),
    "data-pile": key,
  });
  return element("li", "ch-slot ch-toggle-slot", button);
}

function queueList(area, index, context, { size }) {
  const items = cardsOf(area).map((card, number) =>
    cardItem(card, context, { area: index, size: number < QUEUE_CARDS ? size : "chip" }),
  );
  return element("ul", "ch-cards", ...items);
}
