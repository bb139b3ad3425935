// Areas: a caption and its cards, drawn as a hand, a row, a column, a pile, a queue or a number.

import { cardItem, emptySlot } from "./cards.js";
import { faceOf, SUIT_GLYPH } from "./descriptions.js";
import { element, spokenText, withAttributes, withProperties } from "./elements.js";
import { spotKey } from "./spots.js";

// The most cards in one row on narrow, on very narrow and on wide tables; more cards take several rows.
const NARROW_ROW = 8;
const SLIM_ROW = 7;
const WIDE_ROW = 20;
// Cards of the viewer's seat and of an only opponent have the whole width, and backs that look alike need no room for labels.
const DENSE_ROW = 14;
// On narrow tables, the letters of backs are readable with this number of cards in a row of a seat, by the number of other seats.
const LETTERED_ROWS = [NARROW_ROW, DENSE_ROW, NARROW_ROW, 6, 5];
/** The number of backs with letters up to which a seat takes further rows; the rows of more cards are closer, not more. */
export const MOST_LETTERS = 13;
// Labels from this length on need most of a covered card; a narrow table then shows two cards of a pile.
const LONG_LABEL = 3;
const LONG_PILE_CARDS = 2;
// A row with room for at most this number of cards keeps this room.
const MOST_ROOM = 5;
// The number of cards of a closed pile that are drawn, counted from its top.
const PILE_CARDS = 4;
// The number of cards at the head of a queue that are drawn large; later cards are chips.
const QUEUE_CARDS = 1;
// A closed queue shows later cards on wide tables only.
const NEAR_CARDS = 7;

/**
 * Return an area; `size` is the size of its cards.
 * @param {{area: object, index: number}} placed
 * @param {object} context `catalogue`, `states`, `view`, `open`, `words`
 * @param {{size: string, slotText?: string, hasCaption?: boolean, isHand?: boolean}} style
 * @returns {HTMLElement}
 */
export function areaElement({ area, index }, context, style) {
  // An empty place stays in sight, and so does a hand that will have cards again.
  const isPlace = ["centre", "column"].includes(style.size) && area.look !== "count";
  const isEmptyPlace = isPlace || (style.isHand && area.room > 0 && !context.view.is_over);
  if (!cardsOf(area).length && !area.slots && !isEmptyPlace) {
    return lineOfArea(area, index, context, style);
  }
  const look = area.look in LISTS && !(area.look === "column" && style.size === "mini") ? area.look : "row";
  const box = element("div", `ch-area ch-look-${style.isHand ? "hand" : look} ch-of-${style.size}`);
  const list = LISTS[look](area, index, context, style);
  withAttributes(list, { role: "list", "aria-label": areaName(area) });
  const caption = element("div", "ch-captions", captionOf(area, index, context, style));
  caption.append(...togglePart(area, context, style.size));
  box.append(caption, list);
  // If the area can be chosen, all of it reacts to the pointer, not only its caption.
  box.classList.toggle("is-legal", context.states.at(["area", 0, index]).length > 0);
  return withAttributes(box, { "data-area": spotKey(["area", 0, index]) });
}

/**
 * Return the caption of an area: the button that stands for the area's spot.
 * @param {object} area
 * @param {number} index
 * @param {object} context
 * @param {{hasCaption?: boolean}} style
 * @returns {HTMLElement}
 */
export function captionOf(area, index, context, { hasCaption = true } = {}) {
  const spot = ["area", 0, index];
  const classes = `ch-spot ch-caption ${context.states.classes(spot)}`;
  const cards = cardsOf(area);
  // A row of cards that all see needs no number, which could be read as a card.
  // Neither does a column, in which all cards are in sight.
  const isOpenRow = area.look === "row" && cards.every((card) => faceOf(card, context.catalogue));
  const listed = cards.reduce((sum, { copies = 1 }) => sum + copies, 0);
  const isCounted = area.count !== listed || (area.count > 1 && !isOpenRow && area.look !== "column");
  const button = withAttributes(
    element(
      "button",
      hasCaption || context.states.at(spot).length ? classes : `${classes} is-quiet`,
      element("span", "ch-name", area.caption),
      " ",
      element("span", isCounted ? "ch-count" : "ch-spoken", String(area.count)),
      spokenText(area.count === 1 ? " card " : " cards "),
      area.note && element("span", "ch-note", ...noteParts(area.note)),
    ),
    { type: "button", "data-spot": spotKey(spot), tabindex: -1 },
  );
  return button;
}

