// Stones: shapes first, colours second. The shapes are drawn in a square of 24 units.
const corners = (count, radius, turn = -90, dip = 1) => {
  const steps = dip < 1 ? 2 * count : count;
  return Array.from({ length: steps }, (_, i) => {
    const angle = ((turn + (360 * i) / steps) * Math.PI) / 180;
    const r = radius * (dip < 1 && i % 2 ? dip : 1);
    return [12 + r * Math.cos(angle), 12.4 + r * Math.sin(angle)];
  });
};
const polygon = (points) =>
  points.map(([x, y], i) => `${i ? "L" : "M"}${x.toFixed(2)} ${y.toFixed(2)}`).join("") + "Z";

const PATHS = [
  "",
  "M5.4 5.4 18.6 18.6M18.6 5.4 5.4 18.6",
  "M12 4.6a7.4 7.4 0 1 1-.01 0Z",
  polygon([
    [12, 4.4],
    [20.2, 18.8],
    [3.8, 18.8],
  ]),
  "M5.2 5.2H18.8V18.8H5.2Z",
  polygon([
    [12, 2.9],
    [21.1, 12],
    [12, 21.1],
    [2.9, 12],
  ]),
  polygon(corners(5, 8.9)),
  polygon(corners(6, 8.7, 0)),
  polygon(corners(5, 9.8, -90, 0.45)),
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

/** @type {(player: number) => string} the outline of a stone in a square of 24 units */
export const pathOf = (player) => PATHS[player];

export const STROKE = 3;

/** The most plies to the end for steps 5 to 2 of a colour; `tone` in Python's pictures has the same. */
const NEAR = [2, 6, 12, 24];

/**
 * Return the tone of a value: green, yellow or red, in five steps of distance or of certainty.
 *
 * @param {{kind: string, text: string, tone?: string}} mark "win", "draw", "loss", or "unknown" for an
 *   estimate; the value in a few characters, "W 5" or "56 %"; the tone where the page chooses it
 * @returns {{tone: string, guess: boolean}} "win1" to "win5", "even", "loss1" to "loss5", or ""
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

/**
 * Whether nothing should move.
 *
 * @returns {boolean}
 */
export const calm = () => window.matchMedia("(prefers-reduced-motion: reduce)").matches;

export const SVG = "http://www.w3.org/2000/svg";

/**
 * Return the stone of a player as an SVG element.
 *
 * @param {number} player
 * @param {string} [extra] more classes
 * @returns {SVGSVGElement}
 */
export function stone(player, extra = "") {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("viewBox", "0 0 24 24");
  svg.setAttribute("class", `stone p${player} ${extra}`.trim());
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(SVG, "path");
  path.setAttribute("d", PATHS[player]);
  svg.append(path);
  return svg;
}

/** The stone as a Vue component. */
export const Stone = {
  props: { player: { type: Number, required: true } },
  computed: {
    path: ({ player }) => PATHS[player],
  },
  template: `<svg viewBox="0 0 24 24" :class="'stone p' + player" aria-hidden="true"><path :d="path"/></svg>`,
};
