// The dialog for a new table: the owner's name, the seats, and the options of the game.

import { element, withAttributes } from "../../table/elements.js";
import { postJson } from "../net/requests.js";
import { saveKey, saveName, saveToken, loadKey, loadName } from "../net/storage.js";
import { changedOptions, optionFields } from "../parts/option_fields.js";
import { openDialog } from "../parts/dialogs.js";
import { showToast } from "../parts/toasts.js";
import { choiceField, pushButton, switchField, textField } from "../parts/widgets.js";
import { aboutText, fanElement, lessonLink, playersText } from "./game_tiles.js";

/**
 * Ask for the name, the seats and the options of a new table, then make it and go to it.
 * @param {object} game a game of the lobby
 * @param {HTMLInputElement} nameInput the lobby's field for the name
 * @param {boolean} needsKey whether the server makes tables only for people with its key
 */
export function openNewTable(game, nameInput, needsKey) {
  const name = textField("Your name", { value: nameInput.value, maxlength: 60, name: "name", autocomplete: "nickname", required: true });
  const seats = newSeatsField(game);
  const create = withAttributes(pushButton("Make the table", "primary"), { type: "submit" });
  const cancel = pushButton("Cancel", "quiet", () => dialog.close());
  const about = element("div", "on-new-about", fanElement(game), element("div", "", element("p", "", aboutText(game)), element("p", "on-help", playersText(game))));
  const key = needsKey ? textField("Key of this server", { name: "key", required: true, autocomplete: "off", value: loadKey() }) : null;
  const learnText = game.lesson ? "Begin the lesson again" : "Learn it: a first hand with comments";
  const learn = game.has_lesson && pushButton(learnText, "quiet", () => void makeLesson(game, key?.control.value.trim(), learn));
  const form = element("form", "on-form", about, game.lesson && lessonLink(game), learn, name, seats, key, moreOptions(game), element("div", "on-form-buttons", cancel, create));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    nameInput.value = name.control.value.trim();
    void makeTable(game, form, nameInput.value, create);
  });
  const dialog = openDialog({ title: game.title, content: [form], buttons: [], classes: "is-form" });
  name.control.focus();
}

/**
 * Make the table of a game's lesson and go to it; ask for the key of the server first if it is not known.
 * @param {object} game a game of the lobby
 * @param {HTMLInputElement} nameInput the lobby's field for the name
 * @param {boolean} needsKey whether the server makes tables only for people with its key
 * @param {HTMLButtonElement} button the button that was pressed, which is disabled until the lesson begins
 */
export function openLesson(game, nameInput, needsKey, button) {
  if (needsKey && !loadKey()) openNewTable(game, nameInput, needsKey);
  else void makeLesson(game, needsKey && loadKey(), button);
}

function makeLesson(game, key, button) {
  return goToNewTable({ game: game.name, name: loadName() || "Learner", is_lesson: true, ...(key ? { key } : {}) }, button);
}

function newSeatsField({ fewest, most, seats = 0 }) {
  if (fewest === most) return null;
  const choices = Array.from({ length: most - fewest + 1 }, (_, n) => String(fewest + n));
  const selected = String(seats || Math.min(Math.max(fewest, 2), most));
  return choiceField("Seats", choices.map((value) => ({ value, text: value })), { value: selected, name: "seats" });
}

function moreOptions(game) {
  return element("details", "on-more",
    element("summary", "on-summary", "Options"),
    switchField("Show the table in the lobby", { checked: false, name: "is_listed", help: "If this is off, people can open the table only by its link." }),
    ...optionFields(game.options),
  );
}

function makeTable(game, form, name, button) {
  saveName(name);
  const { seats, key, is_listed: listed } = form.elements;
  const request = { game: game.name, name, is_listed: listed.checked, options: changedOptions(form, game.options) };
  if (seats) request.seats = Number(seats.value);
  if (key) request.key = key.value.trim();
  return goToNewTable(request, button);
}

// Make a table and go to it; until then, its button is disabled.
async function goToNewTable(request, button) {
  button.disabled = true;
  try {
    const { table, token } = await postTable(request);
    saveToken(table, token);
    if (request.key) saveKey(request.key);
    location.assign(`/t/${encodeURIComponent(table)}`);
  } catch (error) {
    showToast(error.message);
    button.disabled = false;
  }
}

async function postTable(request) {
  const answer = await postJson("/tables", request);
  const content = await answer.json().catch(() => ({}));
  if (!answer.ok) throw new Error(content.why ?? `the server answered with status ${answer.status}`);
  return content;
}
