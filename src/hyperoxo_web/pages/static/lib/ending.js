// The end of a game in one sentence, and the score of successive games.
import { NAMES } from "./stones.js";
import { axesAlong } from "./layout.js";
import { owners } from "./tree.js";
import { NUMBERS, plural, joinNames } from "./text.js";
/** @import { Geometry } from "./layout.js" */
/** @import { State } from "./tree.js" */

/** @typedef {{key: string, results: Record<string, number[]>}} Score of games in a row, by their winners */

/**
 * Describe the length and direction of a line, such as "four through the layers".
 * @type {(geometry: Geometry, cells: number[]) => string}
 */
export function describeLine({ shape }, cells) {
  const count = NUMBERS[cells.length] ?? cells.length;
  if (!shape || shape.length < 2) return `${count} on one line`;
  const dim = shape.length;
  const along = axesAlong(cells, shape);
  if (along[0] < dim - 3) return `${count} through the cubes`;
  if (along[0] < dim - 2)
    return `${count} ${along.length === 1 ? "straight " : ""}through the layers`;
  const way =
    along.length > 1 ? "on a diagonal" : along[0] === dim - 1 ? "in a row" : "in a column";
  return `${count} ${way}${dim > 2 ? " within a layer" : ""}`;
}

/** Return the reason for the end of a game other than a draw, "" if the result says it all. */
function reason(geometry, state, side) {
  const { ending, winners, winning_lines: lines, lines_owned: owned } = state;
  if (ending?.player) {
    const own = state.you.includes(ending.player) && side;
    if (ending.how === "resigned") return `${own ? "you" : NAMES[ending.player]} resigned`;
    return `${own ? "your" : `${NAMES[ending.player]}'s`} time ran out`;
  }
  if (geometry.target > 1) {
    const others = owned.filter((_, i) => !winners.includes(i + 1));
    const own = Math.max(...winners.map((player) => owned[player - 1]));
    return `${plural(own, "line")} to ${Math.max(0, ...others)}`;
  }
  if (!lines.length) return "";
  const owner = owners(state.position)[lines[0][0]];
  const words =
    lines.length > 1 ? `${NUMBERS[lines.length]} lines at once` : describeLine(geometry, lines[0]);
  const named = side === "You lost" ? !state.you.includes(owner) : !winners.includes(owner);
  return named ? `${NAMES[owner]} has ${words}` : words;
}

/**
 * Describe the end of a game from the viewer's side: "You won: four through the layers".
 * @type {(geometry: Geometry, state: State) => string}
 */
export function describeEnding(geometry, state) {
  const { you, winners, seats, result_text: text } = state;
  if (state.result === "=")
    return text.startsWith("The board is full. A draw.") ? "A draw: the board is full" : text;
  const mine = you.filter((player) => winners.includes(player)).length;
  const sided = you.length && you.length < seats.length && (!mine || mine === you.length);
  const side = sided ? (mine ? "You won" : "You lost") : "";
  const why = reason(geometry, state, side);
  const lead = side || `${joinNames(winners.map((player) => NAMES[player]))} won`;
  return why ? `${lead}: ${why}` : `${lead}. ${text}`;
}

/**
 * Return the results of successive games, with this one; other players or rules start again.
 * @type {(before: Score | null, state: State) => Score}
 */
export function scoreWith(before, { id, game, seats, winners }) {
  const key = JSON.stringify([game, seats.map(({ name, agent }) => [name, agent])]);
  const results = before?.key === key ? before.results : {};
  return { key, results: { ...results, [id]: winners } };
}

/**
 * Return a score in words, "2 : 1" and draws; "" after a single game.
 * @type {(score: Score, players: number) => string}
 */
export function describeScore({ results }, players) {
  const games = Object.values(results);
  if (games.length < 2) return "";
  const wins = Array.from(
    { length: players },
    (_, i) => games.filter((winners) => winners.includes(i + 1)).length,
  );
  const draws = games.filter((winners) => !winners.length).length;
  return `${wins.join(" : ")}${draws ? `, ${plural(draws, "draw")}` : ""}`;
}
