// Tiles of games: a fan of its cards, the title, a sentence, and how many can play.

import { capitalized } from "../../table/actions.js";
import { dressCard } from "../../table/cards.js";
import { element, withAttributes, withProperties } from "../../table/elements.js";

const FAN_COLOURS = ["red", "blue", "green", "violet", "yellow", "cyan"];
const FAN_CARDS = 5;

/**
 * Return the tile of a game, a button that begins a new table.
 * @param {object} game of the lobby
 * @param {() => void} choose
 * @returns {HTMLElement}
 */
export function gameTile(game, choose) {
  const button = withAttributes(
    element("button", "on-tile",
      fanElement(game),
      element("span", "on-tile-words",
        element("strong", "on-tile-title", game.title),
        element("span", "on-tile-about", aboutText(game)),
        element("span", "on-tile-facts", playersText(game)),
      ),
    ),
    { type: "button", "data-game": game.name },
  );
  button.addEventListener("click", choose);
  return button;
}

/**
 * Return the sentence on a game, without its title before a colon.
 * @param {{title: string, about: string}} game
 * @returns {string}
 */
export function aboutText({ title, about }) {
  return capitalized(about.startsWith(`${title}: `) ? about.slice(title.length + 2) : about);
}

/**
 * Return how many can play: "2 to 4 players".
 * @param {{fewest: number, most: number}} game
 * @returns {string}
 */
export function playersText({ fewest, most }) {
  if (fewest === most) return fewest === 1 ? "1 player" : `${fewest} players`;
  return `${fewest} to ${most} players`;
}

/**
 * Return some cards of a game as a fan; without cards of its own, coloured backs.
 * @param {{title: string, fan?: object}} game
 * @returns {HTMLElement}
 */
export function fanElement({ title, fan }) {
  const catalogue = fan?.faces.length ? fan : backsFor(title);
  const cards = fan?.faces.length ? fan.faces.map((_, face) => ({ token: face, back: 0, face }))
    : catalogue.backs.map((_, back) => ({ token: back, back }));
  const shown = cards.slice(0, FAN_CARDS).map((card, number, all) => {
    const node = element("span", "ch-card ch-size-centre on-fan-card");
    dressCard(node, card, catalogue);
    return withProperties(node, { turn: number - (all.length - 1) / 2 });
  });
  const box = element("span", "on-fan ch-table", ...shown);
  return withAttributes(box, { "aria-hidden": "true" });
}

// Colours that depend on the title, so that two games look different.
function backsFor(title) {
  const first = [...title].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7);
  const backs = [0, 1, 2].map((number) => ({
    letter: "", unknown: "", title: "", colour: FAN_COLOURS[(first + number) % FAN_COLOURS.length],
  }));
  return { faces: [], backs };
}
