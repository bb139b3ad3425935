// Scrolling regions: the keyboard can scroll them even if Tab reaches none of their parts.

import { withAttributes } from "./elements.js";

const REGIONS = ".ch-felt, .ch-actions, .ch-own-line, .ch-other, .ch-look-hand";
const REACHED = '[tabindex="0"], a[href], input, button:not([tabindex])';

/** The regions of a table that may scroll: Tab reaches them if they scroll and it reaches none of their parts. */
export class ScrollingRegions {
  /**
   * @param {HTMLElement} root
   * @param {{ownCards: string, ownSeat: string}} words
   */
  constructor(root, words) {
    [this.root, this.words] = [root, words];
    // A region begins to scroll also if the window, another part or a font changes its room.
    this.observer = new ResizeObserver(() => this.#reach());
  }

  /** Look at the regions of a new drawing, and at their parts, after its layout. */
  watch() {
    this.observer.disconnect();
    for (const region of this.root.querySelectorAll(REGIONS)) {
      for (const node of [region, ...region.children]) this.observer.observe(node);
    }
  }

  #reach() {
    for (const region of this.root.querySelectorAll(REGIONS)) {
      const isMissed = scrolls(region) && !region.querySelector(REACHED);
      if (!isMissed) region.removeAttribute("tabindex");
      else withAttributes(region, { tabindex: 0, ...namesOf(region, this.words) });
    }
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
