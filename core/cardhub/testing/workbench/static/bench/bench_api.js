// Requests of the page to the workbench: commands, and the state whenever it has changed.

const RETRY_MILLISECONDS = 1000;

/** Sends commands, and follows the state. */
export class BenchApi {
  /** @param {(text: string) => void} onRefused gets the reason of a refused command */
  constructor(onRefused) {
    this.onRefused = onRefused;
  }

  /**
   * Send a command; its effect comes with the next state.
   * @param {object} command with its `type`
   * @returns {Promise<object>} the reply of a question, else an empty object
   */
  async send(command) {
    const response = await fetch("command", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(command),
    });
    const reply = await response.json();
    if (reply.refused) this.onRefused(reply.refused);
    return reply;
  }

  /**
   * Call `onState` with the present state and with each later one.
   * @param {(state: object) => void} onState
   * @param {(isLost: boolean) => void} onLost
   * @returns {Promise<void>}
   */
  async follow(onState, onLost) {
    let [revision, isLost] = [-1, false];
    for (;;) {
      try {
        const response = await fetch(`state?after=${revision}`);
        const state = await response.json();
        if (isLost) onLost(false);
        isLost = false;
        // Without a change within some seconds the same state comes again.
        if (state.revision !== revision) onState(state);
        revision = state.revision;
      } catch (error) {
        if (!(error instanceof TypeError)) throw error; // fetch raises it without a connection
        if (!isLost) onLost(true);
        isLost = true;
        await new Promise((resolve) => { setTimeout(resolve, RETRY_MILLISECONDS); });
      }
    }
  }
}
