// The settings of a table: seats, options of the game, clock and permissions.

import { element, withAttributes } from "../../table/elements.js";
import { inWords, optionFields } from "../parts/option_fields.js";
import { choiceField, switchField } from "../parts/widgets.js";

const SWITCHES = [
  { name: "is_listed", text: "Show the table in the lobby", help: "If this is off, people can open the table only by its link." },
  { name: "has_helps", text: "Hints and undo", help: "If this is off, the table gives no hints and players cannot undo actions." },
  { name: "has_chat", text: "Chat", help: "Records and replays never contain the chat." },
  { name: "shows_spectators", text: "Spectators", help: "Everyone who has the link can watch; spectators do not see hidden cards." },
];
const CLOCKS = [
  { value: "", text: "no clock" },
  { value: "5+10", text: "5 minutes and 10 seconds for each action" },
  { value: "10+20", text: "10 minutes and 20 seconds for each action" },
  { value: "30+30", text: "30 minutes and 30 seconds for each action" },
  { value: "1d", text: "one day for each action" },
  { value: "3d", text: "three days for each action" },
];

/**
 * Return the settings: fields for the owner, text for others.
 * @param {object} state
 * @param {boolean} isOwner
 * @returns {HTMLElement}
 */
export function settingsElement(state, isOwner) {
  if (!isOwner) return optionTexts(state);
  const options = optionFields(state.options);
  for (const control of options.flatMap((field) => [...field.querySelectorAll("[data-option]")])) {
    control.setAttribute("data-set", "option");
  }
  return withAttributes(
    element("details", "on-more",
      element("summary", "on-summary", "Options"),
      seatsField(state),
      ...options,
      clockField(state),
      ...SWITCHES.map((setting) => switchOf(setting, state)),
      webhookField(state),
    ),
    { "data-part": "options" },
  );
}

/**
 * Return a summary of the settings: the seats, the clock, missing hints and the number of spectators.
 * @param {object} state
 * @returns {string}
 */
export function settingsText(state) {
  const clock = CLOCKS.find(({ value }) => value && value === state.clock)?.text ?? state.clock;
  const people = state.spectators ? `${state.spectators} watching` : "";
  const seats = `${state.seats.length} seats`;
  return [seats, clock, !state.has_helps && "no hints", people].filter(Boolean).join(" · ");
}

function optionTexts({ options }) {
  const rows = options.map(({ name, value }) => [element("dt", "", inWords(name)), element("dd", "", inWords(value))]);
  return element("details", "on-more", element("summary", "on-summary", "Options"), element("dl", "on-facts", ...rows.flat()));
}

function seatsField({ seats, fewest, most }) {
  if (fewest === most) return null;
  const choices = Array.from({ length: most - fewest + 1 }, (_, n) => String(fewest + n));
  return choiceField("Seats", choices.map((value) => ({ value, text: value })), { value: String(seats.length), "data-set": "seats" });
}

function clockField({ clock = "" }) {
  const choices = CLOCKS.some(({ value }) => value === clock) ? CLOCKS : [...CLOCKS, { value: clock, text: clock }];
  return choiceField("Clock", choices, { value: clock, "data-set": "text", "data-name": "clock" });
}

function switchOf({ name, text, help }, state) {
  return switchField(text, { checked: Boolean(state[name]), help, "data-set": "has", "data-name": name });
}

function webhookField({ has_webhook: isSet }) {
  const input = withAttributes(element("input", "on-input"), {
    type: "url", "data-set": "text", "data-name": "webhook", maxlength: 400,
    placeholder: isSet ? "A webhook is set. Type another address to replace it." : "for example, the webhook of a chat",
  });
  return element("label", "on-field",
    element("span", "on-label", "Web address to call when a person's turn begins"), input);
}
