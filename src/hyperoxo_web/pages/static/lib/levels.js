// The level that a person plays: 2 at first, then remembered, then suggested by how games end.
import { readStorage, writeStorage } from "./storage.js";
/** @import { State } from "./tree.js" */

const BEGINNER = "level:2";
// Games won or lost in a row before another level is suggested, and the words for it.
const ENOUGH_WON = [2, "You won twice"];
const ENOUGH_LOST = [3, "You lost three times"];

/**
 * Return the level and how many games in a row were won there, or lost where it is negative.
 * @type {() => {level: string, row: number}}
 */
export const storedLevel = () => ({ level: BEGINNER, row: 0, ...readStorage("level", {}) });

/** @type {(level: string, row?: number) => void} */
export const storeLevel = (level, row = 0) => writeStorage("level", { level, row });

/**
 * Return the row of games after one more: a draw ends it.
 * @type {(row: number, won: boolean, drawn: boolean) => number}
 */
export const rowAfter = (row, won, drawn) =>
  drawn ? 0 : won ? Math.max(row, 0) + 1 : Math.min(row, 0) - 1;

/** @type {(state: State) => void} Remember how a game ended against opponents of one level. */
export function storeResult({ seats, you, winners }) {
  const others = new Set(seats.filter(({ player }) => !you.includes(player)).map((s) => s.agent));
  const [level] = others;
  if (others.size !== 1 || you.length !== 1 || !/^level:\d$/.test(level)) return;
  const stored = storedLevel();
  const row = stored.level === level ? stored.row : 0;
  storeLevel(level, rowAfter(row, winners.includes(you[0]), !winners.length));
}

/**
 * Return the level to play next as {level, words}, or null where the present one suits.
 * @type {(stored: {level: string, row: number}, most: number) => {level: string, words: string} | null}
 */
export function suggestedLevel({ level, row }, most) {
  const number = Number(level.split(":")[1]);
  const next = row >= ENOUGH_WON[0] ? number + 1 : row <= -ENOUGH_LOST[0] ? number - 1 : 0;
  if (!number || next < 1 || next > most) return null;
  const [, reason] = row > 0 ? ENOUGH_WON : ENOUGH_LOST;
  return { level: `level:${next}`, words: `${reason}: level ${next}?` };
}
