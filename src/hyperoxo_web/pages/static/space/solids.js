// Meshes of a board in space, one instanced draw call for each kind: stones, tiles, sticks and labels.
import { LENS, LIFT } from "../lib/projection.js";
import { RING, STROKE, pathOf } from "../lib/stones.js";

const UNIT = 0.0345;
const THICK = 0.66 * STROKE;

/** Bars of a mark in its square of 24 units, from corner to corner; the ring has none. */
function barsOf(player) {
  return pathOf(player)
    .split(/(?=M)/)
    .flatMap((stroke) => {
      const numbers = stroke.match(/[\d.]+/g).map(Number);
      const points = numbers.flatMap((x, i) => (i % 2 ? [] : [[x - 12, 12 - numbers[i + 1]]]));
      if (stroke.endsWith("Z")) points.push(points[0]);
      return points.slice(1).map((to, i) => [points[i], to]);
    });
}

/** Several solids as one. */
function merged(THREE, parts) {
  const solid = new THREE.BufferGeometry();
  for (const name of ["position", "normal"]) {
    const all = parts.flatMap((part) => [...part.toNonIndexed().getAttribute(name).array]);
    solid.setAttribute(name, new THREE.Float32BufferAttribute(all, 3));
  }
  return solid;
}

/**
 * The mark of a player as round tubes, upright in the plane of x and y.
 * @type {(THREE: object, player: number) => object}
 */
export function solidOf(THREE, player) {
  const bar = ([[ax, ay], [bx, by]]) =>
    new THREE.CapsuleGeometry(THICK, Math.hypot(bx - ax, by - ay), 3, 8)
      .rotateZ(Math.atan2(ax - bx, by - ay))
      .translate((ax + bx) / 2, (ay + by) / 2, 0);
  const ring = () => [new THREE.TorusGeometry(7.4, THICK, 8, 64)];
  const parts = player === RING ? ring() : barsOf(player).map(bar);
  const solid = merged(THREE, parts).scale(UNIT, UNIT, UNIT);
  // With two materials it is drawn once with each.
  for (const material of [0, 1]) solid.addGroup(0, Infinity, material);
  return solid;
}

/** A square of rounded corners. */
function rounded(Path, half) {
  const [path, r] = [new Path(), 0.24 * half];
  [1, -1, -1, 1].forEach((x, quarter) => {
    const [y, from] = [quarter < 2 ? 1 : -1, (quarter * Math.PI) / 2];
    path.absarc(x * (half - r), y * (half - r), r, from, from + Math.PI / 2);
  });
  path.closePath();
  return path;
}

/**
 * The border of a tile that lies flat.
 * @type {(THREE: object, side: number, width: number) => object}
 */
export function tileOf(THREE, side, width) {
  const shape = rounded(THREE.Shape, side / 2);
  shape.holes.push(rounded(THREE.Path, side / 2 - width));
  return new THREE.ShapeGeometry(shape, 2).rotateX(-Math.PI / 2);
}

/**
 * Return a plate, `depth` thick, to lie below a tile.
 * @type {(THREE: object, side: number, depth: number) => object}
 */
export function plateOf(THREE, side, depth) {
  const shape = rounded(THREE.Shape, side / 2);
  const plate = new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 2 });
  return plate.rotateX(-Math.PI / 2).translate(0, -depth, 0);
}

/** @type {(THREE: object, side: number) => object} Slanted stripes over a tile. */
export function hatchOf(THREE, side) {
  const stripes = [-0.75, -0.25, 0.25, 0.75].map((at) => {
    const [middle, long] = [0.46 * side * at, 1.3 * side * (1 - Math.abs(at))];
    const stripe = new THREE.PlaneGeometry(long, 0.07).rotateX(-Math.PI / 2);
    return stripe.rotateY(Math.PI / 4).translate(middle, 0, middle);
  });
  return merged(THREE, stripes);
}

/** @type {(THREE: object) => object} Return a round shade that is strong in the middle alone. */
export function shadeOf(THREE) {
  const shade = new THREE.CircleGeometry(0.465, 24).rotateX(-Math.PI / 2);
  const corners = Array.from({ length: 26 }, (_, i) => [1, 1, 1, i ? 0 : 0.45]).flat();
  return shade.setAttribute("color", new THREE.Float32BufferAttribute(corners, 4));
}

