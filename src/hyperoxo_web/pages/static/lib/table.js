// A game as the page sees it: the tree of moves, and the position at any of its nodes.
import { BLOCKED, playable, scores } from "./lines.js";

const SIGNS = { ".": 0, "#": BLOCKED };

/** Return the owners of a position's text. */
export const owners = (text) => Uint8Array.from(text, (sign) => SIGNS[sign] ?? Number(sign));

/** Return the numbers of the nodes from the root to a node. */
export function pathTo(tree, node) {
  const path = [];
  for (let at = node; at >= 0; at = tree.parents[at]) path.unshift(at);
  return path;
}

/** Return the nodes played at a node. */
export function branches(tree, node) {
  const found = [];
  tree.parents.forEach((parent, number) => {
    if (parent === node) found.push(number);
  });
  return found;
}

const stones = (owner) => owner.reduce((sum, player) => sum + (player && player !== BLOCKED), 0);

/** Return the player who puts the stone that comes after `ply` others. */
export const moverAt = ({ turns }, ply) => turns[ply % turns.length];

/** Return the position at a node: owners, ply, who is to move, and the last move. */
export function positionAt(geometry, state, node) {
  const owner = owners(state.start);
  let ply = stones(owner);
  const path = pathTo(state.tree, node).slice(1);
  for (const number of path) {
    owner[state.tree.cells[number]] = moverAt(geometry, ply);
    ply += 1;
  }
  const here = node === state.node;
  const last = path.length ? state.tree.cells[path.at(-1)] : here ? state.last_move : null;
  const mover = here && state.over ? 0 : moverAt(geometry, ply);
  return {
    node,
    owner,
    ply,
    here,
    last,
    mover,
    legal: here ? state.legal_moves : playable(geometry, owner, { player: mover, mover }),
    scores: here ? [0, ...state.lines_owned] : scores(geometry, owner),
  };
}

/** Return the player who made the move of a node. */
export function playerOf(geometry, state, node) {
  const first = stones(owners(state.start));
  return moverAt(geometry, first + pathTo(state.tree, node).length - 2);
}
