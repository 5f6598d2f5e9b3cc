// Where cells lie: numbers and coordinates, the flat view, the cubes, the symmetries of a square.
import assert from "node:assert/strict";
import test from "node:test";
import { layerName, layersOf } from "../../../src/hyperoxo/web/static/lib/layers.js";
import { cellAt, coordinates, fit, layOut, shapeOf, symmetries } from "../../../src/hyperoxo/web/static/lib/plan.js";
import { TURN, eyeOf, placer, rolesOf, seen, tiltOf } from "../../../src/hyperoxo/web/static/lib/places.js";

const board = (shape, more = {}) => ({ cells: shape.reduce((a, b) => a * b, 1), shape, gravity: null, blocked: [], names: null, ...more });
const SHAPES = [[1], [5], [3, 3], [2, 7], [4, 4, 4], [9, 2, 3], [3, 3, 3, 3], [2, 3, 4, 5], [2, 2, 2, 2, 2], [2, 2, 2, 2, 2, 2]];

test("coordinates count the last axis first, and back", () => {
  assert.deepEqual(coordinates(1 * 20 + 2 * 5 + 3, [3, 4, 5]), [1, 2, 3]);
  for (const shape of SHAPES) {
    for (let cell = 0; cell < board(shape).cells; cell++) assert.equal(cellAt(coordinates(cell, shape), shape), cell);
  }
});

test("layers have every cell once, and a name and hue of their own; flat boards have none", () => {
  for (const shape of SHAPES) {
    const geometry = board(shape);
    const layers = layersOf(geometry);
    assert.equal(layers.length, shape.length < 3 ? 0 : geometry.cells / (shape.at(-1) * shape.at(-2)));
    if (!layers.length) continue;
    assert.deepEqual(layers.flatMap(({ cells }) => cells), [...Array(geometry.cells).keys()]);
    assert.equal(new Set(layers.map(({ name }) => name)).size, layers.length);
    assert.equal(new Set(layers.slice(0, shape.at(-3)).map(({ hue }) => hue)).size, shape.at(-3));
    for (const { name, cells } of layers) for (const cell of cells) assert.equal(layerName(geometry, cell), name);
  }
});

test("a board without coordinates is a block that has room for all cells", () => {
  for (let cells = 1; cells < 40; cells++) {
    const [rows, columns] = shapeOf({ cells, shape: null });
    assert.ok(rows * columns >= cells && rows * columns < cells + columns && rows <= columns);
  }
});

test("no two cells overlap in the flat view, and none lies outside", () => {
  for (const shape of SHAPES) {
    for (const gravity of [null, ...shape.keys()]) {
      for (let wrap = 1; wrap <= shape[0]; wrap++) {
        const geometry = board(shape, { gravity });
        const { x, y, width, height } = layOut(geometry, wrap);
        for (let a = 0; a < geometry.cells; a++) {
          assert.ok(x[a] >= 0 && y[a] >= 0 && x[a] + 1 <= width + 1e-4 && y[a] + 1 <= height + 1e-4);
          for (let b = 0; b < a; b++) assert.ok(Math.max(Math.abs(x[a] - x[b]), Math.abs(y[a] - y[b])) > 1 - 1e-4);
        }
      }
    }
  }
});

test("rows and columns of a layer are those of the coordinates; stones fall down", () => {
  const plain = layOut(board([3, 4]), 3);
  assert.deepEqual([plain.x[5], plain.y[5], plain.width, plain.height], [1, 1, 4, 3]);
  const falling = layOut(board([3, 4], { gravity: 0 }), 3);
  assert.ok(falling.y[0] > falling.y[4]);
});

