// The page of a game: the table with tools in its header, notices above it and the chat next to it.

import { element, withAttributes } from "../../table/elements.js";
import { createTable } from "../../table/table.js";
import { saveName, loadName, loadSettings } from "../net/storage.js";
import { listenForCommands } from "../parts/commands.js";
import { askToConfirm } from "../parts/dialogs.js";
import { iconButton } from "../parts/widgets.js";
import { BeatPlayer } from "./beats.js";
import { ChatDrawer } from "./chat.js";
import { busyBot, everyTick, runClocks, seatStates } from "./clocks.js";
import { showFinish } from "./finish.js";
import { HintPanel } from "./hints.js";
import { LessonPanel } from "./lesson.js";
import { openMenu, showSettings } from "./menu.js";
import { noticeStrip, showNotices } from "./notices.js";
import { askForName, botFor, showOwnSeatLink, showMembers, showTableLink } from "./members.js";
import { askWhyNot, showCards, showLog, showRules, showSummaries, showUnseen } from "./reference_panels.js";
import { ReviewPanel } from "./review.js";

/**
 * The page of a table whose stage is `playing` or `over`.
 */
export class GamePage {
  #drawn = null;
  #acted = -1;
  #view = null;
  // For how long a bot has been thinking, as the header says.
  #busy = "";
  #summaries = null;
  // The summaries that were read last, until a view of the server comes without them.
  #read = "";
  // Whether a past position is shown until the panel that asked for it is closed.
  #isPast = false;
  // The step of the decision of the review that the person takes again, or null.
  #retried = null;
  #parts = [];

