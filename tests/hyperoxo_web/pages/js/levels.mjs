// The level that is remembered and suggested, the first game's advice, and the goal in words.
import assert from "node:assert/strict";
import test from "node:test";
import { adviceFor } from "../../../../src/hyperoxo_web/pages/static/lib/coach.js";
import {
  storeResult,
  storedLevel,
  rowAfter,
  suggestedLevel,
} from "../../../../src/hyperoxo_web/pages/static/lib/levels.js";
import { goalOf } from "../../../../src/hyperoxo_web/pages/static/lib/lines.js";
import { ownersAfter } from "../../../../src/hyperoxo_web/pages/static/lib/tree.js";

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, value) => stored.set(key, value),
};

const against = (agent, winners) => ({
  seats: [
    { player: 1, agent: null },
    { player: 2, agent },
  ],
  you: [1],
  winners,
});

test("level 2 for who never played here; two games won suggest the next", () => {
  assert.deepEqual(storedLevel(), { level: "level:2", row: 0 });
  storeResult(against("level:2", [1]));
  assert.equal(suggestedLevel(storedLevel(), 8), null);
  storeResult(against("level:2", [1]));
  assert.deepEqual(suggestedLevel(storedLevel(), 8), {
    level: "level:3",
    words: "You won twice: level 3?",
  });
  storeResult(against("level:5", [2]));
  assert.deepEqual(storedLevel(), { level: "level:5", row: -1 });
  storeResult(against("greedy", [1]));
  assert.deepEqual(storedLevel(), { level: "level:5", row: -1 });
});

test("three games lost suggest the level below; a draw and the ends suggest nothing", () => {
  assert.equal(rowAfter(1, false, true), 0);
  assert.equal(rowAfter(2, false, false), -1);
  assert.equal(suggestedLevel({ level: "level:4", row: -2 }, 8), null);
  assert.equal(
    suggestedLevel({ level: "level:4", row: -3 }, 8).words,
    "You lost three times: level 3?",
  );
  assert.equal(suggestedLevel({ level: "level:1", row: -3 }, 8), null);
  assert.equal(suggestedLevel({ level: "level:8", row: 2 }, 8), null);
});

const cube = {
  shape: [2, 2, 2],
  cells: 8,
  blocked: [],
  turns: [1, 2],
  lines: [
    [0, 1],
    [0, 4],
    [0, 7],
    [2, 3],
  ],
};

test("advice names each direction of the person's own lines, and a threat before all", () => {
  const legal = [1, 2, 3, 4, 5, 6, 7];
  const at = (moves, step) => adviceFor(cube, { owner: ownersAfter(cube, moves), legal }, 1, step);
  assert.match(at([0, 6], 0).words, /in one layer/);
  assert.match(at([0, 6], 1).words, /straight through/);
  assert.deepEqual(at([0, 6], 2).highlight, { player: 1, lines: [2] });
  assert.equal(at([0, 6], 3), null);
  const threat = at([0, 2], 0);
  assert.equal(threat.words, "Ring threatens here: stop it.");
  assert.deepEqual(threat.highlight.lines, [3]);
});

test("the goal is a sentence", () => {
  const usual = { lines: [[0, 1, 2, 3]], target: 1, misere: false, counting: [1, 2], players: 2 };
  assert.equal(
    goalOf({ ...usual, shape: [4, 4, 4] }),
    "The first to have four in a row wins: in one layer, through the layers, or on any diagonal.",
  );
  assert.equal(
    goalOf({ ...usual, shape: [6, 7], misere: true }),
    "A line is four in a row: across, up or on a diagonal.",
  );
  assert.equal(
    goalOf({ ...usual, shape: null, beyond: [[4]] }),
    "The first to have exactly four in a row wins.",
  );
  assert.equal(goalOf({ ...usual, shape: null }), "The first to have four in a row wins.");
});
