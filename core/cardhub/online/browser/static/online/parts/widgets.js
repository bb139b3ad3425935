// Buttons, icons and fields of the pages.

import { drawing, element, spokenText, withAttributes } from "../../table/elements.js";

const ICONS = {
  menu: "M4 6h16v2H4zm0 5h16v2H4zm0 5h16v2H4z",
  chat: "M4 4h16a2 2 0 0 1 2 2v9a2 2 0 0 1-2 2h-8l-5 4v-4H4a2 2 0 0 1-2-2V6a2 2 0 0 1 2-2Zm3 5v2h10V9Z",
  hint: "M12 2a7 7 0 0 1 4 12.700V17a1 1 0 0 1-1 1H9a1 1 0 0 1-1-1v-2.300A7 7 0 0 1 12 2ZM9 19h6v1.500A1.500 1.500 0 0 1 13.500 22h-3A1.500 1.500 0 0 1 9 20.500Z",
  pause: "M6 4h4v16H6zm8 0h4v16h-4z",
  play: "M7 4l13 8-13 8Z",
  step: "M5 4l10 8-10 8Zm11 0h3v16h-3z",
  skip: "M3 4l8 8-8 8Zm9 0l8 8-8 8Z",
  copy: "M8 2h11a2 2 0 0 1 2 2v12h-2V4H8ZM5 6h9a2 2 0 0 1 2 2v12a2 2 0 0 1-2 2H5a2 2 0 0 1-2-2V8a2 2 0 0 1 2-2Z",
  share: "M12 2l5 5-1.400 1.400L13 5.800V15h-2V5.800L8.400 8.400 7 7ZM5 11h3v2H6v7h12v-7h-2v-2h3a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1H5a1 1 0 0 1-1-1v-9a1 1 0 0 1 1-1Z",
  close: "M6.400 5 12 10.600 17.600 5 19 6.400 13.400 12 19 17.600 17.600 19 12 13.400 6.400 19 5 17.600 10.600 12 5 6.400Z",
  bot: "M11 2h2v3h5a3 3 0 0 1 3 3v9a3 3 0 0 1-3 3H6a3 3 0 0 1-3-3V8a3 3 0 0 1 3-3h5ZM8.500 9a1.900 1.900 0 0 0 0 3.800 1.900 1.900 0 0 0 0-3.800Zm7 0a1.900 1.900 0 0 0 0 3.800 1.900 1.900 0 0 0 0-3.800ZM8 15v1.700h8V15Z",
  up: "M12 6l7 7-1.500 1.500L12 9l-5.500 5.500L5 13Z",
  send: "M3 20v-6l9-2-9-2V4l19 8Z",
};

/**
 * Return a button with a text; tones are `primary`, `plain`, `costly`, `quiet` and `menu`.
 * @param {string} text
 * @param {string} tone
 * @param {() => void} [onClick]
 * @returns {HTMLButtonElement}
 */
export function pushButton(text, tone = "plain", onClick = undefined) {
  const button = withAttributes(element("button", `on-button is-${tone}`, text), { type: "button" });
  if (onClick) button.addEventListener("click", onClick);
  return button;
}

/**
 * Return a button with an icon; `label` is its text for screen readers and its tooltip.
 * @param {string} name the name of the icon
 * @param {string} label
 * @param {() => void} [onClick]
 * @returns {HTMLButtonElement}
 */
export function iconButton(name, label, onClick = undefined) {
  const button = withAttributes(element("button", `on-icon-button on-do-${name}`, icon(name), spokenText(label)), {
    type: "button",
    title: label,
  });
  if (onClick) button.addEventListener("click", onClick);
  return button;
}

/**
 * Return an icon by its name.
 * @param {string} name
 * @returns {SVGElement}
 */
export function icon(name) {
  return drawing("on-icon", ICONS[name]);
}

/**
 * Return a text field with its label.
 * @param {string} label
 * @param {{value?: string, name?: string, maxlength?: number, placeholder?: string}} attributes
 * @returns {HTMLLabelElement} its `control` is the field
 */
export function textField(label, { value = "", ...attributes }) {
  const input = withAttributes(element("input", "on-input"), { type: "text", ...attributes });
  input.value = value;
  return element("label", "on-field", element("span", "on-label", label), input);
}

/**
 * Return a list of choices with its label.
 * @param {string} label
 * @param {{value: string, text: string, disabled?: boolean}[]} choices
 * @param {{value: string, [name: string]: unknown}} attributes
 * @returns {HTMLLabelElement}
 */
export function choiceField(label, choices, { value, ...attributes }) {
  const options = choices.map((choice) =>
    withAttributes(element("option", "", choice.text), {
      value: choice.value,
      selected: choice.value === value,
      disabled: choice.disabled ?? false,
    }),
  );
  // `data-value` holds the server's value next to the person's choice; `setControls` restores it after a redraw.
  const select = withAttributes(element("select", "on-input", ...options), { ...attributes, "data-value": value });
  return element("label", "on-field", element("span", "on-label", label), select);
}

/**
 * Return a switch with its label.
 * @param {string} label
 * @param {{checked: boolean, help?: string, [name: string]: unknown}} attributes
 * @returns {HTMLLabelElement}
 */
export function switchField(label, { checked, help = "", ...attributes }) {
  const box = withAttributes(element("input", "on-switch"), { type: "checkbox", checked, ...attributes });
  box.checked = checked;
  const texts = element("span", "on-switch-text", element("span", "", label), help && element("small", "on-help", help));
  return element("label", "on-switch-field", box, texts);
}

/**
 * Return a circle with the initial of a name.
 * @param {string} name
 * @returns {HTMLElement}
 */
export function initialOf(name) {
  const [first = ""] = [...name];
  return withAttributes(element("span", `on-initial ${name ? "" : "is-empty"}`, first), { "aria-hidden": "true" });
}

/**
 * Return a section of a page, named by its title.
 * @param {string} name is unique on the page
 * @param {string} title
 * @param {HTMLElement} content
 * @returns {HTMLElement}
 */
export function titledSection(name, title, content) {
  const heading = withAttributes(element("h2", "on-section-title", title), { id: `section-${name}` });
  return withAttributes(element("section", `on-section on-section-${name}`, heading, content), {
    "aria-labelledby": heading.id,
  });
}