test("cells become as large as the room lets them, but not too small for a finger", () => {
  const room = { width: 900, height: 600, most: 88, least: 26 };
  for (const shape of SHAPES) {
    const plan = fit(board(shape), room);
    assert.ok(plan.fitted <= room.most && plan.width * plan.fitted <= room.width + 1e-6);
    assert.ok(plan.height * plan.fitted <= room.height + 1e-6);
  }
  assert.equal(fit(board([3, 3]), room).unit, 88);
  const narrow = fit(board([9, 9, 9]), { ...room, width: 300, height: 200 });
  assert.ok(narrow.fitted < narrow.unit && narrow.unit <= 26 && narrow.width * narrow.unit <= 300 + 1e-6);
});

test("the axis of gravity points upwards in space, and all axes have a place", () => {
  for (const shape of SHAPES) {
    for (const gravity of [null, ...shape.keys()]) {
      const { right, front, up, outer } = rolesOf(board(shape, { gravity }));
      const used = [right, front, up, ...outer].filter((axis) => axis != null);
      assert.deepEqual(used.sort((a, b) => a - b), [...shape.keys()]);
      if (gravity != null && shape.length >= 3) assert.equal(up, gravity);
    }
  }
});

test("the directions of the eye are at right angles and of length 1", () => {
  for (const [turn, tilt] of [[0, 0], [TURN, 0.5], [2, -0.3], [-1, 1.5]]) {
    const { right, up, back } = eyeOf(turn, tilt);
    const all = [right, up, back];
    all.forEach((a, i) => all.forEach((b, j) => {
      const dot = a.reduce((sum, v, k) => sum + v * b[k], 0);
      assert.ok(Math.abs(dot - (i === j)) < 1e-12);
    }));
  }
});

test("stones fall down in space too, and no cube overlaps another", () => {
  const view = { mode: "cubes", explode: 1, spin: 0, turn: TURN, tilt: 0.5 };
  const height = (gravity, cell) => placer(board([3, 3, 3], { gravity }), view).point(cell)[1];
  assert.ok(height(0, 0) < height(0, 9));
  assert.ok(height(null, 0) > height(null, 9));
  for (const dims of [4, 5, 6, 7]) {
    const geometry = board(new Array(dims).fill(2));
    const { point } = placer(geometry, view);
    const eye = eyeOf(view.turn, view.tilt);
    const cubes = new Map();
    for (let cell = 0; cell < geometry.cells; cell++) {
      const [right, up] = seen(eye, point(cell));
      const box = cubes.get(cell >> 3) ?? [Infinity, -Infinity, Infinity, -Infinity];
      cubes.set(cell >> 3, [Math.min(box[0], right), Math.max(box[1], right), Math.min(box[2], up), Math.max(box[3], up)]);
    }
    const boxes = [...cubes.values()];
    boxes.forEach((a, i) => boxes.slice(0, i).forEach((b) => {
      assert.ok(a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2], `${dims}`);
    }));
  }
});

test("everything in space lies inside the size that is given for it, in both modes", () => {
  for (const shape of SHAPES.filter((shape) => shape.length > 1 && shape.length < 7)) {
    for (const mode of shape.length === 4 ? ["cubes", "tesseract"] : ["cubes"]) {
      const geometry = board(shape);
      const view = { mode, explode: 1, spin: 0.5, turn: TURN, tilt: tiltOf(geometry) };
      const { point, width, height } = placer(geometry, view);
      const eye = eyeOf(view.turn, view.tilt);
      const points = Array.from({ length: geometry.cells }, (_, cell) => point(cell));
      for (const at of points) {
        const [right, up] = seen(eye, at);
        assert.ok(Math.abs(right) <= width / 2 && Math.abs(up) <= height / 2, `${mode} ${shape}`);
      }
      assert.equal(new Set(points.map((at) => at.map((v) => v.toFixed(6)).join())).size, geometry.cells);
    }
  }
});

test("a square has eight symmetries, each of them every cell once", () => {
  for (const side of [2, 3, 4]) {
    const all = symmetries(side);
    assert.equal(new Set(all.map(String)).size, 8);
    for (const map of all) assert.deepEqual([...map].sort((a, b) => a - b), [...Array(side * side).keys()]);
  }
  assert.deepEqual(symmetries(2)[0], [0, 1, 2, 3]);
});
