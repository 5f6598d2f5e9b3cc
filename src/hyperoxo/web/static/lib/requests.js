// What people ask of each other, in plain words and with their names.
import { NAMES } from "./marks.js";
import { pathTo } from "./table.js";

/** Return how a person is called: by name or, where there is none, by the stones. */
export const called = ({ player, name }) => (/^Player \d+$/.test(name) ? NAMES[player] : name);

const together = (names) => (names.length < 2 ? names.join("") : `${names.slice(0, -1).join(", ")} and ${names.at(-1)}`);

function moves(first, last) {
  if (first === last) return `move ${first}`;
  return `moves ${first} ${last === first + 1 ? "and" : "to"} ${last}`;
}

/** Return what is asked for, after "wants to". */
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

/** Return what waits for an answer here: words, whose it is, and what the answers are called. */
export function asking(state, you, host) {
  const { request, next } = state;
  const name = (player) => called(state.seats[player - 1]);
  if (!request) {
    const due = next !== null && next !== undefined && !you.includes(next) && (you.length > 0 || host);
    if (!due || !state.over) return null;
    return { key: "again", again: true, words: `${next ? name(next) : "The host"} wants to play again.`, due, mine: false, yes: "Play again", no: "Not now" };
  }
  const mine = you.includes(request.by);
  const what = wish(state, request);
  const words = mine ? `You asked to ${what}. Waiting for ${together(request.waiting.map(name))}.` : `${name(request.by)} wants to ${what}.`;
  const due = request.waiting.some((player) => you.includes(player));
  return { key: request.number, again: false, words, due, mine, yes: "Agree", no: "Decline" };
}
