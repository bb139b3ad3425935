// The page of a table: it connects to the server, and shows the setup page or the game page by the table's stage.

import { element, withAttributes } from "../table/elements.js";
import { Connection, socketAddress } from "./net/connection.js";
import { clearAddress, savePlayed, saveToken, loadSettings, loadToken, tokenOfAddress } from "./net/storage.js";
import { TableModel } from "./net/table_model.js";
import { noticeSentences, showToast, toastRegion } from "./parts/toasts.js";
import { playTone } from "./parts/tone.js";
import { GamePage } from "./play/game_page.js";
import { showSeatLink } from "./play/members.js";
import { PracticePage } from "./play/practice.js";
import { SetupPage } from "./setup/setup_page.js";

/**
 * The page at `/t/ID`.
 */
export class TablePage {
  #stage = null;
  #page = null;
  // The practice table that is shown instead of the finished game, or null.
  #practice = null;
  #frame = 0;
  #wasOwnTurn = false;

  /**
   * @param {HTMLElement} root
   * @param {string} table
   */
  constructor(root, table) {
    this.root = root;
    // The token of a link replaces the saved one only when the server has accepted it: a bad link must not cost the seat.
    this.linkToken = tokenOfAddress();
    this.model = new TableModel(table, (message) => this.connection.send(message));
    this.connection = new Connection(socketAddress(table), {
      greeting: () => this.model.greeting(this.linkToken || loadToken(table)),
      onMessage: (message) => this.#receive(message),
      onChange: () => {
        this.#page?.release?.();
        // The server ends a practice with its connection.
        if (!this.connection.isOnline) this.#practice = null;
        this.#draw();
      },
    });
  }

  start() {
    toastRegion();
    this.connection.open();
  }

  #receive(message) {
    this.model.receive(message);
    const handle = {
      welcome: () => this.#saveToken(message.token),
      refused: () => this.#showRefusal(message.why),
      hint: () => this.#page?.showHint?.(message),
      review: () => this.#page?.showReview?.(message),
      practice: () => this.#practise(message),
      issued: () => this.#showIssuedLink(message),
      closed: () => this.#close(message),
    }[message.type];
    handle?.();
    this.#draw();
  }

  #practise({ message = null, verdict = "" }) {
    const send = (type, fields = {}) => this.#send({ type, ...fields });
    if (!message) this.#practice = null;
    else {
      this.#practice ??= new PracticePage(this.model, send, () => {
        send("end_practice");
        this.#practice = null;
        this.#draw();
      });
      this.#practice.receive(message, verdict);
    }
  }

  #saveToken(token) {
    const validToken = token || this.linkToken;
    if (validToken) saveToken(this.model.table, validToken);
    this.linkToken = "";
    clearAddress();
  }

  #showRefusal(why) {
    this.#page?.release?.();
    if (!this.#page?.showRefusal?.(why)) showToast(why);
  }

  // Draw once for all messages that arrive together.
  #draw() {
    if (!this.model.welcome || !this.model.state || this.#frame) return;
    const draw = () => {
      this.#frame = 0;
      this.#show();
    };
    // Background windows draw no frames, but their title must show whose turn it is.
    this.#frame = document.visibilityState === "visible" ? requestAnimationFrame(draw) : setTimeout(draw, 0);
  }

  #show() {
    const { model } = this;
    if (this.isClosed) return;
    const stage = model.state.stage === "open" ? "open" : "game";
    if (stage === "game" && model.seat !== null) savePlayed(model.state.game);
    if (stage !== this.#stage) {
      this.#stage = stage;
      const send = (type, fields = {}) => this.#send({ type, ...fields });
      this.#page = stage === "open" ? new SetupPage(model, send) : new GamePage(model, send);
    }
    const shown = this.#practice ?? this.#page;
    if (shown.node !== this.root.firstChild) this.root.replaceChildren(shown.node);
    shown.show(this.connection.isOnline);
    this.root.classList.toggle("is-offline", !this.connection.isOnline);
    this.#announceTurn();
  }

  #send(message) {
    const isSent = this.connection.send(message);
    if (!isSent) showToast("You are not connected to the table. Wait for the connection, then try again.");
    return isSent;
  }

  #announceTurn() {
    const { model } = this;
    const { isOwnTurn, state: { title } } = model;
    document.title = isOwnTurn ? `● Your turn · ${title}` : `${title} · cardhub`;
    if (isOwnTurn && !this.#wasOwnTurn && loadSettings().sound) playTone();
    this.#wasOwnTurn = isOwnTurn;
  }

  #showIssuedLink({ seat, token }) {
    const { model } = this;
    if (seat === model.seat) saveToken(model.table, token);
    const { name = "", bot = "" } = model.state.seats[seat] ?? {};
    const text = bot === "network"
      ? "To let a program play this seat, run on any machine: cardhub bot connect LINK BOT"
      : "The earlier link to this seat no longer works. Send this link only to the person who plays this seat.";
    const title = bot || !name ? `Link to seat ${seat + 1}` : `Link to the seat of ${name}`;
    showSeatLink({ table: model.table, token, title, text });
  }

  #close({ why, is_final: isFinal = true }) {
    if (!isFinal) return;
    this.isClosed = true;
    const back = withAttributes(element("a", "on-button is-primary", "To the lobby"), { href: "/" });
    const hasLink = Boolean(this.linkToken);
    clearAddress();
    const label = hasLink ? "Continue without this link" : "Watch as a visitor";
    const again = withAttributes(element("button", "on-button is-plain", label), { type: "button" });
    again.addEventListener("click", () => {
      if (!hasLink) saveToken(this.model.table, "");
      location.reload();
    });
    const [problem, fix] = noticeSentences(why);
    this.root.replaceChildren(element("main", "on-closed",
      element("h1", "", "The table has closed this connection"),
      element("p", "", problem), fix && element("p", "on-help", fix),
      element("div", "on-dialog-buttons", (hasLink || loadToken(this.model.table)) && again, back)));
  }
}