/** Many of one kind, drawn in one go. */
class Instances {
  constructor(THREE, geometry, material, most, { lift = 0, order = 0 }) {
    this.mesh = new THREE.InstancedMesh(geometry, material, most);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.mesh.setColorAt(0, new THREE.Color(1, 1, 1));
    this.most = most;
    this.lift = lift;
    this.clear();
  }

  clear() {
    this.mesh.count = 0;
  }

  /** Return the number of one more, of a colour. */
  next(colour) {
    this.mesh.setColorAt(this.mesh.count, colour);
    this.mesh.instanceColor.needsUpdate = true;
    return this.mesh.count++;
  }

  pose(layout, eye, flight) {
    if (this.mesh.count === 0) return;
    this.put(layout, eye, flight);
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

const FLAT = { right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1] };

/** Solids, each at a cell: they lie flat, or face the eye. */
export class Solids extends Instances {
  constructor(THREE, geometry, material, most, { facesEye = false, ...more } = {}) {
    super(THREE, geometry, material, most, more);
    this.facesEye = facesEye;
    this.cells = new Int32Array(most);
    this.scales = new Float32Array(most);
  }

  add(cell, colour, scale = 1) {
    const i = this.next(colour);
    this.cells[i] = cell;
    this.scales[i] = scale;
  }

  /** Put all where they belong; a stone may be in flight: {cell, above, scale}. */
  put({ points, sizes }, eye, flight) {
    const { right, up, back } = this.facesEye ? eye.facing : FLAT;
    const to = this.mesh.instanceMatrix.array;
    for (let i = 0; i < this.mesh.count; i++) {
      const cell = this.cells[i];
      const flying = this.facesEye && flight?.cell === cell;
      const size = sizes[cell] * this.scales[i] * (flying ? flight.scale : 1);
      const at = 16 * i;
      for (let k = 0; k < 3; k++) {
        to[at + k] = right[k] * size;
        to[at + 4 + k] = up[k] * size;
        to[at + 8 + k] = back[k] * size;
        to[at + 12 + k] = points[3 * cell + k];
      }
      to[at + 13] += this.lift * sizes[cell] + (flying ? flight.above : 0);
      to[at + 15] = 1;
    }
  }
}

/** Round sticks from cell to cell. */
export class Sticks extends Instances {
  constructor(THREE, material, most, { lift = LIFT, ...more } = {}) {
    super(THREE, new THREE.CylinderGeometry(1, 1, 1, 8, 1), material, most, { lift, ...more });
    this.all = [];
    [this.from, this.way, this.scale] = [0, 1, 2].map(() => new THREE.Vector3());
    this.upright = new THREE.Vector3(0, 1, 0);
    this.turn = new THREE.Quaternion();
    this.matrix = new THREE.Matrix4();
  }

  /** From one cell to another and, at the end, `over` further. */
  add(from, to, colour, width, over = 0) {
    if (this.mesh.count < this.most) this.all[this.next(colour)] = { from, to, width, over };
  }

