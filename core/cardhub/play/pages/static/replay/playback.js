// The playback of a replay: the viewer, the stop, the pace, and whether it plays.

/** The seconds that a stop is shown during playback, from slow to fast. */
export const PACES = [4, 2, 1, 0.5, 0.25];
const USUAL_PACE = 2;

/**
 * The state of the page; listeners are called after each change.
 */
export class Playback {
  #listeners = [];
  #timer = 0;

  /**
   * @param {object} data
   */
  constructor(data) {
    this.data = data;
    this.viewerNumber = data.first;
    this.stopNumber = 0;
    this.paceNumber = USUAL_PACE;
    this.isPlaying = false;
    // The viewer and the stop that were shown before; null at first. The page animates single steps only.
    this.earlier = null;
  }

  /** The data of the present viewer. */
  get viewer() {
    return this.data.viewers[this.viewerNumber];
  }

  /** The present stop. */
  get stop() {
    return this.viewer.stops[this.stopNumber];
  }

  /** The number of the last stop. */
  get last() {
    return this.viewer.stops.length - 1;
  }

  /** Whether the present stop is the last one. */
  get isAtEnd() {
    return this.stopNumber === this.last;
  }

  /** The log lines since the previous step that is a stop; a step and its beats share them. */
  get news() {
    const { step } = this.stop;
    const before = this.viewer.stops.slice(0, this.stopNumber).findLast((stop) => stop.step < step)?.step ?? 0;
    return this.viewer.log.filter((line) => line.step > before && line.step <= step);
  }

  /** The chapter of the present stop, or undefined before the first chapter. */
  get chapter() {
    return this.viewer.chapters.filter((chapter) => chapter.first <= this.stop.step).at(-1);
  }

  /**
   * @param {() => void} listener
   */
  subscribe(listener) {
    this.#listeners.push(listener);
  }

  /**
   * Show a stop by its number, limited to the stops of the game.
   * @param {number} number
   */
  go(number) {
    this.#show(this.viewerNumber, Math.min(Math.max(number, 0), this.last));
  }

  /**
   * Return the number of the first stop at or after a step; the last stop if there is none.
   * @param {number} step
   * @returns {number}
   */
  stopAt(step) {
    const number = this.viewer.stops.findIndex((stop) => stop.step >= step && !stop.isBeat);
    return number < 0 ? this.last : number;
  }

  /**
   * Show the first stop at or after a step; the last stop if there is none.
   * @param {number} step
   */
  goToStep(step) {
    this.go(this.stopAt(step));
  }

  /**
   * Pause, and go forward or back by a number of stops.
   * @param {number} by
   */
  move(by) {
    this.pause();
    this.go(this.stopNumber + by);
  }

  /**
   * Go to the start of the next chapter, or back to the start of the present chapter, then of the previous one.
   * @param {number} sign 1 for forward, -1 for back
   */
  moveChapter(sign) {
    this.pause();
    const firsts = this.viewer.chapters.map((chapter) => chapter.first);
    const target = sign > 0
      ? firsts.find((first) => first > this.stop.step)
      : firsts.filter((first) => first < this.stop.step).at(-1);
    if (target === undefined) this.go(sign > 0 ? this.last : 0);
    else this.goToStep(target);
  }

  /**
   * Show the game as another viewer saw it.
   * @param {number} number the index of the viewer in the data
   */
  look(number) {
    if (number < 0 || number >= this.data.viewers.length) return;
    this.#show(number, this.stopNumber);
  }

  /** Start playing, from the beginning if the end is shown, or pause. */
  toggle() {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.isAtEnd) this.go(0);
    this.isPlaying = true;
    this.#schedule();
    this.#notify();
  }

  /** Pause the playback. */
  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    clearTimeout(this.#timer);
    this.#notify();
  }

  /**
   * Change the pace by a number of levels; positive numbers are faster.
   * @param {number} by
   */
  changePace(by) {
    this.paceNumber = Math.min(Math.max(this.paceNumber + by, 0), PACES.length - 1);
    if (this.isPlaying) this.#schedule();
    this.#notify();
  }

  #show(viewerNumber, stopNumber) {
    this.earlier = { viewerNumber: this.viewerNumber, stopNumber: this.stopNumber };
    this.viewerNumber = viewerNumber;
    this.stopNumber = stopNumber;
    this.#notify();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#playNext(), PACES[this.paceNumber] * 1000);
  }

  #playNext() {
    this.go(this.stopNumber + 1);
    if (this.isAtEnd) this.pause();
    else this.#schedule();
  }

  #notify() {
    for (const listener of this.#listeners) listener();
  }
}
