// The menu of a game: a dialog of buttons, and the settings.

import { element } from "../../table/elements.js";
import { chooseColours } from "../parts/colours.js";
import { openDialog } from "../parts/dialogs.js";
import { choiceField, pushButton, switchField } from "../parts/widgets.js";
import { changeSettings, loadSettings } from "../net/storage.js";

const COLOUR_CHOICES = [
  { value: "system", text: "same as the device" },
  { value: "light", text: "light" },
  { value: "dark", text: "dark" },
];
const PACES = [
  { value: "0", text: "immediately" },
  { value: "0.3", text: "fast" },
  { value: "0.6", text: "normal" },
  { value: "1.2", text: "slow" },
  { value: "2.5", text: "very slow" },
];

/**
 * Open a menu; entries without a text are skipped.
 * @param {string} title
 * @param {{text: string|false|null, onClick: () => void, tone?: string}[]} entries
 */
export function openMenu(title, entries) {
  const list = element("div", "on-menu");
  const dialog = openDialog({ title, content: [list], classes: "is-menu" });
  for (const { text, onClick, tone = "menu" } of entries) {
    if (!text) continue;
    list.append(pushButton(text, tone, () => {
      dialog.close();
      onClick();
    }));
  }
  list.querySelector("button")?.focus();
}

/**
 * Show the settings of this device and, if the person may change them, of the game's pace.
 * @param {import("../net/table_model.js").TableModel} model
 * @param {(type: string, fields: object) => void} send
 */
export function showSettings(model, send) {
  const settings = loadSettings();
  const animate = switchField("Animate the cards", { checked: settings.animate, help: "Cards do not move if your device asks for reduced motion." });
  const colours = choiceField("Colours", COLOUR_CHOICES, { value: settings.colours });
  const sound = switchField("Play a sound when it is my turn", { checked: settings.sound });
  const change = (changes) => chooseColours(changeSettings(changes).colours);
  animate.control.addEventListener("change", () => change({ animate: animate.control.checked }));
  colours.control.addEventListener("change", () => change({ colours: colours.control.value }));
  sound.control.addEventListener("change", () => change({ sound: sound.control.checked }));
  const form = element("form", "on-form", colours, animate, sound, ...gameSettings(model, send));
  form.addEventListener("submit", (event) => event.preventDefault());
  openDialog({ title: "Settings", content: [form], classes: "is-form" });
}

function gameSettings(model, send) {
  const fields = [];
  if (model.seat !== null) {
    const singleChoice = switchField("Play my only legal action automatically", { checked: Boolean(model.shown?.is_forced) });
    singleChoice.control.addEventListener("change", () => send("forced", { is_on: singleChoice.control.checked }));
    fields.push(singleChoice);
  }
  if (model.isOwner && model.state.seats.some(({ bot }) => bot)) fields.push(paceField(model.status.pace ?? 0, send));
  return fields;
}

function paceField(pace, send) {
  const nearest = PACES.reduce((best, choice) => (Math.abs(choice.value - pace) < Math.abs(best.value - pace) ? choice : best));
  const field = choiceField("Pace of the bots", PACES, { value: nearest.value });
  field.control.addEventListener("change", () => send("set_pace", { seconds: Number(field.control.value) }));
  return field;
}
