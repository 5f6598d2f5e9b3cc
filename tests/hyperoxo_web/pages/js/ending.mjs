// The sentence at the end of a game, and the score of games that follow each other.
import assert from "node:assert/strict";
import test from "node:test";

const LIB = "../../../../src/hyperoxo_web/pages/static/lib";
const { endingWords, lineWords, scoreWith, scoreWords } = await import(`${LIB}/ending.js`);

const QUBIC = { shape: [4, 4, 4], target: 1 };

/** A finished game of Cross and Ring; Cross has the first line. */
function over(more = {}) {
  return {
    id: "a",
    game: "4^3",
    seats: [
      { name: "Ada", agent: null },
      { name: "Level 2", agent: "level:2" },
    ],
    you: [1],
    winners: [1],
    result: "1",
    ending: null,
    said: "Cross wins.",
    position: "1".repeat(4) + ".".repeat(60),
    winning_lines: [[0, 1, 2, 3]],
    lines_owned: [1, 0],
    ...more,
  };
}

test("a line is said by its length and by what it runs through", () => {
  const said = (shape, ...cells) => lineWords({ shape }, cells);
  assert.equal(said([3, 3], 0, 1, 2), "three in a row");
  assert.equal(said([3, 3], 0, 3, 6), "three in a column");
  assert.equal(said([3, 3], 2, 4, 6), "three on a diagonal");
  assert.equal(said([4, 4, 4], 0, 1, 2, 3), "four in a row within a layer");
  assert.equal(said([4, 4, 4], 0, 16, 32, 48), "four straight through the layers");
  assert.equal(said([4, 4, 4], 0, 21, 42, 63), "four through the layers");
  assert.equal(said([3, 3, 3, 3], 0, 40, 80), "three through the cubes");
  assert.equal(said([3, 3, 3, 3], 0, 9, 18), "three straight through the layers");
  assert.equal(said(null, 0, 1, 2), "three on one line");
});

test("each side reads its own end of the game", () => {
  const line = { winning_lines: [[0, 21, 42, 63]] };
  const said = (more) => endingWords(QUBIC, over({ ...line, ...more }));
  assert.equal(said({}), "You won: four through the layers");
  assert.equal(said({ you: [2] }), "You lost: Cross has four through the layers");
  assert.equal(said({ you: [] }), "Cross won: four through the layers");
  assert.equal(said({ you: [1, 2] }), "Cross won: four through the layers");
  const resigned = { ending: { how: "resigned", player: 2 }, winning_lines: [] };
  assert.equal(said(resigned), "You won: Ring resigned");
  assert.equal(said({ ...resigned, you: [2] }), "You lost: you resigned");
  const late = { ending: { how: "time", player: 2 }, winning_lines: [] };
  assert.equal(said({ ...late, you: [2] }), "You lost: your time ran out");
  assert.equal(said({ ...late, you: [] }), "Cross won: Ring's time ran out");
});

test("misère, draws, several lines and full boards have sentences too", () => {
  const said = (more, geometry = QUBIC) => endingWords(geometry, over(more));
  const losing = { winners: [2], result: "2" };
  assert.equal(said(losing), "You lost: four in a row within a layer");
  assert.equal(said({ ...losing, you: [2] }), "You won: Cross has four in a row within a layer");
  const two = [
    [0, 1, 2, 3],
    [0, 21, 42, 63],
  ];
  assert.equal(said({ winning_lines: two }), "You won: two lines at once");
  assert.equal(said({ lines_owned: [9, 7] }, { ...QUBIC, target: 9 }), "You won: 9 lines to 7");
  const draw = { winners: [], result: "=", winning_lines: [] };
  assert.equal(said({ ...draw, said: "The board is full. A draw." }), "A draw: the board is full");
  assert.equal(said({ ...draw, said: "A draw was agreed." }), "A draw was agreed.");
  const full = { winning_lines: [], said: "The board is full. Cross wins." };
  assert.equal(said(full), "You won. The board is full. Cross wins.");
});

test("a score counts the games of the same players, each once", () => {
  let kept = scoreWith(null, over());
  assert.equal(scoreWords(kept, 2), "");
  kept = scoreWith(kept, over({ id: "b", winners: [2] }));
  kept = scoreWith(kept, over({ id: "b", winners: [1] }));
  kept = scoreWith(kept, over({ id: "c", winners: [2] }));
  assert.equal(scoreWords(kept, 2), "2 : 1");
  assert.equal(scoreWords(scoreWith(kept, over({ id: "d", winners: [] })), 2), "2 : 1, 1 draw");
  const other = over({
    id: "d",
    seats: [
      { name: "Ada", agent: null },
      { name: "x", agent: "x" },
    ],
  });
  assert.equal(scoreWords(scoreWith(kept, other), 2), "");
});
