// A game as the page sees it: the tree of moves, and the position at any of its nodes.
import { BLOCKED, playable, scores } from "./lines.js";
/** @import { Geometry } from "./layout.js" */

/**
 * @typedef {ArrayLike<number>} Owners of each cell: a player, 0 if free, 9 if blocked
 *
 * @typedef {object} Tree the moves of a game
 * @property {number[]} parents of each node; -1 for the root, which is node 0
 * @property {number[]} cells that each node's move took
 *
 * @typedef {object} State a game as the server sends it; `page_state` in Python lists the rest
 * @property {string} start the position that it began with
 * @property {Tree} tree its moves
 * @property {number} node its node
 *
 * @typedef {object} Position as boards show it
 * @property {Owners} owner who has each cell
 * @property {number | null} last cell that was taken
 * @property {number} mover the player to move, 0 at the end
 * @property {number[]} legal cells
 * @property {number[]} [scores] full lines of each player; entry 0 is unused
 * @property {boolean} [here] true if the game is there
 */

const SIGNS = { ".": 0, "#": BLOCKED };
const SYMBOLS = { 0: ".", [BLOCKED]: "#" };

/** @type {(text: string) => Uint8Array} Return the owners of a position's text. */
export const owners = (text) => Uint8Array.from(text, (sign) => SIGNS[sign] ?? Number(sign));

/** @type {(owner: Owners) => string} Return the text of owners. */
export const textOf = (owner) => Array.from(owner, (player) => SYMBOLS[player] ?? player).join("");

/**
 * Return the numbers of the nodes from the root to a node.
 * @type {(tree: Tree, node: number) => number[]}
 */
export function pathTo(tree, node) {
  const path = [];
  for (let at = node; at >= 0; at = tree.parents[at]) path.unshift(at);
  return path;
}

/** @type {(tree: Tree, node: number) => number[]} Return the moves that lead to a node. */
export const movesTo = (tree, node) =>
  pathTo(tree, node)
    .slice(1)
    .map((at) => tree.cells[at]);

/** @type {(tree: Tree, node: number) => number[]} Return the nodes played at a node. */
export const branches = ({ parents }, node) =>
  [...parents.keys()].filter((at) => parents[at] === node);

/**
 * Return the line through a node: from the root to it, and on along the branches that were played last.
 * @type {(tree: Tree, node: number) => number[]}
 */
export function lineThrough(tree, node) {
  const path = pathTo(tree, tree.parents[node]);
  for (let at = node; at !== undefined; at = branches(tree, at).at(-1)) path.push(at);
  return path;
}

const stones = (owner) => owner.reduce((sum, player) => sum + (player && player !== BLOCKED), 0);

/**
 * Return the player who puts the stone that comes after `ply` others.
 * @type {(geometry: Geometry, ply: number) => number}
 */
export const moverAt = ({ turns }, ply) => turns[ply % turns.length];

/**
 * Return the player who puts the next stone.
 * @type {(geometry: Geometry, owner: ArrayLike<number>) => number}
 */
export const moverOn = (geometry, owner) => moverAt(geometry, stones(owner));

/**
 * Put stones on a board by some moves, in turn.
 *
 * @template {number[] | Uint8Array} Owner
 * @type {(geometry: Geometry, owner: Owner, moves: number[]) => Owner}
 */
export function played(geometry, owner, moves) {
  const before = stones(owner);
  moves.forEach((cell, i) => (owner[cell] = moverAt(geometry, before + i)));
  return owner;
}

/**
 * Return the owner of each cell after some moves.
 * @type {(geometry: Geometry, moves: number[]) => Uint8Array}
 */
export function ownersAfter(geometry, moves) {
  const owner = new Uint8Array(geometry.cells);
  for (const cell of geometry.blocked) owner[cell] = BLOCKED;
  return played(geometry, owner, moves);
}

/**
 * Return a position as boards show it; what is not given follows from the stones.
 * @type {(geometry: Geometry, owner: Owners, given?: Partial<Position>) => Position}
 */
export function posed(geometry, owner, given = {}) {
  const { mover = moverOn(geometry, owner) } = given;
  const { legal = mover ? playable(geometry, owner, { player: mover, mover }) : [] } = given;
  return { owner, last: null, ...given, mover, legal };
}

/**
 * Return the position at a node of a game, with its ply and its scores.
 * @type {(geometry: Geometry, state: State, node: number) => Position}
 */
export function positionAt(geometry, state, node) {
  const moves = movesTo(state.tree, node);
  const owner = played(geometry, owners(state.start), moves);
  const here = node === state.node;
  return {
    ...posed(geometry, owner, {
      last: moves.at(-1) ?? (here ? state.last_move : null),
      mover: here && state.over ? 0 : undefined,
      legal: here ? state.legal_moves : undefined,
    }),
    node,
    here,
    ply: stones(owner),
    scores: here ? [0, ...state.lines_owned] : scores(geometry, owner),
  };
}

/**
 * Return the player who made the move of a node.
 * @type {(geometry: Geometry, state: State, node: number) => number}
 */
export function playerOf(geometry, state, node) {
  const first = stones(owners(state.start));
  return moverAt(geometry, first + pathTo(state.tree, node).length - 2);
}
