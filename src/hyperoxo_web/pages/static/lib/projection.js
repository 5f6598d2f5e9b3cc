// Geometry of cells in space, camera, and the cell under a press. Nothing here draws.
import { coordinates, shapeOf } from "./layout.js";

/**
 * Axes to the right, towards the viewer and upwards; the rest set cubes apart, to the right
 * and upwards in turn. As in the flat view, an axis of gravity that would not run upwards changes places
 * with the one before it.
 * @type {(geometry: Geometry) => {right: number, front?: number, up?: number, outer: number[]}}
 */
export function rolesOf(geometry) {
  const count = shapeOf(geometry).length;
  const axes = Array.from({ length: count }, (_, i) => count - 1 - i);
  const roles = axes.slice(0, 3);
  const at = roles.indexOf(geometry.gravity);
  if (count >= 3 && geometry.gravity != null) {
    if (at >= 0) [roles[at], roles[2]] = [roles[2], roles[at]];
    else {
      const depth = axes.indexOf(geometry.gravity);
      if (depth % 2) [axes[depth - 1], axes[depth]] = [axes[depth], axes[depth - 1]];
      axes[axes.indexOf(geometry.gravity)] = roles[2];
      roles[2] = geometry.gravity;
    }
  }
  return { right: roles[0], front: roles[1], up: roles[2], outer: axes.slice(3) };
}

/**
 * Initial camera of a board: about 27 degrees to the side, and so far down that the board
 * fills the picture, within limits. No two of the 13 directions of lines in a cube look alike then;
 * lines through one cell are 3 degrees or more apart.
 */
export const HOME = { turn: 0.474, tilts: [0.243, 0.485] };

/** Width over height of a board at first, at most: cells that are much wider than high are hard to read. */
export const BROAD = 1.05;

// From layer to layer: pushed together, and pulled apart at least and at most; what is free between
// them in the picture; how much of a corner another layer may hide.
const RISES = [0.6, 0.95, 3.2];
const FREE_BETWEEN = 0.2;
const TIP = 0.3;

/** Views to go to at a press, besides the first one. */
export const ANGLES = {
  top: { turn: 0, tilt: 1.5 },
  front: { turn: 0, tilt: 0.14 },
  side: { turn: -Math.PI / 2, tilt: 0.14 },
};

/** Limits of the camera's elevation, from above and from below. */
export const TILTS = [-0.5, 1.5];

/** Half the height of the picture at distance 1. */
export const LENS = Math.tan((2.5 * Math.PI) / 180);

// Projection of the fourth dimension: distance, and offset of each cube. Found by a search
// for the widest gap between any two of the 81 cells of 3^4 in the picture.
const DEEP = { away: 3.04, near: 2.84, tall: 1.63, aside: [1.52, -0.54, -1.5] };

/** Half the side of a tile that can be pressed, and the radius of a stone. */
const REACH = 0.5;
const ROUND = 0.34;

/** Height of a stone's middle above its tile, and of its upper end at most. */
export const LIFT = 0.12;
const STONE_TOP = 0.34;

/** Thickness of plates, and length of rods under gravity above the highest. */
export const PLATE = 0.09;
export const ROD = 0.5;

/** Factor by which the camera is farther than necessary. */
const MARGIN = 1.005;

const directions = () => ({ right: [0, 0, 0], up: [0, 0, 0], back: [0, 0, 0] });

