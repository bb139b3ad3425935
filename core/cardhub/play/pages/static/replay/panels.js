// The panel next to the table: log, moments and result as tabs.

import { element, withAttributes } from "../table/elements.js";

// The same width as in the style sheets.
const WIDE = matchMedia("(min-width: 1000px)");

/**
 * A panel with tabs; in narrow windows it covers the table and can be closed.
 */
export class Panels {
  #chosen = "";

  /**
   * @param {{name: string, title: string, node: HTMLElement}[]} tabs
   * @param {() => void} onChange called after a tab was opened, or the panel was closed
   */
  constructor(tabs, onChange) {
    this.tabs = tabs.map((tab) => ({ ...tab, button: tabButton(tab, () => this.open(tab.name)) }));
    this.onChange = onChange;
    this.closer = withAttributes(element("button", "rp-button rp-close", "×"), {
      type: "button", "aria-label": "close the panel",
    });
    this.closer.addEventListener("click", () => this.close());
    const list = withAttributes(element("div", "rp-tabs", ...this.tabs.map((tab) => tab.button)), {
      role: "tablist", "aria-label": "panels",
    });
    list.addEventListener("keydown", (event) => this.#turn(event));
    const bodies = this.tabs.map(({ name, node, button }) =>
      withAttributes(element("div", "rp-panel", node), {
        role: "tabpanel", id: `panel-${name}`, "aria-labelledby": button.id, tabindex: 0,
      }),
    );
    this.bodies = new Map(this.tabs.map(({ name }, number) => [name, bodies[number]]));
    this.node = withAttributes(element("aside", "rp-side",
      element("div", "rp-side-head", list, this.closer), ...bodies), { "aria-label": "log and result" });
    this.#choose(this.tabs[0].name);
  }

  /** Whether the panel is open; in narrow windows it covers the table then. */
  get isOpen() {
    return this.node.classList.contains("is-open");
  }

  /**
   * Show a tab.
   * @param {string} name
   */
  open(name) {
    if (!this.bodies.has(name)) return;
    this.node.classList.add("is-open");
    this.#choose(name);
    this.onChange();
  }

  /** Whether the panel is next to the table; it always shows a tab then. */
  get isBeside() {
    return WIDE.matches;
  }

  /**
   * Show a tab if the panel is next to the table. A panel that covers the table opens only by a key or button.
   * @param {string} name
   */
  turnTo(name) {
    if (this.isBeside) this.open(name);
  }

  /**
   * Show a tab, or close the panel if it covers the table with that tab.
   * @param {string} name
   */
  toggle(name) {
    if (!this.isBeside && this.isOpen && this.#chosen === name) this.close();
    else this.open(name);
  }

  /** Uncover the table. */
  close() {
    this.node.classList.remove("is-open");
    this.onChange();
  }

  #choose(name) {
    this.#chosen = name;
    for (const tab of this.tabs) {
      const isChosen = tab.name === name;
      withAttributes(tab.button, { "aria-selected": String(isChosen) });
      tab.button.tabIndex = isChosen ? 0 : -1;
      this.bodies.get(tab.name).hidden = !isChosen;
    }
  }

  // Up and down only, because left and right step through the game everywhere.
  #turn(event) {
    const sign = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (!sign) return;
    event.preventDefault();
    const number = this.tabs.findIndex(({ name }) => name === this.#chosen) + sign;
    const tab = this.tabs[(number + this.tabs.length) % this.tabs.length];
    this.open(tab.name);
    tab.button.focus();
  }
}

function tabButton({ name, title }, onClick) {
  const button = withAttributes(element("button", "rp-tab", title), {
    type: "button", role: "tab", id: `tab-${name}`, "aria-controls": `panel-${name}`,
  });
  button.addEventListener("click", onClick);
  return button;
}
