// Where cells lie in space: in a cube, in a row or grid of cubes, or in a projected tesseract.
import { coordinates, shapeOf } from "./plan.js";

/** Which axis runs to the right, towards the viewer and upwards; the rest set cubes apart. */
export function rolesOf(geometry) {
  const count = shapeOf(geometry).length;
  const axes = Array.from({ length: count }, (_, i) => count - 1 - i);
  const roles = axes.slice(0, 3);
  const at = roles.indexOf(geometry.gravity);
  if (count >= 3 && geometry.gravity != null) {
    if (at >= 0) [roles[at], roles[2]] = [roles[2], roles[at]];
    else axes[axes.indexOf(geometry.gravity)] = roles[2], (roles[2] = geometry.gravity);
  }
  return { right: roles[0], front: roles[1], up: roles[2], outer: axes.slice(3) };
}

/** How the eye looks down at first; layers that are pulled fully apart do not overlap then. */
export const TILT = 0.5;

/** The same for a board: tall stacks are looked at from lower down, so that they are drawn larger. */
export function tiltOf(geometry) {
  const { up } = rolesOf(geometry);
  const layers = up == null ? 1 : shapeOf(geometry)[up];
  return layers > 4 ? 0.36 : TILT;
}

export const TURN = Math.PI / 4;

/** Orientation of the eye: its right, upward and forward directions. */
export function eyeOf(turn, tilt) {
  const [s, c, st, ct] = [Math.sin(turn), Math.cos(turn), Math.sin(tilt), Math.cos(tilt)];
  return { right: [c, 0, -s], up: [-s * st, ct, -c * st], back: [s * ct, st, c * ct] };
}

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];

/** Where a point lies for an eye: how far to the right, how far up, and how near. */
export const seen = (eye, point) => [dot(point, eye.right), dot(point, eye.up), dot(point, eye.back)];

/**
 * Return the cell that lies nearest to the eye at a spot of the picture, or null.
 *
 * @param spot how far to the right and up, in cells
 * @param points the middles of all tiles
 * @param size the side of a tile
 * @param lying whether tiles lie flat; otherwise they face the eye
 * @param stones {cell, at, width, height} of what stands on the tiles and faces the eye
 */
export function pick(eye, [right, up], points, size, lying, stones = []) {
  let [found, nearest] = [null, -Infinity];
  const meet = (cell, width, height, [dx, dy, near]) => {
    if (Math.abs(dx) > width / 2 || Math.abs(dy) > height / 2 || !(near > nearest)) return;
    [found, nearest] = [cell, near];
  };
  const facing = (at) => {
    const [x, y, near] = seen(eye, at);
    return [right - x, up - y, near];
  };
  // Where the line of sight meets the plane of a tile, from the middle of the tile.
  const flat = (at) => {
    const near = (at[1] - up * eye.up[1]) / eye.back[1];
    const along = (axis) => right * eye.right[axis] + up * eye.up[axis] + near * eye.back[axis];
    return [along(0) - at[0], along(2) - at[2], near];
  };
  points.forEach((at, cell) => meet(cell, size, size, (lying ? flat : facing)(at)));
  for (const { cell, at, width, height } of stones) meet(cell, width, height, facing(at));
  return found;
}

/**
 * Return a function from cells to points, the captions of cubes, and the size of the whole.
 *
 * @param geometry the board
 * @param view {mode: "cubes" | "tesseract", explode, spin, turn, tilt}
 */
export function placer(geometry, view) {
  return view.mode === "tesseract" ? tesseract(geometry, view) : cubes(geometry, view);
}

function cubes(geometry, view) {
  const shape = shapeOf(geometry);
  const roles = rolesOf(geometry);
  const eye = eyeOf(view.turn, view.tilt);
  const side = (axis) => (axis == null ? 1 : shape[axis]);
  const [nx, nz, ny] = [side(roles.right), side(roles.front), side(roles.up)];
  const wide = Math.hypot(nx, nz);
  const apart = wide * Math.tan(tiltOf(geometry)) + 0.9;
  const rise = 0.8 + view.explode * Math.max(0.8, apart - 0.8);
  const tall = (ny - 1) * rise * Math.cos(view.tilt) + wide * Math.abs(Math.sin(view.tilt)) + 0.8;
  const upright = geometry.gravity != null && geometry.gravity === roles.up;
  const pitches = [wide + 0.55, tall + 0.9];
  const sizes = [wide, tall];
  const steps = roles.outer.map((axis, depth) => {
    const along = depth % 2;
    const step = depth < 2 ? pitches[along] : sizes[along] + 1.2;
    sizes[along] += step * (side(axis) - 1);
    return { axis, along, step };
  });
  const outerAt = (coords) => {
    let [right, up] = [0, 0];
    for (const { axis, along, step } of steps) {
      const offset = (coords[axis] - (side(axis) - 1) / 2) * step;
      if (along === 0) right += offset;
      else up -= offset;
    }
    return [right, up];
  };
  const shift = ([right, up]) => eye.right.map((r, i) => r * right + eye.up[i] * up);
  const point = (cell) => {
    const coords = coordinates(cell, shape);
    const of = (axis) => (axis == null ? 0 : coords[axis] - (side(axis) - 1) / 2);
    const lift = of(roles.up) * (upright ? 1 : -1) * rise;
    const [dx, dy, dz] = shift(outerAt(coords));
    return [of(roles.right) + dx, lift + dy, of(roles.front) + dz];
  };
  const captions = [];
  if (roles.outer.length) {
    const counts = roles.outer.map(side);
    const total = counts.reduce((a, b) => a * b, 1);
    if (total <= 36) {
      for (let number = 0; number < total; number++) {
        const coords = new Array(shape.length).fill(0);
        let rest = number;
        for (const axis of [...roles.outer].reverse()) {
          coords[axis] = rest % side(axis);
          rest = Math.floor(rest / side(axis));
        }
        const [right, up] = outerAt(coords);
        const name = [...roles.outer].sort((a, b) => a - b).map((axis) => coords[axis]).join(",");
        const text = roles.outer.length === 1 ? `w = ${name}` : name;
        captions.push({ text, at: shift([right, up - tall / 2 - 0.25]) });
      }
    }
  }
  return { point, captions, width: sizes[0] + 0.6, height: sizes[1] + (captions.length ? 1.5 : 0.6) };
}

function tesseract(geometry, view) {
  const shape = shapeOf(geometry);
  const [a, b] = [view.spin, view.spin * 0.62 + 0.35];
  const half = shape.map((side) => (side - 1) / 2 || 1);
  const [ca, sa, cb, sb] = [Math.cos(a), Math.sin(a), Math.cos(b), Math.sin(b)];
  const scale = Math.max(...shape) * 1.15;
  const point = (cell) => {
    const coords = coordinates(cell, shape);
    let [w, y, z, x] = coords.map((c, axis) => (c - (shape[axis] - 1) / 2) / half[axis]);
    [x, w] = [x * ca - w * sa, x * sa + w * ca];
    [z, w] = [z * cb - w * sb, z * sb + w * cb];
    const near = 3 / (3.4 - w);
    return [x * near * scale * 0.5, -y * near * scale * 0.5, z * near * scale * 0.5];
  };
  return { point, captions: [], width: scale * 2.3, height: scale * 2.1, flat: false };
}
