// The connection to a table: it reconnects automatically, and detects a dead network.

// Delays in milliseconds: between attempts to connect, and between pings.
const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 15_000;
// A connection without any message for this time is dead.
const LONGEST_SILENCE = 40_000;
// After a sleep or a change of network, the answer to a ping must arrive within this time.
const QUICK_ANSWER = 4_000;

/**
 * The WebSocket of a table. Messages are never queued: after a reconnect the server sends the whole
 * table, and the person decides again.
 */
export class Connection {
  #socket = null;
  #failures = 0;
  #timers = new Map();

  /**
   * @param {string} url
   * @param {{greeting: () => object, onMessage: (message: object) => void,
   *   onChange: (isOnline: boolean) => void}} calls `greeting` returns the first message
   */
  constructor(url, { greeting, onMessage, onChange }) {
    this.url = url;
    this.calls = { greeting, onMessage, onChange };
    this.isFinal = false;
    this.isOnline = false;
  }

  /** Connect, and reconnect until the server sends a final `closed`. */
  open() {
    window.addEventListener("online", () => this.#reconnectNow());
    window.addEventListener("offline", () => this.#checkAlive());
    window.addEventListener("pageshow", () => this.#reconnectNow());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#reconnectNow();
    });
    this.#connect();
  }

  /**
   * Send a message, or drop it and return false if there is no connection.
   * @param {object} message
   * @returns {boolean}
   */
  send(message) {
    if (!this.isOnline) return false;
    this.#socket.send(JSON.stringify(message));
    return true;
  }

  #connect() {
    this.#stop("retry");
    const socket = new WebSocket(this.url);
    this.#socket = socket;
    // Treat a connection attempt that times out as failed.
    this.#after("silence", LONGEST_SILENCE / 2, () => this.#drop());
    socket.addEventListener("open", () => {
      if (socket === this.#socket) socket.send(JSON.stringify(this.calls.greeting()));
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#receive(JSON.parse(data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#handleClose();
    });
  }

  #receive(message) {
    this.#after("silence", LONGEST_SILENCE, () => this.#drop());
    if (message.type === "closed" && message.is_final !== false) this.isFinal = true;
    if (message.type === "welcome") {
      this.#failures = 0;
      this.#setOnline(true);
      this.#schedulePing();
    }
    if (message.type !== "pong") this.calls.onMessage(message);
  }

  #schedulePing() {
    this.#after("ping", PING_EVERY, () => {
      if (this.send({ type: "ping" })) this.#schedulePing();
    });
  }

  #handleClose() {
    this.#socket = null;
    for (const name of ["silence", "ping"]) this.#stop(name);
    this.#setOnline(false);
    if (this.isFinal) return;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures, LONGEST_WAIT);
    this.#failures += 1;
    // Jitter, so that clients do not all reconnect at once after a restart.
    this.#after("retry", wait * (0.5 + Math.random() / 2), () => this.#connect());
  }

  // The browser may report the end of a dead connection much later, so handle it now.
  #drop() {
    this.#socket?.close();
    this.#handleClose();
  }

  #reconnectNow() {
    if (this.isFinal) return;
    if (!this.#socket) {
      this.#failures = 0;
      this.#connect();
    } else {
      this.#checkAlive();
    }
  }

  #checkAlive() {
    if (this.send({ type: "ping" })) this.#after("silence", QUICK_ANSWER, () => this.#drop());
  }

  #setOnline(isOnline) {
    if (this.isOnline === isOnline && this.hasReported) return;
    [this.isOnline, this.hasReported] = [isOnline, true];
    this.calls.onChange(isOnline);
  }

  #after(name, milliseconds, callback) {
    this.#stop(name);
    this.#timers.set(name, setTimeout(callback, milliseconds));
  }

  #stop(name) {
    clearTimeout(this.#timers.get(name));
  }
}

/**
 * Return the address of the WebSocket of a table on the server of this page.
 * @param {string} table
 * @returns {string}
 */
export function socketAddress(table) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  return `${scheme}//${location.host}/ws/${encodeURIComponent(table)}`;
}
