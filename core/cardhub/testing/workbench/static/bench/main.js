// The page of `cardhub dev`: the tables of all seats, the actions so far, the checks of the present files.

import { element, withAttributes } from "../table/elements.js";
import { BenchApi } from "./bench_api.js";
import { checkPanel, faultList, printedPanel } from "./findings.js";
import { Positions } from "./positions.js";
import { SeatTables } from "./seat_tables.js";

/**
 * Show the workbench, and follow its state until the page is closed.
 * @param {Document} page
 * @returns {Promise<void>}
 */
export async function startBench(page) {
  const bench = new BenchPage(page.getElementById("bench"));
  await bench.api.follow((state) => bench.show(state), (isLost) => bench.showLost(isLost));
}

class BenchPage {
  constructor(root) {
    this.api = new BenchApi((text) => this.showRefusal(text));
    this.tables = new SeatTables(this.api);
    this.positions = new Positions(this.api);
    this.heading = element("h1", "be-title");
    this.note = withAttributes(element("p", "be-note"), { role: "status" });
    this.faults = withAttributes(element("div", "be-faults"), { role: "alert" });
    this.checks = element("section", "be-checks");
    this.printed = element("section", "be-printed");
    const head = element("header", "be-head", this.heading, ...this.positions.controls, this.note);
    const side = element("aside", "be-side", this.checks, this.printed, this.positions.list);
    const main = element("main", "be-main", this.faults, this.tables.node);
    this.root = element("div", "be-page ch-colours", head, main, side);
    root.replaceChildren(this.root);
    listenToBenchKeys(this);
  }

  show(state) {
    const { shown } = state;
    document.title = `${shown?.title ?? state.game} - cardhub dev`;
    this.heading.textContent = shown?.title ?? state.game;
    this.note.textContent = reloadText(state);
    this.root.classList.toggle("is-stale", state.faults.length > 0);
    this.faults.replaceChildren(...faultList(state.faults));
    this.checks.replaceChildren(...checkPanel(state.checked, (check) => this.api.send({ type: "finding", check })));
    this.printed.replaceChildren(...printedPanel(state.printed));
    this.positions.show(state);
    if (shown) this.tables.show(shown);
  }

  showRefusal(text) {
    this.note.textContent = text;
  }

  showLost(isLost) {
    this.root.classList.toggle("is-lost", isLost);
    if (isLost) this.note.textContent = "cardhub dev does not answer. Start it again, and open its new address.";
  }
}

// The position moves with the keys of a replay: arrows, Home and End.
function listenToBenchKeys({ positions }) {
  const moves = { ArrowLeft: -1, ArrowRight: 1, Home: -Infinity, End: Infinity };
  document.addEventListener("keydown", (event) => {
    const isTyping = event.target.closest("input, select, textarea");
    if (event.defaultPrevented || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key in moves) {
      event.preventDefault();
      positions.move(moves[event.key]);
    } else if (event.key === "r") positions.playOn(1);
  });
}

function reloadText({ reloads, seconds, shown, faults }) {
  if (!reloads) return "The page follows the files of the game.";
  const took = `Reloaded ${reloads === 1 ? "once" : `${reloads} times`}, last in ${seconds.toFixed(2)} s`;
  if (!shown || faults.length) return `${took}.`;
  return `${took}: all ${shown.lines} steps are repeated.`;
}
