// Motion: cards, identified by their tokens, move from their earlier to their new positions.

const MILLISECONDS = 340;
const EASING = "cubic-bezier(.2, .8, .2, 1)";
// Shorter moves are not visible, so they are skipped.
const LEAST_PIXELS = 2;

/**
 * Return the boxes of a table's cards by token.
 * @param {HTMLElement} root
 * @returns {Map<string, DOMRect>}
 */
export function positionsOf(root) {
  const boxes = new Map();
  for (const node of root.querySelectorAll("[data-token]")) {
    const box = node.getBoundingClientRect();
    if (box.width) boxes.set(node.dataset.token, box);
  }
  return boxes;
}

/**
 * Animate cards from their earlier positions to the present ones; new cards fade in.
 * @param {HTMLElement} root
 * @param {Map<string, DOMRect>} before
 * @returns {Animation[]} the animations that were started
 */
export function moveCards(root, before) {
  const moves = [];
  for (const node of root.querySelectorAll("[data-token]")) {
    const box = node.getBoundingClientRect();
    if (box.width) moves.push([node, before.get(node.dataset.token), box]);
  }
  // Read all boxes before the first animation starts, because a later read would force another layout.
  return moves.map(([node, from, to]) => moveCard(node, from, to)).filter(Boolean);
}

/**
 * Return whether the person's settings allow motion.
 * @returns {boolean}
 */
export function wantsMotion() {
  return !matchMedia("(prefers-reduced-motion: reduce)").matches;
}

function moveCard(node, from, to) {
  const timing = { duration: MILLISECONDS, easing: EASING };
  if (!from) {
    return node.animate([{ opacity: 0, scale: 0.9 }, { opacity: 1, scale: 1 }], timing);
  }
  const x = from.left - to.left;
  const y = from.top - to.top;
  if (Math.abs(x) < LEAST_PIXELS && Math.abs(y) < LEAST_PIXELS) return null;
  const start = {
    transformOrigin: "0 0",
    transform: `translate(${x}px, ${y}px) scale(${from.width / to.width}, ${from.height / to.height})`,
    zIndex: 9,
  };
  return node.animate([start, { transformOrigin: "0 0", transform: "none", zIndex: 9 }], timing);
}