  put({ points, sizes }) {
    const { from: start, way, scale, turn, matrix } = this;
    for (let i = 0; i < this.mesh.count; i++) {
      const { from, to, width, over } = this.all[i];
      start.fromArray(points, 3 * from);
      way.fromArray(points, 3 * to).sub(start);
      way.y += this.lift * (sizes[to] - sizes[from]);
      start.y += this.lift * sizes[from];
      const long = way.length() + over;
      const thick = width * Math.min(sizes[from], sizes[to]);
      turn.setFromUnitVectors(this.upright, way.normalize());
      start.addScaledVector(way, long / 2);
      this.mesh.setMatrixAt(i, matrix.compose(start, turn, scale.set(thick, long, thick)));
    }
  }
}

const SLOT = [128, 64];

// Half of what a letter is wide and high, as a share of the size of its word.
const [LETTER, TALL] = [0.19, 0.26];

// Screen points of a cell from which its values are written in full size.
const ROOMY = 80;

/** Short labels that face the eye, written on one picture. */
export class Labels {
  constructor(THREE, most) {
    this.THREE = THREE;
    this.most = most;
    const geometry = new THREE.InstancedBufferGeometry();
    geometry.setAttribute(
      "position",
      new THREE.Float32BufferAttribute([-1, -0.5, 0, 1, -0.5, 0, 1, 0.5, 0, -1, 0.5, 0], 3),
    );
    geometry.setIndex([0, 1, 2, 0, 2, 3]);
    const many = (name, width) => {
      const attribute = new THREE.InstancedBufferAttribute(new Float32Array(most * width), width);
      geometry.setAttribute(name, attribute);
      return attribute;
    };
    [this.anchors, this.slots] = [many("anchor", 4), many("slot", 2)];
    this.canvas = document.createElement("canvas");
    this.material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      uniforms: { map: { value: null }, grid: { value: new THREE.Vector2(1, 1) } },
      vertexShader: `
        attribute vec4 anchor; attribute vec2 slot; uniform vec2 grid; varying vec2 spot;
        void main() {
          spot = (slot + vec2(position.x * 0.5 + 0.5, 0.5 - position.y)) / grid;
          vec4 at = viewMatrix * vec4(anchor.xyz, 1.0);
          at.xy += position.xy * anchor.w;
          gl_Position = projectionMatrix * at;
        }`,
      fragmentShader: `
        uniform sampler2D map; varying vec2 spot;
        void main() {
          gl_FragColor = texture2D(map, vec2(spot.x, 1.0 - spot.y));
          if (gl_FragColor.a < 0.02) discard;
          #include <colorspace_fragment>
        }`,
    });
    this.mesh = new THREE.Mesh(geometry, this.material);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = 5;
    this.list = [];
  }

  /**
   * Write a list of {text, colour, size, cell | at, pill, rank}; the picture is drawn again only for other
   * labels. Of those with a rank that would overlap, only the highest is visible, of the same the last.
   */
  write(list, font) {
    this.list = list.slice(0, this.most).reverse();
    this.list.sort((a, b) => (b.rank ?? 0) - (a.rank ?? 0));
    this.mesh.geometry.instanceCount = this.list.length;
    const keyOf = ({ text, colour, pill }) => `${text}|${colour}|${pill ?? ""}`;
    const keys = [...new Set(this.list.map(keyOf))];
    const across = Math.max(1, Math.min(16, keys.length));
    const down = Math.max(1, Math.ceil(keys.length / across));
    this.list.forEach((label, i) => {
      const slot = keys.indexOf(keyOf(label));
      this.slots.setXY(i, slot % across, Math.floor(slot / across));
    });
    this.slots.needsUpdate = true;
    const content = keys.join("\n") + font;
    if (content === this.content) return;
    this.content = content;
    Object.assign(this.canvas, { width: across * SLOT[0], height: down * SLOT[1] });
    const pen = this.canvas.getContext("2d");
    Object.assign(pen, { font: `600 42px ${font}`, textAlign: "center", textBaseline: "middle" });
    keys.forEach((key, slot) => {
      const [text, colour, pill] = key.split("|");
      const x = ((slot % across) + 0.5) * SLOT[0];
      const y = (Math.floor(slot / across) + 0.5) * SLOT[1];
      if (pill) {
        pen.fillStyle = pill;
        pen.beginPath();
        pen.roundRect(x - 30, y - 29, 60, 58, 18);
        pen.fill();
      }
      pen.fillStyle = colour;
      pen.fillText(text, x, y + 3, SLOT[0] - 4);
    });
    this.material.uniforms.map.value?.dispose();
    const texture = new this.THREE.CanvasTexture(this.canvas);
    texture.colorSpace = this.THREE.SRGBColorSpace;
    texture.anisotropy = 4;
    this.material.uniforms.map.value = texture;
    this.material.uniforms.grid.value.set(across, down);
  }

  pose({ points, sizes }, eye) {
    const to = this.anchors.array;
    const placed = [];
    this.list.forEach(({ cell, at, size, text, rank }, i) => {
      const [from, of, big] = cell == null ? [at, 0, 1] : [points, 3 * cell, sizes[cell]];
      for (let k = 0; k < 3; k++) to[4 * i + k] = from[of + k];
      if (cell != null) to[4 * i + 1] += 0.05 * big;
      to[4 * i + 3] = size * big;
      if (rank == null) return;
      to[4 * i + 3] *= Math.min(1, ROOMY * eye.dot);
      const [right, up, away] = eye.project(from[of], from[of + 1], from[of + 2]);
      const unit = to[4 * i + 3] / (away * LENS);
      const box = [right, up, (LETTER * text.length * unit) / eye.aspect, TALL * unit];
      const covers = (other) =>
        [0, 1].every((k) => Math.abs(other[k] - box[k]) < other[k + 2] + box[k + 2]);
      if (placed.some(covers)) to[4 * i + 3] = 0;
      else placed.push(box);
    });
    this.anchors.needsUpdate = true;
  }
}
