// The note next to a spot: details of a card, an explanation, or a menu of choices.

import { element, withAttributes, withProperties } from "./elements.js";

// Pixels between a note and its spot, and from the edges of the table.
const GAP = 8;

/**
 * The note of a table; at most one note is open.
 */
export class SpotNote {
  /** @param {HTMLElement} root the element the element that contains the note */
  constructor(root) {
    this.root = root;
    this.element = withAttributes(element("div", "ch-details"), { role: "status", hidden: true });
    root.append(this.element);
    this.isPinned = false;
  }

  /**
   * Show a title and lines next to a spot; a pinned note stays until it is closed.
   * @param {HTMLElement} spot
   * @param {{title: string, lines: string[]}} details
   * @param {boolean} isPinned
   */
  showText(spot, { title, lines }, isPinned = false) {
    const texts = lines.map((line) => element("p", "", line));
    this.#show(spot, [element("strong", "", title), ...texts], isPinned);
  }

  /**
   * Show an element, such as a card, next to a node.
   * @param {Element} node
   * @param {HTMLElement} content
   * @param {boolean} isPinned
   */
  present(node, content, isPinned = false) {
    this.#show(node, [content], isPinned);
  }

  /**
   * Show an element, such as a menu, next to a spot until it is closed.
   * @param {HTMLElement} spot
   * @param {HTMLElement} content
   */
  offer(spot, content) {
    this.#show(spot, [content], true);
    content.querySelector("input, button")?.focus();
  }

  /**
   * Return the anchor of a note: the spot of the open note for a button inside that note, else the node itself.
   * @param {HTMLElement} node
   * @returns {HTMLElement}
   */
  anchorOf(node) {
    return this.element.contains(node) ? this.spot : node;
  }

  /** Close the note and return the focus from the note to its spot. */
  dismiss() {
    const hadFocus = this.element.contains(document.activeElement);
    this.close();
    if (hadFocus) this.spot.focus({ preventScroll: true });
  }

  /**
   * Close the note; a pinned note stays open unless `isForced`.
   * @param {boolean} isForced
   */
  close(isForced = true) {
    if (this.isPinned && !isForced) return;
    this.element.hidden = true;
    this.isPinned = false;
  }

  #show(spot, content, isPinned) {
    this.spot = spot;
    this.element.replaceChildren(...content);
    this.element.hidden = false;
    this.isPinned = isPinned;
    this.element.classList.toggle("is-pinned", isPinned);
    this.#place(spot.getBoundingClientRect());
  }

  // The next action may be a button, so a note is above all buttons rather than on one of them.
  #clearOfButtons(y, height, top) {
    const buttons = this.root.querySelector(".ch-actions")?.getBoundingClientRect();
    const isOnButtons = buttons && y + top < buttons.bottom && y + height + top > buttons.top;
    const above = isOnButtons ? buttons.top - top - height - GAP : y;
    return above >= GAP ? above : y;
  }

  #place(target) {
    const frame = this.root.getBoundingClientRect();
    const note = this.element.getBoundingClientRect();
    const most = frame.width - note.width - GAP;
    const middle = target.left + target.width / 2 - frame.left - note.width / 2;
    const above = target.top - frame.top - note.height - GAP;
    const below = target.bottom - frame.top + GAP;
    const hasRoom = above >= GAP || below + note.height > frame.height;
    const x = Math.max(Math.min(middle, most), GAP);
    const y = this.#clearOfButtons(Math.max(hasRoom ? above : below, GAP), note.height, frame.top);
    withProperties(this.element, { x: `${x}px`, y: `${y}px` });
  }
}