function put(to, x, y, z) {
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

/**
 * Return the right, upward and backward directions of an eye that is turned to the side and tilted down,
 * in radians; they are put into `eye` where it is given.
 * @type {(turn: number, tilt: number, eye: object) => {right: number[], up: number[], back: number[]}}
 */
export function eyeOf(turn, tilt, eye = directions()) {
  const s = Math.sin(turn);
  const c = Math.cos(turn);
  const st = Math.sin(tilt);
  const ct = Math.cos(tilt);
  put(eye.right, c, 0, -s);
  put(eye.up, -s * st, ct, -c * st);
  put(eye.back, s * ct, st, c * ct);
  return eye;
}

/** Stones turn their faces to the eye a little: they lie, and hide little of what is behind them. */
const facingOf = (turn, tilt, to) => eyeOf(turn, 0.25 * Math.max(tilt, 0) + 0.38 * Math.PI, to);

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/**
 * Orthographic coordinates of a point: right, up, and nearness.
 * @type {(eye: {right: number[], up: number[], back: number[]}, point: Owners) => number[]}
 */
export const orthographic = (eye, point) => [
  dot(point, eye.right),
  dot(point, eye.up),
  dot(point, eye.back),
];

/** A board's cells in space: `points` (three numbers a cell), `sizes`, and their extent. */
export class SpaceLayout {
  /** @param {import("./layout.js").Geometry} geometry the board */
  constructor(geometry) {
    this.geometry = geometry;
    this.shape = shapeOf(geometry);
    this.roles = rolesOf(geometry);
    this.coords = Array.from({ length: geometry.cells }, (_, cell) =>
      coordinates(cell, this.shape),
    );
    this.points = new Float32Array(3 * geometry.cells);
    this.sizes = new Float32Array(geometry.cells).fill(1);
    const side = (axis) => (axis == null ? 1 : this.shape[axis]);
    const { right, front, up, outer } = this.roles;
    this.sides = [side(right), side(up), side(front)];
    this.eye = directions();
    this.shifted = [0, 0];
    this.setOut(side(outer[0]));
  }

  /** Set cubes apart: those of a single axis so many `across`, and the next ones above them. */
  setOut(across) {
    const { outer } = this.roles;
    const rows = outer.length === 1 ? Math.ceil(this.shape[outer[0]] / across) : 1;
    const ways = outer.map((axis) => [this.shape[axis], (coords) => coords[axis]]);
    if (rows > 1) {
      const [[, at]] = ways;
      ways[0] = [across, (coords) => at(coords) % across];
      ways[1] = [rows, (coords) => Math.floor(at(coords) / across)];
    }
    this.outer = ways.map(([side, at], depth) => ({
      side,
      along: depth % 2,
      nested: depth > 1,
      step: 0,
      offsets: Float32Array.from(this.coords, (coords) => at(coords) - (side - 1) / 2),
    }));
    this.labels = this.captions();
  }

  /**
   * Set the cubes of a fourth dimension out so that cells are largest in a picture of this width over
   * height; a row of all is left for a tenth more alone.
   * @type {(aspect: number) => void}
   */
  arrange(aspect) {
    const [axis, ...more] = this.roles.outer;
    if (axis == null || more.length) return;
    const side = this.shape[axis];
    const area = (across) => {
      this.setOut(across);
      const home = this.home(aspect);
      this.place(home);
      return (across === side ? 1.1 : 1) * Math.sin(home.tilt) * this.fit(aspect).distance ** -2;
    };
    const ways = Array.from({ length: side }, (_, rows) => Math.ceil(side / (rows + 1)));
    const areas = ways.map(area);
    this.setOut(ways[areas.indexOf(Math.max(...areas))]);
  }

  /**
   * A plate in the picture: half its width and its depth, and the longest way straight back through it.
   *
   * Two plates one above the other leave each other free if the lower lies that way nearer to the eye.
   * @type {(turn: number) => {wide: number, deep: number, through: number}}
   */
  plate(turn) {
    const [nx, , nz] = this.sides;
    const [c, s] = [Math.abs(Math.cos(turn)), Math.abs(Math.sin(turn))];
    const through = Math.min(nz / c, nx / s, Math.hypot(nx, nz) - TIP);
    return { wide: (nx * c + nz * s) / 2, deep: (nx * s + nz * c) / 2, through };
  }

  /** From layer to layer: layers that are pulled apart in full (1) do not hide each other. */
  rise({ through }, explode, tilt) {
    const down = Math.min(Math.abs(tilt), 1);
    const full = (through * Math.sin(down) + FREE_BETWEEN) / Math.cos(down);
    return RISES[0] + explode * (Math.min(RISES[2], Math.max(RISES[1], full)) - RISES[0]);
  }

  /** Names of layers, beside them, and of cubes, below them: {text, layer, cell, at}. */
  captions() {
    const { right, front, up } = this.roles;
    const axes = [...this.roles.outer].sort((a, b) => a - b);
    const count = axes.reduce((all, axis) => all * this.shape[axis], 1);
    const found = [];
    this.coords.forEach((coords, cell) => {
      if (coords[right] || coords[front]) return;
      const [layer, at] = [coords[up] ?? 0, new Float32Array(3)];
      const first = this.outer.every((way) => way.along || way.offsets[cell] === way.offsets[0]);
      if (first && this.sides[1] > 1 && count <= 9)
        found.push({ text: String(layer + 1), layer, cell, at });
      if (layer || !axes.length || count > 36) return;
      const name = axes.map((axis) => coords[axis] + 1).join(".");
      const text = axes.length === 1 ? `cube ${name}` : name;
      found.push({ text, layer: null, cell, at: new Float32Array(3) });
    });
    return found;
  }

  /**
   * Put every cell where it belongs; `fold` goes from 0, cubes, to 1, a tesseract.
   * @type {(view: {fold?: number, explode?: number, spin?: number, turn: number, tilt: number}) => void}
   */
  place({ fold = 0, explode = 1, spin = 0, turn, tilt }) {
    const { right, front, up } = this.roles;
    const [nx, ny, nz] = this.sides;
    const plate = this.plate(turn);
    const rise = this.rise(plate, explode, tilt);
    const eye = eyeOf(turn, tilt, this.eye);
    this.half = ((ny - 1) / 2) * rise + 0.35;
    const tall = (ny - 1) * rise * Math.cos(tilt) + 2 * plate.deep * Math.abs(Math.sin(tilt)) + 0.3;
    this.spreadOut(2 * plate.wide, tall);
    for (let cell = 0; cell < this.geometry.cells; cell++) {
      const coords = this.coords[cell];
      this.shift(cell);
      const dx = this.shifted[0];
      const dy = this.shifted[1];
      const at = 3 * cell;
      const x = coords[right] - (nx - 1) / 2;
      const y = up == null ? 0 : (coords[up] - (ny - 1) / 2) * rise;
      const z = front == null ? 0 : coords[front] - (nz - 1) / 2;
      this.points[at] = x + eye.right[0] * dx + eye.up[0] * dy;
      this.points[at + 1] = y + eye.up[1] * dy;
      this.points[at + 2] = z + eye.right[2] * dx + eye.up[2] * dy;
      this.sizes[cell] = 1;
    }
    // If a plate leaves a corner of its frame free, the name of the layer is there.
    const [s, c] = [Math.sin(turn), Math.cos(turn)];
    const free = Math.min(1, 2.3 * Math.abs(s * c));
    const corner = (Math.sign(s * c) * (nx * Math.abs(s) - nz * Math.abs(c)) * Math.sin(tilt)) / 2;
    for (const label of this.labels) {
      this.shift(label.cell);
      let [dx, dy] = this.shifted;
      let y = 0;
      if (label.layer == null) dy -= tall / 2 + 0.35;
      else {
        dx -= plate.wide + 0.3 - 0.5 * free;
        dy += free * (corner + 0.52);
        y = (label.layer - (ny - 1) / 2) * rise;
      }
      for (let i = 0; i < 3; i++)
        label.at[i] = eye.right[i] * dx + eye.up[i] * dy + (i === 1 ? y : 0);
    }
    this.folded = fold;
    if (fold > 0) this.fold(fold, spin);
  }

  /** Distances of cubes, beside and above each other. */
  spreadOut(...sizes) {
    for (const axis of this.outer) {
      axis.step = sizes[axis.along] + (axis.nested ? 1.2 : axis.along ? 1.3 : 0.55);
      sizes[axis.along] += axis.step * (axis.side - 1);
    }
    return sizes;
  }

  /** Find how far the cube of a cell is set aside: `shifted`, to the right and up. */
  shift(cell) {
    let dx = 0;
    let dy = this.outer.length ? 0.3 : 0;
    for (const { offsets, along, step } of this.outer) {
      const offset = offsets[cell] * step;
      if (along) dy += offset;
      else dx += offset;
    }
    this.shifted[0] = dx;
    this.shifted[1] = dy;
  }

  /** Bring the cells of four dimensions together: cubes in a row, each smaller, seen off their axis. */
  fold(fold, spin) {
    const { right, front, up } = this.roles;
    const [c, s] = [Math.cos(spin), Math.sin(spin)];
    const last = (axis) => Math.max(1, this.shape[axis] - 1);
    const unit = (coords, axis) => (2 * coords[axis]) / last(axis) - 1;
    const to = (coords) => {
      const [x, fourth] = [unit(coords, right), unit(coords, this.roles.outer[0])];
      const deep = x * s + fourth * c;
      const near = DEEP.near / (DEEP.away + deep);
      return [
        near * (x * c - fourth * s) + DEEP.aside[0] * deep,
        near * unit(coords, up) * DEEP.tall + DEEP.aside[1] * deep,
        near * unit(coords, front) + DEEP.aside[2] * deep,
        near,
      ];
    };
    const ends = this.coords.map(to);
    const middle = [0, 1, 2].map(
      (i) => (Math.max(...ends.map((end) => end[i])) + Math.min(...ends.map((end) => end[i]))) / 2,
    );
    ends.forEach(([x, y, z, near], cell) => {
      const end = [x - middle[0], y - middle[1], z - middle[2]];
      for (let i = 0; i < 3; i++)
        this.points[3 * cell + i] += (end[i] - this.points[3 * cell + i]) * fold;
      this.sizes[cell] += ((1.24 * near) / last(right) - 1) * fold;
    });
  }

  /**
   * Return the extent of the board to the right, upwards, to the left and down, where rays of the eye
   * open by `lens` to the sides and upwards.
   *
   * A point that is `near` by some distance reaches farther by `lens` times that: what comes out is
   * the size that the picture needs at the middle of the board.
   * @type {(lens: number[]) => number[]}
   */
  reach(lens) {
    const { right, up, back } = this.eye;
    const ends = [-Infinity, -Infinity, Infinity, Infinity];
    this.depth = 0;
    const include = (x, y, z, around = 0) => {
      const near = x * back[0] + y * back[1] + z * back[2];
      this.depth = Math.max(this.depth, Math.abs(near));
      for (let i = 0; i < 2; i++) {
        const axis = i ? up : right;
        const at = x * axis[0] + y * axis[1] + z * axis[2];
        ends[i] = Math.max(ends[i], at + around + near * lens[i]);
        ends[i + 2] = Math.min(ends[i + 2], at - around - near * lens[i]);
      }
    };
    for (let cell = 0; cell < this.geometry.cells; cell++) {
      const at = 3 * cell;
      const [x, y, z] = [this.points[at], this.points[at + 1], this.points[at + 2]];
      const size = this.sizes[cell];
      const half = size / 2;
      for (let corner = 0; corner < 4; corner++)
        include(x + (corner & 1 ? half : -half), y - PLATE, z + (corner & 2 ? half : -half));
      include(x, y + (this.geometry.gravity == null ? STONE_TOP : ROD) * size, z);
    }
    const out = 1 - this.folded;
    for (const { at } of this.labels) include(at[0] * out, at[1] * out, at[2] * out, 0.2);
    return ends;
  }

  /**
   * Return the nearest eye that sees all; `pan` moves the board to the middle of the picture.
   * @type {(aspect: number) => {distance: number, pan: number[]}}
   */
  fit(aspect) {
    const lens = [LENS * aspect, LENS];
    const ends = this.reach(lens);
    const far = lens.map((slope, i) => (ends[i] - ends[i + 2]) / (2 * slope));
    const pan = lens.map((_, i) => -(ends[i] + ends[i + 2]) / 2);
    return { distance: MARGIN * Math.max(...far), pan };
  }

  /** Initial camera. @type {(aspect: number) => {turn: number, tilt: number}} */
  home(aspect = BROAD) {
    const [, ny] = this.sides;
    const { wide, deep, through } = this.plate(HOME.turn);
    const [across, gaps] = this.spreadOut(2 * wide, 0);
    const rows = this.outer.reduce((all, { along, side }) => (along ? all * side : all), 1);
    const high = (across / (this.outer.length ? aspect : Math.min(aspect, BROAD)) - gaps) / rows;
    const sine = (high - STONE_TOP - (ny - 1) * FREE_BETWEEN) / ((ny - 1) * through + 2 * deep);
    const tilt = Math.asin(Math.min(1, Math.max(0, sine)));
    return { turn: HOME.turn, tilt: Math.min(HOME.tilts[1], Math.max(HOME.tilts[0], tilt)) };
  }

  /** Width over height of the picture that suits the board, where it is placed now. */
  get aspect() {
    const [right, up, left, down] = this.reach([0, 0]);
    return (right - left) / (up - down);
  }
}

/** An eye at a distance from the middle: it projects points and casts rays. */
export class Eye {
  constructor() {
    Object.assign(this, directions(), { facing: directions(), from: [0, 0, 0], way: [0, 0, 0] });
    /** Width of a screen point at the middle of the board, in cells. */
    this.dot = 0;
  }

  /** Place it at `turn` and `tilt`; `pan` moves the picture to the right and up, in cells. */
  orient({ turn, tilt, distance, aspect, pan = MIDDLE }) {
    eyeOf(turn, tilt, this);
    facingOf(turn, tilt, this.facing);
    this.aspect = aspect;
    for (let i = 0; i < 3; i++)
      this.from[i] = this.back[i] * distance - this.right[i] * pan[0] - this.up[i] * pan[1];
    return this;
  }

  /** Place of a point in the picture, from -1 to 1, and its distance. */
  project(x, y, z) {
    const point = [x - this.from[0], y - this.from[1], z - this.from[2]];
    const away = -dot(point, this.back);
    return [
      dot(point, this.right) / (away * LENS * this.aspect),
      dot(point, this.up) / (away * LENS),
      away,
    ];
  }

  /** Cast a ray through a spot of the picture. */
  castRay([right, up]) {
    const [dx, dy] = [right * LENS * this.aspect, up * LENS];
    for (let i = 0; i < 3; i++) this.way[i] = this.right[i] * dx + this.up[i] * dy - this.back[i];
  }
}

/**
 * Return the cell under a spot of the picture, or null: the nearest tile on the line of sight,
 * unless a stone is before it there.
 * @type {(eye: Eye, spot: number[], layout: SpaceLayout, stones: number[]) => number | null}
 */
export function pick(eye, spot, { points, sizes, geometry }, stones = []) {
  eye.castRay(spot);
  const { from, way, facing } = eye;
  const [found, nearest] = [{ cell: null }, { way: Infinity }];
  const meet = (cell, normal, lift, reach, round) => {
    const [x, y, z] = [points[3 * cell], points[3 * cell + 1] + lift, points[3 * cell + 2]];
    const slope = dot(way, normal);
    if (Math.abs(slope) < 1e-9) return;
    const far =
      ((x - from[0]) * normal[0] + (y - from[1]) * normal[1] + (z - from[2]) * normal[2]) / slope;
    if (far <= 0 || far >= nearest.way) return;
    const off = [x, y, z].map((at, i) => from[i] + far * way[i] - at);
    const away = round ? Math.hypot(...off) : Math.max(Math.abs(off[0]), Math.abs(off[2]));
    if (away <= reach) [found.cell, nearest.way] = [cell, far];
  };
  for (let cell = 0; cell < geometry.cells; cell++)
    meet(cell, LEVEL, 0, REACH * sizes[cell], false);
  for (const cell of stones) meet(cell, facing.back, LIFT * sizes[cell], ROUND * sizes[cell], true);
  return found.cell;
}

const LEVEL = [0, 1, 0];
const MIDDLE = [0, 0];

/**
 * Return the cell of a folded board whose centre is projected nearest to a point, or null.
 * @type {(eye: Eye, spot: [number, number], layout: SpaceLayout) => number | null}
 */
export function nearestTo(eye, [right, up], { points, sizes, geometry }) {
  let [nearest, least] = [null, 1];
  for (let cell = 0; cell < geometry.cells; cell++) {
    const [x, y, depth] = eye.project(
      points[3 * cell],
      points[3 * cell + 1] + LIFT * sizes[cell],
      points[3 * cell + 2],
    );
    const gap = (Math.hypot((x - right) * eye.aspect, y - up) * LENS * depth) / (0.6 * sizes[cell]);
    if (gap < least) [nearest, least] = [cell, gap];
  }
  return nearest;
}
