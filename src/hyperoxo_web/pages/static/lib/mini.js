// Small pictures of boards, flat or in space.
import { BLOCKED } from "./lines.js";
import { pathOf } from "./marks.js";
import { Places, eyeOf, seen } from "./places.js";
import { layOut } from "./plan.js";
/** @import { Geometry } from "./plan.js" */

const CORNERS = [
  [-0.46, -0.46],
  [0.46, -0.46],
  [0.46, 0.46],
  [-0.46, 0.46],
];

/**
 * Return the tiles of a board in space {cell, middle, corners}, the farthest first.
 *
 * @param {Geometry} geometry the board
 * @param {number} explode how far layers are pulled apart
 * @param {number | null} from the turn from which it is seen; as at first without
 * @param {number} [aspect] width over height of the picture
 * @returns {{cell: number, depth: number, middle: number[], corners: number[][]}[]}
 */
export function tilesOf(geometry, explode = 1, from = null, aspect = undefined) {
  const places = new Places(geometry);
  const home = places.home(aspect);
  const { tilt } = home;
  const turn = from ?? home.turn;
  const eye = eyeOf(turn, tilt);
  places.place({ turn, tilt, explode });
  const flat = (point) => {
    const [right, up] = seen(eye, point);
    return [right, -up];
  };
  const tiles = Array.from({ length: geometry.cells }, (_, cell) => {
    const at = places.points.subarray(3 * cell, 3 * cell + 3);
    const corners = CORNERS.map(([x, z]) => flat([at[0] + x, at[1], at[2] + z]));
    return { cell, depth: seen(eye, at)[2], middle: flat(at), corners };
  });
  return tiles.sort((a, b) => a.depth - b.depth);
}

/**
 * Return the view box around tiles.
 *
 * @param {{corners: number[][]}[]} tiles of `tilesOf`
 * @returns {string}
 */
export function boxOf(tiles) {
  const all = tiles.flatMap((tile) => tile.corners);
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)];
  const [left, top] = [Math.min(...xs) - 0.1, Math.min(...ys) - 0.1];
  return `${left} ${top} ${Math.max(...xs) - left + 0.1} ${Math.max(...ys) - top + 0.1}`;
}

/** @type {(corners: number[][]) => string} Write corners as the points of a polygon. */
export const pointsOf = (corners) =>
  corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

export const Mini = {
  props: { geometry: Object, owner: { default: null }, glow: { default: null } },
  computed: {
    plan() {
      const side = this.geometry.shape?.[0] ?? 1;
      return layOut(this.geometry, side < 4 ? side : Math.ceil(Math.sqrt(side)));
    },
    cells() {
      const { x, y } = this.plan;
      return Array.from({ length: this.geometry.cells }, (_, cell) => {
        const blocked = this.geometry.blocked.includes(cell) ? BLOCKED : 0;
        const owner = this.owner ? this.owner[cell] : blocked;
        return {
          cell,
          x: x[cell],
          y: y[cell],
          owner,
          blocked: owner === BLOCKED,
          glow: this.glow?.includes(cell),
          path: owner && owner !== BLOCKED ? pathOf(owner) : null,
        };
      });
    },
    box: ({ plan }) => `-0.1 -0.1 ${plan.width + 0.2} ${plan.height + 0.2}`,
  },
  template: `
  <svg class="mini" :viewBox="box" aria-hidden="true"><template v-for="c in cells" :key="c.cell">
    <rect :x="c.x + 0.04" :y="c.y + 0.04" width="0.92" height="0.92" rx="0.14" :class="{ blocked: c.blocked, glow: c.glow }"/>
    <path v-if="c.path" :class="'stone p' + c.owner" :d="c.path" :transform="'translate(' + (c.x + 0.17) + ' ' + (c.y + 0.17) + ') scale(0.0275)'"/></template></svg>`,
};