// A number at the end is a separate element, because the style sheet reserves the width of two digits for it.
function noteParts(note) {
  const [number] = note.match(/\d+$/) ?? [];
  return number ? [note.slice(0, -number.length), element("span", "ch-number", number)] : [note];
}

/**
 * Return whether an area is a line of text, with a note but without caption and cards.
 * @param {object} area
 * @returns {boolean}
 */
export function isText({ caption, note, count, slots }) {
  return Boolean(note) && !caption.trim() && !count && !slots;
}

/**
 * Return lines of text, which may form a drawing in characters. Blank lines at the end are dropped.
 * @param {object[]} areas
 * @returns {HTMLElement}
 */
export function textElement(areas) {
  const lines = areas.map(({ note }) => note);
  const count = lines.findLastIndex((line) => line.trim()) + 1;
  return element("div", "ch-texts", ...lines.slice(0, count).map((line) => element("div", "", line)));
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
 * Return the cards of an area that the view lists.
 * @param {object} area
 * @returns {object[]}
 */
export function cardsOf(area) {
  return area.cards ?? [];
}

/**
 * Set how many columns a list of cards has on very narrow, narrow and wide tables.
 * @param {HTMLElement} list
 * @param {number} count
 * @param {number} narrow the most cards in a row on narrow tables
 * @returns {HTMLElement}
 */
export function inRows(list, count, narrow = NARROW_ROW) {
  list.classList.toggle("is-single", count === 1);
  list.classList.toggle("is-stacked", count > narrow);
  const slim = stepsOf(count, Math.min(narrow, SLIM_ROW));
  return withProperties(list, { narrow: stepsOf(count, narrow), slim, wide: stepsOf(count, WIDE_ROW) });
}

// A closed pile or queue shows at most this number of cards.
const CLOSED = { pile: PILE_CARDS, queue: NEAR_CARDS };
const LISTS = { row: rowList, column: columnList, pile: pileList, queue: queueList };

// Rows have equal length. The last card of a row is not overlapped, so it is not counted as a step.
function stepsOf(count, most) {
  const columns = Math.ceil(count / Math.ceil(Math.max(count, 1) / most));
  return Math.max(columns - 1, 1);
}

function lineOfArea(area, index, context, style) {
  const caption = captionOf(area, index, context, style);
  // A stack keeps its place when its last card is gone.
  const isStack = style.size === "centre" && (area.count > 0 || (area.look === "count" && !area.note));
  if (isStack) caption.append(stackPicture(area, context.catalogue));
  return element("div", isStack ? "ch-area ch-deck" : "ch-area ch-line", caption);
}

// The view only counts these cards: their back is known only if the game has a single back.
function stackPicture(area, { backs }) {
  if (!area.count) return withAttributes(element("span", "ch-outline ch-size-centre ch-deck-card"), { "aria-hidden": "true" });
  const picture = element("span", "ch-card ch-size-centre ch-back ch-deck-card");
  const colour = backs.length === 1 ? backs[0].colour : "grey";
  picture.classList.add(`ch-c-${colour}`, backs.length === 1 ? "ch-pattern-0" : "ch-pattern-none");
  picture.classList.toggle("is-thick", area.count > 1);
  return withAttributes(picture, { "aria-hidden": "true" });
}

function rowList(area, index, context, { size, slotText = "", isHand = false }) {
  // Cards that cannot be chosen are faint only if another card of the hand can be chosen.
  const isLegal = ({ token }) => context.states.at(["card", token, index]).length > 0;
  const place = { area: index, canFade: isHand && cardsOf(area).some(isLegal), size };
  const cards = cardsOf(area).map((card) => cardItem(card, context, place));
  const expected = area.slots || Number(!cards.length);
  const missing = Math.max(expected - cards.length, 0);
  const slots = Array.from({ length: missing }, () => emptySlot(size, slotText));
  const room = knownRoom(area);
  const list = withProperties(element("ul", room ? "ch-cards has-room" : "ch-cards", ...cards, ...slots), { room });
  if (size === "mini") withProperties(list, { label: longestLabel(context.catalogue) });
  const areBacks = size === "mini" && cardsOf(area).every(({ face }) => face === undefined || face === null);
  const isAlike = areBacks && new Set(cardsOf(area).map(({ back }) => back)).size === 1;
  // Backs have letters if there are several; a row of faces among them has other labels.
  const isLettered = areBacks && context.catalogue.backs.length > 1;
  list.classList.toggle("is-lettered", isLettered);
  list.classList.toggle("is-alike", isAlike);
  list.classList.toggle("is-mixed", size === "mini" && isMixed(cardsOf(area), context.catalogue));
  const others = context.view.players.length - 1;
  const isDense = isAlike || (size === "front" && others === 1) || (size === "mini" && (others === 1 || area.seat === context.view.own));
  const count = cards.length + slots.length;
  return inRows(list, count, isLettered ? letteredRow(count, others) : isDense ? DENSE_ROW : NARROW_ROW);
}

function letteredRow(count, others) {
  const most = LETTERED_ROWS[Math.min(others, LETTERED_ROWS.length - 1)];
  return Math.max(most, Math.ceil(count / Math.ceil(MOST_LETTERS / most)));
}

// If a seat shows a few faces among hidden cards, they come last, and the last of two rows shows them all.
function isMixed(cards, catalogue) {
  const known = cards.filter((card) => faceOf(card, catalogue)).length;
  return known > 0 && 2 * known < cards.length;
}

function columnList(area, index, context, { size }) {
  const cards = cardsOf(area).map((card) => cardItem(card, context, { area: index, size }));
  return element("ul", "ch-cards", ...(cards.length ? cards : [emptySlot(size)]));
}

function pileList(area, index, context, { size }) {
  const isOpen = context.open.has(pileKey(area));
  const cards = cardsOf(area);
  const buried = isOpen ? 0 : Math.max(cards.length - PILE_CARDS, 0);
  const items = cards.map((card) => cardItem(card, context, { area: index, size }));
  items.at(-1)?.classList.add("is-top");
  items.slice(0, buried).forEach((item) => item.classList.add("is-buried"));
  if (!items.length) items.push(emptySlot(size));
  const inSight = isOpen ? items.length : Math.min(items.length, PILE_CARDS);
  const list = inRows(element("ul", "ch-cards", ...items), inSight);
  list.classList.toggle("is-open", isOpen);
  // Whatever cards come, a pile keeps its width.
  const label = longestLabel(context.catalogue);
  list.classList.toggle("has-long-labels", label >= LONG_LABEL);
  return withProperties(list, { label });
}

/**
 * Return the width of an area of the centre in card widths, with its caption and the gap beside it. It stays the same while
 * cards come and go.
 * @param {object} area
 * @param {object} catalogue
 * @returns {number}
 */
export function centreWidth(area, catalogue) {
  const { look, slots = 0, cards = [] } = area;
  const shown = Math.max(cards.length, slots, knownRoom(area), 1);
  if (look === "pile") return 1.9 + (PILE_CARDS - 1) * Math.min(Math.max(0.48, 0.26 + 0.165 * longestLabel(catalogue)), 1);
  if (look === "queue") return shown > 1 ? 3.6 : 1.9;
  return look === "count" ? 1.9 : Math.max(shown + 0.6, 1.9);
}

function knownRoom({ room = 0 }) {
  return room <= MOST_ROOM ? room : 0;
}

// The length of the longest corner of a card. A suit is below its rank.
function longestLabel({ faces }) {
  return Math.max(...faces.map(({ corner, short }) => (corner || short).replace(SUIT_GLYPH, "").length), 1);
}

function pileKey(area) {
  return `${area.caption}:${area.seat ?? ""}`;
}

// The button for all cards of a closed area. In the centre it has room from the beginning.
function togglePart(area, context, size) {
  const count = cardsOf(area).length;
  const isLong = area.look === "pile" && longestLabel(context.catalogue) >= LONG_LABEL;
  if (count > CLOSED[area.look]) return [pileToggle(area, context, "ch-toggle")];
  if (isLong && count > LONG_PILE_CARDS) return [pileToggle(area, context, "ch-toggle is-narrow")];
  const reserved = element("span", "ch-toggle is-reserved", context.words.all);
  return size === "centre" && area.look in CLOSED ? [withAttributes(reserved, { "aria-hidden": "true" })] : [];
}

function pileToggle(area, context, classes) {
  const key = pileKey(area);
  const isOpen = context.open.has(key);
  const text = isOpen ? context.words.fewer : context.words.all;
  return withAttributes(element("button", classes, text, spokenText(` ${area.caption}`)), {
    type: "button",
    "aria-expanded": String(isOpen),
    "data-pile": key,
  });
}

function queueList(area, index, context, { size }) {
  if (!cardsOf(area).length) return rowList(area, index, context, { size });
  const items = cardsOf(area).map((card, number) =>
    cardItem(card, context, { area: index, size: number < QUEUE_CARDS ? size : "chip" }),
  );
  items.slice(NEAR_CARDS).forEach((item) => item.classList.add("is-far"));
  const isOpen = context.open.has(pileKey(area));
  return element("ul", isOpen ? "ch-cards is-open" : "ch-cards", ...items);
}
