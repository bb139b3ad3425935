// Spots of a view, the choices at each spot, and the region of each area.

import { coversAction } from "./amounts.js";

/** @typedef {[kind: string, key: number, area: number]} Spot */
/** @typedef {{action: number, name: string, verb: string, object: string, spots: Spot[], can_undo?: boolean,
 *   tone?: "primary"|"plain"|"costly", is_chosen?: boolean, amounts?: import("./amounts.js").AmountRange|null,
 *   listed?: number, amount?: number, counts?: Record<string, number>, equal?: number[]}} Choice */

/**
 * Return a spot as text: `card:12:3`.
 * @param {Spot} spot
 * @returns {string}
 */
export function spotKey([kind, key, area = -1]) {
  return `${kind}:${key}:${area}`;
}

/**
 * Return the spot that a text names.
 * @param {string} text
 * @returns {Spot}
 */
export function spotOf(text) {
  const [kind, key, area] = text.split(":");
  return [kind, Number(key), Number(area)];
}

/**
 * The choices of a view by spot, and the spots that an announced action refers to.
 */
export class SpotStates {
  /**
   * @param {object} view
   * @param {{spots?: Spot[]}|null} coming
   * @param {number[]} hints the actions of a hint, the best first
   */
  constructor(view, coming, hints = []) {
    /** @type {Map<string, Choice[]>} */
    this.choices = new Map();
    for (const choice of view.choices ?? []) {
      for (const spot of choice.spots) this.#add(spotKey(spot), choice);
    }
    this.coming = new Set((coming?.spots ?? []).map(spotKey));
    this.hasChoices = this.choices.size > 0;
    this.hints = hints;
  }

  /**
   * Return the choices at a spot.
   * @param {Spot} spot
   * @returns {Choice[]}
   */
  at(spot) {
    return this.choices.get(spotKey(spot)) ?? [];
  }

  /**
   * Return the classes of a spot. With `canFade`, a spot without a choice is faint while other spots have choices.
   * @param {Spot} spot
   * @param {boolean} canFade
   * @returns {string}
   */
  classes(spot, canFade = false) {
    const key = spotKey(spot);
    const isLegal = this.choices.has(key);
    const names = [];
    if (isLegal) names.push("is-legal");
    if (this.at(spot).some((choice) => choice.is_chosen)) names.push("is-chosen");
    if (this.coming.has(key)) names.push("is-coming");
    const rank = this.#rank(key);
    if (rank) names.push("is-hinted", `is-hint-${rank}`);
    if (canFade && this.hasChoices && !isLegal) names.push("is-faint");
    return names.join(" ");
  }

  // The place of the best action at a spot in the hint, from 1, or 0 if the hint names none of them.
  #rank(key) {
    return this.hints.findIndex((action) => this.choices.get(key)?.some((choice) => coversAction(choice, action))) + 1;
  }

  #add(key, choice) {
    this.choices.set(key, [...(this.choices.get(key) ?? []), choice]);
  }
}

/**
 * Return the areas and grids of a view, each with its index and its region.
 *
 * For a viewer without a seat, the hand of the seat at the bottom is drawn in the region `hand`.
 * @param {object} view
 * @returns {{area: object, index: number, region: string}[]}
 */
export function placedAreas(view) {
  const placed = (view.areas ?? []).map((area, index) => ({ area, index, region: regionOf(area) }));
  const isSeated = view.viewer >= 0 && view.viewer < view.players.length;
  const ownAreas = placed.filter(({ area }) => area.seat === view.own);
  if (!isSeated && !ownAreas.some(({ region }) => region === "hand")) {
    const lent = ownAreas.find(({ area, region }) => region === "seat" && isHand(area));
    if (lent) lent.region = "hand";
  }
  return placed;
}

/**
 * Return whether an area is the hand of its seat.
 * @param {object} area
 * @returns {boolean}
 */
export function isHand(area) {
  return area.look === "hand" || area.caption === "hand";
}

/**
 * Return the other seats in turn order after the seat at the bottom.
 * @param {object} view
 * @returns {number[]}
 */
export function otherSeats(view) {
  const count = view.players.length;
  return Array.from({ length: count - 1 }, (_, n) => (view.own + n + 1) % count);
}

function regionOf(area) {
  if (area.type === "grid") return "board";
  const isUnowned = area.seat === undefined || area.seat === null;
  return isUnowned && area.region !== "hand" ? "centre" : area.region;
}

/**
 * Mark all spots of the first choice together, for example a group of sites.
 * @param {HTMLElement} root
 * @param {object[]} choices
 */
export function markCompanions(root, choices) {
  const keys = new Set(choices.slice(0, 1).flatMap(({ spots }) => spots.map(spotKey)));
  for (const node of root.querySelectorAll(".ch-spot")) {
    node.classList.toggle("is-companion", keys.size > 1 && keys.has(node.dataset.spot));
  }
}
