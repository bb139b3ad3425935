// The keys of a replay and the help on them. Keys that the terminal has as well do the same.

import { element, withAttributes } from "../table/elements.js";

/**
 * The keys: `keys` of the event, `shown` and `text` for the help, and `act`, which gets the page and the key.
 */
export const REPLAY_KEYS = [
  { keys: ["ArrowRight", "l", "."], shown: "→", text: "one step forward", act: ({ playback }) => playback.move(1) },
  { keys: ["ArrowLeft", "h"], shown: "←", text: "one step back", act: ({ playback }) => playback.move(-1) },
  { keys: [" "], shown: "space", text: "play, or pause", act: ({ playback }) => playback.toggle() },
  { keys: ["+", "="], shown: "+", text: "faster", act: ({ playback }) => playback.changePace(1) },
  { keys: ["-"], shown: "-", text: "slower", act: ({ playback }) => playback.changePace(-1) },
  { keys: ["]"], shown: "]", text: "next part of the game", act: ({ playback }) => playback.moveChapter(1) },
  { keys: ["["], shown: "[", text: "previous part", act: ({ playback }) => playback.moveChapter(-1) },
  { keys: ["Home"], shown: "Home", text: "the beginning", act: ({ playback }) => playback.move(-playback.last) },
  { keys: ["End"], shown: "End", text: "the end", act: ({ playback }) => playback.move(playback.last) },
  { keys: ["1", "2", "3", "4", "5", "6", "7", "8", "9"], shown: "1–9", text: "the view of that seat",
    act: (page, key) => page.look(Number(key) - 1) },
  { keys: ["0"], shown: "0", text: "the view of all cards", act: (page) => page.look("all") },
  { keys: ["p"], shown: "p", text: "the view of a spectator", act: (page) => page.look("spectator") },
  { keys: ["/"], shown: "/", text: "find in the log; Enter goes to the next line", act: (page) => page.find() },
  { keys: ["L"], shown: "L", text: "the log", act: (page) => page.open("log") },
  { keys: ["g"], shown: "g", text: "notable steps, and parts of the game", act: (page) => page.open("moments") },
  { keys: ["v"], shown: "v", text: "the result", act: (page) => page.open("result") },
  { keys: ["?", "F1"], shown: "?", text: "this help", act: (page) => page.help.showModal() },
  { keys: ["Escape"], shown: "Esc", text: "close a panel", act: (page) => page.close() },
];
const FIELDS = 'input:not([type="range"]), textarea, [contenteditable]';

/**
 * Handle keys anywhere on the page, except in text fields.
 * @param {object} page
 */
export function listenToKeys(page) {
  // In the capturing phase, so that arrow keys step through the game even if a card has the focus.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.(FIELDS) || page.help.open) return;
    const binding = REPLAY_KEYS.find(({ keys }) => keys.includes(event.key));
    if (!binding || isOfElement(event)) return;
    // The table needs Escape as well, to close its notes.
    if (event.key !== "Escape") {
      event.preventDefault();
      event.stopPropagation();
    }
    binding.act(page, event.key);
  }, true);
}

/**
 * Return the dialog that explains the keys.
 * @returns {HTMLDialogElement}
 */
export function helpDialog() {
  const rows = REPLAY_KEYS.map(({ shown, text }) =>
    element("tr", "", element("th", "", element("kbd", "", shown)), element("td", "", text)),
  );
  const close = withAttributes(element("button", "rp-button", "Close"), { type: "button" });
  const touch = "On a touch screen, swipe left for a step forward and right for a step back.";
  const dialog = withAttributes(
    element("dialog", "rp-help ch-colours", element("h2", "", "Keys"),
      element("table", "", element("tbody", "", ...rows)), element("p", "", touch), close),
    { "aria-label": "keys" },
  );
  close.addEventListener("click", () => dialog.close());
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}

// The space bar presses a focused button, and a list of choices uses letters to select an entry.
function isOfElement({ key, target }) {
  if (!target.closest) return false;
  if (target.closest("select")) return key !== "Escape";
  return key === " " && target.closest("button, a, summary") !== null;
}
