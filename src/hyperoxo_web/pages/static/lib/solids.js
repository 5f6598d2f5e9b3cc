// What a board in space is made of, each kind drawn in one go: stones, tiles, sticks and words.
import { LIFT } from "./places.js";
import { STROKE, pathOf } from "./marks.js";

const ROUNDS = 8;
const UNIT = 0.0345;
const THICK = 0.66 * STROKE;

/** Points along one stroke of a mark, the middle at 0; straight stretches need no points between. */
function sampled(stroke) {
  const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
  path.setAttribute("d", stroke);
  const [count, length] = [64, path.getTotalLength()];
  const closed = stroke.endsWith("Z");
  const all = Array.from({ length: closed ? count : count + 1 }, (_, i) => {
    const { x, y } = path.getPointAtLength((length * i) / count);
    return [x - 12, 12 - y];
  });
  return all.filter((at, i) => {
    const [a, b] = [all[i - 1] ?? (closed && all.at(-1)), all[i + 1] ?? (closed && all[0])];
    return (
      !a || !b || Math.abs((at[0] - a[0]) * (b[1] - at[1]) - (at[1] - a[1]) * (b[0] - at[0])) > 1e-3
    );
  });
}

/**
 * The mark of a player as a round tube, upright in the plane of x and y.
 *
 * @param {object} THREE the library
 * @param {number} player
 * @returns {object} a geometry
 */
export function solidOf(THREE, player) {
  const [places, normals, faces] = [[], [], []];
  for (const stroke of pathOf(player).split(/(?=M)/)) {
    const points = sampled(stroke);
    const closed = stroke.endsWith("Z");
    const rings = points.map((at, i) => {
      const [a, b] = [
        points[i - 1] ?? (closed ? points.at(-1) : at),
        points[i + 1] ?? (closed ? points[0] : at),
      ];
      const length = Math.hypot(b[0] - a[0], b[1] - a[1]);
      return { at, along: [(b[0] - a[0]) / length, (b[1] - a[1]) / length], round: 1, ahead: 0 };
    });
    if (!closed) {
      for (const ahead of [0.5, 0.87, 1]) {
        const round = Math.sqrt(1 - ahead * ahead);
        rings.push({ ...rings.findLast((ring) => !ring.ahead), round, ahead });
        rings.unshift({ ...rings.find((ring) => !ring.ahead), round, ahead: -ahead });
      }
    }
    const first = places.length / 3;
    for (const {
      at: [x, y],
      along: [tx, ty],
      round,
      ahead,
    } of rings) {
      for (let k = 0; k < ROUNDS; k++) {
        const [c, s] = [
          Math.cos((2 * Math.PI * k) / ROUNDS) * round,
          Math.sin((2 * Math.PI * k) / ROUNDS) * round,
        ];
        const normal = [-ty * c + tx * ahead, tx * c + ty * ahead, s];
        normals.push(...normal);
        places.push(
          (x + normal[0] * THICK) * UNIT,
          (y + normal[1] * THICK) * UNIT,
          s * THICK * UNIT,
        );
      }
    }
    for (let i = 0; i < rings.length - (closed ? 0 : 1); i++) {
      for (let k = 0; k < ROUNDS; k++) {
        const [a, b] = [first + i * ROUNDS, first + ((i + 1) % rings.length) * ROUNDS];
        const next = (k + 1) % ROUNDS;
        faces.push(a + k, a + next, b + k, b + k, a + next, b + next);
      }
    }
  }
  const geometry = new THREE.BufferGeometry();
  geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
  geometry.setAttribute("normal", new THREE.Float32BufferAttribute(normals, 3));
  return geometry.setIndex(faces);
}

/** A square of rounded corners. */
function rounded(Path, half) {
  const [path, r] = [new Path(), 0.28 * half];
  path.moveTo(-half + r, -half);
  for (const [x, y] of [
    [1, -1],
    [1, 1],
    [-1, 1],
    [-1, -1],
  ]) {
    const [along, across] = [
      [x * (half - r), y * half],
      [x * half, y * (half - r)],
    ];
    const [to, from] = x * y < 0 ? [across, along] : [along, across];
    path.lineTo(...from);
    path.quadraticCurveTo(x * half, y * half, ...to);
  }
  return path;
}

