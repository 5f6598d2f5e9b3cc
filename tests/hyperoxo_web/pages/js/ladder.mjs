// The rating of a visitor who solves puzzles, and the threat that is drawn in the first of a day.
import assert from "node:assert/strict";
import test from "node:test";
import {
  readStorage,
  writeStorage,
} from "../../../../src/hyperoxo_web/pages/static/lib/storage.js";
import {
  UNRATED,
  difficulty,
  rated,
  rung,
  scored,
  threatened,
} from "../../../../src/hyperoxo_web/pages/static/lib/ladder.js";

const NEW = { rating: UNRATED, tried: [] };

test("a solved puzzle raises the rating, the more the harder it is", () => {
  assert.ok(rated(NEW, 1, true) > UNRATED);
  assert.ok(rated(NEW, 4, true) > rated(NEW, 1, true));
  assert.ok(rated(NEW, 1, false) < rated(NEW, 4, false));
  assert.ok(rated(NEW, 4, false) <= UNRATED);
  const later = { rating: UNRATED, tried: Array(20).fill("x") };
  assert.ok(rated(later, 3, true) < rated(NEW, 3, true));
});

test("only the first try at a puzzle counts", () => {
  const lost = scored(NEW, "/puzzles/a", 2, false);
  assert.deepEqual(scored(lost, "/puzzles/a", 2, true), lost);
  assert.deepEqual(lost.tried, ["/puzzles/a"]);
});

test("the rung that is advised climbs with the rating", () => {
  assert.equal(rung(UNRATED, 6), 1);
  assert.equal(rung(0, 6), 1);
  for (const threats of [1, 2, 3, 4, 5, 6]) assert.equal(rung(difficulty(threats), 6), threats);
  assert.equal(rung(9999, 6), 6);
});

test("a threat is drawn on a line that lacks two stones", () => {
  const geometry = {
    lines: [
      [0, 1, 2],
      [3, 4, 5],
      [0, 3, 6],
    ],
  };
  assert.equal(threatened(geometry, [0, 2, 0, 0, 0, 0, 1, 0, 0], 1, 0), 2);
  assert.equal(threatened(geometry, [0, 2, 0, 0, 0, 0, 2, 0, 0], 1, 0), null);
});

test("a browser without memory has what is usual", () => {
  writeStorage("puzzles", { rating: 1 });
  assert.equal(readStorage("puzzles", "usual"), "usual");
});
