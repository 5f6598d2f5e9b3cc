// The sentence at the end of a game, and the score of games that follow each other.
import assert from "node:assert/strict";
import test from "node:test";

const LIB = "../../../../src/hyperoxo_web/pages/static/lib";
const { describeEnding, describeLine, scoreWith, describeScore } = await import(`${LIB}/ending.js`);

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
    result_text: "Cross wins.",
    position: "1".repeat(4) + ".".repeat(60),
    winning_lines: [[0, 1, 2, 3]],
    lines_owned: [1, 0],
    ...more,
  };
}

test("a line is said by its length and by what it runs through", () => {
  const text = (shape, ...cells) => describeLine({ shape }, cells);
  assert.equal(text([3, 3], 0, 1, 2), "three in a row");
  assert.equal(text([3, 3], 0, 3, 6), "three in a column");
  assert.equal(text([3, 3], 2, 4, 6), "three on a diagonal");
  assert.equal(text([4, 4, 4], 0, 1, 2, 3), "four in a row within a layer");
  assert.equal(text([4, 4, 4], 0, 16, 32, 48), "four straight through the layers");
  assert.equal(text([4, 4, 4], 0, 21, 42, 63), "four through the layers");
  assert.equal(text([3, 3, 3, 3], 0, 40, 80), "three through the cubes");
  assert.equal(text([3, 3, 3, 3], 0, 9, 18), "three straight through the layers");
  assert.equal(text(null, 0, 1, 2), "three on one line");
});

test("each side reads its own end of the game", () => {
  const line = { winning_lines: [[0, 21, 42, 63]] };
  const text = (more) => describeEnding(QUBIC, over({ ...line, ...more }));
  assert.equal(text({}), "You won: four through the layers");
  assert.equal(text({ you: [2] }), "You lost: Cross has four through the layers");
  assert.equal(text({ you: [] }), "Cross won: four through the layers");
  assert.equal(text({ you: [1, 2] }), "Cross won: four through the layers");
  const resigned = { ending: { how: "resigned", player: 2 }, winning_lines: [] };
  assert.equal(text(resigned), "You won: Ring resigned");
  assert.equal(text({ ...resigned, you: [2] }), "You lost: you resigned");
  const late = { ending: { how: "time", player: 2 }, winning_lines: [] };
  assert.equal(text({ ...late, you: [2] }), "You lost: your time ran out");
  assert.equal(text({ ...late, you: [] }), "Cross won: Ring's time ran out");
});

test("misère, draws, several lines and full boards have sentences too", () => {
  const text = (more, geometry = QUBIC) => describeEnding(geometry, over(more));
  const losing = { winners: [2], result: "2" };
  assert.equal(text(losing), "You lost: four in a row within a layer");
  assert.equal(text({ ...losing, you: [2] }), "You won: Cross has four in a row within a layer");
  const two = [
    [0, 1, 2, 3],
    [0, 21, 42, 63],
  ];
  assert.equal(text({ winning_lines: two }), "You won: two lines at once");
  assert.equal(text({ lines_owned: [9, 7] }, { ...QUBIC, target: 9 }), "You won: 9 lines to 7");
  const draw = { winners: [], result: "=", winning_lines: [] };
  assert.equal(
    text({ ...draw, result_text: "The board is full. A draw." }),
    "A draw: the board is full",
  );
  assert.equal(text({ ...draw, result_text: "A draw was agreed." }), "A draw was agreed.");
  const full = { winning_lines: [], result_text: "The board is full. Cross wins." };
  assert.equal(text(full), "You won. The board is full. Cross wins.");
});

test("a score counts the games of the same players, each once", () => {
  let score = scoreWith(null, over());
  assert.equal(describeScore(score, 2), "");
  score = scoreWith(score, over({ id: "b", winners: [2] }));
  score = scoreWith(score, over({ id: "b", winners: [1] }));
  score = scoreWith(score, over({ id: "c", winners: [2] }));
  assert.equal(describeScore(score, 2), "2 : 1");
  assert.equal(describeScore(scoreWith(score, over({ id: "d", winners: [] })), 2), "2 : 1, 1 draw");
  const other = over({
    id: "d",
    seats: [
      { name: "Ada", agent: null },
      { name: "x", agent: "x" },
    ],
  });
  assert.equal(describeScore(scoreWith(score, other), 2), "");
});
