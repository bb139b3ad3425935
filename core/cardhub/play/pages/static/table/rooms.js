// The rooms of a table's parts: each part keeps the room that it has had or may soon need, so that the table does not jump.

import { MOST_LETTERS } from "./areas.js";
import { element, withProperties } from "./elements.js";
import { areasOfSeat, otherPanel, ownParts } from "./seats.js";
import { isHand, otherSeats } from "./spots.js";

const NAMES = ["header", "others", "bottom", "line", "actions"];
// A seat may soon have this number of cards in each row or pile, numbers of two digits in a narrow panel, and more badges
// than now. Two of them have room in a wide panel, and in one that shows no cards.
const SOON_CARDS = 7;
const SOON_BADGES = ["later badge", "third badge"];
const SOON_NUMBER = 99;

/**
 * Keeps the heights of the parts of a table as custom properties of its layout: `--header-room` is the largest height so
 * far; `--others-soon`, `--line-soon` and `--bottom-soon` are the heights of panels with more cards and badges.
 */
export class Rooms {
  /**
   * @param {HTMLElement} layout
   * @param {{header: HTMLElement, others: HTMLElement, own: HTMLElement}} parts
   */
  constructor(layout, parts) {
    [this.layout, this.parts] = [layout, parts];
    this.forget();
  }

  /**
   * Keep at least the present heights.
   * @param {object} context
   */
  keep(context) {
    if (!this.isForeseen) this.#foresee(context);
    this.isForeseen = true;
    const { header, others, own: bottom } = this.parts;
    const line = bottom.querySelector(".ch-own-line");
    const actions = bottom.querySelector(".ch-actions:not(.is-reserved)");
    const present = { header, others, bottom, line, actions };
    for (const name of NAMES) this.heights[name] = Math.max(this.heights[name], heightOf(present[name]));
    this.#set();
  }

  /** Forget all heights, because the parts have other rows at another width. */
  forget() {
    this.isForeseen = false;
    this.heights = Object.fromEntries(NAMES.map((name) => [name, 0]));
    this.#set();
  }

  #set() {
    for (const name of NAMES) withProperties(this.layout, { [`${name}-room`]: `${this.heights[name]}px` });
  }

  // Lay out fuller panels for a moment; nobody sees them.
  #foresee(context) {
    const full = withSoonMore(context);
    const { header, own } = this.parts;
    const { line } = ownParts(full);
    const others = element("section", "ch-others is-measured", ...otherSeats(full.view).map((seat) => otherPanel(seat, full)));
    const bottom = element("div", "ch-bottom is-measured", line);
    withProperties(others, { width: `${this.parts.others.clientWidth}px` });
    withProperties(bottom, { width: `${own.clientWidth}px` });
    withProperties(this.layout, { "header-room": `${heightOf(header)}px`, "others-soon": "0px", "line-soon": "0px" });
    const [before, lineBefore] = [heightOf(own), heightOf(own.querySelector(".ch-own-line"))];
    this.layout.append(others, bottom);
    withProperties(this.layout, { "others-soon": `${heightOf(others)}px`, "line-soon": `${heightOf(line)}px` });
    const growth = Math.max(heightOf(line) - lineBefore, 0);
    const most = parseFloat(getComputedStyle(own).maxHeight);
    withProperties(this.layout, { "bottom-soon": `${Math.min(before + growth, most)}px` });
    others.remove();
    bottom.remove();
  }
}

function heightOf(part) {
  return part?.getBoundingClientRect().height ?? 0;
}

function withSoonMore(context) {
  const { placed } = context;
  const isWide = context.view.players.length === 2;
  const view = isWide ? context.view : withSoonNumbers(context.view);
  const players = view.players.map((player, seat) => {
    const isRoomy = isWide || areasOfSeat(seat, context, "seat").every(({ area }) => isLine(area));
    const soon = isRoomy ? SOON_BADGES : SOON_BADGES.slice(1);
    return { ...player, badges: [...(player.badges ?? []), ...soon] };
  });
  const fuller = placed.map((place) => (place.region === "seat" ? { ...place, area: fullerArea(place.area, context, players) } : place));
  return { ...context, view: { ...view, players }, placed: fuller };
}

function withSoonNumbers(view) {
  const widened = (text) => text.replace(/\b\d\b/, SOON_NUMBER);
  const players = view.players.map(({ score = "", badges = [], ...player }) => ({
    ...player,
    score: widened(score),
    badges: badges.map(widened),
  }));
  const counters = view.counters?.map((counter) => ({ ...counter, value: Math.max(counter.value, counter.pips || SOON_NUMBER) }));
  return { ...view, players, counters };
}

// Return whether an area stays a line of text. An empty row does not: cards may come.
function isLine({ look, count, cards = [] }) {
  return look === "count" || (count > 0 && !cards.length);
}

// A number of cards that equals the score of its seat, and is not shown, follows the score. An empty line may get cards.
function fullerArea(area, { view, catalogue }, players) {
  const { caption, count, seat } = area;
  const isScore = view.players[seat].score === `${caption} ${count}`;
  if (isScore && isLine(area)) return { ...area, count: Number(players[seat].score.slice(caption.length)) };
  return withSoonCards(isLine(area) ? { ...area, count: count || 1 } : area, catalogue);
}

function withSoonCards(area, { backs }) {
  const { count, cards = [] } = area;
  // A hand of backs with letters may grow much if it has almost as many cards as other rows may have soon.
  const isLettered = backs.length > 1 && isHand(area) && count >= SOON_CARDS - 1;
  const soon = isLettered ? MOST_LETTERS : SOON_CARDS;
  if (isLine(area) || count >= soon) return area;
  const card = cards[0] ?? { token: -1, face: 0 };
  return { ...area, count: soon, cards: [...cards, ...Array(soon - cards.length).fill(card)] };
}
