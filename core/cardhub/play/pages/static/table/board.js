// The middle of the table: cards before the seats, where they meet, and the centre between them.

import { areaElement, isText, PILE_CARDS, textElement } from "./areas.js";
import { gridElement } from "./grid.js";
import { areasOfSeat } from "./seats.js";
import { element, withProperties } from "./elements.js";
import { otherSeats } from "./spots.js";
import { counterElement, tallyElement } from "./tallies.js";

const MOST_KEPT = 4;
// So many cards before all seats fit beside each other, in one row of lanes.
const MOST_ABREAST = 12;

/**
 * Return the middle of the table.
 * @param {object} context
 * @param {HTMLElement[]} first parts that come before all others
 * @returns {HTMLElement}
 */
export function boardElement(context, first = []) {
  const fronts = isTrick(context) ? [trickPart(context)] : laneParts(context);
  const centre = centrePart(context);
  const [others, own] = fronts;
  const parts = [...first, boardPart(context), others, centre, own].filter(Boolean);
  const middle = element("div", "ch-middle", ...parts);
  middle.classList.toggle("is-trick", isTrick(context));
  const hasFronts = fronts.some(Boolean);
  const hasCards = Boolean(centre?.querySelector(".ch-cards"));
  middle.classList.toggle("has-fronts", hasFronts);
  middle.classList.toggle("has-cards", hasCards);
  const seats = context.view.players.length;
  const isAbreast = hasFronts && !isTrick(context) && (hasCards || frontRoom(context) * seats <= MOST_ABREAST);
  middle.classList.toggle("is-abreast", isAbreast);
  middle.classList.toggle("is-duel", isAbreast && seats === 2 && !hasCards);
  const board = context.placed.find(({ region }) => region === "board")?.area;
  const across = widthInCards(context);
  return withProperties(middle, board ? { rows: board.rows, columns: board.columns } : { across });
}

/**
 * Return the greatest number of cards that lie before one seat.
 * @param {object} context
 * @returns {number}
 */
export function frontRoom({ view, placed }) {
  const rooms = view.players.map(() => 0);
  for (const { area, region } of placed) {
    if (region !== "front") continue;
    if (isUsed(area)) rooms[area.seat] += area.room || Math.max(area.count, area.slots ?? 0);
  }
  return Math.max(...rooms, 0);
}

function isTrick(context) {
  return frontRoom(context) === 1;
}

// With up to three other seats a trick is a cross, as the cards lie on a table.
const CROSS = [[], ["top"], ["left", "right"], ["left", "top", "right"]];

function trickPart(context) {
  const seats = otherSeats(context.view);
  const trick = element("div", "ch-trick");
  seats.forEach((seat, n) => {
    const side = CROSS[seats.length]?.[n] ?? "row";
    trick.append(laneOf(seat, context, `is-${side}`));
  });
  trick.append(laneOf(context.view.own, context, "is-own"));
  trick.classList.toggle("is-cross", seats.length < CROSS.length);
  trick.classList.toggle("is-pair", seats.length === 1);
  return withProperties(trick, { lanes: Math.max(seats.length, 1) });
}

function laneParts(context) {
  const { view } = context;
  const seats = otherSeats(view);
  const used = (seat) => areasOfSeat(seat, context, "front").some(({ area }) => isUsed(area));
  const row = element("div", "ch-lanes", ...seats.map((seat) => laneOf(seat, context, "")));
  withProperties(row, { lanes: seats.length });
  const own = laneOf(view.own, context, "is-own");
  return [seats.some(used) ? row : null, used(view.own) ? own : null];
}

// Room is kept for a few cards that are usual there, so that the table does not move as they come.
function isUsed(area) {
  return area.count || area.slots || (area.room && area.room <= MOST_KEPT);
}

function laneOf(seat, context, classes) {
  const { view, words } = context;
  const name = seat === view.viewer ? words.you : view.players[seat].name;
  const areas = areasOfSeat(seat, context, "front").map((placed) =>
    areaElement(placed, context, { size: "front", hasCaption: false }),
  );
  return element("div", `ch-lane ${classes}`, element("span", "ch-owner", name), ...areas);
}

function boardPart(context) {
  const boards = context.placed.filter(({ region }) => region === "board");
  if (!boards.length) return null;
  return element("div", "ch-boards", ...boards.map((placed) => gridElement(placed, context)));
}

function centrePart(context) {
  const { view, placed } = context;
  const counters = (view.counters ?? []).filter(({ seat }) => seat === undefined || seat === null);
  const seats = [view.own, ...otherSeats(view)];
  const tallies = (view.tallies ?? []).map((tally) => tallyElement(tally, view, seats));
  const central = placed.filter(({ region }) => region === "centre");
  const texts = central.map(({ area }) => area).filter(isText);
  const areas = central
    .filter(({ area }) => !isText(area))
    .map((each) => areaElement(each, context, { size: "centre" }));
  const parts = [
    counters.length && element("div", "ch-counters", ...counters.map(counterElement)),
    texts.length && textElement(texts),
    ...areas,
    ...tallies,
  ].filter(Boolean);
  return parts.length ? element("div", "ch-centre", ...parts) : null;
}

// The width of the centre in cards, with gaps and captions.
function widthInCards({ placed }) {
  const areas = placed.filter(({ region }) => region === "centre").map(({ area }) => area);
  return areas.filter((area) => !isText(area)).map(({ look, count, slots = 0, cards = [] }) => {
    const shown = Math.max(cards.length, slots, 1);
    if (look === "pile") return 1.9 + 0.48 * (Math.min(shown, PILE_CARDS) - 1);
    if (look === "queue") return shown > 1 ? 3.6 : 1.9;
    return look === "count" && count ? 1.9 : Math.max(shown + 0.6, 1.9);
  }).reduce((sum, width) => sum + width, 0);
}