/**
 * The border of a tile that lies flat.
 *
 * @param {object} THREE the library
 * @param {number} side
 * @param {number} width
 * @returns {object} a geometry
 */
export function tileOf(THREE, side, width) {
  const shape = rounded(THREE.Shape, side / 2);
  shape.holes.push(rounded(THREE.Path, side / 2 - width));
  return new THREE.ShapeGeometry(shape, 4).rotateX(-Math.PI / 2);
}

/**
 * A plate below a tile, as thick as glass.
 *
 * @param {object} THREE the library
 * @param {number} side
 * @param {number} depth
 * @returns {object} a geometry
 */
export function plateOf(THREE, side, depth) {
  const shape = rounded(THREE.Shape, side / 2);
  const plate = new THREE.ExtrudeGeometry(shape, { depth, bevelEnabled: false, curveSegments: 4 });
  return plate.rotateX(-Math.PI / 2).translate(0, -depth, 0);
}

/**
 * Slanted stripes over a tile.
 *
 * @param {object} THREE the library
 * @param {number} side
 * @returns {object} a geometry
 */
export function hatchOf(THREE, side) {
  const places = [];
  const half = 0.46 * side;
  for (let at = -0.75; at < 1; at += 0.5) {
    const [a, b] = [at * half * 2 - 0.05, at * half * 2 + 0.05];
    const inside = (offset) => {
      const reach = half - Math.abs(offset) / 2;
      return [
        [offset / 2 - reach, offset / 2 + reach],
        [offset / 2 + reach, offset / 2 - reach],
      ];
    };
    const [[p, q], [r, s]] = [inside(a), inside(b)];
    for (const [x, z] of [p, q, r, q, s, r]) places.push(x, 0, z);
  }
  const geometry = new THREE.BufferGeometry();
  return geometry.setAttribute("position", new THREE.Float32BufferAttribute(places, 3));
}

/** Many of one solid, each at a cell. */
export class Many {
  constructor(THREE, geometry, material, most, { lift = 0, order = 0 } = {}) {
    this.mesh = new THREE.InstancedMesh(geometry, material, most);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.mesh.setColorAt(0, new THREE.Color(1, 1, 1));
    this.cells = new Int32Array(most);
    this.scales = new Float32Array(most);
    this.lift = lift;
    this.clear();
  }

  clear() {
    this.mesh.count = 0;
  }

  add(cell, colour, scale = 1) {
    const i = this.mesh.count++;
    this.cells[i] = cell;
    this.scales[i] = scale;
    this.mesh.setColorAt(i, colour);
    this.mesh.instanceColor.needsUpdate = true;
  }

