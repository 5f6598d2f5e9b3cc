// Names of cells for people, as in hyperoxo.game.names: `b2` on a square, `3a4` in a cube, the column
// alone for a move where stones fall down a flat board. tests/hyperoxo/game/cell_names.json has cases.
import { cellAt, coordinates } from "./plan.js";
/** @import { Geometry } from "./plan.js" */

const NAME = /^((?:[1-9]\d{0,8}\.)*[1-9]\d{0,8})?([a-z]{1,6})([1-9]\d{0,8})?$/;

/** Whether rows are drawn with the first at the bottom. */
const isUpright = ({ gravity, shape }) => gravity === shape.length - 2;

/** Count a row from below. */
const counted = (geometry, row) => (isUpright(geometry) ? row : geometry.shape.at(-2) - 1 - row);

/** Name a column in letters: a to z, aa to zz, and so on. */
function columnName(column) {
  let letters = "";
  for (let left = column + 1; left; left = Math.floor((left - 1) / 26))
    letters = String.fromCharCode(97 + ((left - 1) % 26)) + letters;
  return letters;
}

/**
 * Name a cell: its own name or number on boards without coordinates.
 * @type {(geometry: Geometry, cell: number) => string}
 */
export function cellName(geometry, cell) {
  const { names, shape } = geometry;
  if (names || !shape) return names ? names[cell] : String(cell);
  const layers = coordinates(cell, shape);
  const column = columnName(layers.pop());
  const row = layers.length ? counted(geometry, layers.pop()) + 1 : "";
  return `${layers.map((at) => at + 1).join(".")}${column}${row}`;
}

/**
 * Name a move: the column alone where stones fall down a flat board, else the cell.
 * @type {(geometry: Geometry, cell: number) => string}
 */
export function moveName(geometry, cell) {
  const { blocked, gravity, shape } = geometry;
  const flat = gravity === 0 && shape.length === 2 && !blocked?.length;
  return flat ? columnName(cell % shape[1]) : cellName(geometry, cell);
}

/** Read a name: coordinates, with null for the axis of gravity where it names a column; null if it is none. */
function named(geometry, word) {
  const { gravity, shape } = geometry;
  const match = shape && NAME.exec(word.toLowerCase());
  if (!match) return null;
  const [, layers, letters, row] = match;
  const found = layers ? layers.split(".").map((number) => number - 1) : [];
  if (row) found.push(shape.length > 1 ? counted(geometry, row - 1) : -1);
  found.push([...letters].reduce((all, letter) => 26 * all + letter.charCodeAt(0) - 96, 0) - 1);
  if (gravity != null && found.length === shape.length - 1 && Boolean(row) !== isUpright(geometry))
    found.splice(gravity, 0, null);
  const whole = found.includes(null) || Boolean(row) === shape.length > 1;
  const inside = found.every((at, axis) => at === null || (at >= 0 && at < shape[axis]));
  return whole && inside && found.length === shape.length ? found : null;
}

/**
 * Read a cell as people send it: its name; its number; its coordinates, "1,1,1,0" or "1110".
 *
 * @param legal cells that may be played, one of which a column names
 * @returns the cell, null if there is none
 */
export function cellTyped(geometry, typed, legal = []) {
  const word = typed.trim().replace(/^\((.*)\)$/, "$1");
  const { cells, names, shape } = geometry;
  if (names?.includes(word)) return names.indexOf(word);
  const place = names ? null : named(geometry, word);
  if (place?.includes(null)) {
    const landing = legal.filter((cell) =>
      coordinates(cell, shape).every((at, axis) => place[axis] === null || place[axis] === at),
    );
    return landing.length === 1 ? landing[0] : null;
  }
  if (place) return cellAt(place, shape);
  const numbers = word
    .replace(/^#/, "")
    .split(/[\s,;]+/)
    .map((part) => (/^[0-9]{1,9}$/.test(part) ? Number(part) : NaN));
  if (numbers.length === 1) {
    // Digits are coordinates where, as many as they are, they cannot be a number.
    const compact =
      shape?.length > 1 &&
      Math.max(...shape) <= 10 &&
      word.length === shape.length &&
      cells <= 10 ** (shape.length - 1);
    if (compact && [...word].every((digit, axis) => Number(digit) < shape[axis]))
      return cellAt([...word].map(Number), shape);
    return numbers[0] < cells ? numbers[0] : null;
  }
  const inside = shape?.length === numbers.length && numbers.every((x, axis) => x < shape[axis]);
  return inside ? cellAt(numbers, shape) : null;
}
