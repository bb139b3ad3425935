// Scrolling regions: the keyboard can scroll them even if Tab reaches none of their parts.

import { withAttributes } from "./elements.js";

const REGIONS = ".ch-felt, .ch-actions, .ch-own-line, .ch-other, .ch-look-hand";
const REACHED = '[tabindex="0"], a[href], input, button:not([tabindex])';

/**
 * Make regions that scroll focusable with Tab if Tab reaches none of their parts.
 * @param {HTMLElement} root
 * @param {{ownCards: string, ownSeat: string}} words
 */
export function reachScrolled(root, words) {
  for (const region of root.querySelectorAll(REGIONS)) {
    const isMissed = scrolls(region) && !region.querySelector(REACHED);
    if (!isMissed) region.removeAttribute("tabindex");
    else withAttributes(region, { tabindex: 0, ...namesOf(region, words) });
  }
}

// Other regions already have names. The next drawing removes these attributes.
function namesOf(region, { ownCards, ownSeat }) {
  if (!region.matches("div")) return {};
  if (region.ariaLabel) return { role: "region" };
  return { role: "region", "aria-label": region.matches(".ch-own-line") ? ownSeat : ownCards };
}

function scrolls(region) {
  const { overflowX, overflowY } = getComputedStyle(region);
  const isWide = overflowX === "auto" && region.scrollWidth > region.clientWidth;
  return isWide || (overflowY === "auto" && region.scrollHeight > region.clientHeight);
}
