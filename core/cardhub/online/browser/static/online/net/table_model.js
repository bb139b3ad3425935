// The client's model of a table, assembled from the server's messages.

const WIRE_VERSION = 2;
const LONGEST_WAIT_FOR_ANSWER = 10_000;

/**
 * The state of a table as the server describes it.
 *
 * `welcome`, `game`, `state` and `shown` are the latest messages of these types (`shown` has the type
 * `table`), or null before the first message. `receivedAt`: when `state` arrived, `askedAt`: since when
 * the bot to act has been thinking, in milliseconds.
 * `log` and `chat`: all lines so far.
 */
export class TableModel {
  #questions = new Map();
  #lastQuestion = 0;

  /**
   * @param {string} table
   * @param {(message: object) => boolean} send
   */
  constructor(table, send) {
    this.table = table;
    this.send = send;
    [this.welcome, this.game, this.state, this.shown] = [null, null, null, null];
    [this.log, this.chat, this.receivedAt, this.askedAt] = [[], [], Date.now(), Date.now()];
  }

  /** Return the first message of a connection, with the token of the seat. */
  greeting(token) {
    const lastStep = this.log.at(-1)?.step ?? 0;
    const number = this.game?.number ?? 0;
    return { type: "enter", version: WIRE_VERSION, token, last_step: lastStep, number, chat: this.chat.length };
  }

  /** The person's seat, or null for a spectator. */
  get seat() {
    const viewer = this.welcome?.viewer ?? -1;
    return viewer >= 0 && viewer < (this.state?.seats.length ?? 0) ? viewer : null;
  }

  /** Whether the person may change the table. */
  get isOwner() {
    return Boolean(this.welcome?.is_owner);
  }

  /** The status of the game's progress, as in `TableStatus`; empty before the first `table` message. */
  get status() {
    return this.shown?.status ?? {};
  }

  /** Whether it is the person's turn. */
  get isOwnTurn() {
    const view = this.shown?.view;
    const isPlaying = this.state?.stage === "playing" && view && !view.is_over;
    return Boolean(isPlaying && this.seat !== null && view.to_act === this.seat);
  }

  /**
   * Update the model by a message from the server.
   * @param {object} message
   */
  receive(message) {
    const handle = {
      welcome: () => { this.welcome = message; },
      game: () => this.#begin(message),
      state: () => { [this.state, this.receivedAt] = [message, Date.now()]; },
      table: () => this.#show(message),
      log: () => { this.log = joinedLines(this.log, message); },
      chat: () => { this.chat = [...this.chat.slice(0, message.since), ...message.lines]; },
      refused: () => this.#answer(message.id ?? 0, null),
      answer: () => this.#answer(message.id, message.text),
      past: () => this.#answer(message.id, message.view),
    }[message.type];
    handle?.();
  }

  /**
   * Send a question to the server: `explain`, `why`, `consequence` or `past`.
   * @param {string} type
   * @param {object} fields
   * @returns {Promise<string|object|null>} the answer, or null if there is none
   */
  ask(type, fields) {
    this.#lastQuestion += 1;
    const id = this.#lastQuestion;
    if (!this.send({ type, id, ...fields })) return Promise.resolve(null);
    return new Promise((resolve) => {
      this.#questions.set(id, resolve);
      setTimeout(() => this.#answer(id, null), LONGEST_WAIT_FOR_ANSWER);
    });
  }

  // A rematch is a new game with a new log and new views.
  #begin(game) {
    if (this.game && this.game.number !== game.number) [this.log, this.shown] = [[], null];
    this.game = game;
  }

  // The server sends that a bot is thinking, but not since when.
  #show(message) {
    const isNext = this.shown?.view.revision !== message.view.revision;
    if (isNext || this.status.thinking === undefined) this.askedAt = Date.now();
    this.shown = message;
  }

  #answer(id, content) {
    this.#questions.get(id)?.(content);
    this.#questions.delete(id);
  }
}

function joinedLines(lines, { since, lines: later }) {
  return [...lines.filter(({ step }) => since > 0 && step < since), ...later];
}
