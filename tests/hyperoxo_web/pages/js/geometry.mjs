// Where cells lie: numbers and coordinates, the flat view, the cubes, the symmetries of a square.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { boards, skip } from "./facts.mjs";
import { layersOf } from "../../../../src/hyperoxo_web/pages/static/lib/layers.js";
import {
  HEAD,
  cellAt,
  coordinates,
  fit,
  layOut,
  shapeOf,
  stepAlong,
  symmetries,
} from "../../../../src/hyperoxo_web/pages/static/lib/layout.js";
import {
  Eye,
  HOME,
  SpaceLayout,
  eyeOf,
  rolesOf,
  orthographic,
} from "../../../../src/hyperoxo_web/pages/static/lib/projection.js";

const board = (shape, more = {}) => ({
  cells: shape.reduce((a, b) => a * b, 1),
  shape,
  gravity: null,
  blocked: [],
  names: null,
  ...more,
});
const SHAPES = [
  [1],
  [5],
  [3, 3],
  [2, 7],
  [4, 4, 4],
  [9, 2, 3],
  [3, 3, 3, 3],
  [2, 3, 4, 5],
  [2, 2, 2, 2, 2],
  [2, 2, 2, 2, 2, 2],
];

test("coordinates count the last axis first, and back", () => {
  assert.deepEqual(coordinates(1 * 20 + 2 * 5 + 3, [3, 4, 5]), [1, 2, 3]);
  for (const shape of SHAPES) {
    for (let cell = 0; cell < board(shape).cells; cell++)
      assert.equal(cellAt(coordinates(cell, shape), shape), cell);
  }
});

test(
  "layers have every cell once, a name and a hue of their own; flat boards none",
  { skip },
  () => {
    for (const geometry of Object.values(boards)) {
      const { cells, shape, names } = geometry;
      const layers = layersOf(geometry);
      const size = shape?.length > 2 ? shape.at(-1) * shape.at(-2) : Infinity;
      assert.equal(layers.length, Math.floor(cells / size));
      if (!layers.length) continue;
      assert.deepEqual(
        layers.flatMap((layer) => layer.cells),
        [...Array(cells).keys()],
      );
      assert.equal(new Set(layers.map(({ name }) => name)).size, layers.length);
      assert.equal(new Set(layers.slice(0, shape.at(-3)).map(({ hue }) => hue)).size, shape.at(-3));
      for (const { name, cells: inside } of layers)
        for (const cell of inside) assert.match(names[cell], new RegExp(`^${name}[a-z]`));
    }
  },
);

test("a board without coordinates is a block that has room for all cells", () => {
  for (let cells = 1; cells < 40; cells++) {
    const [rows, columns] = shapeOf({ cells, shape: null });
    assert.ok(rows * columns >= cells && rows * columns < cells + columns && rows <= columns);
  }
});

test(
  "cells become as large as the room lets them, but not too small for a finger",
  { skip },
  () => {
    const space = { width: 900, height: 600, least: 26 };
    for (const geometry of Object.values(boards)) {
      const layout = fit(geometry, space);
      assert.ok(layout.width * layout.fitted <= space.width + 1e-6);
      assert.ok(layout.height * layout.fitted <= space.height + 1e-6);
      for (const { width, height } of geometry.layouts)
        assert.ok(Math.min(space.width / width, space.height / height) <= layout.fitted * 1.001);
    }
    assert.equal(fit(boards["3^2"], space).unit, 200); // no limit but the room
    assert.equal(fit(boards["3^2"], { ...space, most: 46 }).unit, 46);
    const narrow = fit(boards["9^3"], { ...space, width: 300, height: 200 });
    assert.ok(
      narrow.fitted < narrow.unit && narrow.unit <= 26 && narrow.width * narrow.unit <= 300 + 1e-6,
    );
  },
);

