// Tiles of games: a fan of cards, the title, a sentence, the number of players, and a lesson that is new or has begun.

import { capitalized } from "../../table/actions.js";
import { dressCard } from "../../table/cards.js";
import { element, withAttributes, withProperties } from "../../table/elements.js";
import { loadPlayed } from "../net/storage.js";
import { pushButton } from "../parts/widgets.js";

const FAN_COLOURS = ["red", "blue", "green", "violet", "yellow", "cyan"];
const FAN_CARDS = 5;

/**
 * Return the tile of a game: a button that opens the dialog for a new table, and the lesson if it has begun or the game is new here.
 * @param {object} game a game of the lobby; `lesson`: the own table of its unfinished lesson
 * @param {{onChoose: () => void, onLearn: () => void}} calls
 * @returns {HTMLElement}
 */
export function gameTile(game, { onChoose, onLearn }) {
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
  button.addEventListener("click", onChoose);
  if (game.lesson) return element("div", "on-tile-new", button, lessonLink(game));
  if (!game.has_lesson || loadPlayed().includes(game.name)) return button;
  const learn = withAttributes(pushButton(`Learn ${game.title}`, "plain", onLearn), { "data-learn": game.name });
  return element("div", "on-tile-new", button, learn);
}

/**
 * Return the link to a lesson that has begun, which goes on at its step.
 * @param {{title: string, lesson: string}} game
 * @returns {HTMLElement}
 */
export function lessonLink({ title, lesson }) {
  return withAttributes(element("a", "on-button is-plain", `Continue the lesson of ${title}`), { href: `/t/${encodeURIComponent(lesson)}` });
}

/**
 * Return the sentence on a game, without the title and colon at its start.
 * @param {{title: string, about: string}} game
 * @returns {string}
 */
export function aboutText({ title, about }) {
  return capitalized(about.startsWith(`${title}: `) ? about.slice(title.length + 2) : about);
}

/**
 * Return the number of players as text: "2 to 4 players".
 * @param {{fewest: number, most: number}} game
 * @returns {string}
 */
export function playersText({ fewest, most }) {
  if (fewest === most) return fewest === 1 ? "1 player" : `${fewest} players`;
  return `${fewest} to ${most} players`;
}

/**
 * Return some cards of a game as a fan; coloured backs if the lobby has no faces of the game.
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

// Choose colours by the title, because different games should look different.
function backsFor(title) {
  const first = [...title].reduce((sum, letter) => (sum * 31 + letter.codePointAt(0)) % 997, 7);
  const backs = [0, 1, 2].map((number) => ({
    letter: "", unknown: "", title: "", colour: FAN_COLOURS[(first + number) % FAN_COLOURS.length],
  }));
  return { faces: [], backs };
}
