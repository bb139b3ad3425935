// The people and bots at a table during a game: who is away or replaced by a bot, and links to seats.

import { element, withAttributes } from "../../table/elements.js";
import { openDialog } from "../parts/dialogs.js";
import { secretPicture, shareElement, tableAddress } from "../parts/share.js";
import { loadToken } from "../net/storage.js";
import { initialOf, pushButton, textField } from "../parts/widgets.js";
import { isPerson } from "../setup/chairs.js";

/**
 * Show the seats, for the owner with buttons to change them.
 * @param {import("../net/table_model.js").TableModel} model
 * @param {(type: string, fields: object) => void} send
 */
export function showMembers(model, send) {
  const { state, isOwner } = model;
  const items = state.seats.map((seat, number) => element("li", "on-person",
    initialOf(seat.name ?? ""),
    element("span", "on-person-words", element("strong", "", seat.name || "Free seat"), element("span", "on-help", personNote(seat, number, model))),
    ...(isOwner && number !== model.seat ? ownerButtons(seat, number, state, (type, fields) => {
      send(type, { seat: number, ...fields });
      dialog.close();
    }) : []),
  ));
  const watching = state.spectators ? element("p", "on-help", `${state.spectators} watching`) : null;
  const scores = Object.entries(state.scores ?? {});
  const won = scores.length ? element("p", "on-help", `Games won: ${scores.map(([name, count]) => `${name} ${count}`).join(", ")}`) : null;
  const dialog = openDialog({ title: "Players", content: [element("ul", "on-people", ...items), watching, won].filter(Boolean) });
}

/**
 * Return the bot to put into a seat: the level `medium` if possible, but not the bot that plays there.
 * @param {{levels: string[], seats: {bot?: string}[]}} state
 * @param {number} seat
 * @returns {string}
 */
export function botFor({ levels, seats }, seat) {
  const others = levels.filter((level) => level !== seats[seat].bot);
  return others.includes("medium") ? "medium" : others[0] ?? "random";
}

/**
 * Ask for the name of a person who takes an open seat.
 * @param {string} lastName the last used name
 * @param {(name: string) => void} onName
 */
export function askForName(lastName, onName) {
  const field = textField("Your name", { value: lastName, maxlength: 60, autocomplete: "nickname", required: true });
  const button = withAttributes(element("button", "on-button is-primary", "Sit down"), { type: "submit" });
  const form = element("form", "on-form is-row", field, button);
  const dialog = openDialog({ title: "Sit down", content: [form], buttons: [{ text: "Cancel" }], classes: "is-form" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.control.value.trim();
    if (!name) return;
    dialog.close();
    onName(name);
  });
  field.control.focus();
}

/**
 * Show the link to a seat, which only its person may have.
 * @param {{table: string, token: string, text: string, title: string}} seat
 */
export function showSeatLink({ table, token, text, title }) {
  const fragment = `#seat=${token}`;
  const link = shareElement({ address: tableAddress(table) + fragment, label: "Link to the seat", title });
  const content = element("div", "on-seat-link", element("p", "", text), link);
  openDialog({ title, content: [content] });
  void secretPicture(`/t/${table}${fragment}`).then((picture) => {
    if (!picture) return;
    const code = shareElement({ address: tableAddress(table) + fragment, label: "Link to the seat", title, picture });
    link.replaceWith(code);
  });
}

/**
 * Show the link that opens the person's seat on another device.
 * @param {string} table
 */
export function showOwnSeatLink(table) {
  showSeatLink({
    table,
    token: loadToken(table),
    title: "My seat on another device",
    text: "Open this link on the other device. Do not pass it on, because everyone who has it can play for you.",
  });
}

/**
 * Show the link to the table.
 * @param {string} table
 * @param {string} title
 */
export function showTableLink(table, title) {
  const link = shareElement({
    address: tableAddress(table), label: "Link to this table", title, picture: `/t/${encodeURIComponent(table)}/qr.svg`,
  });
  openDialog({ title: "Link to this table", content: [element("p", "", "Everyone who opens this link can watch the game or take a free seat."), link] });
}

function personNote({ bot = "", is_here: isHere, replaced_person: replacedPerson = "", name = "" }, number, { seat, state }) {
  const occupant = bot ? (replacedPerson ? `a bot (${bot}) plays for ${replacedPerson}` : `bot: ${bot}`) : name && (isHere ? "here" : "away");
  return [number === seat && "you", number === state.owner && "owner", occupant].filter(Boolean).join(" · ");
}

function ownerButtons(seat, number, state, onCommand) {
  const belongsToPerson = isPerson(seat) || seat.replaced_person;
  const entries = [
    isPerson(seat) && ["Let a bot play", "replace", { bot: botFor(state, number) }],
    seat.replaced_person && [`Give it back to ${seat.replaced_person}`, "replace", { bot: "" }],
    // The bot of an offered seat plays until a person sits down.
    !belongsToPerson && !seat.is_open && ["Offer this seat", "replace", { bot: "" }],
    belongsToPerson && ["New link", "reissue", {}],
  ];
  return entries.filter(Boolean).map(([text, type, fields]) => pushButton(text, "plain", () => onCommand(type, fields)));
}
