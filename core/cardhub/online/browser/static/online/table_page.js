// The page of a table: what its server tells is shown by the page of the table's stage.

import { element, withAttributes } from "../table/elements.js";
import { Connection, socketAddress } from "./net/connection.js";
import { clearAddress, keepToken, keptSettings, keptToken, tokenOfAddress } from "./net/storage.js";
import { TableModel } from "./net/table_model.js";
import { showToast, toastRegion } from "./parts/toasts.js";
import { playTone } from "./parts/tone.js";
import { GamePage } from "./play/game_page.js";
import { showSeatLink } from "./play/members.js";
import { SetupPage } from "./setup/setup_page.js";

/**
 * The page at `/t/ID`.
 */
export class TablePage {
  #stage = null;
  #page = null;
  #frame = 0;
  #wasOwnTurn = false;

  /**
   * @param {HTMLElement} root
   * @param {string} table
   */
  constructor(root, table) {
    this.root = root;
    // A link to a seat counts once the server has accepted it: the kept seat is not lost to a bad link.
    this.offered = tokenOfAddress();
    this.model = new TableModel(table, (message) => this.connection.send(message));
    this.connection = new Connection(socketAddress(table), {
      greeting: () => this.model.greeting(this.offered || keptToken(table)),
      receive: (message) => this.#receive(message),
      changed: () => {
        this.#page?.release?.();
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
    const act = {
      welcome: () => this.#keep(message.token),
      refused: () => this.#refuse(message.why),
      hint: () => this.#page?.tellHint?.(message),
      issued: () => this.#tellIssued(message),
      closed: () => this.#close(message),
    }[message.type];
    act?.();
    this.#draw();
  }

  #keep(token) {
    const kept = token || this.offered;
    if (kept) keepToken(this.model.table, kept);
    this.offered = "";
    clearAddress();
  }

  #refuse(why) {
    this.#page?.release?.();
    showToast(why);
  }

  // Several messages that come together are drawn once.
  #draw() {
    if (!this.model.welcome || !this.model.state || this.#frame) return;
    const draw = () => {
      this.#frame = 0;
      this.#show();
    };
    // Windows in the background draw no frames, but their title tells whose turn it is.
    this.#frame = document.visibilityState === "visible" ? requestAnimationFrame(draw) : setTimeout(draw, 0);
  }

  #show() {
    const { model } = this;
    if (this.isClosed) return;
    const stage = model.state.stage === "open" ? "open" : "game";
    if (stage !== this.#stage) {
      this.#stage = stage;
      const send = (type, fields = {}) => this.#send({ type, ...fields });
      this.#page = stage === "open" ? new SetupPage(model, send) : new GamePage(model, send);
      this.root.replaceChildren(this.#page.node);
    }
    this.#page.show(this.connection.isOnline);
    this.root.classList.toggle("is-offline", !this.connection.isOnline);
    this.#tellTurn();
  }

  #send(message) {
    const isSent = this.connection.send(message);
    if (!isSent) showToast("There is no connection now. fix: do it again when the table is back");
    return isSent;
  }

  #tellTurn() {
    const { model } = this;
    const isOwn = model.isOwnTurn;
    const { title } = model.state;
    document.title = isOwn ? `● Your turn · ${title}` : `${title} · cardhub`;
    if (isOwn && !this.#wasOwnTurn && keptSettings().sound) playTone();
    this.#wasOwnTurn = isOwn;
  }

  #tellIssued({ seat, token }) {
    const { model } = this;
    if (seat === model.seat) keepToken(model.table, token);
    const { name = "", bot = "" } = model.state.seats[seat] ?? {};
    const text = bot === "network"
      ? "A program on any machine takes this seat with: cardhub bot connect, the link, and a bot."
      : "The earlier link to this seat is void. Send this one to its person alone.";
    const title = bot || !name ? `Link to seat ${seat + 1}` : `Link to the seat of ${name}`;
    showSeatLink({ table: model.table, token, title, text });
  }

  #close({ why, is_final: isFinal = true }) {
    if (!isFinal) return;
    this.isClosed = true;
    const back = withAttributes(element("a", "on-button is-primary", "To the lobby"), { href: "/" });
    const isOffered = Boolean(this.offered);
    clearAddress();
    const label = isOffered ? "Go on without this link" : "Watch as a visitor";
    const again = withAttributes(element("button", "on-button is-plain", label), { type: "button" });
    again.addEventListener("click", () => {
      if (!isOffered) keepToken(this.model.table, "");
      location.reload();
    });
    const [wrong, fix] = why.split(/\s*fix:\s*/u);
    this.root.replaceChildren(element("main", "on-closed",
      element("h1", "", "The table has closed this connection"),
      element("p", "", wrong), fix && element("p", "on-help", fix),
      element("div", "on-dialog-buttons", (isOffered || keptToken(this.model.table)) && again, back)));
  }
}
