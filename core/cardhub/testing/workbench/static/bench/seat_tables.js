// The tables of all seats side by side, and the table with all cards.

import { element, withAttributes } from "../table/elements.js";
import { createTable } from "../table/table.js";
import { faultList } from "./findings.js";

/** Draws a table for each viewer; choices at a table are taken for its seat. */
export class SeatTables {
  constructor(api) {
    this.api = api;
    this.node = element("div", "be-tables");
    this.key = "";
    this.panels = [];
  }

  /**
   * Show a position to all viewers.
   * @param {object} shown
   */
  show(shown) {
    // Another number of seats, or other cards: the tables begin anew.
    const key = JSON.stringify([shown.tables.map(({ viewer }) => viewer), shown.catalogue]);
    if (key !== this.key) this.#build(shown);
    this.key = key;
    shown.tables.forEach((table, number) => this.panels[number].show(table, shown.position.choices));
  }

  #build({ tables, catalogue }) {
    this.panels = tables.map((table) => new SeatPanel(table, catalogue, this.api));
    this.node.replaceChildren(...this.panels.map(({ node }) => node));
  }
}

class SeatPanel {
  constructor({ viewer, name }, catalogue, api) {
    this.viewer = viewer;
    this.heading = element("h2", "be-seat", viewer < 0 ? "All cards" : name);
    this.state = element("span", "be-turn");
    this.faults = element("div", "be-faults");
    const place = element("div", "be-table");
    this.table = createTable(place, {
      catalogue,
      onChoice: ({ action }) => api.send({ type: "choose", seat: viewer, action }),
      onSpot: (spot) => this.#explain(api, spot),
    });
    const wide = withAttributes(element("button", "be-button", "Enlarge"), { type: "button", "aria-pressed": "false" });
    wide.addEventListener("click", () => this.#enlarge(wide));
    this.place = place;
    this.node = element("section", "be-panel", element("div", "be-bar", this.heading, this.state, wide), this.faults, place);
  }

  show({ view, log, result, fault }, choices) {
    this.faults.replaceChildren(...faultList(fault ? [fault] : []));
    this.place.hidden = !view;
    this.log = log;
    const isAsked = Boolean(view?.choices?.length) && this.viewer >= 0;
    this.node.classList.toggle("is-asked", isAsked);
    const hasChosen = choices && String(this.viewer) in choices;
    this.state.textContent = hasChosen ? "has chosen, and may choose again" : isAsked ? "to act" : "";
    if (!view) return;
    this.shown = { view, result };
    this.#draw();
  }

  #draw() {
    const { view, result } = this.shown;
    const isLarge = this.node.classList.contains("is-large");
    this.table.show(view, { log: isLarge ? this.log : null, result, animate: false });
  }

  async #explain(api, spot) {
    const reply = await api.send({ type: "explain", viewer: this.viewer, spot });
    if (reply.text) this.table.explain(reply.text);
  }

  #enlarge(button) {
    const isLarge = this.node.classList.toggle("is-large");
    button.textContent = isLarge ? "Side by side" : "Enlarge";
    button.setAttribute("aria-pressed", String(isLarge));
    if (this.shown) this.#draw();
  }
}
