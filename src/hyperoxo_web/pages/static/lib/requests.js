// Requests between players, in plain words and with their names.
import { NAMES } from "./stones.js";
import { joins } from "./share.js";
import { pathTo } from "./tree.js";
import { joinNames } from "./text.js";
/** @import { State } from "./tree.js" */

/**
 * Return the name of a person, or of their stones while they have none.
 * @type {(seat: {player: number, name: string}) => string}
 */
export const nameOf = (seat) => (joins(seat) ? NAMES[seat.player] : seat.name);

/** @typedef {{kind: string, key: string | number, words: string, due: boolean, mine: boolean, yes: string, no: string}} OpenRequest */

function moves(first, last) {
  if (first === last) return `move ${first}`;
  return `moves ${first} ${last === first + 1 ? "and" : "to"} ${last}`;
}

/** Return the words of a request after "wants to". */
function wish(state, { kind, node }) {
  if (kind === "draw") return "call it a draw";
  if (kind === "swap") return "swap seats";
  if (kind === "help") return "have hints and analysis in this game";
  const [here, there] = [pathTo(state.tree, state.node), pathTo(state.tree, node)];
  const [now, then] = [here.length - 1, there.length - 1];
  if (node === state.node) return "go on with this game";
  if (here.includes(node)) return `take back ${moves(then + 1, now)}`;
  if (there.includes(state.node)) return `play ${moves(now + 1, then)} again`;
  return `go to move ${then} of another branch`;
}

function requested(state, you, name) {
  const { request } = state;
  const mine = you.includes(request.by);
  const what = wish(state, request);
  const words = mine
    ? `You asked to ${what}. Waiting for ${joinNames(request.waiting.map(name))}.`
    : `${name(request.by)} wants to ${what}.`;
  const due = request.waiting.some((player) => you.includes(player));
  return { kind: "request", key: request.number, words, due, mine, yes: "Agree", no: "Decline" };
}

/**
 * Return the open requests, the most urgent first: words, player, and labels of the answers.
 * @type {(state: State, you: number[], host: boolean) => OpenRequest[]}
 */
export function openRequests(state, you, host) {
  const { request, next, notice } = state;
  const name = (player) => nameOf(state.seats[player - 1]);
  const found = request ? [requested(state, you, name)] : [];
  const seated = you.length > 0 || host;
  const common = { due: true, mine: false };
  if (next != null && state.over && seated && !you.includes(next)) {
    const words = `${next ? name(next) : "The host"} wants to play again.`;
    found.push({ ...common, kind: "again", key: "again", words, yes: "Play again", no: "Not now" });
  }
  if (notice) {
    const [number, words] = notice;
    found.push({ ...common, kind: "notice", key: `notice ${number}`, words, yes: "OK", no: "" });
  }
  return found;
}
