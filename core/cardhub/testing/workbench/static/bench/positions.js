// The position of the workbench: deals, random play, the actions so far, and saved positions.

import { element, withAttributes } from "../table/elements.js";

/** The controls and the list of actions. */
export class Positions {
  constructor(api) {
    this.api = api;
    this.seats = withAttributes(element("input", "be-number"), { type: "number", min: 1, value: 0, "aria-label": "players" });
    this.seed = withAttributes(element("input", "be-number"), { type: "number", min: 0, value: 0, "aria-label": "seed" });
    this.options = element("span", "be-options");
    this.saved = withAttributes(element("select", "be-select"), { "aria-label": "saved positions" });
    this.saved.addEventListener("change", () => this.#open());
    this.actions = element("ol", "be-actions");
    this.list = element("section", "be-list", element("h2", "be-heading", "Actions"), this.actions);
    this.controls = this.#build();
  }

  /**
   * Show the actions up to a position, and the deal.
   * @param {object} state
   */
  show({ shown, saved }) {
    this.#showSaved(saved);
    if (!shown) return;
    const isOther = shown.seed !== this.shown?.seed || this.players !== shown.tables.length - 1;
    this.shown = shown;
    this.players = shown.tables.length - 1;
    withAttributes(this.seats, { min: shown.seats[0], max: shown.seats[1] });
    if (isOther) {
      this.seats.value = this.players;
      this.seed.value = shown.seed;
    }
    this.#showOptions(shown.options);
    this.#showActions(shown);
  }

  /**
   * Go on or back by some stops.
   * @param {number} by
   */
  move(by) {
    if (!this.shown) return;
    const { stops } = this.shown;
    const now = stops.findIndex(({ step }) => step === this.step);
    const next = Math.min(Math.max(now + by, 0), stops.length - 1);
    if (next !== now) this.#look(stops[next].step);
  }

  /**
   * Take random actions.
   * @param {number} actions at most so many
   */
  playOn(actions) {
    this.api.send({ type: "play", actions });
  }

  get step() {
    const { position, stops } = this.shown;
    return position.step ?? stops.at(-1).step;
  }

  #build() {
    const deal = (change) => {
      this.seed.value = Number(this.seed.value) + change;
      this.#deal();
    };
    const name = withAttributes(element("input", "be-name"), { placeholder: "name", "aria-label": "name of the position" });
    const save = element(
      "form", "be-group", name, benchButton("Save", null, "submit"), this.saved,
    );
    save.addEventListener("submit", (event) => {
      event.preventDefault();
      this.api.send({ type: "save", name: name.value.trim() });
    });
    const begin = element(
      "form", "be-group", benchLabel("Players", this.seats), benchLabel("Seed", this.seed), this.options, benchButton("Deal", null, "submit"),
      benchButton("Next seed", () => deal(1)),
    );
    begin.addEventListener("submit", (event) => {
      event.preventDefault();
      deal(0);
    });
    const play = element(
      "div", "be-group", benchButton("Back", () => this.move(-1)), benchButton("On", () => this.move(1)),
      benchButton("Random action", () => this.playOn(1)), benchButton("10 of them", () => this.playOn(10)),
      benchButton("To the end", () => this.playOn(10000)),
    );
    return [begin, play, save];
  }

  #deal() {
    const options = {};
    for (const field of this.options.querySelectorAll("[name]")) options[field.name] = benchValue(field);
    this.api.send({ type: "deal", seats: Number(this.seats.value), options, seed: Number(this.seed.value) });
  }

  #look(step) {
    this.api.send({ type: "look", step });
  }

  #open() {
    if (this.saved.value) this.api.send({ type: "open", name: this.saved.value });
    this.saved.value = "";
  }

  #showSaved(names) {
    const options = names.map((name) => withAttributes(element("option", "", name), { value: name }));
    const first = withAttributes(element("option", "", names.length ? "Open…" : "Nothing saved"), { value: "" });
    this.saved.replaceChildren(first, ...options);
    this.saved.disabled = !names.length;
  }

  #showOptions(options) {
    const key = JSON.stringify(options);
    if (key === this.optionsKey) return;
    this.optionsKey = key;
    this.options.replaceChildren(...Object.entries(options).map(([name, value]) => benchLabel(name, benchField(name, value))));
  }

  #showActions({ stops }) {
    const now = this.step;
    this.actions.replaceChildren(...stops.map(({ step, name, action }) => {
      const jump = benchButton(name ? `${name}: ${action}` : action, () => this.#look(step));
      if (step === now) withAttributes(jump, { "aria-current": "step" });
      return element("li", step > now ? "is-later" : "", jump);
    }));
    this.actions.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest" });
  }
}

function benchButton(text, onClick, type = "button") {
  const made = withAttributes(element("button", "be-button", text), { type });
  if (onClick) made.addEventListener("click", onClick);
  return made;
}

function benchLabel(text, field) {
  return element("label", "be-label", `${text} `, field);
}

function benchField(name, value) {
  const kind = typeof value === "boolean" ? "checkbox" : typeof value === "number" ? "number" : "text";
  const field = withAttributes(element("input", kind === "checkbox" ? "" : "be-number"), { type: kind, name });
  if (kind === "checkbox") field.checked = value;
  else field.value = value;
  return field;
}

function benchValue(field) {
  if (field.type === "checkbox") return field.checked;
  return field.type === "number" ? Number(field.value) : field.value;
}
