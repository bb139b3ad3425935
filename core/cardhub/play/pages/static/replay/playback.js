// The playback of a replay: the viewer, the stop, and whether it plays by itself.

/** Seconds of a stop, slow to fast. */
export const PACES = [4, 2, 1, 0.5, 0.25];
const USUAL_PACE = 2;

/**
 * The state of the page; listeners are called after every change.
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
    // The stop that was shown before, for the animation.
    this.earlier = null;
  }

  /** The data of the viewer who is shown. */
  get viewer() {
    return this.data.viewers[this.viewerNumber];
  }

  /** The stop that is shown. */
  get stop() {
    return this.viewer.stops[this.stopNumber];
  }

  /** The number of the last stop. */
  get last() {
    return this.viewer.stops.length - 1;
  }

  /** Whether the last stop is shown. */
  get isAtEnd() {
    return this.stopNumber === this.last;
  }

  /** The lines of the log since the stop before. */
  get news() {
    const before = this.stopNumber ? this.viewer.stops[this.stopNumber - 1].step : 0;
    return this.viewer.log.filter((line) => line.step > before && line.step <= this.stop.step);
  }

  /** The chapter of the stop, or undefined. */
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
   * Show a stop by its number, the nearest one of the game.
   * @param {number} number
   */
  go(number) {
    this.#show(this.viewerNumber, Math.min(Math.max(number, 0), this.last));
  }

  /**
   * Show the first stop that has a step.
   * @param {number} step
   */
  goToStep(step) {
    const found = this.viewer.stops.findIndex((stop) => stop.step >= step);
    this.go(found < 0 ? this.last : found);
  }

  /**
   * Go on, or back, by stops; stop playing.
   * @param {number} by
   */
  move(by) {
    this.pause();
    this.go(this.stopNumber + by);
  }

  /**
   * Go to the beginning of the next chapter, or back: first to that of the present one.
   * @param {number} sign
   */
  moveChapter(sign) {
    this.pause();
    const firsts = this.viewer.chapters.map((chapter) => chapter.first);
    const found = sign > 0
      ? firsts.find((first) => first > this.stop.step)
      : firsts.filter((first) => first < this.stop.step).at(-1);
    if (found === undefined) this.go(sign > 0 ? this.last : 0);
    else this.goToStep(found);
  }

  /**
   * Show the game as another viewer saw it.
   * @param {number} number the place of the viewer in the data
   */
  look(number) {
    if (number < 0 || number >= this.data.viewers.length) return;
    this.#show(number, this.stopNumber);
  }

  /** Play by itself, from the beginning at the end, or stop. */
  toggle() {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    if (this.isAtEnd) this.go(0);
    this.isPlaying = true;
    this.#schedule();
    this.#tell();
  }

  /** Stop playing. */
  pause() {
    if (!this.isPlaying) return;
    this.isPlaying = false;
    clearTimeout(this.#timer);
    this.#tell();
  }

  /**
   * Play faster, or slower.
   * @param {number} by
   */
  changePace(by) {
    this.paceNumber = Math.min(Math.max(this.paceNumber + by, 0), PACES.length - 1);
    if (this.isPlaying) this.#schedule();
    this.#tell();
  }

  #show(viewerNumber, stopNumber) {
    this.earlier = { viewerNumber: this.viewerNumber, stopNumber: this.stopNumber };
    this.viewerNumber = viewerNumber;
    this.stopNumber = stopNumber;
    this.#tell();
  }

  #schedule() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#goOn(), PACES[this.paceNumber] * 1000);
  }

  #goOn() {
    this.go(this.stopNumber + 1);
    if (this.isAtEnd) this.pause();
    else this.#schedule();
  }

  #tell() {
    for (const listener of this.#listeners) listener();
  }
}