  /** Put all where they belong, turned alike; one may be in flight: {cell, above, scale}. */
  pose({ points, sizes }, { right, up, back }, flight) {
    const to = this.mesh.instanceMatrix.array;
    for (let i = 0; i < this.mesh.count; i++) {
      const cell = this.cells[i];
      const flying = flight && flight.cell === cell;
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
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

/** Round sticks from cell to cell. */
export class Sticks {
  constructor(THREE, material, most, { order = 0, lift = LIFT } = {}) {
    this.mesh = new THREE.InstancedMesh(new THREE.CylinderGeometry(1, 1, 1, 8, 1), material, most);
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = order;
    this.mesh.setColorAt(0, new THREE.Color(1, 1, 1));
    this.most = most;
    this.all = [];
    this.lift = lift;
    this.clear();
  }

  clear() {
    this.mesh.count = this.all.length = 0;
  }

  /** From one cell to another and, at the end, `over` further. */
  add(from, to, colour, width, over = 0) {
    if (this.mesh.count === this.most) return;
    this.mesh.setColorAt(this.mesh.count++, colour);
    this.mesh.instanceColor.needsUpdate = true;
    this.all.push({ from, to, width, over });
  }

  pose({ points, sizes }) {
    const matrix = this.mesh.instanceMatrix.array;
    for (let i = 0; i < this.all.length; i++) {
      const { from, to, width, over } = this.all[i];
      const a = 3 * from;
      const b = 3 * to;
      const at = 16 * i;
      let x = points[b] - points[a];
      let y = points[b + 1] - points[a + 1];
      let z = points[b + 2] - points[a + 2];
      y += this.lift * (sizes[to] - sizes[from]);
      const length = Math.hypot(x, y, z) || 1;
      const whole = (length + over) / length;
      x *= whole;
      y *= whole;
      z *= whole;
      // A direction across: whatever is at right angles to this one and to the vertical.
      const level = Math.hypot(x, z);
      const cx = level > 1e-6 ? z / level : 1;
      const cz = level > 1e-6 ? -x / level : 0;
      const long = length * whole;
      const thick = width * Math.min(sizes[from], sizes[to]);
      matrix[at] = cx * thick;
      matrix[at + 1] = 0;
      matrix[at + 2] = cz * thick;
      matrix[at + 4] = x;
      matrix[at + 5] = y;
      matrix[at + 6] = z;
      matrix[at + 8] = ((-cz * y) / long) * thick;
      matrix[at + 9] = ((cz * x - cx * z) / long) * thick;
      matrix[at + 10] = ((cx * y) / long) * thick;
      matrix[at + 12] = points[a] + x / 2;
      matrix[at + 13] = points[a + 1] + y / 2 + this.lift * sizes[from];
      matrix[at + 14] = points[a + 2] + z / 2;
      matrix[at + 15] = 1;
    }
    this.mesh.instanceMatrix.needsUpdate = true;
  }
}

const SLOT = [128, 64];

/** Short words that face the eye, written on one picture. */
export class Words {
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
    [this.places, this.slots] = [many("place", 4), many("slot", 2)];
    this.canvas = document.createElement("canvas");
    this.material = new THREE.ShaderMaterial({
      transparent: true,
      depthWrite: false,
      uniforms: { map: { value: null }, grid: { value: new THREE.Vector2(1, 1) } },
      vertexShader: `
        attribute vec4 place; attribute vec2 slot; uniform vec2 grid; varying vec2 spot;
        void main() {
          spot = (slot + vec2(position.x * 0.5 + 0.5, 0.5 - position.y)) / grid;
          vec4 at = viewMatrix * vec4(place.xyz, 1.0);
          at.xy += position.xy * place.w;
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

  /** Write a list of {text, colour, size, cell | at, pill}; the picture is drawn anew only for other words. */
  write(list, font) {
    this.list = list.slice(0, this.most);
    this.mesh.geometry.instanceCount = this.list.length;
    const keys = [
      ...new Set(this.list.map(({ text, colour, pill }) => `${text}|${colour}|${pill ?? ""}`)),
    ];
    const across = Math.max(1, Math.min(16, keys.length));
    const down = Math.max(1, Math.ceil(keys.length / across));
    this.list.forEach(({ text, colour, pill }, i) => {
      const slot = keys.indexOf(`${text}|${colour}|${pill ?? ""}`);
      this.slots.setXY(i, slot % across, Math.floor(slot / across));
    });
    this.slots.needsUpdate = true;
    const drawn = keys.join("\n") + font;
    if (drawn === this.drawn) return;
    this.drawn = drawn;
    Object.assign(this.canvas, { width: across * SLOT[0], height: down * SLOT[1] });
    const pen = this.canvas.getContext("2d");
    Object.assign(pen, { font: `600 42px ${font}`, textAlign: "center", textBaseline: "middle" });
    keys.forEach((key, slot) => {
      const [text, colour, pill] = key.split("|");
      const [x, y] = [
        (slot % across) * SLOT[0] + SLOT[0] / 2,
        Math.floor(slot / across) * SLOT[1] + SLOT[1] / 2,
      ];
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

  pose({ points, sizes }) {
    const to = this.places.array;
    for (let i = 0; i < this.list.length; i++) {
      const { cell, at, size } = this.list[i];
      const from = cell == null ? at : points;
      const of = cell == null ? 0 : 3 * cell;
      const big = cell == null ? 1 : sizes[cell];
      for (let k = 0; k < 3; k++) to[4 * i + k] = from[of + k];
      if (cell != null) to[4 * i + 1] += 0.05 * big;
      to[4 * i + 3] = size * big;
    }
    this.places.needsUpdate = true;
  }
}
