// The middle of the table: cards before the seats, where they meet, and the centre between them.

import { areaElement } from "./areas.js";
import { boardElement } from "./grid.js";
import { areasOfSeat } from "./seats.js";
import { element, withProperties } from "./elements.js";
import { otherSeats } from "./spots.js";
import { counterElement, tallyElement } from "./tallies.js";

/**
 * Return the parts of the middle, from top to bottom.
 * @param {object} context
 * @returns {HTMLElement[]}
 */
export function middleParts(context) {
  const board = boardPart(context);
  const others = frontsOfOthers(context);
  const centre = centrePart(context);
  const own = frontsOfSeat(context.view.own, context);
  return [others, board, centre, own].filter(Boolean);
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
    rooms[area.seat] += area.room || Math.max(area.count, area.slots ?? 0);
  }
  return Math.max(...rooms, 0);
}

function frontsOfOthers(context) {
  const seats = otherSeats(context.view);
  const lanes = seats.map((seat) => frontsOfSeat(seat, context) ?? element("div", "ch-front"));
  const hasCards = lanes.some((lane) => lane.childElementCount);
  if (!hasCards) return null;
  const middle = (seats.length - 1) / 2;
  // Cards of the seats at the sides lie lower, as around a table.
  lanes.forEach((lane, n) => withProperties(lane, { aside: Math.abs(n - middle) }));
  const row = element("div", "ch-fronts", ...lanes);
  row.classList.toggle("is-trick", isTrick(context));
  return withProperties(row, { lanes: seats.length });
}

function frontsOfSeat(seat, context) {
  const areas = areasOfSeat(seat, context, "front");
  if (!areas.length) return null;
  const { view, words } = context;
  const name = seat === view.viewer ? words.you : view.players[seat].name;
  const lane = element("div", seat === view.own ? "ch-front ch-own-front" : "ch-front");
  lane.append(element("span", "ch-owner", name));
  const slotText = "";
  lane.append(
    ...areas.map((placed) =>
      areaElement(placed, context, { size: "front", slotText, hasCaption: !isTrick(context) }),
    ),
  );
  return lane;
}

function isTrick(context) {
  return frontRoom(context) === 1;
}

function boardPart(context) {
  const boards = context.placed.filter(({ region }) => region === "board");
  if (!boards.length) return null;
  return element("div", "ch-boards", ...boards.map((placed) => boardElement(placed, context)));
}

function centrePart(context) {
  const { view, placed } = context;
  const counters = (view.counters ?? []).filter(({ seat }) => seat === undefined || seat === null);
  const seats = [view.own, ...otherSeats(view)];
  const tallies = (view.tallies ?? []).map((tally) => tallyElement(tally, view, seats));
  const areas = placed
    .filter(({ region }) => region === "centre")
    .map((each) => areaElement(each, context, { size: "centre" }));
  const parts = [
    counters.length && element("div", "ch-counters", ...counters.map(counterElement)),
    ...areas,
    ...tallies,
  ].filter(Boolean);
  return parts.length ? element("div", "ch-centre", ...parts) : null;
}
