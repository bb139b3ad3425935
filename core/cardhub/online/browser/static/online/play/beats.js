// Beats: the table in the middle of a step, held until people have read it.

/**
 * Shows the beats of the last steps one after another, before the table after them.
 */
export class BeatPlayer {
  #last = 0;
  #due = [];
  #timer = null;

  /**
   * @param {{draw: (beat: object) => void, onEnd: () => void, onRead: () => void}} calls `onEnd` is
   *   called when the time of a beat is over or a person goes on: it shows the next beat by
   *   `showNext`, or else the table; `onRead` after a person has gone on from the last beat
   */
  constructor(calls) {
    this.calls = calls;
  }

  /** Whether a beat is shown now. */
  get isShowing() {
    return this.#timer !== null;
  }

  /**
   * Treat the beats of a message as shown, because the person comes to the table later.
   * @param {object} message
   */
  ignorePast({ beats = [] }) {
    this.stop();
    this.#last = beats.at(-1)?.step ?? 0;
  }

  /**
   * Show the next beat if the current one is over; return whether a beat is shown.
   * @param {object} message the latest message about the table
   * @returns {boolean}
   */
  showNext({ beats = [], status }) {
    const fresh = beats.filter(({ step }) => step > this.#last);
    if (fresh.length) {
      this.#last = fresh.at(-1).step;
      // Without a pace, and while people skip to their turn, nothing holds the table.
      if (status.is_waiting) this.#due.push(...fresh);
    }
    if (!this.isShowing && this.#due.length) {
      const beat = this.#due.shift();
      this.calls.draw(beat);
      this.#timer = setTimeout(() => this.#end(), 1000 * beat.seconds);
    }
    return this.isShowing;
  }

  /** End the current beat early, because a person has read it. */
  goOn() {
    if (!this.isShowing) return;
    if (!this.#due.length) this.calls.onRead();
    this.#end();
  }

  /** Forget the current beat and all that are due. */
  stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.#due = [];
  }

  #end() {
    clearTimeout(this.#timer);
    this.#timer = null;
    this.calls.onEnd();
  }
}
