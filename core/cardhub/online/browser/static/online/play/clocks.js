// Clocks and notes of seats: the remaining time, who is away, and for whom a bot plays.

const TICK = 250;
const HURRY_SECONDS = 20;
// Seconds after which a bot is shown as thinking.
const BUSY_AFTER = 1;

/**
 * Return the notes and clocks that the table shows next to the names of seats.
 * @param {object} state
 * @param {number} receivedAt when the state arrived, in milliseconds
 * @returns {{note: string, clock: {text: string}|null}[]}
 */
export function seatStates(state, receivedAt) {
  return state.seats.map((seat) => ({ note: noteOf(seat), clock: clockOf(seat, receivedAt) }));
}

/**
 * Update the clocks of a table between messages.
 * @param {HTMLElement} root
 * @param {() => {state: object, receivedAt: number}} latest
 */
export function runClocks(root, latest) {
  everyTick(() => {
    const { state, receivedAt } = latest();
    if (!state) return;
    for (const node of root.querySelectorAll("[data-clock]")) {
      const { clock } = state.seats[Number(node.dataset.clock)] ?? {};
      if (!clock) continue;
      const seconds = secondsLeft(clock, receivedAt);
      const text = timeText(seconds);
      if (node.textContent !== text) node.textContent = text;
      node.classList.toggle("is-running", clock.is_running);
      node.classList.toggle("is-short", seconds < HURRY_SECONDS);
    }
  });
}

/**
 * Return which bot is thinking and for how long, or null for a bot that has hardly begun.
 * @param {import("../net/table_model.js").TableModel} model
 * @returns {{player: string, since: string}|null}
 */
export function busyBot({ shown, askedAt }) {
  const seconds = Math.floor((Date.now() - askedAt) / 1000);
  const player = shown?.view.players[shown.view.to_act];
  if (!player || shown.status.thinking === undefined || seconds < BUSY_AFTER) return null;
  return { player: player.bot ? `${player.name} (${player.bot})` : player.name, since: `thinks · ${seconds} s` };
}

/**
 * Call a function several times a second while the page is in sight.
 * @param {() => void} show
 */
export function everyTick(show) {
  setInterval(() => {
    if (document.visibilityState === "visible") show();
  }, TICK);
}

/**
 * Return a time as text: "4:05", "2 h 10 min", "2 d 3 h".
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

function noteOf({ name = "", bot = "", is_here: isHere, replaced_person: replacedPerson = "" }) {
  if (replacedPerson) return replacedPerson === name ? "a bot plays" : `for ${replacedPerson}`;
  return name && !bot && !isHere ? "away" : "";
}

function clockOf({ clock }, receivedAt) {
  return clock ? { text: timeText(secondsLeft(clock, receivedAt)) } : null;
}

function secondsLeft({ seconds_left: seconds, is_running: isRunning }, receivedAt) {
  return isRunning ? seconds - (Date.now() - receivedAt) / 1000 : seconds;
}