test(
  "on a stage of 1440 by 900 less the two lines, cells take the share they should",
  { skip },
  () => {
    for (const [spec, least] of [
      ["4^3", 0.45],
      ["3^3", 0.35],
      ["3^2", 0.45],
    ]) {
      const layout = fit(boards[spec], { width: 1440, height: 900 - 56 - 48 });
      const span = (at) => Math.max(...at) - Math.min(...at) + 1;
      const share = (span(layout.x) * span(layout.y) * layout.unit ** 2) / (1440 * 900);
      assert.ok(share >= least, `${spec}: ${share}`);
    }
  },
);

test("on that stage the board in space covers as much of the window, at first", () => {
  for (const [side, least] of [
    [4, 0.45],
    [3, 0.35],
  ]) {
    const [width, height] = [808, 792]; // the window less two lines, and people beside the board
    const geometry = board([side, side, side]);
    const layout = new SpaceLayout(geometry);
    const view = layout.home(width / height);
    layout.place(view);
    const aspect = width / height;
    const eye = new Eye().orient({ ...view, aspect, ...layout.fit(aspect) });
    const corners = [-0.5, 0.5].flatMap((dx) =>
      [-0.5, 0.5].flatMap((dz) =>
        Array.from({ length: geometry.cells }, (_, cell) => {
          const [x, y, z] = layout.points.subarray(3 * cell, 3 * cell + 3);
          return eye.project(x + dx, y, z + dz);
        }),
      ),
    );
    const span = (i) => {
      const at = corners.map((corner) => corner[i]);
      assert.ok(Math.max(...at.map(Math.abs)) <= 1);
      return (Math.max(...at) - Math.min(...at)) / 2;
    };
    const share = (span(0) * width * span(1) * height) / (1440 * 900);
    assert.ok(share >= least, `${side}^3: ${share}`);
  }
});

test("plans are those of the program", { skip }, () => {
  const cases = JSON.parse(readFileSync(new URL("../../../layouts.json", import.meta.url)));
  for (const { spec, cells, shape, space, heads, size, corners } of cases) {
    const layout = fit(boards[spec], { width: space[0], height: space[1] });
    const step = shape?.length > 2 ? shape.at(-1) * shape.at(-2) : cells;
    const firsts = Array.from({ length: cells / step }, (_, i) => i * step);
    const found = [...firsts, cells - 1].map((cell) => [layout.x[cell], layout.y[cell]]);
    assert.equal(layout.heads, heads, spec);
    const close = (a, b) => assert.ok(Math.abs(a - b) < 0.006, `${spec}: ${a} ${b}`);
    [layout.width, layout.height].forEach((a, i) => close(a, size[i]));
    assert.equal(found.length, corners.length);
    found.forEach((at, i) => at.forEach((a, k) => close(a, corners[i][k])));
  }
});

test("cubes and layers stand in the same order in the flat view and in space", { skip }, () => {
  const six = Array.from({ length: 6 }, (_, axis) => `2^6:gravity=${axis}`);
  for (const spec of ["3^4", "3^4:gravity", "3^4:gravity=1", "3^3", "3^3:gravity", ...six]) {
    const geometry = boards[spec];
    const { x, y } = layOut(geometry, geometry.layouts.at(-1));
    const layout = new SpaceLayout(geometry);
    const view = { turn: 0, tilt: 0.3 };
    layout.place(view);
    const eye = eyeOf(view.turn, view.tilt);
    const at = (cell) => orthographic(eye, layout.points.subarray(3 * cell, 3 * cell + 3));
    const { roles } = layout;
    const inner = [roles.right, roles.front];
    // Of the axes that set layers or cubes apart: a cell and its neighbour.
    const apart = [...geometry.shape.keys()].slice(0, -2).filter((axis) => !inner.includes(axis));
    for (const axis of apart) {
      const [first, second] = [0, stepAlong(geometry.shape, axis)];
      const [right, up] = at(second).map((v, i) => v - at(first)[i]);
      assert.equal(Math.sign(x[second] - x[first]), Math.abs(right) < 0.01 ? 0 : Math.sign(right));
      if (y[second] !== y[first]) assert.equal(Math.sign(y[first] - y[second]), Math.sign(up));
    }
  }
});

