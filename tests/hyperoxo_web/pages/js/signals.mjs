// What is heard and what the title says.
import assert from "node:assert/strict";
import test from "node:test";
import { calling, titled } from "../../../../src/hyperoxo_web/pages/static/lib/notice.js";
import { notes, sounds } from "../../../../src/hyperoxo_web/pages/static/lib/sound.js";

const LINES = [
  [0, 1, 2],
  [3, 4, 5],
  [6, 7, 8],
  [0, 3, 6],
  [1, 4, 7],
  [2, 5, 8],
  [0, 4, 8],
  [2, 4, 6],
];
const geometry = {
  cells: 9,
  shape: [3, 3],
  lines: LINES,
  blocked: [],
  gravity: null,
  opening: null,
  players: 2,
  turns: [1, 2],
  target: 1,
  misere: false,
};
const seats = [
  { player: 1, name: "Ada" },
  { player: 2, name: "Bob" },
];

/** A game after some moves, as the server sends it. */
function after(...cells) {
  const tree = { parents: [-1, ...cells.keys()], cells: [-1, ...cells] };
  return {
    start: ".........",
    tree,
    node: cells.length,
    over: false,
    winning_lines: [],
    lines_owned: [0, 0],
    legal_moves: [],
    seats,
    to_move: (cells.length % 2) + 1,
    result_text: "",
    title: "",
    game: "3^2",
  };
}

test("a stone clicks, going back is silent", () => {
  assert.deepEqual(sounds(geometry, after(0), after(0, 4), [1], true), [["stone", 1]]);
  assert.deepEqual(sounds(geometry, after(0, 4), { ...after(0, 4), node: 1 }, [1], true), []);
});

test("a new threat is heard by the one it is against, where help is on, and once", () => {
  const heard = (you, helped, ...cells) =>
    sounds(geometry, after(...cells.slice(0, -1)), after(...cells), you, helped).map(
      ([kind]) => kind,
    );
  assert.deepEqual(heard([1], true, 0, 4, 8, 1), ["stone", "threat"]);
  assert.deepEqual(heard([1], false, 0, 4, 8, 1), ["stone"]);
  assert.deepEqual(heard([2], true, 0, 4, 8, 1), ["stone"]);
  assert.deepEqual(heard([1, 2], true, 0, 4, 8, 1), ["stone"]);
  assert.deepEqual(heard([1], true, 0, 4, 8, 1, 2), ["stone"]); // the threat at 7 is known already
  assert.deepEqual(
    sounds({ ...geometry, misere: true }, after(0, 4, 8), after(0, 4, 8, 1), [1], true),
    [["stone", 1]],
  );
});

test("each line of the winner is a chord, one after another", () => {
  const won = { ...after(0, 4, 1, 5, 2), over: true, winning_lines: [[0, 1, 2]] };
  assert.deepEqual(sounds(geometry, after(0, 4, 1, 5), won, [1], true), [
    ["stone", 1],
    ["lines", 1],
  ]);
  assert.equal(notes("lines", 1).length, 3);
  assert.equal(new Set(notes("lines", 3).map(([, begin]) => begin)).size, 3);
  assert.ok(notes("lines", 50).length <= 18);
  assert.ok(notes("threat")[0][0] < notes("stone")[0][0]);
});

test("the title says whose turn it is, on which board", () => {
  const title = (state, you, asked) => titled(geometry, state, calling(state, you, asked));
  assert.equal(title(after(), [1]), "● Your move – 3×3");
  assert.equal(title(after(), [2]), "3^2 · hyperoxo");
  assert.equal(title(after(), [1, 2]), "3^2 · hyperoxo");
  assert.equal(title(after(), []), "3^2 · hyperoxo");
  assert.equal(
    title({ ...after(), over: true, result_text: "Cross wins." }, [1]),
    "Cross wins – 3×3",
  );
  assert.equal(
    title(after(), [2], { due: true, words: "Ada wants to swap seats." }),
    "● Ada wants to swap seats – 3×3",
  );
  assert.equal(titled({ shape: null }, after(), "● Your move"), "● Your move – hyperoxo");
});
