// A table: it draws any game from its view and catalogue, and reports choices and spots.

import { actionsElement, choiceMenu, confirmation } from "./actions.js";
import { amountField, withAmount } from "./amounts.js";
import { countsMenu } from "./counts.js";
import { SpotNote } from "./details.js";
import { spotDetails, withAnswer } from "./descriptions.js";
import { element, withAttributes, withProperties } from "./elements.js";
import { headerParts, turnText } from "./header.js";
import { nearestChoice, nextSpot, placeOf, roveTo } from "./keyboard.js";
import { LogPanel } from "./log.js";
import { faceNote } from "./mentions.js";
import { frontRoom, boardElement } from "./board.js";
import { moveCards, positionsOf, wantsMotion } from "./motion.js";
import { patchChildren } from "./patching.js";
import { resultPanel } from "./result.js";
import { Rooms } from "./rooms.js";
import { ScrollingRegions } from "./scrolling.js";
import { otherPanel, ownParts } from "./seats.js";
import { markCompanions, otherSeats, placedAreas, spotOf, SpotStates } from "./spots.js";
import { joinSentences, TABLE_WORDS } from "./words.js";

const HOVER_MILLISECONDS = 350;

/**
 * Create a table that fills an element.
 * @param {HTMLElement} root
 * @param {{catalogue: object, onChoice?: (choice: object) => void, onSpot?: (spot: Array) => void,
 *   onUndo?: () => void, labels?: object, tools?: HTMLElement, asides?: HTMLElement[]}} options `asides`: parts below the log, of which one is shown
 * @returns {{show: Function, explain: (text: string, isOnlyWhy?: boolean) => void, focusSpot: (spot: Array) => void,
 *   showBusy: (busy: {player: string, since: string}|null) => void}} `showBusy` shows the bot that thinks, and for how long
 */
export function createTable(root, options) {
  const table = new CardTable(root, options);
  return {
    show: (view, extras = {}) => table.show(view, extras),
    explain: (text, isOnlyWhy) => table.explain(text, isOnlyWhy),
    focusSpot: (spot) => table.focusSpot(spot),
    showBusy: (busy) => table.drawHeader(busy),
  };
}

class CardTable {
  constructor(root, { catalogue, onChoice, onSpot, onUndo, labels = {}, tools = null, asides = [] }) {
    this.tools = tools;
    this.asides = asides;
    this.catalogue = catalogue;
    this.words = { ...TABLE_WORDS, ...labels };
    this.calls = { onChoice, onSpot, onUndo };
    [this.open, this.motions] = [new Set(), []];
    this.#build();
    root.replaceChildren(this.root);
    this.#listen();
  }

  show(view, { log = null, news = "", coming = null, result = null, seats = [], hints = [], animate = true } = {}) {
    const isMoving = animate && this.view && wantsMotion();
    const before = isMoving ? positionsOf(this.root) : null;
    const focused = this.#focusedKey();
    const isNew = view.revision !== this.view?.revision || this.view.is_beat;
    const isTurn = isNew && view.choices?.length > 0;
    if (focused && document.activeElement.matches(".is-legal, .ch-button")) this.place = placeOf(document.activeElement);
    // Otherwise, cards whose elements stay would continue their animation from a wrong place.
    for (const motion of this.motions) motion.cancel();
    this.shown = { log, news, coming, result, seats, hints };
    this.#draw(view);
    requestAnimationFrame(() => this.rooms.keep(this.context));
    this.#rove(focused, isTurn);
    this.scrolling.watch();
    this.motions = before ? moveCards(this.root, before) : [];
  }

  // A text that only says what is possible is below what the card itself says.
  explain(text, isOnlyWhy = false) {
    const spot = this.root.querySelector('.ch-spot[tabindex="0"]') ?? this.parts.own;
    const details = isOnlyWhy && spot.dataset.spot ? spotDetails(spot.dataset.spot, this.view, this.catalogue) : null;
    this.note.showText(spot, withAnswer(details, text.split("\n")), true);
  }

  focusSpot(spot) {
    roveTo(this.root, spot.join(":"))?.focus({ preventScroll: true });
  }

