// The field for an amount: a number, a slider and a button for each shortcut.

import { element, withAttributes } from "./elements.js";

/** @typedef {{low: number, high: number, step: number, stride: number, text: string,
 *   shortcuts: [name: string, amount: number][], costly_from?: number|null}} AmountRange */

const BLANK_AMOUNT = "{amount}";

/**
 * Return the choice of one amount; `listed` is the action of the range in the view.
 * @param {import("./spots.js").Choice} choice a choice with amounts
 * @param {number} amount
 * @returns {import("./spots.js").Choice}
 */
export function withAmount(choice, amount) {
  const { low, step, stride, text, costly_from: costlyFrom } = choice.amounts;
  const action = choice.action + ((amount - low) / step) * stride;
  const tone = amount >= (costlyFrom ?? Infinity) ? "costly" : choice.tone;
  const name = text.replace(BLANK_AMOUNT, amount);
  return { ...choice, amounts: null, listed: choice.action, amount, action, tone, name };
}

/**
 * Return whether a choice has an action, perhaps as one of its amounts.
 * @param {import("./spots.js").Choice} choice
 * @param {number} action
 * @returns {boolean}
 */
export function coversAction({ action: first, amounts, equal = [] }, action) {
  if (!amounts) return first === action || equal.includes(action);
  const steps = (action - first) / amounts.stride;
  return Number.isInteger(steps) && steps >= 0 && amounts.low + steps * amounts.step <= amounts.high;
}

/**
 * Return the choice with a name, such as `raise to 13`.
 * @param {import("./spots.js").Choice[]} choices
 * @param {string} name
 * @returns {import("./spots.js").Choice|undefined}
 */
export function choiceNamed(choices, name) {
  const listed = choices.find((choice) => choice.name === name);
  if (listed) return listed;
  for (const choice of choices.filter(({ amounts }) => amounts)) {
    const [before, after] = choice.amounts.text.split(BLANK_AMOUNT);
    if (!name.startsWith(before) || !name.endsWith(after)) continue;
    const digits = name.slice(before.length, name.length - after.length);
    if (/^\d+$/.test(digits) && isAmount(choice.amounts, Number(digits))) return withAmount(choice, Number(digits));
  }
  return undefined;
}

/**
 * Return the field for the amount of a choice; its button has the chosen amount as `data-amount`.
 * @param {import("./spots.js").Choice} choice a choice with amounts
 * @param {object} words
 * @returns {HTMLElement}
 */
export function amountField(choice, words) {
  const { low, high, step, shortcuts } = choice.amounts;
  const limits = { min: low, max: high, step, value: low };
  const number = withAttributes(element("input", "ch-amount-number"), {
    ...limits, type: "number", inputmode: "numeric", "aria-label": words.amount,
  });
  const slider = withAttributes(element("input", "ch-amount-slider"), {
    ...limits, type: "range", "aria-label": words.amount,
  });
  const take = withAttributes(element("button", "ch-button is-primary"), {
    type: "button", "data-action": choice.action,
  });
  const problem = withAttributes(element("p", "ch-amount-problem"), { role: "status" });
  const show = (amount) => {
    const isLegal = isAmount(choice.amounts, amount);
    problem.textContent = isLegal ? "" : problemText(choice.amounts, words);
    take.disabled = !isLegal;
    take.dataset.amount = amount;
    const { name } = isLegal ? withAmount(choice, amount) : choice;
    take.textContent = name.charAt(0).toUpperCase() + name.slice(1);
  };
  const set = (amount) => {
    [number.value, slider.value] = [amount, amount];
    show(amount);
  };
  number.addEventListener("input", () => {
    // An empty field leaves the slider alone, which would jump to its middle.
    if (number.value !== "") slider.value = number.value;
    show(number.value === "" ? NaN : Number(number.value));
  });
  number.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && !event.repeat) take.click();
  });
  slider.addEventListener("input", () => set(Number(slider.value)));
  const buttons = shortcuts.map(([name, amount]) => {
    const button = withAttributes(element("button", "ch-button ch-shortcut", `${name} ${amount}`), { type: "button" });
    button.addEventListener("click", () => set(amount));
    return button;
  });
  set(low);
  return withAttributes(
    element("div", "ch-menu ch-amount",
      element("div", "ch-amount-row", number, take),
      problem,
      slider,
      element("div", "ch-amount-row", ...buttons)),
    { role: "group", "aria-label": choice.name },
  );
}

function problemText({ low, high, step }, words) {
  const text = step > 1 ? words.amountInSteps : words.amountBetween;
  return text.replace("{low}", low).replace("{high}", high).replace("{step}", step);
}

function isAmount({ low, high, step }, amount) {
  return Number.isInteger(amount) && amount >= low && amount <= high && (amount - low) % step === 0;
}
