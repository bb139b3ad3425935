// The connection to a table: it reconnects by itself, and notices a network that has died.

const FIRST_WAIT = 500;
const LONGEST_WAIT = 10_000;
const PING_EVERY = 15_000;
// Without any message for so long the connection is dead.
const LONGEST_SILENCE = 40_000;
// After a sleep or a change of network the answer to a ping has to come in this time.
const QUICK_ANSWER = 4_000;

/**
 * The WebSocket of a table. Messages are never kept for later: after a break the server shows the
 * table anew, and the person decides again.
 */
export class Connection {
  #socket = null;
  #failures = 0;
  #timers = new Map();

  /**
   * @param {string} url
   * @param {{greeting: () => object, receive: (message: object) => void,
   *   changed: (isOnline: boolean) => void}} calls `greeting` is the first message
   */
  constructor(url, { greeting, receive, changed }) {
    this.url = url;
    this.calls = { greeting, receive, changed };
    this.isFinal = false;
    this.isOnline = false;
  }

  /** Connect, and stay connected until the server closes the connection for good. */
  open() {
    window.addEventListener("online", () => this.#hurry());
    window.addEventListener("offline", () => this.#check());
    window.addEventListener("pageshow", () => this.#hurry());
    document.addEventListener("visibilitychange", () => {
      if (document.visibilityState === "visible") this.#hurry();
    });
    this.#connect();
  }

  /**
   * Send a message; returns false if there is no connection, and the message is dropped.
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
    // An attempt that hangs is one that fails.
    this.#after("silence", LONGEST_SILENCE / 2, () => this.#drop());
    socket.addEventListener("open", () => {
      if (socket === this.#socket) socket.send(JSON.stringify(this.calls.greeting()));
    });
    socket.addEventListener("message", ({ data }) => {
      if (socket === this.#socket) this.#hear(JSON.parse(data));
    });
    socket.addEventListener("close", () => {
      if (socket === this.#socket) this.#lose();
    });
  }

  #hear(message) {
    this.#after("silence", LONGEST_SILENCE, () => this.#drop());
    if (message.type === "closed" && message.is_final !== false) this.isFinal = true;
    if (message.type === "welcome") {
      this.#failures = 0;
      this.#turn(true);
      this.#beat();
    }
    if (message.type !== "pong") this.calls.receive(message);
  }

  #beat() {
    this.#after("ping", PING_EVERY, () => {
      if (this.send({ type: "ping" })) this.#beat();
    });
  }

  #lose() {
    this.#socket = null;
    for (const name of ["silence", "ping"]) this.#stop(name);
    this.#turn(false);
    if (this.isFinal) return;
    const wait = Math.min(FIRST_WAIT * 2 ** this.#failures, LONGEST_WAIT);
    this.#failures += 1;
    // Many clients of a server that restarts do not come back in the same moment.
    this.#after("retry", wait * (0.5 + Math.random() / 2), () => this.#connect());
  }

  // The browser may tell of the end of a dead connection much later.
  #drop() {
    this.#socket?.close();
    this.#lose();
  }

  #hurry() {
    if (this.isFinal) return;
    if (!this.#socket) {
      this.#failures = 0;
      this.#connect();
    } else {
      this.#check();
    }
  }

  #check() {
    if (this.send({ type: "ping" })) this.#after("silence", QUICK_ANSWER, () => this.#drop());
  }

  #turn(isOnline) {
    if (this.isOnline === isOnline && this.isTold) return;
    [this.isOnline, this.isTold] = [isOnline, true];
    this.calls.changed(isOnline);
  }

  #after(name, milliseconds, act) {
    this.#stop(name);
    this.#timers.set(name, setTimeout(act, milliseconds));
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
