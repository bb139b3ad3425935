// The menu of a game, as a sheet of buttons.

import { element } from "../../table/elements.js";
import { chooseColours } from "../parts/colours.js";
import { openDialog } from "../parts/dialogs.js";
import { choiceField, pushButton, switchField } from "../parts/widgets.js";
import { keepSettings, keptSettings } from "../net/storage.js";

const COLOUR_CHOICES = [
  { value: "system", text: "as the device" },
  { value: "light", text: "light" },
  { value: "dark", text: "dark" },
];
const PACES = [
  { value: "0", text: "at once" },
  { value: "0.3", text: "fast" },
  { value: "0.6", text: "usual" },
  { value: "1.2", text: "slow" },
  { value: "2.5", text: "very slow" },
];

/**
 * Open a menu; entries without a text are left out.
 * @param {string} title
 * @param {{text: string|false|null, act: () => void, tone?: string}[]} entries
 */
export function openMenu(title, entries) {
  const list = element("div", "on-menu");
  const dialog = openDialog({ title, content: [list], classes: "is-menu" });
  for (const { text, act, tone = "menu" } of entries) {
    if (!text) continue;
    list.append(pushButton(text, tone, () => {
      dialog.close();
      act();
    }));
  }
  list.querySelector("button")?.focus();
}

/**
 * Show the settings of this device and, for those who may, of the course of the game.
 * @param {import("../net/table_model.js").TableModel} model
 * @param {(type: string, fields: object) => void} send
 */
export function showSettings(model, send) {
  const kept = keptSettings();
  const animate = switchField("Cards move", { checked: kept.animate, help: "Never where the device asks for less motion." });
  const colours = choiceField("Colours", COLOUR_CHOICES, { value: kept.colours });
  const sound = switchField("A sound when it is my turn", { checked: kept.sound });
  const keep = (changes) => chooseColours(keepSettings(changes).colours);
  animate.control.addEventListener("change", () => keep({ animate: animate.control.checked }));
  colours.control.addEventListener("change", () => keep({ colours: colours.control.value }));
  sound.control.addEventListener("change", () => keep({ sound: sound.control.checked }));
  const form = element("form", "on-form", colours, animate, sound, ...gameSettings(model, send));
  form.addEventListener("submit", (event) => event.preventDefault());
  openDialog({ title: "Settings", content: [form], classes: "is-form" });
}

function gameSettings(model, send) {
  const made = [];
  if (model.seat !== null) {
    const forced = switchField("Play my only legal action at once", { checked: Boolean(model.shown?.is_forced) });
    forced.control.addEventListener("change", () => send("forced", { is_on: forced.control.checked }));
    made.push(forced);
  }
  if (model.isOwner && model.state.seats.some(({ bot }) => bot)) made.push(paceField(model.status.pace ?? 0, send));
  return made;
}

function paceField(pace, send) {
  const nearest = PACES.reduce((best, each) => (Math.abs(each.value - pace) < Math.abs(best.value - pace) ? each : best));
  const field = choiceField("Bots act", PACES, { value: nearest.value });
  field.control.addEventListener("change", () => send("set_pace", { seconds: Number(field.control.value) }));
  return field;
}
