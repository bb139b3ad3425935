// The middle of the table: boards (grids of sites), the cards before the seats, and the centre.

import { areaElement, centreWidth, isText, textElement } from "./areas.js";
import { gridElement } from "./grid.js";
import { areasOfSeat } from "./seats.js";
import { element, withProperties } from "./elements.js";
import { otherSeats } from "./spots.js";
import { counterElement, tallyElement } from "./tallies.js";

// A lane with room for more cards, such as that of all melds, is seen only while it has cards.
const MOST_OF_SHORT = 4;
// If all lanes together need at most this number of cards, they fit in one row.
const MOST_ABREAST = 12;
// The cards of a lane from which two lanes need the whole width.
const ROOMY = 3;

/**
 * Return the middle of the table.
 * @param {object} context
 * @param {HTMLElement[]} first the parts before all others
 * @returns {HTMLElement}
 */
export function boardElement(context, first = []) {
  const fronts = isTrick(context) ? [trickPart(context)] : laneParts(context);
  const centre = centrePart(context);
  const [otherLanes, ownLane] = fronts;
  const columns = columnsPart(context);
  const parts = [...first, gridsPart(context), otherLanes, centre, columns, ownLane].filter(Boolean);
  const board = element("div", "ch-middle", ...parts);
  board.classList.toggle("is-trick", isTrick(context));
  const hasFronts = fronts.some(Boolean);
  const hasCards = Boolean(centre?.querySelector(".ch-cards"));
  board.classList.toggle("has-fronts", hasFronts);
  board.classList.toggle("has-cards", hasCards);
  const seats = context.view.players.length;
  const isAbreast = hasFronts && !isTrick(context) && (hasCards || frontRoom(context) * seats <= MOST_ABREAST);
  board.classList.toggle("is-abreast", isAbreast);
  board.classList.toggle("is-close", isAbreast && hasCards && frontRoom(context) <= MOST_OF_SHORT);
  board.classList.toggle("is-duel", isAbreast && seats === 2 && !hasCards);
  board.classList.toggle("is-roomy", frontRoom(context) >= ROOMY);
  const columnCount = context.placed.filter(isColumn).length;
  board.classList.toggle("has-columns", columnCount > 0);
  const grid = context.placed.find(({ region }) => region === "board")?.area;
  const across = widthInCards(context);
  return withProperties(board, grid ? { rows: grid.rows, columns: grid.columns } : { across, columns: columnCount });
}

/**
 * Return the most cards that any seat has, or has reserved room for, before it.
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

// With up to three other seats, a trick is a cross with a card at each side of the table.
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
  const isSeatUsed = (seat) => areasOfSeat(seat, context, "front").some(({ area }) => isUsed(area));
  const row = element("div", "ch-lanes", ...seats.map((seat) => laneOf(seat, context, "")));
  withProperties(row, { lanes: seats.length });
  const ownLane = laneOf(view.own, context, "is-own");
  return [seats.some(isSeatUsed) ? row : null, isSeatUsed(view.own) ? ownLane : null];
}

// Expected cards have room from the beginning, so the table does not shift when they are played.
function isUsed(area) {
  return area.count || area.slots || area.room;
}

function laneOf(seat, context, classes) {
  const { view, words } = context;
  const name = seat === view.viewer ? words.you : view.players[seat].name;
  const placed = areasOfSeat(seat, context, "front");
  const areas = placed.map((place) => areaElement(place, context, { size: "front", hasCaption: false }));
  const lane = element("div", `ch-lane ${classes}`, element("span", "ch-owner", name), ...areas);
  lane.classList.toggle("is-of-beat", Boolean(view.is_beat) && view.to_act === seat);
  const isSeen = ({ area }) => area.count || area.slots || area.room <= MOST_OF_SHORT;
  lane.classList.toggle("is-reserved", placed.length > 0 && !placed.some(isSeen));
  return lane;
}

function gridsPart(context) {
  const grids = context.placed.filter(({ region }) => region === "board");
  if (!grids.length) return null;
  return element("div", "ch-boards", ...grids.map((placed) => gridElement(placed, context)));
}

function columnsPart(context) {
  const columns = context.placed.filter(isColumn);
  if (!columns.length) return null;
  const areas = columns.map((placed) => areaElement(placed, context, { size: "column" }));
  return element("div", "ch-columns", ...areas);
}

function isColumn({ area, region }) {
  return region === "centre" && area.look === "column";
}

function centrePart(context) {
  const { view, placed } = context;
  const counters = (view.counters ?? []).filter(({ seat }) => seat === undefined || seat === null);
  const seats = [view.own, ...otherSeats(view)];
  const tallies = (view.tallies ?? []).map((tally) => tallyElement(tally, view, seats));
  const central = placed.filter((place) => place.region === "centre" && !isColumn(place));
  const texts = central.map(({ area }) => area).filter(isText);
  const areas = central
    .filter(({ area }) => !isText(area))
    .map((area) => areaElement(area, context, { size: "centre" }));
  const parts = [
    counters.length && element("div", "ch-counters", ...counters.map(counterElement)),
    texts.length && textElement(texts),
    ...areas,
    ...tallies,
  ].filter(Boolean);
  return parts.length ? element("div", "ch-centre", ...parts) : null;
}

// Return the width of the centre in card widths.
function widthInCards({ placed, catalogue }) {
  const areas = placed.filter((place) => place.region === "centre" && !isColumn(place)).map(({ area }) => area);
  return areas.filter((area) => !isText(area)).reduce((sum, area) => sum + centreWidth(area, catalogue), 0);
}
