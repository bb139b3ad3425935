// Toasts: short notices over the page that disappear after some seconds; screen readers announce them.

import { element, withAttributes } from "../../table/elements.js";

const TOAST_MILLISECONDS = 6_000;
const MOST_TOASTS = 3;

let region = null;

/**
 * Show a toast; the text after `fix:` is advice to the person.
 * @param {string} text
 */
export function showToast(text) {
  const [problem, fix] = text.split(/\s*fix:\s*/u);
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
