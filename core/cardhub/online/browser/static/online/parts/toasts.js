// Short notices over the page, which go by themselves and are read out.

import { element, withAttributes } from "../../table/elements.js";

const TOAST_MILLISECONDS = 6_000;
const MOST_TOASTS = 3;

let region = null;

/**
 * Show a notice; its part after `fix:` is what the person can do.
 * @param {string} text
 */
export function showToast(text) {
  const [wrong, fix] = text.split(/\s*fix:\s*/u);
  const toast = element("p", "on-toast", element("span", "", wrong), fix && element("span", "on-fix", fix));
  const box = toastRegion();
  box.append(toast);
  while (box.children.length > MOST_TOASTS) box.firstElementChild.remove();
  // Over dialogs as well, the latest one on top.
  box.hidePopover?.();
  box.showPopover?.();
  toast.addEventListener("click", () => toast.remove());
  setTimeout(() => toast.remove(), TOAST_MILLISECONDS + 40 * text.length);
}

/** Prepare the region of notices: screen readers know it before there is one. */
export function toastRegion() {
  region ??= withAttributes(element("div", "on-toasts ch-colours"), {
    role: "status",
    "aria-live": "polite",
    popover: "manual",
  });
  if (!region.isConnected) document.body.append(region);
  return region;
}
