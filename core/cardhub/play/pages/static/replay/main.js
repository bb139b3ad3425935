// The page of a replay: a table with controls, log, moments and result.

import { element, withAttributes } from "../table/elements.js";
import { resultPanel } from "../table/result.js";
import { createTable } from "../table/table.js";
import { joinSentences } from "../table/words.js";
import { Controls, viewerTitle } from "./controls.js";
import { Playback } from "./playback.js";
import { fragmentOf, readFragment } from "./fragments.js";
import { listenToSwipes } from "./gestures.js";
import { helpDialog, listenToKeys } from "./keymap.js";
import { Moments } from "./moments.js";
import { Panels } from "./panels.js";
import { ReplayLog } from "./replay_log.js";
import { positionText, Timeline } from "./timeline.js";
import { unpackData } from "./unpack.js";

const WRITING_MILLISECONDS = 200;

/**
 * Show the replay whose data are in the page.
 * @param {Document} page
 * @returns {Promise<void>}
 */
export async function startReplay(page) {
  const root = page.getElementById("replay");
  try {
    const data = await unpackData(page.getElementById("replay-data").textContent);
    new ReplayPage(root, data).start();
  } catch (error) {
    root.replaceChildren(withAttributes(
      element("p", "rp-failure", `This browser cannot show the replay: ${error.message}`),
      { role: "alert" },
    ));
  }
}

class ReplayPage {
  constructor(root, data) {
    this.data = data;
    this.playback = new Playback(data);
    this.tableRoot = element("div", "rp-table");
    this.table = createTable(this.tableRoot, { catalogue: data.catalogue });
    this.timeline = new Timeline(this.playback);
    this.log = new ReplayLog(this.playback, () => this.#uncover());
    this.moments = new Moments(this.playback, () => this.#uncover());
    this.result = element("div", "rp-result");
    this.help = helpDialog();
    this.panels = new Panels(this.#tabs(), () => this.log.show());
    this.controls = new Controls(this.playback, this.#menus());
    this.position = element("span", "rp-position");
    this.spoken = withAttributes(element("div", "ch-spoken"), { "aria-live": "polite" });
    this.#build(root);
  }

  start() {
    this.playback.subscribe(() => this.show());
    this.#follow();
    window.addEventListener("hashchange", () => this.#follow());
    listenToKeys(this);
    listenToSwipes(this.tableRoot, (sign) => this.playback.move(sign));
  }

  show() {
    const { playback, data } = this;
    const { stop, viewer, earlier } = playback;
    const isStep = !earlier || Math.abs(earlier.stopNumber - playback.stopNumber) <= 1;
    this.table.show(stop.view, {
      coming: stop.coming,
      news: playback.news.map((line) => line.text).filter(Boolean).join(" · "),
      animate: isStep && earlier?.viewerNumber === playback.viewerNumber,
      // A panel next to the table shows the result there; otherwise the table shows it.
      result: playback.isAtEnd && !this.panels.isBeside ? viewer.result : null,
    });
    this.timeline.show();
    this.controls.show();
    this.log.show();
    this.moments.show();
    this.position.textContent = positionText(playback);
    if (playback.isAtEnd && earlier && earlier.stopNumber < playback.stopNumber) this.panels.turnTo("result");
    if (viewer !== this.drawn) this.#drawResult(viewer, data);
    this.#announce();
  }

  look(seat) {
    const seats = this.playback.stop.view.players.length;
    const viewer = seat === "all" ? -1 : seat === "spectator" ? seats : seat;
    const exists = typeof seat === "string" || seat < seats;
    const number = this.data.viewers.findIndex((data) => exists && data.viewer === viewer);
    if (number >= 0) this.playback.look(number);
  }

  find() {
    this.panels.open("log");
    this.log.field.focus();
    this.log.field.select();
  }

  open(name) {
    this.panels.toggle(name);
  }

  close() {
    this.panels.close();
  }

  #tabs() {
    return [
      { name: "log", title: "Log", node: this.log.node },
      ...(this.moments.isUseful ? [{ name: "moments", title: "Moments", node: this.moments.node }] : []),
      { name: "result", title: "Result", node: this.result },
    ];
  }

  // After a choice in a panel that covers the table, the person wants to see the table.
  #uncover() {
    if (!this.panels.isBeside) this.panels.close();
  }

  #menus() {
    const opener = (name, text) => pageButton(`rp-open rp-open-${name}`, text, () => this.open(name));
    const help = pageButton("rp-open-help", "?", () => this.help.showModal());
    withAttributes(help, { "aria-label": "keys", title: "keys (?)" });
    return [opener("log", "Log"), opener("result", "Result"), help];
  }

  #build(root) {
    const { data } = this;
    const facts = factParts(data);
    const head = facts.length ? element("div", "rp-facts", ...facts) : null;
    const place = element("div", "rp-place", this.position, ...backLinks(data, "rp-back rp-back-near"));
    const dock = withAttributes(
      element("div", "rp-dock", place, this.timeline.node, this.controls.node),
      { role: "region", "aria-label": "controls of the replay" },
    );
    const heading = element("h1", "ch-spoken", data.title);
    const main = withAttributes(element("main", "rp-main", heading, this.tableRoot), {
      "aria-label": data.title,
    });
    this.root = element("div", "rp-page ch-colours", head, main, this.panels.node, dock, this.spoken);
    root.replaceChildren(this.root, this.help);
  }

  // Follow the fragment of the address; without a fragment, show the step that the data name.
  #follow() {
    this.followed = location.hash;
    const { step, viewerNumber } = readFragment(location.hash, this.data.viewers);
    if (location.hash && location.hash === this.written) return;
    this.playback.pause();
    if (viewerNumber !== null) this.playback.look(viewerNumber);
    this.playback.goToStep(step ?? this.data.step);
  }

