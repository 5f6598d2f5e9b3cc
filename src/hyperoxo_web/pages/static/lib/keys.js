// The keys of a game's page, which are those of the terminal application.

/** Actions that the terminal does not have: a drawer, and answers to a request of another person. */
const PAGE_ACTIONS = { y: "agree", d: "decline", m: "moves" };

/** Action of a key, by the name that the terminal application uses too. */
export const ACTIONS = {
  ...PAGE_ACTIONS,
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

/** Steps of the arrow keys to the right and downwards. */
export const ARROWS = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/**
 * True if a key belongs to a field, a dialog or something else that is in focus, or to the browser.
 *
 * @type {(event: KeyboardEvent, others?: string) => boolean} `others` are selectors
 */
export const isTyped = ({ altKey, ctrlKey, metaKey, target }, others = "dialog") =>
  altKey ||
  ctrlKey ||
  metaKey ||
  Boolean(target.closest?.(`input, textarea, select, dialog, [contenteditable], ${others}`));

/** The list of keys, in the words of the page. */
export const KEYS = [
  ["Arrows", "walk from cell to cell"],
  ["Page Up, Page Down", "layer above or below"],
  ["Home, End", "cube to the left or right"],
  ["with Shift", "along the fifth and sixth"],
  ["Enter, Space", "play"],
  ["[ and ]", "previous and next move (Backspace: previous)"],
  ["M, A", "moves, analysis"],
  ["Esc", "back to the game, close what is open"],
  ["U, R", "take back, play again"],
  ["N, T, V", "numbers, threats, values on the board"],
  ["L", "show lines"],
  ["H", "hint"],
  ["S, X", "save, resign"],
  ["Y, D", "agree to a request, decline it"],
  ["0, 1, 2, 3 in space", "first view, from the top, the front, the side"],
  ["?", "this list"],
];
