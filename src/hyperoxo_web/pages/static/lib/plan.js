// Where cells lie in the flat view: grids of grids, in units of one cell.
//
// The last two axes are columns and rows of a layer, the two before them set layers side by
// side and below each other, and so on. Where the number of axes is odd, the first axis wraps.
const GAPS = [0, 0.34, 0.8, 1.5];
const BREATH = 0.16;

// Larger cells than this do not help: beyond it, few gaps count more.
const ENOUGH = 96;

const gapAt = (level) => GAPS[Math.min(level, GAPS.length - 1)];

/** Return the coordinates of a cell. */
export function coordinates(cell, shape) {
  const found = new Array(shape.length);
  for (let axis = shape.length - 1; axis >= 0; axis--) {
    found[axis] = cell % shape[axis];
    cell = Math.floor(cell / shape[axis]);
  }
  return found;
}

/** Return the cell at some coordinates. */
export function cellAt(coords, shape) {
  return shape.reduce((cell, side, axis) => cell * side + coords[axis], 0);
}

/** Boards without coordinates are shown as a block of cells. */
export function shapeOf(geometry) {
  if (geometry.shape) return geometry.shape;
  const wide = Math.ceil(Math.sqrt(geometry.cells));
  return [Math.ceil(geometry.cells / wide), wide];
}

/**
 * Lay the cells out.
 *
 * @param geometry the board
 * @param wrap how many blocks of the first axis stand side by side, where it wraps
 * @returns {x, y, width, height} positions of all cells and the whole size, in cells
 */
export function layOut(geometry, wrap) {
  const shape = shapeOf(geometry);
  const wraps = shape.length % 2 === 1 && shape.length > 1;
  const size = [1, 1];
  const x = new Float32Array(geometry.cells);
  const y = new Float32Array(geometry.cells);
  let step = 1;
  for (let depth = 0; depth < shape.length; depth++) {
    const axis = shape.length - 1 - depth;
    const side = shape[axis];
    const gap = gapAt(depth >> 1);
    const upright = geometry.gravity === axis && depth % 2 === 1;
    const last = wraps && axis === 0;
    const across = last ? Math.min(wrap, side) : depth % 2 === 0 ? side : 1;
    // Below a layer there is room for the name of the next.
    const pitch = [size[0] + gap, size[1] + gap + (depth > 1 ? BREATH : 0)];
    for (let cell = 0; cell < geometry.cells; cell++) {
      let index = Math.floor(cell / step) % side;
      if (upright) index = side - 1 - index;
      x[cell] += (index % across) * pitch[0];
      y[cell] += Math.floor(index / across) * pitch[1];
    }
    const down = Math.ceil(side / across);
    size[0] += (across - 1) * pitch[0];
    size[1] += (down - 1) * pitch[1];
    step *= side;
  }
  return { x, y, width: size[0], height: size[1] };
}

/** Room above layers for their names, in cells. */
export const HEAD = 0.34;

/** Lay out for a given room in pixels: wrapped so that cells become as large as they can. */
export function fit(geometry, room) {
  const shape = shapeOf(geometry);
  const head = shape.length > 2 ? HEAD : 0;
  const choices = shape.length % 2 === 1 && shape.length > 1 ? shape[0] : 1;
  let best = null;
  for (let wrap = choices; wrap >= 1; wrap--) {
    const plan = layOut(geometry, wrap);
    plan.y.forEach((y, cell) => (plan.y[cell] = y + head));
    plan.height += head;
    const unit = Math.min(room.width / plan.width, room.height / plan.height, room.most);
    const full = choices / (wrap * Math.ceil(choices / wrap));
    const worth = Math.min(unit, ENOUGH) * full * full;
    if (!best || worth > best.worth * 1.12) best = { ...plan, unit, worth };
  }
  // A cell must stay large enough for a finger: rather scroll down than shrink.
  best.fitted = best.unit;
  const wide = room.width / best.width;
  if (best.unit < room.least) best.unit = Math.min(wide, room.least);
  return best;
}

/** Return the nearest cell straight beside (or above or below) another, or null. */
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

/** Return the cell one step along an axis, counted from the last, or null. */
export function along(geometry, cell, back, by) {
  const shape = shapeOf(geometry);
  const axis = shape.length - back;
  if (axis < 0) return null;
  const coords = coordinates(cell, shape);
  coords[axis] += by;
  if (coords[axis] < 0 || coords[axis] >= shape[axis]) return null;
  const found = cellAt(coords, shape);
  return found < geometry.cells ? found : null;
}

/** The turns and reflections of a square, as lists of cells. */
export function symmetries(side) {
  const turns = [
    (r, c) => [r, c],
    (r, c) => [c, side - 1 - r],
    (r, c) => [side - 1 - r, side - 1 - c],
    (r, c) => [side - 1 - c, r],
  ];
  return turns
    .flatMap((turn) => [turn, (r, c) => turn(c, r)])
    .map((map) =>
      Array.from({ length: side * side }, (_, cell) => {
        const [r, c] = map(Math.floor(cell / side), cell % side);
        return r * side + c;
      }),
    );
}
