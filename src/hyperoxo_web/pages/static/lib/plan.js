// Layout of cells in flat pictures: grids of grids, in units of one cell. `hyperoxo/game/plan.py` is
// its twin; one table of cases, `tests/layouts.json`, is replayed by both.
//
// The last two axes are columns and rows of a layer. Of the others the last runs upwards, the one
// before it across, and so on in turn, as in the view in space: cubes side by side, layer 1 of each at
// the bottom. Stones fall down. A first axis without a partner wraps, its rows from below: row, 2x2,
// 2+1, stack.

/**
 * @typedef {object} Geometry a board
 * @property {number} cells how many
 * @property {number[] | null} shape sides, where the board has coordinates
 * @property {number[][]} lines cells of each line
 * @property {number[]} blocked cells that no stone may take
 * @property {number | null} gravity the axis along which stones fall, towards 0
 * @property {number} players how many
 * @property {string[]} names of cells
 * @property {string[] | null} move_names of moves, where they differ
 */

/**
 * @typedef {object} Plan a layout
 * @property {Float32Array} x left edge of each cell
 * @property {Float32Array} y top edge of each cell
 * @property {number} width of the whole
 * @property {number} height of the whole
 * @property {"" | "above" | "aside"} heads where the names of layers stand
 */

// Between cells of a layer, layers, groups of layers, and so on.
const GAPS = [0, 0.25, 0.75, 1.5];

/** Space for the name of a layer, and how much of it the gap between layers has already. */
export const HEAD = 0.375;
const SHARED = 0.125;

/** @type {(cell: number, shape: number[]) => number[]} Return the coordinates of a cell. */
export function coordinates(cell, shape) {
  const found = new Array(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    found[axis] = cell % shape[axis];
    cell = Math.floor(cell / shape[axis]);
  }
  return found;
}

/** @type {(line: number[], shape: number[]) => number[]} Return the axes along which a line runs. */
export function axesAlong(line, shape) {
  const [from, to] = line.map((cell) => coordinates(cell, shape));
  return [...shape.keys()].filter((axis) => from[axis] !== to[axis]);
}

/** @type {(shape: number[], axis: number) => number} Return how far two neighbours along an axis are apart. */
export const stepAlong = (shape, axis) =>
  shape.slice(axis + 1).reduce((all, side) => all * side, 1);

/** @type {(coords: number[], shape: number[]) => number} Return the cell at some coordinates. */
export function cellAt(coords, shape) {
  return shape.reduce((cell, side, axis) => cell * side + coords[axis], 0);
}

/**
 * Boards without coordinates are shown as a block of cells.
 * @type {(geometry: Geometry) => number[]}
 */
export function shapeOf(geometry) {
  if (geometry.shape) return geometry.shape;
  const wide = Math.ceil(Math.sqrt(geometry.cells));
  return [Math.ceil(geometry.cells / wide), wide];
}

/** Return how the axes run, the innermost first: {axis, upright, level}. */
function coursesOf({ gravity }, shape) {
  const courses = shape
    .map((_, axis) => axis)
    .reverse()
    .map((axis, depth) => ({
      axis,
      upright: depth < 2 ? depth === 1 : depth % 2 === 0,
      level: depth >> 1,
    }));
  // The axis of gravity is upright: it takes the place of its partner.
  const at = courses.findIndex(({ axis }) => axis === gravity);
  if (at > 1 && !courses[at].upright) courses[at].upright = !(courses[at - 1].upright = false);
  return courses;
}

/** Return how many blocks of a first axis without a partner may stand side by side. */
function choicesOf(shape) {
  if (shape.length === 1 || shape.length % 2 === 0) return [];
  const rows = Array.from({ length: shape[0] }, (_, i) => i + 1);
  return [...new Set(rows.map((count) => Math.ceil(shape[0] / count)))];
}

/**
 * Lay the cells out; blocks of a first axis without a partner stand `across` side by side.
 * @type {(geometry: Geometry, across: number, heads: Plan["heads"]) => Plan}
 */
