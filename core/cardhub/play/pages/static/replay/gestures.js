// Swipes over the table: left for a step forward, right for a step back.

// The least length of a swipe in pixels, its least ratio of width to height, and its longest time in milliseconds.
const LEAST_SWIPE = 45;
const FLATNESS = 1.8;
const LONGEST_SWIPE = 700;
// An area that can scroll sideways by more than this number of pixels keeps its swipes.
const LEAST_SCROLL = 24;

/**
 * Call a function for each swipe over an element: with 1 for a swipe to the left, -1 to the right.
 * @param {HTMLElement} root
 * @param {(sign: number) => void} onSwipe
 */
export function listenToSwipes(root, onSwipe) {
  let start = null;
  root.addEventListener("touchstart", ({ touches, target, timeStamp }) => {
    // Do not take over sideways scrolling and gestures with two fingers.
    const isFree = touches.length === 1 && !scrollsSideways(target, root);
    start = isFree ? { x: touches[0].clientX, y: touches[0].clientY, time: timeStamp } : null;
  }, { passive: true });
  root.addEventListener("touchend", ({ changedTouches, timeStamp }) => {
    if (!start) return;
    const x = changedTouches[0].clientX - start.x;
    const y = changedTouches[0].clientY - start.y;
    const isSwipe = Math.abs(x) >= LEAST_SWIPE && Math.abs(x) > FLATNESS * Math.abs(y);
    if (isSwipe && timeStamp - start.time < LONGEST_SWIPE) onSwipe(x < 0 ? 1 : -1);
    start = null;
  }, { passive: true });
}

function scrollsSideways(node, root) {
  for (let area = node; area && area !== root; area = area.parentElement) {
    const { overflowX } = getComputedStyle(area);
    const isScrolled = overflowX === "auto" || overflowX === "scroll";
    if (isScrolled && area.scrollWidth > area.clientWidth + LEAST_SCROLL) return true;
  }
  return false;
}
