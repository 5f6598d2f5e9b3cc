// What the scripts know of the rules: compared with the program, over random games.
import assert from "node:assert/strict";
import test from "node:test";
import { positions as facts, skip } from "./facts.mjs";
import {
  filled,
  leadingLines,
  linesOf,
  linesThrough,
  playable,
  tally,
  threats,
} from "../../../../src/hyperoxo_web/pages/static/lib/lines.js";
import { build, parse } from "../../../../src/hyperoxo_web/pages/static/lib/spec.js";
import {
  branches,
  owners,
  pathTo,
  playerOf,
  positionAt,
} from "../../../../src/hyperoxo_web/pages/static/lib/tree.js";

const ninths = {
  cells: 9,
  lines: [
    [0, 1, 2],
    [3, 4, 5],
    [6, 7, 8],
    [0, 4, 8],
  ],
  players: 2,
};

/** The state of a game as the server sends it: a line of moves, looked at from none of them. */
const stateOf = ({ start, moves }) => ({
  start,
  node: -1,
  tree: { parents: [-1, ...moves.keys()], cells: [-1, ...moves] },
});

test("there are positions to compare", { skip }, () => assert.ok(facts.length >= 100));

test("a spec of any game stays itself when it is taken apart and put together", { skip }, () => {
  for (const { spec } of facts) assert.equal(build(parse(spec)), spec);
});

test(
  "stones, ply, player to move, legal moves and lines owned are those of the program",
  { skip },
  () => {
    for (const fact of facts) {
      const found = positionAt(fact.geometry, stateOf(fact), fact.moves.length);
      assert.deepEqual([...found.owner], [...owners(fact.text)], fact.spec);
      assert.deepEqual(
        [found.ply, found.mover, found.last],
        [fact.ply, fact.mover, fact.last],
        fact.spec,
      );
      assert.deepEqual(
        found.scores.slice(1),
        fact.owned.map((lines) => lines.length),
        fact.spec,
      );
      if (fact.to_move) assert.deepEqual(found.legal, fact.legal, fact.spec);
      fact.owned.forEach((lines, i) => {
        const full = lines.map((number) => fact.geometry.lines[number]);
        assert.deepEqual(filled(fact.geometry, found.owner, i + 1), full);
      });
    }
  },
);

test(
  "cells where a stone may lie, and where it completes a line, are those of the program",
  { skip },
  () => {
    for (const fact of facts) {
      const owner = owners(fact.text);
      const free = playable(fact.geometry, owner);
      assert.deepEqual(free, fact.landing, fact.spec);
      const aims = threats(fact.geometry, { owner, mover: fact.to_move });
      fact.completing.forEach((cells, i) => {
        const found = free.filter((cell) => aims.get(cell)?.has(i + 1));
        assert.deepEqual(found, cells, `${fact.spec} ${fact.text} player ${i + 1}`);
      });
    }
  },
);

test("who made each move", { skip }, () => {
  for (const fact of facts) {
    fact.moves.forEach((_, i) =>
      assert.equal(playerOf(fact.geometry, stateOf(fact), i + 1), fact.movers[i], fact.spec),
    );
  }
});

test("paths and branches of a tree of moves", () => {
  const tree = { parents: [-1, 0, 1, 1, 0, 3], cells: [-1, 4, 0, 2, 8, 6] };
  assert.deepEqual(pathTo(tree, 5), [0, 1, 3, 5]);
  assert.deepEqual([branches(tree, 0), branches(tree, 1), branches(tree, 5)], [[1, 4], [2, 3], []]);
});

test("lines through a cell, and stones on a line", () => {
  assert.deepEqual(linesThrough(ninths)[4], [1, 3]);
  const { counts, free } = tally([0, 1, 2], owners("1.2......"));
  assert.deepEqual(
    [[...counts], free],
    [
      [
        [1, 1],
        [2, 1],
      ],
      [1],
    ],
  );
});

test("the lines that are shown for a player, and the words for them", () => {
  const shown = (text, player) => linesOf(ninths, owners(text), player);
  assert.deepEqual(shown("111...2.2", 1), {
    player: 1,
    lines: [0],
    words: "Cross has 1 full line.",
  });
  assert.deepEqual(shown("22......1", 2), {
    player: 2,
    lines: [0],
    words: "Ring has no full line yet. Open with 2 of 3 stones: 1.",
  });
  assert.equal(
    shown("221......", 1).words,
    "Cross has no line with two stones that is still open.",
  );
  assert.deepEqual(leadingLines(ninths, owners("11..1...."), 1), { stones: 2, lines: [0, 3] });
  assert.deepEqual(leadingLines(ninths, owners("112.1...."), 1), { stones: 2, lines: [3] });
  const fours = { cells: 4, lines: [[0, 1, 2, 3]], players: 2 };
  assert.deepEqual(leadingLines(fours, owners("112."), 1).lines, []);
});
