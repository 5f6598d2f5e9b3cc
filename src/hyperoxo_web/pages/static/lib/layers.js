// Layers: the last two axes of a board. Both views name and tint them alike.
/** @import { Geometry } from "./layout.js" */

/**
 * Return the layers of a board, each with the name that those of its cells begin with, and a hue in
 * degrees, blue for the first, through green, to red for the last; none in one or two dimensions.
 * @type {(geometry: Geometry) => {name: string, hue: number, cells: number[]}[]}
 */
export function layersOf({ shape, cells, names }) {
  if (!shape || shape.length < 3) return [];
  const size = shape.at(-1) * shape.at(-2);
  const depth = shape.at(-3);
  return Array.from({ length: cells / size }, (_, index) => ({
    name: names[index * size].match(/^[\d.]*/)[0],
    hue: Math.round(225 - (215 * (index % depth)) / Math.max(1, depth - 1)),
    cells: Array.from({ length: size }, (_, i) => index * size + i),
  }));
}
