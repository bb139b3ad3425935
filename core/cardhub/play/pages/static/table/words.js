// The words of a table in English.

/** The words of a table; the option `labels` of `createTable` replaces some of them. */
export const TABLE_WORDS = {
  actions: "Actions",
  all: "all",
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
  ownCards: "Own cards",
  ownSeat: "Own seat",
  result: "Result",
  toAct: "to act",
  undo: "Undo",
  you: "you",
  yourTurn: "Your turn",
};
