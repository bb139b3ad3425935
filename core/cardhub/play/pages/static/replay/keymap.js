// The keys of a replay, the same as in the terminal where those exist, and the help on them.

import { element, withAttributes } from "../table/elements.js";

/**
 * The keys: those of the event, the ones shown to people, what they do, and the action.
 * An action gets the page and the key.
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
  { keys: ["/"], shown: "/", text: "find in the log; Enter goes to the next", act: (page) => page.find() },
  { keys: ["L"], shown: "L", text: "the log", act: (page) => page.open("log") },
  { keys: ["g"], shown: "g", text: "steps worth a look, and parts", act: (page) => page.open("moments") },
  { keys: ["v"], shown: "v", text: "the result", act: (page) => page.open("result") },
  { keys: ["?", "F1"], shown: "?", text: "this help", act: (page) => page.help.showModal() },
  { keys: ["Escape"], shown: "Esc", text: "close a panel", act: (page) => page.close() },
];
const FIELDS = 'input:not([type="range"]), textarea, [contenteditable]';

/**
 * Carry out keys anywhere on the page, except in fields of text.
 * @param {object} page
 */
export function listenToKeys(page) {
  // In the capturing phase: arrow keys go on by steps even where a card has the focus.
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    if (event.target.closest?.(FIELDS) || page.help.open) return;
    const found = REPLAY_KEYS.find(({ keys }) => keys.includes(event.key));
    if (!found || isOfElement(event)) return;
    // Escape closes notes of the table, too.
    if (event.key !== "Escape") {
      event.preventDefault();
      event.stopPropagation();
    }
    found.act(page, event.key);
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
  const touch = "On a touch screen: swipe to the left for a step forward, to the right for one back.";
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

// The space bar presses a button that has the focus; a list of choices has letters of its own.
function isOfElement({ key, target }) {
  if (!target.closest) return false;
  if (target.closest("select")) return key !== "Escape";
  return key === " " && target.closest("button, a, summary") !== null;
}