export function layOut(geometry, across, heads = "") {
  const shape = shapeOf(geometry);
  const named = shape.length > 2 ? heads : "";
  const first = [named === "aside" ? HEAD : 0, named === "above" ? HEAD : 0];
  const x = new Float32Array(geometry.cells).fill(first[0]);
  const y = new Float32Array(geometry.cells).fill(first[1]);
  const size = [1, 1];
  for (const { axis, upright, level } of coursesOf(geometry, shape)) {
    const side = shape[axis];
    const step = stepAlong(shape, axis);
    const wide =
      axis === 0 && choicesOf(shape).length ? Math.min(across, side) : upright ? 1 : side;
    const high = Math.ceil(side / wide);
    const gap = GAPS[Math.min(level, GAPS.length - 1)];
    const pitch = size.map((one, i) => one + gap + (level && first[i] ? HEAD - SHARED : 0));
    for (let cell = 0; cell < geometry.cells; cell++) {
      const index = Math.floor(cell / step) % side;
      const row = Math.floor(index / wide);
      x[cell] += (index % wide) * pitch[0];
      y[cell] += (level || geometry.gravity === axis ? high - 1 - row : row) * pitch[1];
    }
    size[0] += (wide - 1) * pitch[0];
    size[1] += (high - 1) * pitch[1];
  }
  return { x, y, width: first[0] + size[0], height: first[1] + size[1], heads: named };
}

/**
 * Lay out for a given space in pixels, so that cells become as large as they can: `unit` pixels, from
 * `least` to `most`; all is to be seen with `fitted` pixels.
 * @type {(geometry: Geometry, room: {width: number, height: number, most?: number, least?: number}) => Plan & {unit: number, fitted: number}}
 */
export function fit(geometry, { width, height, most = Infinity, least = 0 }) {
  const shape = shapeOf(geometry);
  let best = null;
  for (const across of choicesOf(shape).length ? choicesOf(shape) : [1]) {
    // Names of several coordinates are too wide to stand aside.
    for (const heads of shape.length === 3 ? ["above", "aside"] : ["above"]) {
      const plan = layOut(geometry, across, heads);
      const fitted = Math.min(width / plan.width, height / plan.height, most);
      if (!best || fitted > best.fitted * 1.000001) best = { ...plan, fitted };
    }
  }
  // A cell must stay large enough for a finger: rather scroll down than shrink.
  return { ...best, unit: Math.max(best.fitted, Math.min(width / best.width, least)) };
}

/**
 * Return the nearest cell straight beside (or above or below) another, or null.
 * @type {(plan: Plan, cell: number, level: boolean, by: number) => number | null}
 */
export function beside({ x, y }, cell, level, by) {
  const [along, across] = level ? [x, y] : [y, x];
  let best = null;
  let nearest = Infinity;
  along.forEach((at, other) => {
    const ahead = (at - along[cell]) * by;
    if (ahead <= 0.01 || Math.abs(across[other] - across[cell]) > 0.01) return;
    if (ahead < nearest) [nearest, best] = [ahead, other];
  });
  return best;
}

/**
 * Return the cell one step upwards or across along the axis of a level of nesting, or null: level 0
 * within layers, 1 from layer to layer, 2 from group to group.
 * @type {(geometry: Geometry, cell: number, level: number, upright: boolean, by: number) => number | null}
 */
export function along(geometry, cell, level, upright, by) {
  const shape = shapeOf(geometry);
  const courses = coursesOf(geometry, shape);
  const axis = courses.find((one) => one.level === level && one.upright === upright)?.axis;
  if (axis == null) return null;
  const coords = coordinates(cell, shape);
  coords[axis] += by;
  if (coords[axis] < 0 || coords[axis] >= shape[axis]) return null;
  const found = cellAt(coords, shape);
  return found < geometry.cells ? found : null;
}

/**
 * Return the turns and reflections of a square, as lists of cells: two reflections in turn reach all.
 * @type {(side: number) => number[][]}
 */
export function symmetries(side) {
  const cells = Array.from({ length: side * side }, (_, cell) => cell);
  const mirrored = (map) =>
    cells.map((cell) => map[(cell % side) * side + Math.floor(cell / side)]);
  const flipped = (map) =>
    cells.map((cell) => map[cell - (cell % side) + side - 1 - (cell % side)]);
  const found = [cells];
  while (found.length < 8) found.push((found.length % 2 ? mirrored : flipped)(found.at(-1)));
  return found;
}
