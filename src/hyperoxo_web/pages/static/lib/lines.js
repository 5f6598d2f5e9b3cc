// Lines of a position: their owners, threats, and open lines.
import { NAMES } from "./stones.js";
import { coordinates, stepAlong } from "./layout.js";
import { NUMBERS, plural } from "./text.js";
/** @import { Geometry } from "./layout.js" */
/** @import { Owners } from "./tree.js" */

export const FREE = 0;
export const BLOCKED = 9;

/**
 * Return for each cell the numbers of the lines through it.
 * @type {(geometry: Geometry) => number[][]}
 */
export function linesThrough(geometry) {
  const through = Array.from({ length: geometry.cells }, () => []);
  geometry.lines.forEach((line, number) => {
    for (const cell of line) through[cell].push(number);
  });
  return through;
}

/**
 * Return the steps of a line, as pairs of neighbouring cells; steps over an edge are left out.
 * @type {(shape: number[], cells: number[]) => [number, number][]}
 */
export function stepsOf(shape, cells) {
  const coords = cells.map((cell) => coordinates(cell, shape));
  const near = (a, b) => a.every((x, axis) => Math.abs(x - b[axis]) < 2);
  return cells
    .slice(1)
    .map((cell, i) => [cells[i], cell])
    .filter((_, i) => near(coords[i], coords[i + 1]));
}

/**
 * Return the players with stones on a line, as [player, count] pairs, and the free cells.
 * @type {(line: number[], owner: Owners) => {counts: Map<number, number>, free: number[]}}
 */
export function tally(line, owner) {
  const counts = new Map();
  const free = [];
  for (const cell of line) {
    const player = owner[cell];
    if (player === FREE) free.push(cell);
    else counts.set(player, (counts.get(player) ?? 0) + 1);
  }
  return { counts, free };
}

/** True if a stone of a player makes a line longer, where that must not be. */
const isLonger = ({ beyond }, number, owner, player) =>
  Boolean(beyond?.[number].some((cell) => owner[cell] === player));

/**
 * Return the full lines of a player, or of all players.
 * @type {(geometry: Geometry, owner: Owners, player?: number) => number[][]}
 */
export const filled = (geometry, owner, player = null) =>
  geometry.lines.filter((line, number) => {
    const by = owner[line[0]];
    const counts = player === null ? by && by !== BLOCKED : by === player;
    const full = counts && line.every((cell) => owner[cell] === by);
    return full && !isLonger(geometry, number, owner, by);
  });

/**
 * Return the lines that a player can still fill and has most stones on, at least two.
 * @type {(geometry: Geometry, owner: Owners, player: number) => {stones: number, lines: number[]}}
 */
export function leadingLines(geometry, owner, player) {
  const own = geometry.lines.map((line, number) => {
    const { counts, free } = tally(line, owner);
    const open = counts.size === 1 && free.length && !isLonger(geometry, number, owner, player);
    return (open && counts.get(player)) || 0;
  });
  const stones = own.reduce((most, count) => Math.max(most, count), 2);
  return { stones, lines: [...own.keys()].filter((number) => own[number] === stones) };
}

/**
 * Return cell -> players who would complete a line that counts there with one stone, or, under gravity, later.
 * @type {(geometry: Geometry, position: {owner: Owners, mover: number}) => Map<number, Set<number>>}
 */
export function threats(geometry, { owner, mover }) {
  const everyone = Array.from({ length: geometry.players }, (_, i) => i + 1);
  const counting = geometry.counting ?? everyone;
  const barred = everyone.map((player) => {
    const open = new Set(playable(geometry, owner, { player, mover }));
    return new Set(landing(geometry, owner).filter((cell) => !open.has(cell)));
  });
  const found = new Map();
  for (const [number, line] of geometry.lines.entries()) {
    const { counts, free } = tally(line, owner);
    if (free.length !== 1 || counts.size > 1) continue;
    const [cell] = free;
    for (const player of counts.size ? counts.keys() : everyone) {
      if (!counting.includes(player)) continue;
      if (barred[player - 1].has(cell) || isLonger(geometry, number, owner, player)) continue;
      found.set(cell, (found.get(cell) ?? new Set()).add(player));
    }
  }
  return found;
}

/**
 * Return the number of full lines of each player; entry 0 is unused.
 * @type {(geometry: Geometry, owner: Owners) => number[]}
 */
export function scores(geometry, owner) {
  const found = new Array(geometry.players + 1).fill(0);
  for (const [cell] of filled(geometry, owner)) found[owner[cell]] += 1;
  return found;
}

/** Return the cells where a stone may come to lie, no matter whose. */
function landing({ gravity, shape }, owner) {
  const free = [...owner.keys()].filter((cell) => owner[cell] === FREE);
  if (gravity == null) return free;
  const step = stepAlong(shape, gravity);
  const onFloor = (cell) => Math.floor(cell / step) % shape[gravity] === 0;
  return free.filter((cell) => onFloor(cell) || owner[cell - step] !== FREE);
}

/**
 * Return the cells where a player may put the next stone; without a player, where any player may.
 *
 * If no cell that the opening allows is left, the player to move may choose any other; the next
 * stone of a player who must wait is on one of those cells, for the move between may uncover one.
 *
 * @type {(geometry: Geometry, owner: Owners, who?: {player?: number, mover?: number}) => number[]}
 */
export function playable(geometry, owner, { player, mover } = {}) {
  const free = landing(geometry, owner);
  const { opening } = geometry;
  if (!opening || player !== opening.player) return free;
  if (owner.filter((by) => by === player).length >= opening.moves) return free;
  const allowed = free.filter((cell) => opening.cells.includes(cell));
  return allowed.length || player !== mover ? allowed : free;
}

/**
 * Return the lines that "show lines" highlights for a player, and their description.
 * @type {(geometry: Geometry, owner: Owners, player: number) => {player: number, lines: number[], words: string}}
 */
export function linesOf(geometry, owner, player) {
  const result = (lines, words) => ({ player, lines, words: `${NAMES[player]} has ${words}.` });
  const full = filled(geometry, owner, player).map((line) => geometry.lines.indexOf(line));
  if (full.length) return result(full, plural(full.length, "full line"));
  const { stones, lines } = leadingLines(geometry, owner, player);
  if (!lines.length) return result([], "no line with two stones that is still open");
  const open = `${stones} of ${geometry.lines[lines[0]].length} stones: ${lines.length}`;
  return result(lines.slice(0, 12), `no full line yet. Open with ${open}`);
}

const WHERE = ["", "along the board", "across, up or on a diagonal"];
const IN_SPACE = "in one layer, through the layers, or on any diagonal";

/**
 * Explain a line, and that it wins under the usual rules.
 * @type {(geometry: Geometry) => string}
 */
export function goalOf({ lines, shape, target, misere, counting, players, beyond }) {
  const size = Math.max(0, ...lines.map((line) => line.length));
  const row = `${beyond ? "exactly " : ""}${NUMBERS[size] ?? size} in a row`;
  const where = shape ? (WHERE[shape.length] ?? IN_SPACE) : "";
  const usual = target === 1 && !misere && counting.length === players;
  return `${usual ? `The first to have ${row} wins` : `A line is ${row}`}${where && `: ${where}`}.`;
}
