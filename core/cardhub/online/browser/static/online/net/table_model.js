// What a client knows of a table: the latest messages of its server, put together.

const WIRE_VERSION = 2;
const LONGEST_WAIT_FOR_ANSWER = 10_000;

/**
 * The state of a table as the server has told it.
 *
 * `welcome`, `game`, `state` and `shown` are the latest messages of these types (`shown` is of type
 * `table`), null before the first one; `heardAt` is the time of `state`; `log` and `chat` are all
 * lines.
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
    [this.log, this.chat, this.heardAt] = [[], [], Date.now()];
  }

  /** The first message of a connection, with the token of the seat. */
  greeting(token) {
    const lastStep = this.log.at(-1)?.step ?? 0;
    const number = this.game?.number ?? 0;
    return { type: "enter", version: WIRE_VERSION, token, last_step: lastStep, number, chat: this.chat.length };
  }

  /** The own seat, null for a person who only watches. */
  get seat() {
    const viewer = this.welcome?.viewer ?? -1;
    return viewer >= 0 && viewer < (this.state?.seats.length ?? 0) ? viewer : null;
  }

  /** Whether the person may change the table. */
  get isOwner() {
    return Boolean(this.welcome?.is_owner);
  }

  /** How the game is going on. */
  get status() {
    return this.shown?.status ?? {};
  }

  /** Whether the person is asked for an action. */
  get isOwnTurn() {
    const view = this.shown?.view;
    const isPlaying = this.state?.stage === "playing" && view && !view.is_over;
    return Boolean(isPlaying && this.seat !== null && view.to_act === this.seat);
  }

  /**
   * Take a message of the server.
   * @param {object} message
   */
  receive(message) {
    const take = {
      welcome: () => { this.welcome = message; },
      game: () => this.#begin(message),
      state: () => { [this.state, this.heardAt] = [message, Date.now()]; },
      table: () => { this.shown = message; },
      log: () => { this.log = joinedLines(this.log, message); },
      chat: () => { this.chat = [...this.chat.slice(0, message.since), ...message.lines]; },
      refused: () => this.#answer(message.id ?? 0, null),
      answer: () => this.#answer(message.id, message.text),
      past: () => this.#answer(message.id, message.view),
    }[message.type];
    take?.();
  }

  /**
   * Ask a question that has an answer: `explain`, `why`, `consequence` or `past`.
   * @param {string} type
   * @param {object} fields
   * @returns {Promise<string|object|null>} null if there is no answer
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

  // A rematch is another game: its log and its views begin anew.
  #begin(game) {
    if (this.game && this.game.number !== game.number) [this.log, this.shown] = [[], null];
    this.game = game;
  }

  #answer(id, content) {
    this.#questions.get(id)?.(content);
    this.#questions.delete(id);
  }
}

function joinedLines(lines, { since, lines: later }) {
  return [...lines.filter(({ step }) => since > 0 && step < since), ...later];
}
