// Which cell is meant: by a point of the picture in space, by keys in the flat view.
import assert from "node:assert/strict";
import test from "node:test";
import { TURN, eyeOf, pick, placer, seen } from "../../../src/hyperoxo/web/static/lib/places.js";
import { along, beside, fit } from "../../../src/hyperoxo/web/static/lib/plan.js";

const board = (shape) => ({ cells: shape.reduce((a, b) => a * b, 1), shape, gravity: null, blocked: [] });

/** The points of a board, and what lies at the middle of each cell for an eye. */
function scene(shape, view) {
  const geometry = board(shape);
  const { point } = placer(geometry, view);
  const eye = eyeOf(view.turn, view.tilt);
  return { eye, points: Array.from({ length: geometry.cells }, (_, cell) => point(cell)) };
}

test("the middle of a tile picks its cell, where layers are pulled apart", () => {
  for (const shape of [[3, 3], [4, 4, 4], [3, 3, 3, 3], [2, 3, 4]]) {
    for (const turn of [TURN, 0.2, 2.5]) {
      const { eye, points } = scene(shape, { mode: "cubes", explode: 1.5, spin: 0, turn, tilt: 0.5 });
      points.forEach((at, cell) => assert.equal(pick(eye, seen(eye, at), points, 0.94, true), cell));
    }
  }
});

test("beside the board there is no cell, and none on a tile that is seen from its edge", () => {
  const { eye, points } = scene([3, 3], { mode: "cubes", explode: 1, spin: 0, turn: 0, tilt: 0.5 });
  assert.equal(pick(eye, [9, 0], points, 0.94, true), null);
  assert.equal(pick(eye, [0.5, 0], points, 0.94, true), null); // between two tiles
  const level = eyeOf(0, 0);
  assert.equal(pick(level, [0, 0.1], points, 0.94, true), null);
});

test("a tile as the eye sees it: corners just inside pick it, just outside do not", () => {
  for (const tilt of [0.3, 0.9, -0.3]) {
    const eye = eyeOf(0.7, tilt);
    const at = [1, -2, 3];
    for (const [x, z] of [[-1, -1], [-1, 1], [1, -1], [1, 1]]) {
      const corner = (size) => seen(eye, [at[0] + x * size, at[1], at[2] + z * size]);
      assert.equal(pick(eye, corner(0.469), [at], 0.94, true), 0);
      assert.equal(pick(eye, corner(0.471), [at], 0.94, true), null);
    }
  }
});

test("of two tiles behind each other, the nearer one; seen from below, the other", () => {
  const points = [[0, 0, 0], [0, 2, 0]];
  for (const [tilt, first] of [[1.5, 1], [-1.5, 0]]) {
    const eye = eyeOf(0, tilt);
    assert.equal(pick(eye, [0, 0.07], points, 0.94, true), first);
  }
});

test("tiles of a tesseract face the eye", () => {
  const { eye, points } = scene([3, 3, 3, 3], { mode: "tesseract", explode: 1, spin: 0.4, turn: 0.3, tilt: 0.4 });
  const deepest = (at) => points.every((p) => p === at || Math.hypot(...seen(eye, p).slice(0, 2).map((v, i) => v - seen(eye, at)[i])) > 0.5);
  const alone = points.filter(deepest);
  assert.ok(alone.length > 10);
  for (const at of alone) assert.equal(pick(eye, seen(eye, at), points, 0.32, false), points.indexOf(at));
});

test("a stone that stands before another tile is picked, as far as it reaches", () => {
  const eye = eyeOf(0, 0.5);
  const points = [[0, 0, 0], [0, 0, 1]];
  const spot = seen(eye, points[0]);
  const raised = points[1].map((v, i) => v + 0.9 * eye.up[i] + 0.1 * eye.back[i]);
  const stone = { cell: 1, at: raised, width: 0.8, height: 2 };
  assert.equal(pick(eye, spot, points, 0.94, true), 0);
  assert.equal(pick(eye, spot, points, 0.94, true, [stone]), 1);
  assert.equal(pick(eye, spot, points, 0.94, true, [{ ...stone, height: 0.2 }]), 0);
  const alone = { cell: 2, at: [0, 0, 0], width: 0.8, height: 0.4 };
  assert.equal(pick(eye, [0.39, 0.19], [], 0.94, true, [alone]), 2);
  assert.equal(pick(eye, [0.39, 0.21], [], 0.94, true, [alone]), null);
  assert.equal(pick(eye, [0.41, 0.19], [], 0.94, true, [alone]), null);
});

test("arrows go to the cell that lies there, into the next layer too", () => {
  const geometry = board([2, 2, 3]);
  const plan = fit(geometry, { width: 900, height: 300, most: 40, least: 20 });
  assert.equal(plan.y[6], plan.y[0]); // the layers stand side by side
  assert.equal(beside(plan, 0, true, 1), 1);
  assert.equal(beside(plan, 2, true, 1), 6);
  assert.equal(beside(plan, 6, true, -1), 2);
  assert.equal(beside(plan, 0, false, 1), 3);
  assert.equal(beside(plan, 0, true, -1), null);
  assert.equal(beside({ x: [0, 1, 2], y: [0, 0.4, 0] }, 0, true, 1), 2); // not what lies lower
  assert.equal(beside(plan, 0, false, -1), null);
  assert.equal(beside(plan, 8, true, 1), null);
});

test("other keys go along an axis, counted from the last, and stop at the edge", () => {
  const geometry = board([3, 3, 3, 3]);
  assert.equal(along(geometry, 0, 1, 1), 1);
  assert.equal(along(geometry, 0, 4, 1), 27);
  assert.equal(along(geometry, 80, 3, -1), 71);
  assert.equal(along(geometry, 2, 1, 1), null);
  assert.equal(along(geometry, 0, 2, -1), null);
  assert.equal(along(geometry, 0, 5, 1), null);
  assert.equal(along({ cells: 5, shape: null }, 2, 2, 1), null); // a block of 2 by 3 without its last cell
  assert.equal(along({ cells: 5, shape: null }, 1, 2, 1), 4);
});
