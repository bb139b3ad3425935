// The controls of a replay: steps, chapters, play and pause, pace and viewer.

import { drawing, element, spokenText, withAttributes } from "../table/elements.js";
import { PACES } from "./playback.js";

const DRAWINGS = {
  first: "M6 5h2.500v14H6zM19 5v14l-9.500-7z",
  chapterBack: "M11.500 5v14L3 12zM20.500 5v14L12 12z",
  back: "M16 5v14L6.500 12z",
  play: "M7.500 4.500v15l12-7.500z",
  pause: "M6.500 5H10v14H6.500zM14 5h3.500v14H14z",
  forward: "M8 5v14l9.500-7z",
  chapterOn: "M12.500 5v14l8.500-7zM3.500 5v14l8.500-7z",
  last: "M15.500 5H18v14h-2.500zM5 5v14l9.500-7z",
};

/**
 * The bar of buttons; `menus` are further buttons at its end.
 */
export class Controls {
  /**
   * @param {import("./playback.js").Playback} playback
   * @param {HTMLElement[]} menus
   */
  constructor(playback, menus) {
    this.playback = playback;
    const go = (number) => () => {
      playback.pause();
      playback.go(number);
    };
    this.buttons = {
      first: iconButton("first", "to the beginning", "Home", go(0)),
      chapterBack: iconButton("chapterBack", "previous part", "[", () => playback.moveChapter(-1)),
      back: iconButton("back", "one step back", "←", () => playback.move(-1)),
      play: iconButton("play", "play", "space", () => playback.toggle()),
      forward: iconButton("forward", "one step forward", "→", () => playback.move(1)),
      chapterOn: iconButton("chapterOn", "next part", "]", () => playback.moveChapter(1)),
      last: iconButton("last", "to the end", "End", () => go(playback.last)()),
    };
    this.viewers = choiceOf("viewer", "viewer", viewerNames(playback), (n) => playback.look(n));
    this.paces = choiceOf("pace", "pace", paceNames(), (n) => playback.changePace(n - playback.paceNumber));
    const steps = withAttributes(element("div", "rp-steps", ...Object.values(this.buttons)), {
      role: "group", "aria-label": "steps",
    });
    this.node = element("div", "rp-controls", steps, element("div", "rp-options",
      this.viewers.node, this.paces.node, ...menus));
  }

  /** Update the buttons from the playback. */
  show() {
    const { playback, buttons } = this;
    for (const name of ["first", "chapterBack", "back"]) disable(buttons[name], playback.stopNumber === 0);
    for (const name of ["forward", "chapterOn", "last"]) disable(buttons[name], playback.isAtEnd);
    const hasChapters = playback.viewer.chapters.length > 0;
    buttons.chapterBack.hidden = !hasChapters;
    buttons.chapterOn.hidden = !hasChapters;
    redraw(buttons.play, playback.isPlaying ? "pause" : "play");
    this.viewers.select.value = String(playback.viewerNumber);
    this.paces.select.value = String(playback.paceNumber);
  }
}

/**
 * Return the displayed name of a viewer: "David", "a spectator", "all".
 * @param {object} viewer
 * @returns {string}
 */
export function viewerTitle({ viewer, name, stops }) {
  if (viewer < 0) return "all";
  return viewer < stops[0].view.players.length ? name : "a spectator";
}

function viewerNames(playback) {
  return playback.data.viewers.map((viewer) =>
    viewer.viewer < 0 ? "all cards" : `seen by ${viewerTitle(viewer)}`,
  );
}

function paceNames() {
  return PACES.map((seconds) => `${seconds} s`);
}

function iconButton(name, label, key, onClick) {
  const button = withAttributes(element("button", `rp-button rp-${name}`, drawing("rp-icon", DRAWINGS[name])), {
    type: "button", "aria-label": label, title: `${label} (${key})`,
  });
  button.addEventListener("click", () => {
    if (button.getAttribute("aria-disabled") !== "true") onClick();
  });
  return button;
}

// `aria-disabled` instead of `disabled`, because a disabled button loses the focus.
function disable(button, isDisabled) {
  button.setAttribute("aria-disabled", String(isDisabled));
}

function redraw(button, name) {
  if (button.dataset.drawn === name) return;
  button.dataset.drawn = name;
  button.replaceChildren(drawing("rp-icon", DRAWINGS[name]));
  withAttributes(button, { "aria-label": name, title: `${name} (space)` });
}

function choiceOf(name, label, texts, onChoose) {
  const options = texts.map((text, number) =>
    withAttributes(element("option", "", text), { value: number }),
  );
  const select = withAttributes(element("select", "rp-select", ...options), { name });
  select.addEventListener("change", () => onChoose(Number(select.value)));
  const node = element("label", `rp-choice rp-choice-${name}`, spokenText(label), select);
  return { node, select };
}
