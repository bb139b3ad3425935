// The words of a table in English.

/** The words of a table; the option `labels` of `createTable` replaces some of them. */
export const TABLE_WORDS = {
  actions: "Actions",
  all: "all",
  amount: "Amount",
  amountBetween: "The amount must be from {low} to {high}.",
  amountInSteps: "The amount must be from {low} to {high}, in steps of {step}.",
  cancel: "Back",
  canUndo: "can be undone",
  choose: "Choose an action",
  confirm: "Are you sure?",
  fewer: "fewer",
  isFinal: "This cannot be undone.",
  log: "Log",
  middle: "Table",
  others: "Other players",
  over: "Game over",
  ownCards: "Your cards",
  ownSeat: "Your seat",
  result: "Result",
  toAct: "to act",
  undo: "Undo",
  you: "you",
  yourTurn: "Your turn",
};

/**
 * Return texts as sentences in a row; a text that ends with a mark, such as a cry, gets no full stop.
 * @param {string[]} texts
 * @returns {string}
 */
export function joinSentences(texts) {
  return texts.map((text, n) => (n === texts.length - 1 || /[.!?…]$/.test(text) ? text : `${text}.`)).join(" ");
}

const NAME_LIST = new Intl.ListFormat("en-GB");

/**
 * Return names as a list in a sentence, such as `Anna, Bob and Chris`.
 * @param {string[]} names
 * @returns {string}
 */
export function listedNames(names) {
  return NAME_LIST.format(names);
}
