// Toasts: short notices over the page that disappear after some seconds; screen readers announce them.

import { capitalized } from "../../table/actions.js";
import { element, withAttributes } from "../../table/elements.js";

const TOAST_MILLISECONDS = 6_000;
const MOST_TOASTS = 3;

let region = null;

/**
 * Show a toast; the text after `fix:` is advice to the person.
 * @param {string} text
 */
export function showToast(text) {
  const [problem, fix] = noticeSentences(text);
  const toast = element("p", "on-toast", element("span", "", problem), fix && element("span", "on-fix", fix));
  const box = toastRegion();
  box.append(toast);
  while (box.children.length > MOST_TOASTS) box.firstElementChild.remove();
  // Show the popover again, because the last shown one is on top of all dialogs.
  box.hidePopover?.();
  box.showPopover?.();
  toast.addEventListener("click", () => toast.remove());
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS + 40 * text.length);
}

/**
 * Return the sentences of a message: the problem and, from the text after `fix:`, the advice.
 * @param {string} message
 * @returns {string[]} one or two sentences
 */
export function noticeSentences(message) {
  return message.split(/\s*fix:\s*/u).filter(Boolean).map((part) => capitalized(/[.!?…]$/u.test(part) ? part : `${part}.`));
}

/** Create the region of toasts: screen readers announce changes only of a region that exists already. */
export function toastRegion() {
  region ??= withAttributes(element("div", "on-toasts ch-colours"), {
    role: "status",
    "aria-live": "polite",
    popover: "manual",
  });
  if (!region.isConnected) document.body.append(region);
  return region;
}
