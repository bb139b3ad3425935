// Clocks and notes of seats: time left, who is away, and for whom a bot stands in.

const TICK = 250;
const HURRY_SECONDS = 20;

/**
 * Return what the table shows beside the names of seats.
 * @param {object} state
 * @param {number} heardAt when the state came, in milliseconds
 * @returns {{note: string, clock: {text: string}|null}[]}
 */
export function seatStates(state, heardAt) {
  return state.seats.map((seat) => ({ note: noteOf(seat), clock: clockOf(seat, heardAt) }));
}

/**
 * Let the clocks of a table run between two messages.
 * @param {HTMLElement} root
 * @param {() => {state: object, heardAt: number}} latest
 */
export function runClocks(root, latest) {
  setInterval(() => {
    const { state, heardAt } = latest();
    if (!state || document.visibilityState !== "visible") return;
    for (const node of root.querySelectorAll("[data-clock]")) {
      const { clock } = state.seats[Number(node.dataset.clock)] ?? {};
      if (!clock) continue;
      const left = secondsLeft(clock, heardAt);
      const text = timeText(left);
      if (node.textContent !== text) node.textContent = text;
      node.classList.toggle("is-running", clock.is_running);
      node.classList.toggle("is-short", left < HURRY_SECONDS);
    }
  }, TICK);
}

/**
 * Return a time as text: "4:05", "2 h 10 min", "2 days 3 h".
 * @param {number} seconds
 * @returns {string}
 */
export function timeText(seconds) {
  const whole = Math.max(Math.ceil(seconds), 0);
  const [days, hours, minutes] = [Math.floor(whole / 86_400), Math.floor(whole / 3600) % 24, Math.floor(whole / 60) % 60];
  if (days) return `${days} d ${hours} h`;
  if (whole >= 3600) return `${hours} h ${minutes} min`;
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

function noteOf({ name = "", bot = "", is_here: isHere, replaced_person: standsFor = "" }) {
  if (standsFor) return standsFor === name ? "a bot plays" : `for ${standsFor}`;
  return name && !bot && !isHere ? "away" : "";
}

function clockOf({ clock }, heardAt) {
  return clock ? { text: timeText(secondsLeft(clock, heardAt)) } : null;
}

function secondsLeft({ seconds_left: left, is_running: isRunning }, heardAt) {
  return isRunning ? left - (Date.now() - heardAt) / 1000 : left;
}
