// The strip above the table: why the game does not continue, with buttons for the people who can decide.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";
import { patchChildren } from "../../table/patching.js";
import { listedNames } from "../../table/words.js";
import { isPerson } from "../setup/chairs.js";

/**
 * Return the strip; `showNotices` fills it.
 * @returns {HTMLElement}
 */
export function noticeStrip() {
  return withAttributes(element("div", "on-notices"), { role: "status", "aria-live": "polite" });
}

/**
 * Show a notice for each thing that the table waits for.
 * @param {HTMLElement} strip
 * @param {import("../net/table_model.js").TableModel} model
 * @param {boolean} isOnline
 */
export function showNotices(strip, model, isOnline) {
  const notices = isOnline ? noticesOf(model) : [{ text: "The connection is lost. Connecting again …", tone: "is-lost" }];
  strip.hidden = !notices.length;
  patchChildren(strip, notices.map(noticeElement));
}

function noticesOf(model) {
  return [standInNotice, takebackNotice, newcomerNotice, returnNotice, failureNotice, pauseNotice, readersNotice, absenceNotice, openSeatNotice]
    .map((find) => find(model)).filter(Boolean);
}

function standInNotice({ state, seat }) {
  const isReplaced = seat !== null && state.stage === "playing" && state.seats[seat].replaced_person;
  return isReplaced ? { text: "A bot is playing for you.", buttons: [["return", "Take my seat back", "is-primary"]] } : null;
}

function takebackNotice({ state, seat }) {
  if (!state.takeback) return null;
  const { seat: requester, missing } = state.takeback;
  const name = state.seats[requester]?.name ?? "A player";
  if (missing.includes(seat)) {
    const buttons = [["agree", "Agree", "is-primary"], ["refuse", "Refuse", "is-plain"]];
    return { text: `${name} asks to take back their last action.`, buttons };
  }
  const others = listedNames(missing.map((number) => state.seats[number]?.name));
  if (requester === seat) return { text: `You have asked to take back your last action. Waiting for ${others}.` };
  return { text: `${name} asks to take back their last action. Waiting for ${others}.` };
}

// Whoever sits down sees the hand of the seat, so all players decide about a visitor.
function newcomerNotice({ state, seat }) {
  if (!state.newcomer) return null;
  const { name, missing, seat: wanted, is_return: isReturn = false } = state.newcomer;
  if (missing.includes(seat)) {
    const buttons = [["admit", "Agree", "is-primary"], ["turn_away", "Refuse", "is-plain"]];
    const text = isReturn
      ? `A visitor says: I am ${name}, on another device. Agree only if you know that this is ${name}, because the visitor gets the seat and sees its hand.`
      : `${name}, a visitor, asks to take seat ${wanted + 1}, and would see its hand.`;
    return { text, buttons };
  }
  const others = listedNames(missing.map((number) => state.seats[number]?.name));
  if (isReturn) return { text: `A visitor asks for the seat of ${name}. Waiting for ${others}.` };
  return { text: `${name}, a visitor, asks to take a seat. Waiting for ${others}.` };
}

// A person who has lost the device or the browser's data comes back as a visitor.
function returnNotice({ state, seat }) {
  if (seat !== null || state.stage !== "playing" || state.newcomer) return null;
  const people = state.seats.map((player, number) => ({ ...player, number })).filter((player) => isPerson(player) || player.replaced_person);
  const away = people.filter(({ is_here: isHere }) => !isHere);
  if (!away.length) return null;
  if (people.length === 1) return { text: "Is this your seat? Open your own link to it, because the table knows you only by that link. It is in the menu of the browser in which you sat down: “My seat on another device”." };
  const buttons = away.map(({ name, replaced_person: person, number }) => ["claim", `I am ${person || name}`, "is-plain", number]);
  return { text: "Do you already play here, but on another device? Say who you are. You get your seat back when the others agree.", buttons };
}

function failureNotice({ status, isOwner, shown }) {
  if (status.failure) return { text: status.failure, tone: "is-fault" };
  if (status.fault) {
    const seat = shown.view.to_act;
    const buttons = [["retry", "Ask the bot again", "is-primary"], ["replace", "Another bot", "is-plain", seat]];
    return { text: faultText(status.fault, isOwner), buttons: isOwner ? buttons : [], tone: "is-fault" };
  }
  if (status.is_unresponsive) {
    return { text: "The bot does not answer.", tone: "is-fault", buttons: isOwner ? [["wait", "Wait", "is-plain"], ["stop", "Stop the bot", "is-plain"]] : [] };
  }
  if (!status.is_slow) return null;
  return { text: "The bot has been thinking for a long time.", buttons: isOwner ? [["wait", "Wait", "is-plain"], ["skip", "Act now", "is-primary"]] : [] };
}

function pauseNotice({ status, isOwner, seat }) {
  if (!status.is_paused) return null;
  const step = isOwner ? [["step", "One step", "is-plain"]] : [];
  // Every player may end a pause.
  const resume = isOwner || seat !== null ? [["resume", "Continue", "is-primary"]] : [];
  return { text: "The bots are paused.", buttons: [...step, ...resume] };
}

// Return a notice for a person who has read the summary, if others still read it.
function readersNotice({ state, shown, seat: ownSeat }) {
  const isOwnTurn = ownSeat !== null && shown?.view.to_act === ownSeat;
  if (!shown || shown.view.is_over || isOwnTurn || state.seats[ownSeat]?.is_reading) return null;
  const readers = state.seats.filter((player) => player.is_reading).map(({ name }) => name);
  return readers.length ? { text: `Waiting for ${listedNames(readers)} to read the end of the round.` } : null;
}

function faultText(fault, isOwner) {
  const sentence = capitalized(fault.endsWith(".") ? fault : `${fault}.`);
  return isOwner ? sentence : `${sentence} The owner of the table decides how to continue.`;
}

// Return a notice if the player to act is away.
function absenceNotice({ state, shown, isOwner, seat: ownSeat }) {
  const seat = shown?.view.is_over ? -1 : shown?.view.to_act ?? -1;
  const player = state.seats[seat];
  if (!player || seat === ownSeat || !isPerson(player) || player.is_here) return null;
  // Other players may replace the player only after a delay.
  const mayReplace = isOwner || (ownSeat !== null && player.can_replace);
  return { text: `${player.name} is away.`, buttons: mayReplace ? [["replace", "Let a bot play", "is-plain", seat]] : [] };
}

function openSeatNotice({ state, seat }) {
  const free = state.seats.findIndex((player) => player.is_open);
  if (seat !== null || free < 0 || state.stage !== "playing") return null;
  return { text: "A seat is open.", buttons: [["take", "Sit down", "is-primary", free]] };
}

function noticeElement({ text, buttons = [], tone = "" }) {
  const buttonElements = buttons.map(([command, label, look, seat = null]) =>
    withAttributes(element("button", `on-button ${look}`, label), { type: "button", "data-do": command, "data-seat": seat }),
  );
  const group = buttonElements.length ? [element("span", "on-notice-buttons", ...buttonElements)] : [];
  return element("div", `on-notice ${tone}`, element("span", "on-notice-text", text), ...group);
}