test("the axis of gravity points upwards in space, and all axes have a place", () => {
  for (const shape of SHAPES) {
    for (const gravity of [null, ...shape.keys()]) {
      const { right, front, up, outer } = rolesOf(board(shape, { gravity }));
      const used = [right, front, up, ...outer].filter((axis) => axis != null);
      assert.deepEqual(
        used.sort((a, b) => a - b),
        [...shape.keys()],
      );
      if (gravity != null && shape.length >= 3) assert.equal(up, gravity);
    }
  }
});

test("the directions of the eye are at right angles and of length 1", () => {
  for (const [turn, tilt] of [
    [0, 0],
    [HOME.turn, HOME.tilts[0]],
    [2, -0.3],
    [-1, 1.5],
  ]) {
    const { right, up, back } = eyeOf(turn, tilt);
    const all = [right, up, back];
    all.forEach((a, i) =>
      all.forEach((b, j) => {
        const dot = a.reduce((sum, v, k) => sum + v * b[k], 0);
        assert.ok(Math.abs(dot - (i === j)) < 1e-12);
      }),
    );
  }
});

/** Where the cells of a board are, in a view. */
function placed(geometry, view = {}) {
  const layout = new SpaceLayout(geometry);
  layout.place({ ...layout.home(), ...view });
  return { layout, at: (cell) => [...layout.points.subarray(3 * cell, 3 * cell + 3)] };
}

test("layer 1 is the lowest plate, with gravity and without, and no cube overlaps another", () => {
  const height = (gravity, cell) => placed(board([3, 3, 3], { gravity })).at(cell)[1];
  assert.ok(height(0, 0) < height(0, 9));
  assert.ok(height(null, 0) < height(null, 9));
  const eye = eyeOf(HOME.turn, HOME.tilts[1]);
  for (const dims of [4, 5, 6, 7]) {
    const geometry = board(new Array(dims).fill(2));
    const { at } = placed(geometry);
    const cubes = new Map();
    for (let cell = 0; cell < geometry.cells; cell++) {
      const [right, up] = orthographic(eye, at(cell));
      const box = cubes.get(cell >> 3) ?? [Infinity, -Infinity, Infinity, -Infinity];
      cubes.set(cell >> 3, [
        Math.min(box[0], right),
        Math.max(box[1], right),
        Math.min(box[2], up),
        Math.max(box[3], up),
      ]);
    }
    const boxes = [...cubes.values()];
    boxes.forEach((a, i) =>
      boxes.slice(0, i).forEach((b) => {
        assert.ok(a[1] < b[0] || b[1] < a[0] || a[3] < b[2] || b[3] < a[2], `${dims}`);
      }),
    );
  }
});

/** All lines of a cube: their cells, and the direction as one of 13. */
function linesOfCube(side) {
  const steps = [-1, 0, 1];
  const found = [];
  for (const dx of steps)
    for (const dy of steps)
      for (const dz of steps) {
        const step = [dx, dy, dz];
        if (!(step.find((v) => v) > 0)) continue;
        for (let first = 0; first < side ** 3; first++) {
          const coords = coordinates(first, [side, side, side]);
          if (!step.every((v, i) => !v || coords[i] === (v > 0 ? 0 : side - 1))) continue;
          const cells = Array.from({ length: side }, (_, n) =>
            cellAt(
              coords.map((c, i) => c + n * step[i]),
              [side, side, side],
            ),
          );
          found.push({ cells, kind: step.join() });
        }
      }
  return found;
}