  // The visible spots are known only after layout. Waiting for the next frame avoids a second layout.
  // At each turn the focus is on a choice, near the last one: nobody has to look for the way back to the hand.
  #rove(focused, isTurn) {
    cancelAnimationFrame(this.roving);
    const choice = focused && isTurn ? nearestChoice(this.root, focused, this.place ?? [0, innerHeight]) : null;
    if (focused) this.focusSpot(spotOf(choice?.dataset.spot ?? focused));
    else this.roving = requestAnimationFrame(() => roveTo(this.root, this.lastKey ?? ""));
  }

  #build() {
    const part = (tag, name, label) =>
      withAttributes(element(tag, `ch-${name}`), { "aria-label": label });
    this.parts = {
      header: element("header", "ch-header"),
      others: part("section", "others", this.words.others),
      felt: part("section", "felt", this.words.middle),
      own: element("div", "ch-bottom"),
    };
    this.log = new LogPanel(this.words, this.catalogue);
    this.log.element.append(...this.asides);
    this.live = withAttributes(element("div", "ch-spoken"), { "aria-live": "polite" });
    this.layout = element("div", "ch-layout", ...Object.values(this.parts), this.log.element);
    this.root = element("div", "ch-table ch-colours", this.layout, this.live);
    this.rooms = new Rooms(this.layout, this.parts);
    this.note = new SpotNote(this.root);
    this.scrolling = new ScrollingRegions(this.root, this.words);
  }

  #draw(view) {
    const { log, coming, result } = this.shown;
    this.view = view;
    this.note.close();
    const context = this.#context(view, coming);
    this.context = context;
    const { others, felt, own } = this.parts;
    this.drawHeader();
    patchChildren(others, otherSeats(view).map((seat) => otherPanel(seat, context)));
    const resultPart = result
      ? [withAttributes(resultPanel(result, this.catalogue), { "aria-label": this.words.result })] : [];
    patchChildren(felt, [boardElement(context, resultPart)]);
    const { line, hands } = ownParts(context);
    patchChildren(own, [line, this.#actions(context), ...hands].filter(Boolean));
    withProperties(this.layout, { room: Math.max(frontRoom(context), 1), seats: view.players.length });
    this.#drawLog(log, view);
  }

  drawHeader(busy = null) {
    const { news, coming } = this.shown;
    patchChildren(this.parts.header, headerParts(this.view, { coming, news, busy, words: this.words, tools: this.tools }));
  }

  // Buttons have room from the beginning for a player, who will undo an action, and else once there were some.
  #actions(context) {
    const actions = actionsElement(context);
    this.hasActions ||= Boolean(actions) || (context.canUndo && context.view.viewer < context.view.players.length);
    if (actions || !this.hasActions) return actions;
    return withAttributes(element("div", "ch-actions is-reserved"), { "aria-hidden": "true" });
  }

  #context(view, coming) {
    return {
      view,
      catalogue: this.catalogue,
      words: this.words,
      states: new SpotStates(view, coming, this.shown.hints),
      placed: placedAreas(view),
      open: this.open,
      seatStates: this.shown.seats,
      canUndo: Boolean(this.calls.onUndo),
    };
  }

  #drawLog(log, view) {
    this.layout.classList.toggle("has-log", Boolean(log));
    this.layout.classList.toggle("has-board", view.areas.some(({ type }) => type === "grid"));
    if (log) this.log.show(log);
    const fresh = (log ?? []).filter((line) => line.is_new).map((line) => line.text);
    const announcement = joinSentences([...fresh, turnText(view, this.words)]);
    if (this.live.textContent !== announcement) this.live.textContent = announcement;
  }

  #focusedKey() {
    const active = document.activeElement;
    return this.root.contains(active) ? active.dataset.spot : undefined;
  }

  #listen() {
    this.root.addEventListener("click", (event) => this.#click(event.target));
    this.root.addEventListener("pointerdown", (event) => this.#hold(event));
    // The browser cancels the pointer when a finger starts to scroll.
    for (const end of ["pointerup", "pointercancel"]) {
      this.root.addEventListener(end, () => clearTimeout(this.holding));
    }
    this.root.addEventListener("keydown", (event) => this.#press(event));
    this.root.addEventListener("focusin", ({ target }) => {
      if (target.matches(":focus-visible")) this.#look(target);
    });
    this.root.addEventListener("pointerover", ({ target, pointerType }) => {
      if (pointerType === "mouse") this.#hover(target);
    });
    this.root.addEventListener("pointerleave", () => this.#hover(this.root));
    // At another width, the parts have other rows.
    new ResizeObserver(() => {
      if (this.root.clientWidth === this.width) return;
      this.width = this.root.clientWidth;
      this.rooms.forget();
      requestAnimationFrame(() => this.context && this.rooms.keep(this.context));
    }).observe(this.root);
  }

  // A long press asks about a spot, so a person can read a card before playing it.
  #hold({ target, pointerType }) {
    this.wasHeld = false;
    clearTimeout(this.holding);
    const spot = pointerType === "touch" && target.closest(".ch-spot");
    if (!spot) return;
    this.holding = setTimeout(() => {
      this.wasHeld = true;
      this.#ask(spot);
    }, HOVER_MILLISECONDS);
  }

  #click(target) {
    clearTimeout(this.timer);
    if (this.wasHeld) return undefined;
    const pile = target.closest("[data-pile]");
    if (pile) return this.#toggle(pile.dataset.pile);
    if (target.closest(".ch-undo")) return this.calls.onUndo?.();
    const several = target.closest("[data-counts]");
    if (several) return this.#askCounts(several);
    const button = target.closest("[data-action]");
    if (button) return this.#choose(Number(button.dataset.action), button);
    if (target.closest("[data-cancel]")) return this.note.dismiss();
    const mention = target.closest("[data-face]");
    if (mention) return this.#showFace(mention, true);
    const spot = this.#spotAt(target);
    if (spot) return this.#activate(spot);
    return this.note.close(!target.closest(".ch-details"));
  }

  // In a clickable area, a card that is not clickable itself selects the area.
  #spotAt(target) {
    const spot = target.closest(".ch-spot");
    const area = target.closest("[data-area].is-legal");
    const isChosen = spot && this.context.states.at(spotOf(spot.dataset.spot)).length;
    return area && !isChosen ? area.querySelector(".ch-caption") : spot;
  }

  #activate(node) {
    const spot = spotOf(node.dataset.spot);
    const choices = this.context.states.at(spot);
    if (choices.length > 1) this.note.offer(node, choiceMenu(choices, this.words));
    else if (choices.length === 1) this.#choose(choices[0].action, node);
    else this.#ask(node);
  }

  #ask(node) {
    // `explain` shows a later answer next to the spot that Tab reaches.
    roveTo(this.root, node.dataset.spot);
    const details = spotDetails(node.dataset.spot, this.view, this.catalogue);
    if (details) this.note.showText(node, details, true);
    this.calls.onSpot?.(spotOf(node.dataset.spot));
  }

  #showFace(chip, isPinned = false) {
    this.note.present(chip, faceNote(chip, this.catalogue), isPinned);
  }

  #askCounts(button) {
    const choices = this.view.choices.filter(({ verb, counts }) => counts && verb === button.dataset.counts);
    this.note.offer(button, countsMenu(choices, this.words));
  }

  // A costly choice asks for confirmation next to its button or spot; the second press takes it.
  #choose(action, node) {
    const listed = (this.view.choices ?? []).find((candidate) => candidate.action === action);
    const hasAmount = "amount" in node.dataset;
    if (listed?.amounts && !hasAmount) return this.note.offer(node, amountField(listed, this.words));
    const choice = hasAmount && listed ? withAmount(listed, Number(node.dataset.amount)) : listed;
    const isSure = choice?.tone !== "costly" || "confirmed" in node.dataset;
    if (!isSure) return this.note.offer(this.note.anchorOf(node), confirmation(choice, this.words));
    this.note.close();
    if (choice) this.calls.onChoice?.(choice);
    return undefined;
  }

  #toggle(key) {
    if (!this.open.delete(key)) this.open.add(key);
    this.show(this.view, { ...this.shown, animate: true });
    this.root.querySelector(`[data-pile="${CSS.escape(key)}"]`)?.focus();
  }

  #press(event) {
    clearTimeout(this.timer);
    if (event.key === "Escape") return this.note.dismiss();
    // A held key repeats, and a repeat must not confirm the question that the first press asked.
    if (event.repeat && ["Enter", " "].includes(event.key)) return event.preventDefault();
    if (this.log.list.contains(event.target) && this.log.move(event.target, event.key)) {
      return event.preventDefault();
    }
    const spot = event.target.closest(".ch-spot");
    if (!spot || event.ctrlKey || event.metaKey || event.altKey) return undefined;
    if (event.key === "?" || event.key === "i") return this.#ask(spot);
    const next = nextSpot(this.root, spot, event.key);
    if (!next) return undefined;
    // Pages that handle arrow keys themselves can check `defaultPrevented`.
    event.preventDefault();
    return roveTo(this.root, next.dataset.spot).focus();
  }

  // The delay prevents notes while the pointer only passes over spots.
  #hover(target) {
    clearTimeout(this.timer);
    const spot = target.closest(".ch-spot");
    if (spot) this.#mark(spot);
    this.note.close(false);
    const shown = spot ?? target.closest("[data-face]");
    if (shown) this.timer = setTimeout(() => this.#look(shown), HOVER_MILLISECONDS);
  }

  #look(target) {
    const mention = target.closest("[data-face]");
    if (mention && !this.note.isPinned) return this.#showFace(mention);
    const spot = target.closest(".ch-spot");
    if (!spot?.isConnected) return;
    this.lastKey = spot.dataset.spot;
    this.#mark(spot);
    const details = spotDetails(spot.dataset.spot, this.view, this.catalogue);
    if (details && !this.note.isPinned) this.note.showText(spot, details);
    else this.note.close(false);
  }

  #mark(spot) {
    markCompanions(this.root, this.context.states.at(spotOf(spot.dataset.spot)));
  }
}