  #announce() {
    const { playback } = this;
    this.written = fragmentOf(playback.stop.step, playback.viewer);
    clearTimeout(this.writing);
    this.writing = setTimeout(() => this.#write(), WRITING_MILLISECONDS);
    const { stop, earlier } = playback;
    // The lines of a step were spoken with its first beat.
    const isSpoken = earlier?.viewerNumber === playback.viewerNumber && earlier.stopNumber < playback.stopNumber
      && playback.viewer.stops[earlier.stopNumber].step === stop.step;
    const news = isSpoken ? [] : playback.news.map((line) => line.text).filter(Boolean);
    this.spoken.textContent = joinSentences([positionText(playback), ...news]);
  }

  // Changing the address forces a layout, so the steps of a running playback are not written.
  #write() {
    if (this.playback.isPlaying || location.hash === this.written) return;
    // A page within a notebook has no address of its own.
    if (location.protocol === "about:") return;
    // The address has just changed, and its event has not come yet: do not overwrite it.
    if (location.hash !== this.followed) return;
    // Replace the entry of the history, so that the browser's "back" leaves the game.
    history.replaceState(null, "", this.written);
    this.followed = location.hash;
  }

  #drawResult(viewer, data) {
    this.drawn = viewer;
    const { result } = viewer;
    const seenBy = element("p", "rp-seen", `The game as seen by ${viewerTitle(viewer)}.`);
    const about = [result?.parts, result?.seed].filter(Boolean).join(" · ");
    this.result.replaceChildren(
      ...(result ? [resultPanel(result, data.catalogue)] : []),
      element("p", "rp-about", about), seenBy, element("p", "rp-about rp-all-facts", ...factParts(data)),
    );
  }
}

function factParts({ facts, back }) {
  const shown = facts.map(([caption, text]) =>
    element("span", "rp-fact", element("span", "rp-caption", caption), ` ${text}`),
  );
  return [...backLinks({ back }, "rp-back"), ...shown];
}

function backLinks({ back }, classes) {
  return back ? [withAttributes(element("a", classes, "← report"), { href: back })] : [];
}

function pageButton(classes, text, onClick) {
  const button = withAttributes(element("button", `rp-button ${classes}`, text), { type: "button" });
  button.addEventListener("click", onClick);
  return button;
}
