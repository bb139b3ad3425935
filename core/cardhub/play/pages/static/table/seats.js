// Panels of the seats: name, bot, score, badges, counters and the cards of the seat.

import { areaElement, captionOf } from "./areas.js";
import { element, spokenText, withAttributes } from "./elements.js";
import { isHand, spotKey } from "./spots.js";
import { counterElement } from "./tallies.js";

/**
 * Return the panel of a seat that is not at the bottom, with all its cards.
 * @param {number} seat
 * @param {object} context
 * @returns {HTMLElement}
 */
export function otherPanel(seat, context) {
  const panel = seatPanel(seat, context, "ch-seat ch-other");
  // In a game of two, the opponent's panel takes the whole width.
  panel.classList.toggle("is-alone", context.view.players.length === 2);
  const areas = areasOfSeat(seat, context, "seat");
  // The hand comes first, because a seat always has one.
  areas.sort((first, second) => Number(isHand(second.area)) - Number(isHand(first.area)));
  panel.append(element("div", "ch-belongings", ...belongings(areas, context)));
  return panel;
}

/**
 * Return the parts of the panel at the bottom: the line of the seat, and its hands.
 * @param {object} context
 * @returns {{line: HTMLElement, hands: HTMLElement[]}}
 */
export function ownParts(context) {
  const { own } = context.view;
  const line = element("div", "ch-own-line", seatPanel(own, context, "ch-seat ch-own"));
  line.append(...belongings(areasOfSeat(own, context, "seat"), context));
  const areas = context.placed.filter(({ region }) => region === "hand");
  const isSeveral = areas.length > 1;
  const hands = areas.map((placed) => areaElement(placed, context, { size: "hand", isHand: true, hasCaption: isSeveral }));
  return { line, hands };
}

/**
 * Return the areas of a seat in a region.
 * @param {number} seat
 * @param {object} context
 * @param {string} region
 * @returns {{area: object, index: number, region: string}[]}
 */
export function areasOfSeat(seat, context, region) {
  return context.placed.filter((placed) => placed.region === region && placed.area.seat === seat);
}

function seatPanel(seat, context, classes) {
  const { view, states, words } = context;
  const player = view.players[seat];
  const isToAct = view.to_act === seat;
  const spot = ["seat", seat, -1];
  const button = withAttributes(
    element(
      "button",
      `ch-spot ch-seat-line ${states.classes(spot)}`,
      avatar(player, seat, view),
      element("span", "ch-player", player.name),
      seat === view.viewer && element("span", "ch-you", words.you),
      player.bot && element("span", "ch-bot", player.bot),
      isToAct && !view.is_beat && spokenText(` ${words.toAct}`),
    ),
    { type: "button", "data-spot": spotKey(spot), tabindex: -1 },
  );
  const head = element("div", "ch-seat-head", button, ...stateParts(seat, context), ...badgesOf(seat, context));
  const panel = element("section", classes, head);
  withAttributes(panel, { "aria-label": player.name });
  panel.classList.toggle("is-to-act", isToAct);
  return panel;
}

// Return the clock of a seat, and the note whether its person is away.
function stateParts(seat, { seatStates }) {
  const { note = "", clock = null } = seatStates[seat] ?? {};
  return [
    clock && withAttributes(element("span", "ch-clock", clock.text), { "data-clock": seat }),
    note && element("span", "ch-seat-note", note),
  ].filter(Boolean);
}

function avatar(player, seat, view) {
  const teams = new Set(view.players.map(({ team }) => team ?? 0)).size;
  const isTeamGame = teams > 1 && teams < view.players.length;
  const colour = isTeamGame ? `ch-team-${(player.team ?? 0) % 4}` : "";
  const initial = [...player.name][0] ?? "?";
  return withAttributes(element("span", `ch-avatar ${colour}`, initial), { "aria-hidden": "true" });
}

function badgesOf(seat, context) {
  const { view } = context;
  const { score, badges = [] } = view.players[seat];
  const counters = (view.counters ?? []).filter((counter) => counter.seat === seat);
  return [
    score && !hasPileOfScore(seat, score, context) && element("span", "ch-score", score),
    ...badges.map((badge) => element("span", "ch-badge", badge)),
    ...counters.map(counterElement),
  ];
}

// Cards whose caption and number are the score show it beside them: `won 14`.
function hasPileOfScore(seat, score, context) {
  return areasOfSeat(seat, context, "seat").some(({ area }) => area.cards?.length && area.count > 1 && `${area.caption} ${area.count}` === score);
}

function belongings(areas, context) {
  return areas
    .filter(({ area, index }) => isShown(area, index, context) && !isScore(area, index, context))
    .map((placed) => {
      const isLine = placed.area.look === "count" || !(placed.area.cards ?? []).length;
      return isLine
        ? element("div", "ch-area ch-line", captionOf(placed.area, placed.index, context))
        : areaElement(placed, context, { size: "mini" });
    });
}

// Skip a number of cards that equals the score of its seat, because the score is shown already.
function isScore(area, index, { view, states }) {
  const isSpot = states.classes(["area", 0, index]);
  const isNumber = !isSpot && !area.note && !area.cards?.length;
  return isNumber && `${area.caption} ${area.count}` === view.players[area.seat].score;
}

function isShown(area, index, { states }) {
  return area.count || area.note || area.slots || states.at(["area", 0, index]).length;
}
