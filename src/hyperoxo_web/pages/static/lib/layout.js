// Layouts of cells in flat pictures, which the server makes; and coordinates.

/**
 * @typedef {object} Geometry a board
 * @property {number} cells how many
 * @property {number[] | null} shape sides, where the board has coordinates
 * @property {number[][]} lines cells of each line
 * @property {number[][] | null} beyond cells by which each line could be longer, where that must not be
 * @property {number[]} blocked cells that no stone may take
 * @property {number | null} gravity the axis along which stones fall, towards 0
 * @property {number} players how many
 * @property {Layout[]} layouts one of which suits a window, and `layout` of a small picture
 * @property {[number, boolean, number][]} courses axis, whether it is upright, and its level of nesting
 * @property {string[]} names of cells
 * @property {string[] | null} move_names of moves, where they differ
 */

/**
 * @typedef {{width: number, height: number, heads: "" | "above" | "aside", offsets: number[][][]}} Layout
 *   size in cells, where the names of layers are, and how far each coordinate along each axis moves
 *   a cell to the right and down
 *
 * @typedef {Layout & {x: Float32Array, y: Float32Array}} PlacedLayout a layout with the left upper corner of each cell
 */

/** Space for the name of a layer. */
export const HEAD = 0.375;

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
 * Boards without coordinates are drawn as a block of cells.
 * @type {(geometry: Geometry) => number[]}
 */
export function shapeOf(geometry) {
  if (geometry.shape) return geometry.shape;
  const wide = Math.ceil(Math.sqrt(geometry.cells));
  return [Math.ceil(geometry.cells / wide), wide];
}

/** @type {(geometry: Geometry, layout?: Layout) => PlacedLayout} Lay the cells out. */
export function layOut(geometry, layout = geometry.layout) {
  const shape = shapeOf(geometry);
  const [x, y] = [0, 1].map((way) =>
    Float32Array.from({ length: geometry.cells }, (_, cell) =>
      coordinates(cell, shape).reduce((sum, at, axis) => sum + layout.offsets[axis][at][way], 0),
    ),
  );
  return { ...layout, x, y };
}

/**
 * Lay out for a given space in pixels, so that cells become as large as they can: `unit` pixels, from
 * `least` to `most`; all is to be seen with `fitted` pixels.
 * @type {(geometry: Geometry, space: {width: number, height: number, most?: number, least?: number}) => PlacedLayout & {unit: number, fitted: number}}
 */
export function fit(geometry, { width, height, most = Infinity, least = 0 }) {
  let best = null;
  for (const layout of geometry.layouts) {
    const fitted = Math.min(width / layout.width, height / layout.height, most);
    if (!best || fitted > best.fitted * 1.000001) best = { ...layout, fitted };
  }
  // A cell must stay large enough for a finger: rather scroll down than shrink.
  const unit = Math.max(best.fitted, Math.min(width / best.width, least));
  return { ...layOut(geometry, best), unit };
}

/**
 * Return the nearest cell straight beside (or above or below) another, or null.
 * @type {(layout: PlacedLayout, cell: number, level: boolean, by: number) => number | null}
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
  const [axis] = geometry.courses.find(([, up, at]) => at === level && up === upright) ?? [];
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
  const at = (map, place) => cells.map((cell) => map[place(cell % side, Math.floor(cell / side))]);
  const mirrored = (map) => at(map, (x, y) => x * side + y);
  const flipped = (map) => at(map, (x, y) => y * side + side - 1 - x);
  const found = [cells];
  while (found.length < 8) found.push((found.length % 2 ? mirrored : flipped)(found.at(-1)));
  return found;
}
