// The ladder of puzzles: the player's rating.
import { tally } from "./lines.js";
/** @import { Geometry } from "./layout.js" */
/** @import { Owners } from "./tree.js" */

/** @typedef {{rating: number, tried: string[]}} Rated the record of a player */

/** Rating of a player who has tried no puzzle. */
export const UNRATED = 800;

// Ratings move fast at first: by so much at most for the first puzzles, and later.
const [FAST, SLOW, FEW] = [80, 32, 10];
const MOST_TRIED = 300;

/** @type {(threats: number) => number} Return the rating of a puzzle of so many threats. */
export const difficulty = (threats) => 500 + 250 * threats;

/**
 * Return a rating after another puzzle, which is solved or not, by the rule of Elo.
 * @type {(record: Rated, threats: number, solved: boolean) => number}
 */
export function rated({ rating, tried }, threats, solved) {
  const expected = 1 / (1 + 10 ** ((difficulty(threats) - rating) / 400));
  const step = tried.length < FEW ? FAST : SLOW;
  return Math.round(rating + step * (Number(solved) - expected));
}

/**
 * Return the record after a puzzle; only the first try at each counts.
 * @type {(record: Rated, name: string, threats: number, solved: boolean) => Rated}
 */
export function scored(record, name, threats, solved) {
  if (record.tried.includes(name)) return record;
  return {
    ...record,
    rating: rated(record, threats, solved),
    tried: [...record.tried, name].slice(-MOST_TRIED),
  };
}

/**
 * Return the rung that suits a rating: the number of threats that such a player solves every other time.
 * @type {(rating: number, most: number) => number}
 */
export const rung = (rating, most) =>
  Math.max(1, Math.min(most, Math.round((rating - difficulty(0)) / 250)));

/**
 * Return the number of a line through a cell that lacks two stones of a player, this cell's and one more.
 * @type {(geometry: Geometry, owner: Owners, player: number, cell: number) => number | null}
 */
export function threatened(geometry, owner, player, cell) {
  const found = geometry.lines.findIndex((line) => {
    const { counts, free } = tally(line, owner);
    const own = counts.get(player) ?? 0;
    return counts.size < 2 && own === line.length - 2 && free.includes(cell);
  });
  return found < 0 ? null : found;
}
