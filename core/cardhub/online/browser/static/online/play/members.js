// The people and bots at a table during a game: who is away, standing in, and links to seats.

import { element, withAttributes } from "../../table/elements.js";
import { openDialog } from "../parts/dialogs.js";
import { secretPicture, shareElement, tableAddress } from "../parts/share.js";
import { keptToken } from "../net/storage.js";
import { initialOf, pushButton, textField } from "../parts/widgets.js";
import { isPerson } from "../setup/chairs.js";

/**
 * Show the seats, with what the owner may do about them.
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
 * Return the bot to put into a seat: medium if there is one, but not the bot that plays there.
 * @param {{levels: string[], seats: {bot?: string}[]}} state
 * @param {number} seat
 * @returns {string}
 */
export function botFor({ levels, seats }, seat) {
  const others = levels.filter((level) => level !== seats[seat].bot);
  return others.includes("medium") ? "medium" : others[0] ?? "random";
}

/**
 * Ask a person who takes an open seat for a name.
 * @param {string} usual the name that was used last
 * @param {(name: string) => void} take
 */
export function askForName(usual, take) {
  const field = textField("Your name", { value: usual, maxlength: 60, autocomplete: "nickname", required: true });
  const button = withAttributes(element("button", "on-button is-primary", "Sit down"), { type: "submit" });
  const form = element("form", "on-form is-row", field, button);
  const dialog = openDialog({ title: "Sit down", content: [form], buttons: [{ text: "Cancel" }], classes: "is-form" });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const name = field.control.value.trim();
    if (!name) return;
    dialog.close();
    take(name);
  });
  field.control.focus();
}

/**
 * Show the link to a seat, which is for its person alone.
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
 * Show the link with which the own seat is taken on another device.
 * @param {string} table
 */
export function showOwnSeatLink(table) {
  showSeatLink({
    table,
    token: keptToken(table),
    title: "My seat on another device",
    text: "Open this link on the other device. Who has it plays for you: do not pass it on.",
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
  openDialog({ title: "Link to this table", content: [element("p", "", "Those who open it can watch, or take a seat that is free."), link] });
}

function personNote({ bot = "", is_here: isHere, replaced_person: standsFor = "", name = "" }, number, { seat, state }) {
  const who = bot ? (standsFor ? `the bot ${bot} plays for ${standsFor}` : `bot: ${bot}`) : name && (isHere ? "here" : "away");
  return [number === seat && "you", number === state.owner && "owner", who].filter(Boolean).join(" · ");
}

function ownerButtons(seat, number, state, act) {
  const isPersons = isPerson(seat) || seat.replaced_person;
  const entries = [
    isPerson(seat) && ["Let a bot play", "replace", { bot: botFor(state, number) }],
    seat.replaced_person && [`Back to ${seat.replaced_person}`, "replace", { bot: "" }],
    // A free seat of a running game: the bot plays until a person sits down.
    !isPersons && !seat.is_open && ["Offer this seat", "replace", { bot: "" }],
    isPersons && ["New link", "reissue", {}],
  ];
  return entries.filter(Boolean).map(([text, type, fields]) => pushButton(text, "plain", () => act(type, fields)));
}