  /**
   * @param {import("../net/table_model.js").TableModel} model
   * @param {(type: string, fields?: object) => boolean} send
   */
  constructor(model, send) {
    this.model = model;
    this.send = send;
    this.hints = new HintPanel(send, (choice) => this.#act(choice), () => this.#showTable());
    this.lesson = new LessonPanel(() => this.#showTable());
    this.beats = new BeatPlayer({
      draw: ({ step, view }) => this.#drawPast(step, { ...view, is_beat: true }),
      onEnd: () => {
        this.#showTable();
        this.#showFinish();
      },
      onRead: () => this.#haveRead(),
    });
    this.chat = new ChatDrawer((text) => send("say", { text }));
    this.tools = this.#toolBar();
    this.notices = noticeStrip();
    this.box = element("div", "on-table-box");
    this.finish = withAttributes(element("section", "on-finish"), { "aria-label": "After the game" });
    this.review = new ReviewPanel(send, (step) => void this.#showDecision(step), () => this.#showAgain());
    const heading = element("h1", "ch-spoken", model.state.title);
    this.main = element("main", "on-game-main", heading, this.notices, this.box, this.review.node, this.finish);
    this.node = element("div", "on-game", this.main, this.chat.node);
    this.#listen();
    runClocks(this.box, () => ({ state: model.state, receivedAt: model.receivedAt }));
    everyTick(() => this.#showBusy());
  }

  /**
   * Redraw the game.
   * @param {boolean} isOnline
   */
  show(isOnline) {
    const { model } = this;
    showNotices(this.notices, model, isOnline);
    this.chat.opener.hidden = !model.state.has_chat;
    if (!model.state.has_chat && this.chat.isOpen) this.chat.close();
    this.chat.show(model.chat, model.seat);
    if (model.game && model.shown) this.#showTable();
    this.#showFinish();
  }

  /** Let the person act again after a refused action or a lost connection. */
  release() {
    this.#acted = -1;
  }

  /**
   * Show a hint.
   * @param {object} hint
   */
  showHint(hint) {
    this.hints.show(hint, this.model.shown?.view.choices ?? []);
  }

  /**
   * Show why the server refused a request, if this page has a place for it; return whether it has.
   * @param {string} why
   * @returns {boolean}
   */
  showRefusal(why) {
    if (!this.model.state.is_lesson || !this.model.isOwnTurn) return false;
    this.hints.close();
    this.lesson.refuse(why);
    return true;
  }

  /**
   * Show the state of a review of the person's moves.
   * @param {object} review
   */
  showReview(review) {
    this.review.show(review);
  }

  #showTable() {
    const { model } = this;
    const { view, result, status, summaries = [], comment = null } = model.shown;
    if (this.#drawn !== model.game) this.#newTable();
    const isNew = this.#view?.revision !== view.revision;
    this.#view = view;
    if (isNew) {
      // A hint refers to the position that the person saw when asking for it.
      this.hints.close();
      [this.#isPast, this.#retried] = [false, null];
    }
    this.#showTools(view, status);
    if (this.beats.showNext(model.shown)) return;
    if (model.state.is_lesson) this.lesson.follow(comment, view.revision);
    if (this.#isPast || !this.#hasChanged()) return;
    this.table.show(view, {
      log: model.log,
      result: result ?? null,
      seats: seatStates(model.state, model.receivedAt),
      hints: this.#marked(),
      coming: { text: "", spots: this.lesson.spots },
      animate: loadSettings().animate,
    });
    this.#busy = "";
    this.#showBusy();
    if (!summaries.length) this.#read = "";
    else if (!this.#summaries && !view.is_over && JSON.stringify(summaries) !== this.#read) this.#showSummaries(summaries);
  }

  #showBusy() {
    const isPresent = this.table && !this.#isPast && !this.beats.isShowing;
    const busy = isPresent ? busyBot(this.model) : null;
    const since = busy?.since ?? "";
    if (since !== this.#busy && isPresent) this.table.showBusy(busy);
    this.#busy = since;
  }

  // The end of the game is shown after its last beats.
  #showFinish() {
    showFinish(this.finish, this.model);
    this.finish.hidden ||= this.beats.isShowing;
  }

  #drawPast(step, view) {
    const { model } = this;
    // The current view is drawn after it in any case.
    this.#parts = [];
    this.table.show(view, {
      log: model.log.filter((line) => line.step <= step),
      seats: seatStates(model.state, model.receivedAt),
      animate: loadSettings().animate,
    });
  }

  async #showDecision(step) {
    const view = await this.model.ask("retry", { step });
    if (!view || this.review.node.hidden) return;
    [this.#isPast, this.#retried] = [true, step];
    this.#drawPast(step, view);
  }

  async #retry({ action }) {
    const text = await this.model.ask("retry", { step: this.#retried, action });
    if (text && !this.review.node.hidden) this.review.showVerdict(`${text} You can choose again.`);
  }

  #showAgain() {
    [this.#isPast, this.#retried] = [false, null];
    this.#showTable();
  }

  // Bots wait for readers. A summary that nobody has seen yet must not count as read.
  #haveRead() {
    const { summaries = [] } = this.model.shown;
    if (this.model.seat !== null && !summaries.length) this.send("pace", { command: "read" });
  }

  // Redrawing the table closes its notes, so chat lines and answers must not redraw it.
  #hasChanged() {
    const { shown, log, state } = this.model;
    const parts = [this.table, shown, log, JSON.stringify(state.seats), this.hints.actions, this.lesson.actions];
    const hasChanged = parts.some((part, number) => part !== this.#parts[number]);
    this.#parts = parts;
    return hasChanged;
  }

  #marked() {
    return this.hints.actions.length ? this.hints.actions : this.lesson.actions;
  }

  // In the script of a lesson, the lamp repeats the comment; after it, a bot gives hints as in any game.
  #askForHint() {
    if (this.lesson.repeat()) return;
    this.lesson.close();
    this.hints.ask();
  }

  #newTable() {
    this.review.close();
    this.#drawn = this.model.game;
    this.#acted = -1;
    this.beats.ignorePast(this.model.shown);
    this.table = createTable(this.box, {
      catalogue: this.model.game.catalogue,
      onChoice: (choice) => this.#act(choice),
      onSpot: (spot) => void this.#explain(spot),
      onUndo: () => this.#undo(),
      tools: this.tools,
      asides: [this.hints.node, this.lesson.node],
    });
  }

  // An action refers to the revision of the drawn view, which may be older than the latest view.
  #act(choice) {
    if (this.#retried !== null) {
      void this.#retry(choice);
      return;
    }
    const { revision } = this.#view;
    if (this.#acted === revision) return;
    // Ignore further clicks until the server answers.
    if (this.send("act", { action: choice.action, rev: revision })) this.#acted = revision;
  }

  // Debounce undo: a double click must undo one action only.
  #undo() {
    const { revision } = this.#view;
    if (this.#acted !== revision && this.send("undo")) this.#acted = revision;
  }

  async #explain(spot) {
    // The server describes the spots of the current table only.
    if (this.#isPast) return;
    const isWhy = this.model.isOwnTurn;
    const text = await this.model.ask(isWhy ? "why" : "explain", isWhy ? { subject: spot } : { spot });
    if (text) this.table.explain(text, isWhy);
  }

  #showSummaries(summaries) {
    if (this.model.seat === null) return;
    this.#summaries = showSummaries(summaries, () => {
      this.#summaries = null;
      this.#read = JSON.stringify(summaries);
      this.send("pace", { command: "read" });
    });
  }

  #toolBar() {
    this.hint = iconButton("hint", "Hint", () => this.#askForHint());
    this.pause = iconButton("pause", "Pause", () => this.send("pace", { command: "pause" }));
    this.skip = iconButton("skip", "Skip to my turn", () => this.send("pace", { command: "skip" }));
    const menu = iconButton("menu", "Menu", () => this.#openMenu());
    return withAttributes(element("div", "on-tools", this.hint, this.pause, this.skip, this.chat.opener, menu), {
      role: "group", "aria-label": "Tools",
    });
  }

  #showTools(view, status) {
    const { model } = this;
    const hasBots = model.state.seats.some(({ bot }) => bot);
    const canPace = model.isOwner && hasBots && model.state.stage === "playing" && !view.is_over;
    this.hint.hidden = !model.state.has_helps || model.seat === null || view.is_over;
    this.hint.disabled = !model.isOwnTurn;
    this.pause.hidden = !canPace || status.is_paused;
    this.skip.hidden = !canPace;
    this.skip.disabled = model.isOwnTurn;
  }

  #openMenu() {
    const { model } = this;
    const { state, shown, game } = model;
    const isSeated = model.seat !== null;
    const isPlaying = state.stage === "playing";
    const isPractice = Boolean(state.is_practice);
    openMenu(state.title, [
      { text: shown?.can_take_back && "Ask to take my action back", onClick: () => this.send("takeback") },
      ...this.#paceEntries(),
      { text: model.isOwnTurn && "Why can't I …?", onClick: () => askWhyNot((text) => model.ask("why", { subject: text })) },
      { text: game && "Rules", onClick: () => showRules(game) },
      { text: game && "Cards", onClick: () => showCards(game) },
      { text: shown?.unseen?.length && "Cards not seen yet", onClick: () => showUnseen(shown.unseen) },
      { text: game && "Log", onClick: () => showLog(model.log, game) },
      { text: !isPractice && "Players", onClick: () => showMembers(model, this.send) },
      { text: !isPractice && "Settings", onClick: () => showSettings(model, this.send) },
      { text: !isPractice && "Link to this table", onClick: () => showTableLink(model.table, state.title) },
      { text: isSeated && !isPractice && "My seat on another device", onClick: () => showOwnSeatLink(model.table) },
      { text: isSeated && isPlaying && !isPractice && "Give up my seat", onClick: () => void this.#leave() },
      { text: state.is_lesson && isPlaying ? "To the lobby: the lesson waits at its step" : "To the lobby", onClick: () => location.assign("/") },
    ]);
  }

  // A phone has no room for the buttons of the pace in the header.
  #paceEntries() {
    return [[this.pause, "Pause the bots", "pause"], [this.skip, "Skip to my turn", "skip"]].map(([button, text, command]) => ({
      text: !button.hidden && !button.disabled && text, onClick: () => this.send("pace", { command }),
    }));
  }

  async #leave() {
    const text = "A bot will play for you. You can keep watching, and the owner can offer the seat to another person.";
    if (await askToConfirm({ title: "Give up your seat?", text, yes: "Give it up" })) this.send("stand");
  }

  #listen() {
    // Before the table and its cards: a tap or a key that goes on does nothing else.
    this.box.addEventListener("click", (event) => this.#goOn(event), { capture: true });
    document.addEventListener("keydown", (event) => this.#goOn(event), { capture: true });
    const pace = (name) => () => this.send("pace", { command: name });
    listenForCommands(this.main, {
      agree: () => this.send("agree", { agrees: true, request: this.model.state.takeback?.request ?? 0 }),
      refuse: () => this.send("agree", { agrees: false, request: this.model.state.takeback?.request ?? 0 }),
      admit: () => this.send("admit", { name: this.model.state.newcomer?.name ?? "", agrees: true }),
      turn_away: () => this.send("admit", { name: this.model.state.newcomer?.name ?? "", agrees: false }),
      rematch: () => this.send("rematch"),
      rematch_without: () => this.send("rematch", { without_absent: true }),
      review: () => this.review.ask(),
      replace: ({ dataset }) => this.send("replace", { seat: Number(dataset.seat), bot: botFor(this.model.state, Number(dataset.seat)) }),
      return: () => this.send("replace", { seat: this.model.seat, bot: "" }),
      claim: ({ dataset }) => this.#claim(Number(dataset.seat)),
      take: ({ dataset }) => this.#take(Number(dataset.seat)),
      ...Object.fromEntries(["retry", "stop", "wait", "skip", "step", "resume"].map((name) => [name, pace(name)])),
    });
  }

  #goOn(event) {
    const isForOthers = event.target.closest?.(".on-tools, dialog, input, textarea");
    const isModifier = ["Shift", "Control", "Alt", "Meta", "Tab"].includes(event.key);
    if (!this.beats.isShowing || isForOthers || isModifier) return;
    event.preventDefault();
    event.stopPropagation();
    this.beats.goOn();
  }

  #claim(seat) {
    const { name = "", replaced_person: person = "" } = this.model.state.seats[seat] ?? {};
    this.send("sit", { name: person || name, seat });
  }

  #take(seat) {
    askForName(loadName(), (name) => {
      saveName(name);
      this.send("sit", { name, seat });
    });
  }
}
