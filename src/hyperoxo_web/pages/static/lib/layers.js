// Layers: the last two axes of a board. Both views and the list of moves name and tint them alike.
import { coordinates, shapeOf } from "./plan.js";
/** @import { Geometry } from "./plan.js" */

/**
 * Return the hue of a layer, in degrees: blue for the first, through green, to red for the last.
 * @type {(index: number, count: number) => number}
 */
export const hueOf = (index, count) => Math.round(225 - (215 * index) / Math.max(1, count - 1));

/**
 * Return what a cell's layer is called, `3` or `2.3`, as its cells' names begin; "" on flat boards.
 * @type {(geometry: Geometry, cell: number) => string}
 */
export function layerName(geometry, cell) {
  const shape = shapeOf(geometry);
  return coordinates(cell, shape)
    .slice(0, -2)
    .map((at) => at + 1)
    .join(".");
}

/**
 * Return the layers of a board, {name, hue, cells}; none on boards of one or two dimensions.
 * @type {(geometry: Geometry) => {name: string, hue: number, cells: number[]}[]}
 */
export function layersOf(geometry) {
  const shape = shapeOf(geometry);
  if (shape.length < 3) return [];
  const size = shape.at(-1) * shape.at(-2);
  const depth = shape.at(-3);
  return Array.from({ length: geometry.cells / size }, (_, index) => ({
    name: layerName(geometry, index * size),
    hue: hueOf(index % depth, depth),
    cells: Array.from({ length: size }, (_, i) => index * size + i),
  }));
}
