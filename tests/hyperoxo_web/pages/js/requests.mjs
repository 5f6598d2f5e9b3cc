// What people ask of each other, in words.
import assert from "node:assert/strict";
import test from "node:test";
import { openRequests, nameOf } from "../../../../src/hyperoxo_web/pages/static/lib/requests.js";

const seats = [
  { player: 1, name: "Ada" },
  { player: 2, name: "Player 2" },
  { player: 3, name: "Bob" },
];
const tree = { parents: [-1, 0, 1, 2, 1], cells: [-1, 4, 0, 8, 2] };
const state = (kind, node = null, here = 3) => ({
  seats,
  tree,
  node: here,
  over: false,
  next: null,
  request: { number: 7, kind, by: 1, node, waiting: [2, 3] },
});

test("a person is called by name, or else by the stones", () => {
  assert.deepEqual(seats.map(nameOf), ["Ada", "Ring", "Bob"]);
});

test("what is asked for is said with the numbers of the moves", () => {
  const words = (kind, node, here) => openRequests(state(kind, node, here), [2], false)[0].words;
  assert.equal(words("go", 2), "Ada wants to take back move 3.");
  assert.equal(words("go", 1), "Ada wants to take back moves 2 and 3.");
  assert.equal(words("go", 0), "Ada wants to take back moves 1 to 3.");
  assert.equal(words("go", 3, 1), "Ada wants to play moves 2 and 3 again.");
  assert.equal(words("go", 4), "Ada wants to go to move 2 of another branch.");
  assert.equal(words("go", 3), "Ada wants to go on with this game.");
  assert.equal(words("draw"), "Ada wants to call it a draw.");
  assert.equal(words("swap"), "Ada wants to swap seats.");
  assert.equal(words("help"), "Ada wants to have hints and analysis in this game.");
});

test("who asked waits, who is asked answers, others only see it", () => {
  const seen = (you) => openRequests(state("draw"), you, false)[0];
  assert.equal(seen([1]).words, "You asked to call it a draw. Waiting for Ring and Bob.");
  assert.deepEqual([seen([1]).mine, seen([1]).due], [true, false]);
  assert.deepEqual([seen([3]).mine, seen([3]).due], [false, true]);
  assert.deepEqual([seen([]).mine, seen([]).due], [false, false]);
});

test("a rematch is asked of the other players once the game is over", () => {
  const over = { ...state("draw"), request: null, over: true, next: 3 };
  assert.equal(openRequests(over, [1], false)[0].words, "Bob wants to play again.");
  assert.deepEqual(openRequests(over, [3], false), []);
  assert.deepEqual(openRequests(over, [], false), []);
  assert.equal(
    openRequests({ ...over, next: 0 }, [1], false)[0].words,
    "The host wants to play again.",
  );
  assert.deepEqual(openRequests({ ...over, over: false }, [1], false), []);
  assert.deepEqual(openRequests({ ...over, next: null }, [1], false), []);
});

test("what a teacher says comes after a request", () => {
  const said = { ...state("draw"), notice: [5, "Your teacher: Well done."] };
  assert.deepEqual(
    openRequests(said, [2], false).map(({ kind }) => kind),
    ["request", "notice"],
  );
  const [only] = openRequests({ ...said, request: null }, [], false);
  assert.deepEqual([only.words, only.yes, only.no], ["Your teacher: Well done.", "OK", ""]);
});
