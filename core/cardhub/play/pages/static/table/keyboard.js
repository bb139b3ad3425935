// The keyboard: Tab reaches one spot, and arrow keys move between all spots (roving tabindex).

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// Weight of the distance across an arrow's direction, relative to the distance along it.
const ASIDE = 3;

/**
 * Return the nearest spot in the direction of an arrow key, or null.
 * @param {HTMLElement} root
 * @param {HTMLElement} from
 * @param {string} key
 * @returns {HTMLElement|null}
 */
export function nextSpot(root, from, key) {
  const direction = DIRECTIONS[key];
  if (!direction) return null;
  const start = middleOf(from);
  let best = null;
  let least = Infinity;
  for (const node of spotsIn(root)) {
    if (node === from) continue;
    const cost = costOf(start, middleOf(node), direction);
    if (cost < least) [best, least] = [node, cost];
  }
  return best;
}

/**
 * Let Tab reach a single spot: the spot with the key, else a legal spot or a button, else the first spot.
 * @param {HTMLElement} root
 * @param {string} key the spot as text, or an empty text
 * @returns {HTMLElement|null}
 */
export function roveTo(root, key) {
  const all = spotsIn(root);
  const target =
    all.find((node) => node.dataset.spot === key) ??
    all.find((node) => node.matches(".is-legal, .ch-button")) ??
    all[0] ??
    null;
  for (const node of root.querySelectorAll('.ch-spot[tabindex="0"]')) node.tabIndex = -1;
  if (target) target.tabIndex = 0;
  return target;
}

/**
 * Return the spot with the key if it can be chosen, else the spot or button nearest to a place that can, or null.
 * @param {HTMLElement} root
 * @param {string} key
 * @param {[number, number]} place
 * @returns {HTMLElement|null}
 */
export function nearestChoice(root, key, [x, y]) {
  let best = null;
  let least = Infinity;
  for (const node of spotsIn(root).filter((spot) => spot.matches(".is-legal, .ch-button"))) {
    if (node.dataset.spot === key) return node;
    const [left, middle] = middleOf(node);
    const distance = Math.hypot(left - x, middle - y);
    if (distance < least) [best, least] = [node, distance];
  }
  return best;
}

/**
 * Return the place of a spot: its left edge, and the middle of its height.
 * @param {HTMLElement} node
 * @returns {[number, number]}
 */
export function placeOf(node) {
  const [left, middle] = middleOf(node);
  return [left, middle];
}

function spotsIn(root) {
  return [...root.querySelectorAll(".ch-spot")].filter((node) => node.offsetParent !== null);
}

function middleOf(node) {
  const box = node.getBoundingClientRect();
  // Overlapped cards have different left edges, so compare these instead of the centres.
  return [box.left, box.top + box.height / 2, box];
}

function costOf([x, y], [otherX, otherY], [right, down]) {
  const along = (otherX - x) * right + (otherY - y) * down;
  const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
  return along < 1 ? Infinity : along + ASIDE * aside;
}
