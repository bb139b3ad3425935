// Fields for the options of a game, built from the server's descriptions.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";
import { choiceField, switchField } from "./widgets.js";

/**
 * Return the fields of options; `data-option` of the control is the option's name.
 * @param {object[]} options as in `OptionState`
 * @returns {HTMLElement[]}
 */
export function optionFields(options) {
  return options.map((option) => {
    const field = fieldOf(option);
    return element("div", "on-option", field, typeof option.value !== "boolean" && helpOf(option));
  });
}

/**
 * Return the options whose values were changed in a form, by name.
 * @param {HTMLElement} form
 * @param {object[]} options
 * @returns {Record<string, unknown>}
 */
export function changedOptions(form, options) {
  const changed = {};
  for (const option of options) {
    const control = form.querySelector(`[data-option="${CSS.escape(option.name)}"]`);
    const value = control ? valueOf(control, option) : option.value;
    if (value !== option.value) changed[option.name] = value;
  }
  return changed;
}

/**
 * Return the value of a control in the option's type.
 * @param {HTMLInputElement|HTMLSelectElement} control
 * @param {object} option
 * @returns {unknown}
 */
export function valueOf(control, option) {
  if (control.type === "checkbox") return control.checked;
  const chosen = (option.choices ?? []).find((choice) => String(choice) === control.value);
  if (chosen !== undefined) return chosen;
  return typeof option.value === "number" ? Number(control.value) : control.value;
}

/**
 * Return an identifier or a boolean in words: "hand_size" as "Hand size", true as "Yes".
 * @param {unknown} name
 * @returns {string}
 */
export function inWords(name) {
  if (name === true) return "Yes";
  if (name === false) return "No";
  return capitalized(String(name).replaceAll("_", " "));
}

function fieldOf(option) {
  const { name, value, choices = [], help = "" } = option;
  const attributes = { "data-option": name };
  if (typeof value === "boolean") {
    return switchField(inWords(name), { ...attributes, checked: value, help });
  }
  if (choices.length) {
    const texts = choices.map((choice) => ({ value: String(choice), text: inWords(choice) }));
    return choiceField(inWords(name), texts, { ...attributes, value: String(value) });
  }
  return inputField(option, attributes);
}

function inputField({ name, value, least, most }, attributes) {
  const input = withAttributes(element("input", "on-input"), {
    ...attributes,
    type: typeof value === "number" ? "number" : "text",
    min: least,
    max: most,
    value,
  });
  return element("label", "on-field", element("span", "on-label", inWords(name)), input);
}

function helpOf({ help, least, most }) {
  const range = Number.isInteger(least) && Number.isInteger(most) ? `${least} to ${most}` : "";
  const text = [help, range && `(${range})`].filter(Boolean).join(" ");
  return text && element("small", "on-help", text);
}
