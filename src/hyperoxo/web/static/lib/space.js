// The view in space: cells as tiles, stones that face the eye, drawn only when something changes.
import { FREE, BLOCKED, stepsOf } from "./lines.js";
import { STROKE, pathOf } from "./marks.js";
import { TURN, eyeOf, pick, placer, seen, tiltOf } from "./places.js";
import { coordinates, shapeOf } from "./plan.js";

// Side of a tile, and how much smaller tiles of a projected tesseract are.
const TILE = 0.94;
const SMALL = 0.34;

const css = (name) =>
  getComputedStyle(document.documentElement).getPropertyValue(`--${name}`).trim();

export class SpaceBoard {
  /** Make the view; resolves to null where the browser has no WebGL. */
  static async make(root, geometry, on) {
    const { THREE } = await import("nicegui-scene");
    try {
      return new SpaceBoard(THREE, root, geometry, on);
    } catch {
      return null;
    }
  }

  constructor(THREE, root, geometry, on) {
    this.THREE = THREE;
    this.root = root;
    this.geometry = geometry;
    this.shape = shapeOf(geometry);
    this.on = on;
    this.view = { mode: "cubes", explode: 1, spin: 0.5, turn: TURN, tilt: tiltOf(geometry) };
    this.zoom = 1;
    this.textures = new Map();
    this.near = [];
    this.strong = new Set();
    this.position = null;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    root.replaceChildren(this.renderer.domElement);
    this.scene = new THREE.Scene();
    this.camera = new THREE.OrthographicCamera(-1, 1, 1, -1, 0.1, 400);
    this.moving = new THREE.Group();
    this.scene.add(this.moving);
    this.tiles();
    this.controls();
    this.watcher = new ResizeObserver(() => this.resize());
    this.watcher.observe(root);
    this.scheme = window.matchMedia("(prefers-color-scheme: dark)");
    this.recolour = () => {
      this.textures.clear();
      this.border.material.color.set(css("tile-rule"));
      if (this.position) this.paint(this.position);
    };
    this.scheme.addEventListener("change", this.recolour);
    window.addEventListener("oxo-theme", this.recolour);
    this.resize();
  }

  // Tiles, one instance a cell.

  tiles() {
    const { THREE, geometry } = this;
    const plane = new THREE.PlaneGeometry(TILE, TILE);
    const make = (texture, opacity) =>
      new THREE.InstancedMesh(
        plane,
        new THREE.MeshBasicMaterial({
          map: texture, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false,
        }),
        geometry.cells,
      );
    this.fill = make(this.drawn("tile", (pen) => { box(pen); pen.fillStyle = "#fff"; pen.fill(); }), 0.86);
    this.border = make(
      this.drawn("border", (pen) => {
        box(pen);
        pen.strokeStyle = "#fff";
        pen.lineWidth = 5;
        pen.stroke();
      }),
      1,
    );
    this.border.renderOrder = 1;
    this.fill.frustumCulled = this.border.frustumCulled = false;
    this.border.material.color.set(css("tile-rule"));
    for (let cell = 0; cell < geometry.cells; cell++) this.fill.setColorAt(cell, new THREE.Color(1, 1, 1));
    this.scene.add(this.fill, this.border);
    this.edges = new THREE.LineSegments(
      new THREE.BufferGeometry(),
      new THREE.LineBasicMaterial({ transparent: true, opacity: 0.7 }),
    );
    this.edges.frustumCulled = false;
    this.scene.add(this.edges);
  }

  /** Return a texture drawn on a canvas of 128 by 128 points, once. */
  drawn(name, draw, width = 128) {
    if (!this.textures.has(name)) {
      const canvas = document.createElement("canvas");
      canvas.width = width;
      canvas.height = 128;
      draw(canvas.getContext("2d"));
      const texture = new this.THREE.CanvasTexture(canvas);
      texture.colorSpace = this.THREE.SRGBColorSpace;
      texture.anisotropy = 4;
      this.textures.set(name, texture);
    }
    return this.textures.get(name);
  }

