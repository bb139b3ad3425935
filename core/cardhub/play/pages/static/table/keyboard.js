// The keyboard: one spot can be reached with Tab, arrow keys move between all of them.

const DIRECTIONS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
// How much worse a spot is for lying aside of the direction than for lying further away.
const ASIDE = 3;

/**
 * Return the spot to go to from another one with an arrow key, or null.
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
 * Make one spot the only one that Tab reaches: a former one, else a legal one, else the first.
 * @param {HTMLElement} root
 * @param {string} key the spot as text, empty for none
 * @returns {HTMLElement|null}
 */
export function roveTo(root, key) {
  const all = spotsIn(root);
  const found =
    all.find((node) => node.dataset.spot === key) ??
    all.find((node) => node.matches(".is-legal, .ch-button")) ??
    all[0] ??
    null;
  for (const node of root.querySelectorAll('.ch-spot[tabindex="0"]')) node.tabIndex = -1;
  if (found) found.tabIndex = 0;
  return found;
}

function spotsIn(root) {
  return [...root.querySelectorAll(".ch-spot")].filter((node) => node.offsetParent !== null);
}

function middleOf(node) {
  const box = node.getBoundingClientRect();
  // Overlapped cards differ at their left sides.
  return [box.left, box.top + box.height / 2, box];
}

function costOf([x, y], [otherX, otherY], [right, down]) {
  const along = (otherX - x) * right + (otherY - y) * down;
  const aside = Math.abs((otherX - x) * down) + Math.abs((otherY - y) * right);
  return along < 1 ? Infinity : along + ASIDE * aside;
}
