// The course of a game: rails for what is proved, the room between them for estimates.
import assert from "node:assert/strict";
import test from "node:test";
import { between, railOf, traced } from "../../../../src/hyperoxo_web/pages/static/lib/course.js";

const proved = (player, kind) => ({ certainty: "proved", values: [{ player, kind, share: null }] });
const guessed = (player, share, low = "loss", high = "win") => ({
  certainty: "estimate",
  values: [{ player, kind: "unknown", share, low, high }],
});

test("estimates never reach the rails of a win or a loss", () => {
  for (const share of [0, 0.01, 0.5, 0.99, 1]) {
    assert.ok(between(share) > railOf("loss") + 0.1);
    assert.ok(between(share) < railOf("win") - 0.1);
  }
  assert.ok(between(0.6) > between(0.4));
});

test("nothing joins what is proved to what is estimated, nor jumps over what is not known", () => {
  const course = [
    proved(1, "draw"),
    proved(1, "win"),
    guessed(1, 0.7),
    guessed(1, 0.8),
    null,
    guessed(1, 0.9),
    proved(1, "win"),
  ];
  const { dots, links } = traced(course, 1, 1);
  assert.deepEqual(
    dots.map(({ at }) => at),
    [0, 1, 2, 3, 5, 6],
  );
  assert.deepEqual(
    links.map(({ from, to, proved: sure }) => [from.at, to.at, sure]),
    [
      [0, 1, true],
      [2, 3, false],
    ],
  );
});

test("a band shows what is still possible", () => {
  const { dots } = traced(
    [guessed(1, 0.5, "draw", "win"), guessed(1, 0.5), proved(1, "win")],
    1,
    1,
  );
  assert.deepEqual(
    dots.map(({ band }) => band),
    [[0.5, 1], [0, 1], null],
  );
});

test("each of several players has marks of their own, one a round", () => {
  const course = [
    proved(1, "win"),
    proved(2, "nothing"),
    guessed(3, 0.2, "nothing"),
    proved(1, "win"),
    proved(2, "draw"),
    proved(3, "nothing"),
    proved(1, "draw"),
  ];
  const { dots, links } = traced(course, 1, 3);
  assert.deepEqual(
    dots.map(({ at, y }) => [at, y]),
    [
      [0, 1],
      [3, 1],
      [6, 0.5],
    ],
  );
  assert.equal(links.length, 2);
  assert.equal(traced(course, 3, 3).links.length, 0);
});
