// Contents of a cell, the same in all views of a board.
import { BLOCKED, FREE } from "./lines.js";
import { toneOf } from "./stones.js";

/**
 * @typedef {object} View what boards show; only `owner` is always there
 * @property {ArrayLike<number>} owner of each cell
 * @property {number} mover the player to move, 0 for none
 * @property {Set<number>} legal cells that may be pressed
 * @property {number | null} last cell that was taken, and `fresh` the one that a stone falls on now
 * @property {{cells: number[], player: number, order: number}[]} strokes lines that are drawn; `order` in a win
 * @property {Map<number, {player: number, order: number}>} glow cells of these lines
 * @property {Map<number, object>} labels values of moves, and `ghosts` stones that are not there
 * @property {Map<number, Set<number>>} threats players who would complete a line
 * @property {Set<number>} danger cells where a rival would win, and `wrong` stones that rest on nothing
 * @property {boolean} numbers whether free cells have their numbers
 * @property {number} hint the advised cell
 */

/** @type {(view: View, cell: number) => object} Return what a cell shows. */
export function faceOf(view, cell) {
  const owner = view.owner[cell];
  const [free, blocked] = [owner === FREE, owner === BLOCKED];
  const label = view.labels?.get(cell);
  return {
    cell,
    owner,
    free,
    blocked,
    stone: free || blocked ? 0 : owner,
    legal: view.legal?.has(cell),
    last: cell === view.last,
    fresh: cell === view.fresh,
    glow: view.glow?.get(cell),
    danger: view.danger?.has(cell),
    hint: cell === view.hint,
    wrong: view.wrong?.has(cell),
    label,
    ghost: view.ghosts?.get(cell),
    aims: view.threats?.get(cell),
    number: view.numbers && free,
    ...(label && free ? toneOf(label) : { tone: "", guess: false }),
  };
}
