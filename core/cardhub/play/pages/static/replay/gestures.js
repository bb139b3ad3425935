// Swipes over the table: to the left for a step forward, to the right for one back.

// Pixels of a swipe, how much longer than high it is, and milliseconds that it takes at most.
const LEAST_SWIPE = 45;
const FLATNESS = 1.8;
const LONGEST_SWIPE = 700;
// Pixels by which an area scrolls sideways at least to keep swipes for itself.
const LEAST_SCROLL = 24;

/**
 * Call a function with 1 or -1 for swipes over an element.
 * @param {HTMLElement} root
 * @param {(sign: number) => void} turn
 */
export function listenToSwipes(root, turn) {
  let start = null;
  root.addEventListener("touchstart", ({ touches, target, timeStamp }) => {
    // Areas that scroll sideways, and gestures of two fingers, keep their meaning.
    const isFree = touches.length === 1 && !scrollsSideways(target, root);
    start = isFree ? { x: touches[0].clientX, y: touches[0].clientY, time: timeStamp } : null;
  }, { passive: true });
  root.addEventListener("touchend", ({ changedTouches, timeStamp }) => {
    if (!start) return;
    const x = changedTouches[0].clientX - start.x;
    const y = changedTouches[0].clientY - start.y;
    const isSwipe = Math.abs(x) >= LEAST_SWIPE && Math.abs(x) > FLATNESS * Math.abs(y);
    if (isSwipe && timeStamp - start.time < LONGEST_SWIPE) turn(x < 0 ? 1 : -1);
    start = null;
  }, { passive: true });
}

function scrollsSideways(node, root) {
  for (let each = node; each && each !== root; each = each.parentElement) {
    const { overflowX } = getComputedStyle(each);
    const isScrolled = overflowX === "auto" || overflowX === "scroll";
    if (isScrolled && each.scrollWidth > each.clientWidth + LEAST_SCROLL) return true;
  }
  return false;
}