test("no line of a cube is drawn as another: least angles between directions", () => {
  for (const [side, count, least] of [
    [3, 49, 3],
    [4, 76, 4],
    [5, 109, 3],
    [6, 148, 4],
  ]) {
    const { layout, at } = placed(board([side, side, side]));
    const { aspect } = layout;
    const eye = new Eye().orient({ ...layout.home(), aspect, ...layout.fit(aspect) });
    const picture = (cell) =>
      eye
        .project(...at(cell))
        .slice(0, 2)
        .map((v, i) => v * (i ? 1 : aspect));
    const lines = linesOfCube(side).map(({ cells, kind }) => {
      const [[ax, ay], [bx, by]] = [picture(cells[0]), picture(cells.at(-1))];
      return {
        cells,
        kind,
        ends: [ax, ay, bx, by],
        angle: (Math.atan2(by - ay, bx - ax) * 180) / Math.PI,
      };
    });
    assert.equal(lines.length, count);
    lines.forEach((a, i) =>
      lines.slice(0, i).forEach((b) => {
        const same =
          a.ends.every((v, k) => Math.abs(v - b.ends[k]) < 0.01) ||
          a.ends.every((v, k) => Math.abs(v - b.ends[(k + 2) % 4]) < 0.01);
        assert.ok(!same, `${a.cells} and ${b.cells} have the same picture`);
        if (a.kind === b.kind || !a.cells.some((cell) => b.cells.includes(cell))) return;
        const apart = Math.abs(a.angle - b.angle) % 180;
        assert.ok(
          Math.min(apart, 180 - apart) >= least,
          `${side}: ${a.cells} and ${b.cells}, ${Math.min(apart, 180 - apart)}`,
        );
      }),
    );
  }
});

test("a tesseract unfolds from the cubes, and no two of its cells are in one place", () => {
  const geometry = board([3, 3, 3, 3]);
  const [cubes, half, whole] = [0, 0.5, 1].map((fold) => placed(geometry, { fold }));
  for (let cell = 0; cell < geometry.cells; cell++) {
    const between = cubes.at(cell).map((v, i) => (v + whole.at(cell)[i]) / 2);
    half.at(cell).forEach((v, i) => assert.ok(Math.abs(v - between[i]) < 1e-4));
  }
  const eye = eyeOf(HOME.turn, HOME.tilts[1]);
  const spots = Array.from({ length: 81 }, (_, cell) => orthographic(eye, whole.at(cell)));
  spots.forEach((a, i) =>
    spots.slice(0, i).forEach((b, j) => {
      const size = Math.min(whole.layout.sizes[i], whole.layout.sizes[j]);
      assert.ok(Math.hypot(a[0] - b[0], a[1] - b[1]) > 0.15 * size, `${i} and ${j}`);
    }),
  );
  // What is farther along the fourth axis is smaller.
  for (let cell = 0; cell < 54; cell++)
    assert.ok(whole.layout.sizes[cell] > whole.layout.sizes[cell + 27]);
});

test(
  "layers in space have the names of the flat view, and stones fall to layer 0",
  { skip },
  () => {
    const { layout } = placed(boards["4^3:gravity"]);
    assert.deepEqual(
      layout.labels.map(({ text }) => text),
      layersOf(layout.geometry).map(({ name }) => name),
    );
    assert.ok(layout.labels[0].at[1] < layout.labels[1].at[1]);
    const row = placed(board([3, 3, 3, 3])).layout.labels.map(({ text }) => text);
    assert.deepEqual(row.sort(), ["1", "2", "3", "cube 1", "cube 2", "cube 3"]);
  },
);

test("a square has eight symmetries, each of them every cell once", () => {
  for (const side of [2, 3, 4]) {
    const all = symmetries(side);
    assert.equal(new Set(all.map(String)).size, 8);
    for (const map of all)
      assert.deepEqual(
        [...map].sort((a, b) => a - b),
        [...Array(side * side).keys()],
      );
  }
  assert.deepEqual(symmetries(2)[0], [0, 1, 2, 3]);
});

test("names of layers have room below the layer above", { skip }, () => {
  for (const geometry of Object.values(boards)) {
    for (const layout of geometry.layouts.filter(({ heads }) => heads === "above")) {
      const { x, y } = layOut(geometry, layout);
      const size = geometry.shape.at(-1) * geometry.shape.at(-2);
      const layers = Array.from({ length: geometry.cells / size }, (_, i) => [
        x[i * size],
        y[i * size] - HEAD,
        Math.max(...y.slice(i * size, (i + 1) * size)) + 1,
      ]);
      for (const [left, top] of layers) {
        for (const [other, , bottom] of layers)
          if (left === other) assert.ok(bottom <= top - 0.1 || bottom > top + 1);
      }
    }
  }
});
