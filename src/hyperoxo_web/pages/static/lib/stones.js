// Stones: shapes first, colours second. The shapes are drawn in a square of 24 units.
/** @import { Geometry } from "./layout.js" */

/** The outline of a regular figure; every other corner of a star dips. */
const figure = (count, radius, turn = -90, dip = 1) => {
  const corners = Array.from({ length: count }, (_, i) => {
    const angle = ((turn + (360 * i) / count) * Math.PI) / 180;
    const r = radius * (i % 2 ? dip : 1);
    return `${(12 + r * Math.cos(angle)).toFixed(2)} ${(12.4 + r * Math.sin(angle)).toFixed(2)}`;
  });
  return `M${corners.join("L")}Z`;
};

const PATHS = [
  "",
  "M5.4 5.4 18.6 18.6M18.6 5.4 5.4 18.6",
  "M12 4.6a7.4 7.4 0 1 1-.01 0Z",
  "M12 4.4 20.2 18.8 3.8 18.8Z",
  "M5.2 5.2 18.8 5.2 18.8 18.8 5.2 18.8Z",
  "M12 2.9 21.1 12 12 21.1 2.9 12Z",
  figure(5, 8.9),
  figure(6, 8.7, 0),
  figure(10, 9.8, -90, 0.45),
];

export const NAMES = [
  "nobody",
  "Cross",
  "Ring",
  "Triangle",
  "Square",
  "Diamond",
  "Pentagon",
  "Hexagon",
  "Star",
];

/**
 * Name a move: the column alone where stones fall down a flat board, else the cell.
 * @type {(geometry: Geometry, cell: number) => string}
 */
export const moveName = ({ names, move_names }, cell) => (move_names ?? names)[cell];

/** @type {(player: number) => string} the outline of a stone in a square of 24 units */
export const pathOf = (player) => PATHS[player];

export const STROKE = 3;
/** The player whose mark is round. */
export const RING = 2;

/** The most plies to the end for steps 5 to 2 of a colour; `tone` in Python's pictures has the same. */
const NEAR = [2, 6, 12, 24];

/**
 * Return the tone of a value, "win1" to "win5", "even", "loss1" to "loss5" or "": five steps of distance
 * or of certainty. The kind is "win", "draw", "loss", or "unknown" for an estimate, the text "W 5" or
 * "56 %"; a page may choose the tone itself.
 * @type {(mark: {kind: string, text: string, tone?: string}) => {tone: string, guess: boolean}}
 */
export function toneOf({ kind, text, tone }) {
  if (tone != null) return { tone, guess: false };
  const figure = text.match(/[0-9]+/);
  if (kind === "unknown" && figure) {
    const off = Number(figure[0]) - 50;
    const step = Math.min(5, Math.ceil(Math.abs(off) / 10));
    return { tone: Math.abs(off) < 3 ? "even" : (off > 0 ? "win" : "loss") + step, guess: true };
  }
  if (kind === "draw") return { tone: "even", guess: false };
  if (kind !== "win" && kind !== "loss") return { tone: "", guess: kind === "unknown" };
  const step = figure ? 5 - NEAR.filter((most) => Number(figure[0]) > most).length : 3;
  return { tone: kind + step, guess: false };
}

/** @type {() => boolean} Return whether nothing should move. */
export const reducedMotion = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

/** The stone as a Vue component. */
export const Stone = {
  props: { player: { type: Number, required: true } },
  computed: {
    path: ({ player }) => PATHS[player],
  },
  template: `<svg viewBox="0 0 24 24" :class="'stone p' + player" aria-hidden="true"><path :d="path"/></svg>`,
};