  stoneTexture(player) {
    return this.drawn(`stone${player}`, (pen) => {
      pen.scale(128 / 24, 128 / 24);
      pen.lineWidth = STROKE + 0.6;
      pen.lineCap = pen.lineJoin = "round";
      pen.strokeStyle = css(`p${player}`);
      pen.stroke(new Path2D(pathOf(player)));
    });
  }

  textTexture(text, colour, weight = 650) {
    return this.drawn(`text ${text} ${colour} ${weight}`, (pen) => {
      pen.font = `${weight} 58px ${css("font")}`;
      pen.textAlign = "center";
      pen.textBaseline = "middle";
      pen.fillStyle = css(colour);
      pen.fillText(text, 128, 66, 250);
    }, 256);
  }

  sprite(texture, size, cell, { raise = 0, opacity = 1, wide = 1 } = {}) {
    const { THREE } = this;
    const sprite = new THREE.Sprite(
      new THREE.SpriteMaterial({ map: texture, transparent: true, opacity, depthWrite: false }),
    );
    const whole = this.view.mode === "cubes" ? size : 0.62 * size;
    sprite.scale.set(whole * wide, whole, 1);
    sprite.renderOrder = 4;
    sprite.userData = { cell, raise };
    this.moving.add(sprite);
    return sprite;
  }

  // What the position looks like.

  paint(position) {
    this.position = position;
    for (const child of [...this.moving.children]) {
      child.material.dispose();
      if (child.isMesh) child.geometry.dispose();
      this.moving.remove(child);
    }
    for (let cell = 0; cell < this.geometry.cells; cell++) {
      const owner = position.owner[cell];
      const mark = position.marks?.get(cell);
      const ghost = position.ghosts?.get(cell);
      if (owner !== FREE && owner !== BLOCKED) {
        this.sprite(this.stoneTexture(owner), 0.86, cell, {
          raise: 0.3,
        });
      } else if (ghost) {
        this.sprite(this.stoneTexture(ghost.player), 0.8, cell, { raise: 0.3, opacity: 0.42 });
      } else if (mark) {
        const colour = { win: "win", loss: "loss", draw: "draw" }[mark.kind] ?? "soft";
        this.sprite(this.textTexture(mark.text, colour), 0.62, cell, { raise: 0.16, wide: 2 });
      } else if (position.threats?.has(cell)) {
        const [player] = position.threats.get(cell);
        this.sprite(this.stoneTexture(player), 0.42, cell, { raise: 0.12, opacity: 0.85 });
      } else if (position.numbers && owner === FREE) {
        this.sprite(this.textTexture(String(cell), "soft", 500), 0.5, cell, { raise: 0.1, wide: 2 });
      }
    }
    for (const line of position.strokes ?? []) this.stroke(line.cells, line.player);
    for (const caption of this.placing.captions) {
      const sprite = this.sprite(this.textTexture(caption.text, "soft", 500), 0.95, -1, { wide: 2 });
      sprite.userData.caption = caption.text;
    }
    this.tint();
    this.move();
  }

  stroke(cells, player) {
    const { THREE } = this;
    const material = new THREE.MeshBasicMaterial({ color: css(`p${player}`), transparent: true, opacity: 0.5 });
    for (const [from, to] of stepsOf(this.geometry.shape, cells)) {
      const mesh = new THREE.Mesh(new THREE.CylinderGeometry(0.07, 0.07, 1, 8), material);
      mesh.userData = { from, to };
      mesh.renderOrder = 3;
      this.moving.add(mesh);
    }
  }

  tint() {
    const { THREE, position } = this;
    const [base, near, open, glow, legal, blocked, last] = [
      "cell", "near", "open", "glow", "cell", "rule", "last-tile",
    ].map((name) => new THREE.Color(css(name)));
    const touched = new Set(this.near);
    for (let cell = 0; cell < this.geometry.cells; cell++) {
      let colour = position.legal.has(cell) ? legal : base;
      if (position.owner[cell] === BLOCKED) colour = blocked;
      if (touched.has(cell)) colour = this.strong.has(cell) ? open : near;
      if (cell === position.last) colour = last;
      if (position.glow?.has(cell) || cell === position.hint) colour = glow;
      this.fill.setColorAt(cell, colour);
    }
    this.fill.instanceColor.needsUpdate = true;
    this.draw();
  }

