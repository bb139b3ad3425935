// The seats of a table before its game, each with its person or bot and its controls.

import { element, spokenText, withAttributes } from "../../table/elements.js";
import { inWords } from "../parts/option_fields.js";
import { choiceField, icon, initialOf } from "../parts/widgets.js";

// The bot of a seat that is reserved for a program, which connects with the link to the seat.
const NETWORK = "network";
// How the name of a language model begins, and the choice where the host has not set one up.
const MODEL = "llm:";
const NO_MODEL = {
  value: "llm", text: "language model: not set up on this server", disabled: true,
};
/** The choice that adds all further bots to the list of a seat. */
export const ADVANCED = "advanced";

/**
 * Return whether a seat belongs to a person.
 * @param {{name?: string, bot?: string}} seat
 * @returns {boolean}
 */
export function isPerson({ name = "", bot = "" }) {
  return Boolean(name) && !bot;
}

/**
 * Return the seats as a list.
 * @param {import("../net/table_model.js").TableModel} model
 * @param {boolean} isAdvanced whether the lists of seats have more than people and levels
 * @returns {HTMLElement}
 */
export function chairList(model, isAdvanced) {
  const items = model.state.seats.map((seat, number) => chairItem(seat, number, model, isAdvanced));
  return element("ol", "on-chair-list", ...items);
}

function chairItem(seat, number, model, isAdvanced) {
  const isOwn = number === model.seat;
  const kind = seat.bot ? "is-bot" : seat.name ? "is-person" : "is-free";
  return element("li", `on-chair ${kind} ${isOwn ? "is-own" : ""}`,
    chairPicture(seat),
    element("div", "on-chair-words", ...words(seat, number, model)),
    element("div", "on-chair-controls", ...controls(seat, number, model, isAdvanced)),
  );
}

function chairPicture(seat) {
  const picture = initialOf(seat.bot ? " " : seat.name ?? "");
  if (seat.bot) picture.replaceChildren(icon("bot"));
  picture.classList.toggle("is-away", isPerson(seat) && !seat.is_here);
  return picture;
}

function words(seat, number, { state, game, seat: ownSeat }) {
  const bot = seat.bot === NETWORK ? "Network bot" : botTitle(seat.bot ?? "");
  const name = seat.bot ? bot : seat.name || "Free seat";
  const notes = [
    number === ownSeat && "you",
    number === state.owner && "owner",
    isPerson(seat) && !seat.is_here && "away",
    game?.opponents?.[seat.bot],
  ].filter(Boolean);
  return [
    element("span", "on-chair-number", `Seat ${number + 1}`),
    element("strong", "on-chair-name", name),
    notes.length ? element("span", "on-chair-notes", notes.join(" · ")) : null,
  ];
}

function controls(seat, number, { state, game, seat: ownSeat, isOwner }, isAdvanced) {
  const parts = [];
  // A seated owner moves by reordering the seats instead.
  if (!seat.name && !seat.bot && (ownSeat === null || !isOwner)) {
    parts.push(commandButton(ownSeat === null ? "Sit here" : "Move here", "sit", number, "is-plain"));
  }
  if (isOwner && !isPerson(seat)) parts.push(botField(seat, number, botChoices(seat, state.levels, game?.opponents ?? {}, isAdvanced)));
  if (isOwner && seat.bot === NETWORK) parts.push(commandButton("Link", "reissue", number, "is-plain"));
  if (number === ownSeat) parts.push(commandButton("Stand up", "stand", number, "is-quiet"));
  if (isOwner && number > 0) parts.push(upButton(number));
  return parts;
}

function botTitle(bot) {
  return bot.startsWith(MODEL) ? `Language model: ${bot.slice(MODEL.length)}` : `Bot: ${inWords(bot)}`;
}

function botChoice(bot) {
  if (bot === NETWORK) return "network bot";
  return bot.startsWith(MODEL) ? `language model: ${bot.slice(MODEL.length)}` : `bot: ${bot}`;
}

// People and levels come first; the other bots follow on request, and the bot of the seat is always listed.
function botChoices({ bot = "" }, offered, opponents, isAdvanced) {
  const levels = offered.filter((name) => name in opponents);
  const others = [...offered.filter((name) => !(name in opponents)), NETWORK];
  if (bot && !levels.includes(bot) && !others.includes(bot)) others.push(bot);
  const shown = others.filter((name) => isAdvanced || name === bot || !levels.length);
  const choices = [
    { value: "", text: "free for a person" },
    ...levels.map((level) => ({ value: level, text: `${level} · ${opponents[level]}` })),
    ...shown.map((name) => ({ value: name, text: botChoice(name) })),
  ];
  if (!isAdvanced && shown.length < others.length) return [...choices, { value: ADVANCED, text: "Advanced…" }];
  // It is shown, because people would not know otherwise that a host can set one up.
  return others.some((name) => name.startsWith(MODEL)) ? choices : [...choices, NO_MODEL];
}

function botField({ bot = "" }, number, choices) {
  const field = choiceField(`Seat ${number + 1}`, choices, { value: bot, "data-set": "bot", "data-seat": number });
  field.classList.add("is-bare");
  return field;
}

function commandButton(text, command, number, tone) {
  return withAttributes(element("button", `on-button ${tone}`, text, spokenText(` (seat ${number + 1})`)), {
    type: "button", "data-do": command, "data-seat": number,
  });
}

function upButton(number) {
  return withAttributes(element("button", "on-icon-button", icon("up"), spokenText(`Move seat ${number + 1} up`)), {
    type: "button", "data-do": "move", "data-seat": number, title: "Move up",
  });
}
