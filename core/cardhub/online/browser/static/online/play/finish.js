// The bar after a game: a rematch, the replay to save, and the games won so far.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";
import { patchChildren } from "../../table/patching.js";
import { listedNames } from "../../table/words.js";
import { isPerson } from "../setup/chairs.js";

/**
 * Show the bar after a finished game, or hide it during a game.
 * @param {HTMLElement} bar
 * @param {import("../net/table_model.js").TableModel} model
 */
export function showFinish(bar, model) {
  // The table learns first that its game is over; the bar comes with the last view of the game.
  bar.hidden = model.state.stage !== "over" || Boolean(model.shown && !model.shown.view.is_over);
  if (bar.hidden) return;
  const { state, seat } = model;
  const named = state.seats.map((other, number) => ({ ...other, name: number === seat ? "you" : other.name }));
  const wanting = named.filter((other) => other.wants_rematch).map(({ name }) => name);
  const player = seat === null ? null : state.seats[seat];
  const missing = state.seats.filter((other) => isPerson(other) && !other.wants_rematch);
  const parts = [scoresElement(state), element("p", "on-finish-note", rematchText(wanting, named.filter((other) => isPerson(other) && !other.wants_rematch)))];
  if (player && !(player.wants_rematch && missing.length)) parts.push(finishButton("Play again", "rematch", "is-primary"));
  if (player?.wants_rematch && missing.length && missing.every(({ is_here }) => !is_here)) {
    const names = listedNames(missing.map(({ name }) => name));
    parts.push(finishButton(`Start without ${names}`, "rematch_without", "is-primary"));
  }
  if (player && isPerson(player)) parts.push(finishButton("My costliest moves", "review", "is-plain"));
  if (state.replay) parts.push(withAttributes(element("a", "on-button is-plain", "Keep this game"), { href: state.replay, target: "_blank", rel: "noopener" }));
  parts.push(withAttributes(element("a", "on-button is-quiet", "Lobby"), { href: "/" }));
  patchChildren(bar, parts.filter(Boolean));
}

function scoresElement({ scores = {} }) {
  const entries = Object.entries(scores).sort(([, first], [, second]) => second - first);
  if (!entries.length) return null;
  const items = entries.map(([name, count]) => element("li", "", element("span", "", name), " ", element("strong", "", String(count))));
  const list = withAttributes(element("ul", "on-score-list", ...items), { "aria-label": "Games won" });
  return element("div", "on-scores", withAttributes(element("span", "on-label", "Games won"), { "aria-hidden": "true" }), list);
}

function wantText(wanting) {
  const isOneOther = wanting.length === 1 && wanting[0] !== "you";
  return isOneOther ? `${wanting[0]} wants to play again.` : capitalized(`${listedNames(wanting)} want to play again.`);
}

function rematchText(wanting, missing) {
  if (!wanting.length) return "";
  const here = missing.filter(({ is_here }) => is_here).map(({ name }) => name);
  const away = missing.filter(({ is_here }) => !is_here).map(({ name }) => name);
  const sentences = [wantText(wanting)];
  if (here.length) sentences.push(`Waiting for ${listedNames(here)}.`);
  if (away.length === 1) sentences.push(`${away[0]} has left: a bot would play until ${away[0]} is back.`);
  if (away.length > 1) sentences.push(`${listedNames(away)} have left: bots would play until they are back.`);
  return sentences.join(" ");
}

function finishButton(text, command, tone) {
  return withAttributes(element("button", `on-button ${tone}`, text), { type: "button", "data-do": command });
}