  highlight(cells, strong) {
    this.near = cells;
    this.strong = strong;
    if (this.position) this.tint();
  }

  // Where everything is.

  get placing() {
    const { mode, explode, spin, turn, tilt } = this.view;
    const key = [mode, explode, spin, turn, tilt].join();
    if (key !== this.placedAs) {
      this.placedAs = key;
      this.placed = placer(this.geometry, this.view);
      this.points = Array.from({ length: this.geometry.cells }, (_, cell) => this.placed.point(cell));
    }
    return this.placed;
  }

  move() {
    const { THREE } = this;
    const { captions } = this.placing;
    const flat = this.view.mode === "cubes";
    const eye = eyeOf(this.view.turn, this.view.tilt);
    const facing = new THREE.Matrix4().makeBasis(
      new THREE.Vector3(...eye.right), new THREE.Vector3(...eye.up), new THREE.Vector3(...eye.back),
    );
    const lying = new THREE.Matrix4().makeRotationX(-Math.PI / 2);
    const size = flat ? 1 : SMALL;
    const matrix = new THREE.Matrix4();
    this.points.forEach((at, cell) => {
      matrix.copy(flat ? lying : facing).scale(new THREE.Vector3(size, size, size)).setPosition(...at);
      this.fill.setMatrixAt(cell, matrix);
      this.border.setMatrixAt(cell, matrix);
    });
    this.fill.instanceMatrix.needsUpdate = this.border.instanceMatrix.needsUpdate = true;
    this.fill.computeBoundingSphere();
    for (const child of this.moving.children) {
      const { cell, raise, from, to, caption } = child.userData;
      if (caption != null) {
        child.position.set(...captions.find(({ text }) => text === caption)?.at ?? [0, 0, 0]);
      } else if (from != null) {
        const [a, b] = [from, to].map((end) => {
          const at = new THREE.Vector3(...this.points[end]);
          return flat ? at.addScaledVector(new THREE.Vector3(...eye.up), 0.28) : at;
        });
        child.position.copy(a).lerp(b, 0.5);
        child.scale.set(flat ? 1 : 0.6, a.distanceTo(b), flat ? 1 : 0.6);
        child.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), b.sub(a).normalize());
      } else {
        const [x, y, z] = this.points[cell];
        const up = flat ? raise : 0;
        child.position.set(x + eye.up[0] * up, y + eye.up[1] * up, z + eye.up[2] * up);
      }
    }
    this.lattice(flat);
    this.aim(eye);
    this.draw();
  }

  /** The edges of a projected tesseract. */
  lattice(flat) {
    const { THREE, shape } = this;
    const ends = [];
    if (!flat) {
      let step = 1;
      for (let axis = shape.length - 1; axis >= 0; axis--) {
        this.points.forEach((at, cell) => {
          if (coordinates(cell, shape)[axis] + 1 < shape[axis]) {
            ends.push(...at, ...this.points[cell + step]);
          }
        });
        step *= shape[axis];
      }
      this.edges.material.color.set(css("tile-rule"));
    }
    this.edges.geometry.setAttribute("position", new THREE.Float32BufferAttribute(ends, 3));
    this.edges.visible = !flat;
  }

  aim(eye) {
    const { width, height } = this.placing;
    const aspect = this.size.width / this.size.height;
    const half = Math.max(height / 2, width / 2 / aspect) / this.zoom;
    this.window = [half * aspect, half];
    Object.assign(this.camera, { left: -half * aspect, right: half * aspect, top: half, bottom: -half });
    this.camera.position.set(...eye.back.map((v) => v * 150));
    this.camera.up.set(...eye.up);
    this.camera.lookAt(0, 0, 0);
    this.camera.updateProjectionMatrix();
    this.camera.updateMatrixWorld();
  }

  set(view) {
    Object.assign(this.view, view);
    if (this.position) this.paint(this.position);
  }

  resize() {
    const width = this.root.clientWidth || 300;
    const { width: w, height: h } = this.placing;
    const sheet = this.root.parentElement;
    const filled = sheet && getComputedStyle(sheet).getPropertyValue("--fill") === "1";
    const natural = Math.round(Math.min(Math.max(width * (h / w), 170), window.innerHeight * 0.66, width * 1.2));
    const height = filled ? sheet.clientHeight - 8 : natural;
    if (this.size?.width === width && this.size.height === height) return;
    this.size = { width, height };
    this.renderer.setSize(width, height);
    if (this.position) this.move();
  }

  draw() {
    if (this.waiting) return;
    this.waiting = requestAnimationFrame(() => {
      this.waiting = null;
      this.renderer.render(this.scene, this.camera);
    });
  }

  // Fingers, mouse and keys.

  /** The cell under a point of the page, or null. */
  cellAt(x, y) {
    const frame = this.renderer.domElement.getBoundingClientRect();
    const [half, tall] = this.window;
    const spot = [
      (((x - frame.left) / frame.width) * 2 - 1) * half, (1 - ((y - frame.top) / frame.height) * 2) * tall,
    ];
    const flat = this.view.mode === "cubes";
    const stones = this.moving.children
      .filter((child) => child.isSprite && child.userData.cell >= 0)
      .map(({ position: at, scale, userData }) => ({
        cell: userData.cell, at: [at.x, at.y, at.z], width: scale.x, height: scale.y,
      }));
    return pick(eyeOf(this.view.turn, this.view.tilt), spot, this.points, flat ? TILE : TILE * SMALL, flat, stones);
  }

  /** Where a cell is on the page. */
  pointOf(cell) {
    void this.placing;
    const [right, up] = seen(eyeOf(this.view.turn, this.view.tilt), this.points[cell]);
    const [half, tall] = this.window;
    const frame = this.renderer.domElement.getBoundingClientRect();
    return [frame.left + ((1 + right / half) / 2) * frame.width, frame.top + ((1 - up / tall) / 2) * frame.height];
  }

  controls() {
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    const pointers = new Map();
    let moved = 0;
    let spread = 0;
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      canvas.setPointerCapture(event.pointerId);
      if (pointers.size === 1) moved = 0;
      spread = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch") this.on.hover(this.cellAt(event.clientX, event.clientY));
        return;
      }
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      moved += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()];
        const apart = Math.hypot(a[0] - b[0], a[1] - b[1]);
        if (spread) this.scale(apart / spread);
        spread = apart;
      } else if (moved > 4) {
        this.rotate(-dx * 0.008, event.pointerType === "touch" ? 0 : dy * 0.006);
      }
    });
    const up = (event) => {
      const known = pointers.delete(event.pointerId);
      if (!known || event.type === "pointercancel" || moved > 6) return;
      const cell = this.cellAt(event.clientX, event.clientY);
      if (cell != null) this.on.play(cell);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.on.hover(null));
    canvas.addEventListener("wheel", (event) => {
      if (!event.ctrlKey && document.activeElement !== canvas) return;
      event.preventDefault();
      this.scale(Math.exp(-event.deltaY * 0.0012));
    }, { passive: false });
    canvas.addEventListener("dblclick", () => this.reset());
    canvas.addEventListener("keydown", (event) => {
      const turns = { ArrowLeft: [0.12, 0], ArrowRight: [-0.12, 0], ArrowUp: [0, 0.1], ArrowDown: [0, -0.1] };
      if (event.key === "+" || event.key === "=") this.scale(1.15);
      else if (event.key === "-") this.scale(1 / 1.15);
      else if (turns[event.key]) this.rotate(...turns[event.key]);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  rotate(turn, tilt) {
    this.view.turn += turn;
    this.view.tilt = Math.min(1.5, Math.max(-0.35, this.view.tilt + tilt));
    if (this.position) this.move();
  }

  scale(by) {
    this.zoom = Math.min(6, Math.max(0.5, this.zoom * by));
    if (this.position) this.move();
  }

  reset() {
    Object.assign(this.view, { turn: TURN, tilt: tiltOf(this.geometry) });
    this.zoom = 1;
    if (this.position) this.move();
  }

  close() {
    this.watcher.disconnect();
    this.scheme.removeEventListener("change", this.recolour);
    window.removeEventListener("oxo-theme", this.recolour);
    this.renderer.dispose();
  }
}

function box(pen) {
  pen.beginPath();
  pen.roundRect(4, 4, 120, 120, 16);
}
