// Motion: cards move from where they lay to where they lie, found by their tokens.

const MILLISECONDS = 340;
const EASING = "cubic-bezier(.2, .8, .2, 1)";
// Smaller moves are not seen.
const LEAST_PIXELS = 2;

/**
 * Return where the cards of a table lie, by token.
 * @param {HTMLElement} root
 * @returns {Map<string, DOMRect>}
 */
export function positionsOf(root) {
  const found = new Map();
  for (const node of root.querySelectorAll("[data-token]")) {
    const box = node.getBoundingClientRect();
    if (box.width) found.set(node.dataset.token, box);
  }
  return found;
}

/**
 * Move cards from earlier positions to their own; new ones appear.
 * @param {HTMLElement} root
 * @param {Map<string, DOMRect>} before
 * @returns {Animation[]} the motions that began
 */
export function moveCards(root, before) {
  const moves = [];
  for (const node of root.querySelectorAll("[data-token]")) {
    const box = node.getBoundingClientRect();
    if (box.width) moves.push([node, before.get(node.dataset.token), box]);
  }
  // All boxes are read before the first animation begins: reading later ones would lay out again.
  return moves.map(([node, from, to]) => moveCard(node, from, to)).filter(Boolean);
}

/**
 * Return whether the person wants motion.
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
