// The keys of a game's page, which are those of the terminal application.

/** Answers to a request of another person, whom the terminal does not have. */
const ANSWERS = { y: "agree", d: "decline" };

/** What a key does, by the name that the terminal application gives it too. */
export const ACTIONS = {
  ...ANSWERS,
  "[": "back",
  Backspace: "back",
  "]": "forth",
  Escape: "back to the game",
  u: "undo",
  r: "redo",
  n: "numbers",
  t: "threats",
  v: "values",
  l: "lines",
  h: "hint",
  a: "analysis",
  s: "save",
  x: "resign",
  "?": "help",
};

/** The list of keys, in the words of the page. */
export const KEYS = [
  ["Arrows", "walk from cell to cell"],
  ["Page Up, Page Down", "layer above or below"],
  ["Home, End", "along the fourth axis"],
  ["with Shift", "along the fifth and sixth"],
  ["Enter, Space", "play"],
  ["[ and ]", "previous and next move (Backspace: previous)"],
  ["Esc", "back to the game"],
  ["U, R", "take back, play again"],
  ["N, T, V", "numbers, threats, values on the board"],
  ["L", "show lines"],
  ["H, A", "hint, analysis"],
  ["S, X", "save, resign"],
  ["Y, D", "agree to a request, decline it"],
  ["0, 1, 2, 3 in space", "first view, from the top, the front, the side"],
  ["?", "this list"],
];
