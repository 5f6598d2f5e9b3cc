// The view in space: stones of light and shade in layers of glass, drawn only when something changes.
/** @import { Geometry } from "../lib/layout.js" */

import { faceOf } from "../lib/face.js";
import { ARROWS } from "../lib/keys.js";
import { layersOf } from "../lib/layers.js";
import { FREE, stepsOf } from "../lib/lines.js";
import { reducedMotion } from "../lib/stones.js";
import {
  ANGLES,
  Eye,
  LENS,
  LIFT,
  PLATE,
  SpaceLayout,
  ROD,
  TILTS,
  nearestTo,
  pick,
} from "../lib/projection.js";
import { stepAlong } from "../lib/layout.js";
import { Solids, Sticks, Labels, hatchOf, plateOf, shadeOf, solidOf, tileOf } from "./solids.js";

// Side of a tile; how pale the last cube of a tesseract is; milliseconds of each movement.
const TILE = 0.92;
const PALE = 0.3;
const TIMES = { land: 120, fall: 180, turn: 220, unfold: 900, line: 1500 };

/** Share by which the farthest cells fade into the ground. */
export const HAZE = 0.2;

export class SpaceBoard {
  /**
   * Make the view in an element; resolves to null where the browser has no WebGL.
   * @type {(root: HTMLElement, geometry: Geometry, boards: {play: Function, hover: Function, target: Function}) => Promise<SpaceBoard | null>}
   */
  static async make(root, geometry, boards) {
    const { THREE } = await import("three");
    try {
      return new SpaceBoard(THREE, root, geometry, boards);
    } catch {
      return null;
    }
  }

  constructor(THREE, root, geometry, boards) {
    Object.assign(this, { THREE, root, geometry, boards });
    this.layout = new SpaceLayout(geometry);
    this.home = this.layout.home();
    this.view = { ...this.home, zoom: 1, pan: [0, 0], mode: "cubes", fold: 0, explode: 1, spin: 0 };
    this.eye = new Eye();
    this.tweens = [];
    this.guides = [];
    this.currentLine = 0;
    this.renderer = new THREE.WebGLRenderer({ antialias: true, alpha: true });
    this.renderer.setPixelRatio(Math.min(window.devicePixelRatio || 1, 2));
    this.probe = document.createElement("i");
    this.probe.hidden = true;
    root.replaceChildren(this.renderer.domElement, this.probe);
    this.camera = new THREE.PerspectiveCamera((2 * Math.atan(LENS) * 180) / Math.PI, 1, 0.5, 400);
    this.scene = new THREE.Scene();
    this.scene.fog = new THREE.Fog(0, 1, 2);
    this.schemes = ["(prefers-color-scheme: dark)", "(forced-colors: active)"].map((query) =>
      window.matchMedia(query),
    );
    this.build();
    this.readColours();
    this.controls();
    this.watcher = new ResizeObserver(() => this.resize());
    for (const element of [root, root.parentElement]) this.watcher.observe(element);
    this.recolour = () => {
      this.readColours();
      if (this.position) this.paint(this.position);
    };
    for (const scheme of this.schemes) scheme.addEventListener("change", this.recolour);
    window.addEventListener("oxo-theme", this.recolour);
    this.resize();
  }

  // Objects to draw.

  build() {
    const { THREE } = this;
    const { cells, players } = this.geometry;
    const { roles } = this.layout;
    const lit = (more = {}) =>
      new THREE.MeshPhongMaterial({ shininess: 70, specular: 0x3a3a3a, ...more });
    const plain = (more) => new THREE.MeshBasicMaterial({ side: THREE.DoubleSide, ...more });
    const glass = { transparent: true, depthWrite: false };
    const pane = [plain({ ...glass, opacity: 0.78 }), lit({ ...glass, opacity: 0.6 })];
    const many = (solid, material, more) => new Solids(THREE, solid, material, cells, more);
    const solids = Array.from({ length: players }, (_, i) => solidOf(THREE, i + 1));
    const pale = () => lit({ transparent: true, opacity: 0.5 });
    const above = { polygonOffset: true, polygonOffsetFactor: -2, polygonOffsetUnits: -4 };
    this.fill = many(plateOf(THREE, TILE, PLATE), pane, { order: 1 });
    this.border = many(new THREE.BufferGeometry(), plain(above));
    this.hatch = many(hatchOf(THREE, TILE), plain(), { order: 1, lift: 0.006 });
    this.shade = many(shadeOf(THREE), plain({ ...glass, vertexColors: true, fog: false }), {
      order: 2,
      lift: 0.012,
    });
    // Stones are drawn twice, and again after the glass: so they show through a plate before them.
    const glazed = [lit(), lit({ transparent: true, opacity: 0.5, depthWrite: false })];
    const upright = { lift: LIFT, facesEye: true };
    this.stones = solids.map((solid) => many(solid, glazed, { ...upright, order: 3 }));
    this.ghosts = solids.map((solid) => many(solid, pale(), { ...upright, order: 4 }));
    this.strokes = new Sticks(THREE, lit({ shininess: 20, transparent: true }), 512, { order: 3 });
    this.lines = new Sticks(THREE, lit({ transparent: true, opacity: 0.75 }), 512, { order: 3 });
    this.rods = new Sticks(THREE, lit({ emissive: 0x45423a }), cells, { lift: 0 });
    this.edges = new Sticks(THREE, plain(), roles.outer.length === 1 ? 4 * cells : 1, { lift: 0 });
    this.labels = new Labels(THREE, 2 * cells);
    this.light = new THREE.DirectionalLight(0xffffff, 2.1);
    this.light.position.set(-3, 6, 4);
    this.camera.add(this.light, this.light.target);
    /** Choices made again for every position. */
    this.dressed = [
      this.shade,
      ...this.stones,
      ...this.ghosts,
      this.strokes,
      this.lines,
      this.rods,
      this.edges,
    ];
    this.parts = [this.fill, this.border, this.hatch, ...this.dressed, this.labels];
    this.scene.add(
      ...this.parts.map(({ mesh }) => mesh),
      this.camera,
      new THREE.HemisphereLight(0xffffff, 0xb8b0a4, 1.7),
    );
    // Glass is drawn from the lowest layer up.
    this.tiles = Array.from({ length: cells }, (_, cell) => cell);
    this.layout.place(this.view);
    this.tiles.sort((a, b) => this.layout.points[3 * a + 1] - this.layout.points[3 * b + 1]);
    const white = new THREE.Color(1, 1, 1);
    for (const cell of this.tiles)
      for (const many of [this.fill, this.border]) many.add(cell, white);
    this.hues = [];
    for (const { hue, cells: inside } of layersOf(this.geometry))
      for (const cell of inside) this.hues[cell] = hue;
  }

  /** Axis of the board that points upwards, if stones fall along it. */
  get falling() {
    const { up } = this.layout.roles;
    return up != null && this.geometry.gravity === up ? up : null;
  }

  /** A colour as the page has it, whatever way it is given there; none is translucent. */
  css(value) {
    this.probe.style.color = value;
    return getComputedStyle(this.probe).color.replace(/rgba\((.*),[^,]*\)/, "rgb($1)");
  }

  /** A colour of the page by its name, read once. */
  colour(name) {
    return (this.colours[name] ??= new this.THREE.Color(this.css(`var(--${name})`)));
  }

  /** A mixture of two colours, until the next is asked for. */
  mixed(name, other, share) {
    return this.pen.copy(this.colour(name)).lerp(this.colour(other), share);
  }

  readColours() {
    this.forced = this.schemes[1].matches;
    this.colours = {};
    this.pen = new this.THREE.Color();
    this.scene.fog.color.copy(this.colour("card"));
  }

  // Appearance of the position.

  paint(position) {
    const before = this.position;
    this.position = position;
    const { fresh } = position;
    if (before && fresh != null && before.owner[fresh] === FREE && position.owner[fresh] !== FREE)
      this.arrive(fresh);
    const key = JSON.stringify((position.strokes ?? []).map(({ cells }) => cells));
    if (key !== this.strokeKey) {
      this.strokeKey = key;
      this.showLine(Math.max(0, (position.strokes?.length ?? 0) - 1));
    }
    this.dress();
  }

  /** A stone falls along its rod, or settles. */
  arrive(cell) {
    const flight = (this.flight = { cell, above: 0, scale: 1 });
    const drop = this.falling != null ? this.layout.half + 1 - this.layout.points[3 * cell + 1] : 0;
    this.tween(drop ? TIMES.fall : TIMES.land, (done) => {
      if (drop) flight.above = drop * (1 - done * done);
      else flight.scale = 1.35 - 0.35 * done;
      if (done === 1 && this.flight === flight) this.flight = null;
    });
  }

  /** Show one of several lines; after a while the next. */
  showLine(number) {
    const count = this.position.strokes?.length ?? 0;
    clearTimeout(this.waiting);
    this.currentLine = count ? number % count : 0;
    if (count > 1 && !reducedMotion()) this.waiting = setTimeout(() => this.nextLine(), TIMES.line);
  }

  nextLine() {
    this.showLine(this.currentLine + 1);
    this.dress();
  }

  /** Choose all stones, sticks, labels and colours. */
  dress() {
    const { position } = this;
    for (const part of this.dressed) part.clear();
    const strokes = position.strokes ?? [];
    const lit = new Set(strokes[this.currentLine]?.cells);
    const labels = [];
    this.taken = [];
    const write = (cell, text, colour, size, best) => {
      const rank = cell === this.pointed ? 2 : best ? 1 : 0;
      labels.push({ cell, text, colour: this.css(`var(--${colour})`), size, rank });
    };
    const ghostly = (player, cell, size) =>
      this.ghosts[player - 1].add(cell, this.colour(`p${player}`), size);
    this.faces = Array.from(position.owner, (_, cell) => faceOf(position, cell));
    for (const { cell, stone, label, ghost, aims, number } of this.faces) {
      if (stone) {
        const pale =
          strokes.length && !lit.has(cell) ? 0.3 + 0.25 * this.view.fold : this.paleness(cell);
        this.stones[stone - 1].add(cell, this.mixed(`p${stone}`, "card", pale));
        this.shade.add(cell, this.colour("shade"));
        this.taken.push(cell);
      } else if (ghost) ghostly(ghost.player, cell);
      else if (label) write(cell, label.text, "ink", label.best ? 0.46 : 0.36, label.best);
      else if (aims) ghostly([...aims][0], cell, 0.55);
      else if (number) write(cell, String(cell), "soft", 0.34);
      if (ghost?.step) write(cell, String(ghost.step), "ink", 0.36);
    }
    const targeted = this.boards.target(this.pointed ?? null);
    const open = targeted != null && this.faces[targeted].legal && !this.faces[targeted].ghost;
    this.targeted = open ? targeted : null;
    if (open && position.mover) ghostly(position.mover, targeted);
    for (const { cells, live } of this.guides) {
      const colour = live ? this.colour("ring") : this.mixed("soft", "card", 0.5);
      this.draw(this.lines, cells, colour, live ? 0.03 : 0.015);
    }
    strokes.forEach(({ cells, player }, number) => {
      const now = number === this.currentLine;
      const colour = this.mixed(`p${player}`, "card", now ? 0 : 0.5);
      this.draw(this.strokes, cells, colour, now ? 0.075 : 0.025);
    });
    this.frames();
    for (const { text, layer, cell, at } of this.view.fold < 0.5 ? this.layout.labels : []) {
      const bare = layer == null || this.forced;
      const hue = `hsl(${this.hues[cell]} 70% 50%)`;
      const tint = bare ? null : `color-mix(in srgb, ${hue} 26%, var(--card))`;
      labels.push({
        at,
        text,
        pill: tint && this.css(tint),
        colour: this.css(`var(--${bare ? "soft" : "ink"})`),
        size: layer == null ? 0.5 : 0.38,
      });
    }
    this.labels.write(labels, getComputedStyle(this.root).fontFamily);
    this.tint();
  }

  /** Draw a line from cell to cell. */
  draw(sticks, cells, colour, width) {
    for (const [from, to] of stepsOf(this.layout.shape, cells)) sticks.add(from, to, colour, width);
  }

  /** Paleness of a cell by its place along the fourth axis of a tesseract. */
  paleness(cell) {
    if (!this.view.fold) return 0;
    const { coords, shape, roles } = this.layout;
    const [axis] = roles.outer;
    return (this.view.fold * PALE * coords[cell][axis]) / Math.max(1, shape[axis] - 1);
  }

  /** Rods under gravity, and the edges of a tesseract, a colour for each axis. */
  frames() {
    const { roles, shape, coords } = this.layout;
    const { cells } = this.geometry;
    const { falling } = this;
    if (falling != null && this.view.fold === 0) {
      const height = stepAlong(shape, falling) * (shape[falling] - 1);
      for (let cell = 0; cell < cells; cell++) {
        if (!coords[cell][falling])
          this.rods.add(cell, cell + height, this.colour("rule"), 0.035, ROD);
      }
    }
    if (this.view.fold === 0) return;
    [roles.right, roles.front, roles.up, roles.outer[0]].forEach((axis, number) => {
      for (let cell = 0; cell < cells; cell++) {
        if (coords[cell][axis] + 1 === shape[axis]) continue;
        const colour = this.mixed(`axis${number + 1}`, "card", this.paleness(cell));
        this.edges.add(cell, cell + stepAlong(shape, axis), colour, 0.022);
      }
    });
  }

  tint() {
    const usual = this.geometry.gravity != null ? "ink" : "tile-rule";
    this.hatch.clear();
    this.tiles.forEach((cell, i) => {
      let [colour, rule, pale] = ["cell", "tile-rule", 0];
      const { legal, blocked, tone, guess, danger, last, glow, hint, wrong } = this.faces[cell];
      if (legal) rule = usual;
      if (blocked) colour = "rule";
      if (tone) colour = tone;
      if (guess) this.hatch.add(cell, this.colour("cell"));
      if (danger) rule = "loss";
      if (last) [colour, rule] = ["last-tile", "ink"];
      if (glow) [colour, pale] = ["glow", 0.3];
      if (hint) [colour, pale] = ["glow", 0];
      if (wrong) [colour, rule, pale] = ["loss", "loss", 0.5];
      if (cell === this.pointed) rule = "ink";
      if (cell === this.targeted) rule = `p${this.position.mover}`;
      this.fill.mesh.setColorAt(i, this.mixed(colour, "cell", pale));
      this.border.mesh.setColorAt(i, this.colour(rule));
    });
    this.fill.mesh.instanceColor.needsUpdate = this.border.mesh.instanceColor.needsUpdate = true;
    this.move();
  }

  /** Draw the lines through a cell, and its outline; null for none. */
  highlight(guides, pointed) {
    [this.guides, this.pointed] = [guides, pointed];
    if (this.position) this.dress();
  }

  // Positions of all objects, and the camera.

  /** Something has moved: lay out and draw before the next picture is shown. */
  move() {
    this.stale = true;
    this.frameRequest ??= requestAnimationFrame((time) => this.frame(time));
  }

  frame(time = performance.now()) {
    this.frameRequest = null;
    for (const tween of this.tweens) {
      tween.begun ??= time;
      tween.done = Math.min(1, (time - tween.begun) / tween.time);
      tween.step(tween.done);
    }
    this.tweens = this.tweens.filter(({ done }) => done < 1);
    if (this.tweens.length) this.move();
    if (this.stale && this.position) this.pose();
    this.renderer.render(this.scene, this.camera);
  }

  /** Return the view, on its ground, as PNG. */
  picture() {
    this.frame();
    const { width, height } = this.renderer.domElement;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    const pen = canvas.getContext("2d");
    pen.fillStyle = getComputedStyle(this.root.parentElement).backgroundColor;
    pen.fillRect(0, 0, width, height);
    pen.drawImage(this.renderer.domElement, 0, 0);
    return new Promise((done) => canvas.toBlob(done, "image/png"));
  }

  /** Call `step` with 0 to 1 for a time; where nothing may move, with 1 at once. */
  tween(time, step) {
    if (reducedMotion()) step(1);
    else this.tweens.push({ time, step, done: 0 });
    this.move();
  }

  /** Put everything where it belongs; makes few objects, for it is done for every picture. */
  pose() {
    this.stale = false;
    const { layout, eye } = this;
    this.aim();
    for (const part of this.parts) part.pose(layout, eye, this.flight);
    this.thickness();
  }

  aim() {
    const { layout, eye, camera, view } = this;
    layout.place(view);
    const aspect = this.size.width / this.size.height;
    const fitted = layout.fit(aspect);
    const distance = Math.max(2, fitted.distance / view.zoom);
    const pan = view.pan.map((by, i) => by + fitted.pan[i]);
    this.farthest = fitted.distance * LENS * Math.max(1, aspect);
    eye.orient({ turn: view.turn, tilt: view.tilt, pan, distance, aspect });
    eye.dot = (2 * LENS * distance) / this.size.height;
    camera.aspect = aspect;
    camera.position.fromArray(eye.from);
    camera.up.fromArray(eye.up);
    camera.lookAt(...eye.from.map((at, i) => at - eye.back[i]));
    const { depth } = layout;
    camera.near = Math.max(0.5, distance - 1.5 * depth - 1);
    camera.far = distance + 2 * depth + 1;
    camera.updateProjectionMatrix();
    camera.updateMatrixWorld();
    this.scene.fog.near = distance - depth;
    this.scene.fog.far = distance - depth + (2 * depth) / HAZE;
  }

  /** Borders keep their width in points of the screen, as far as it goes. */
  thickness() {
    const width = Math.min(0.1, Math.max(0.02, 1.7 * this.eye.dot));
    if (Math.abs(width / (this.width ?? 1e9) - 1) < 0.2) return;
    this.width = width;
    this.border.mesh.geometry.dispose();
    this.border.mesh.geometry = tileOf(this.THREE, TILE, width);
  }

  set({ mode, ...view }) {
    Object.assign(this.view, view);
    if (mode && mode !== this.view.mode) {
      this.view.mode = mode;
      const [from, to] = [this.view.fold, mode === "tesseract" ? 1 : 0];
      this.tween(TIMES.unfold, (done) => {
        this.view.fold =
          from + (to - from) * (done < 0.5 ? 2 * done * done : 1 - 2 * (1 - done) ** 2);
        this.resize();
        if (this.position) this.dress();
      });
    }
    this.move();
  }

  resize() {
    const sheet = this.root.parentElement;
    const style = getComputedStyle(sheet);
    // The sheet may be narrower than before, and the canvas too wide for it.
    const width = sheet.clientWidth - 2 * parseFloat(style.paddingLeft) || 300;
    const most = Math.min(window.innerHeight * 0.72, width * 1.45);
    const filled = style.getPropertyValue("--fill") === "1";
    const free = Math.max(sheet.clientHeight - 2 * parseFloat(style.paddingTop), 60);
    const aspect = width / (filled ? free : most);
    if (aspect !== this.shaped) {
      this.layout.arrange((this.shaped = aspect));
      if (this.position) this.dress();
    }
    this.layout.place({ ...this.view, ...this.layout.home() });
    const height = Math.round(
      filled ? free : Math.min(Math.max(width / this.layout.aspect, 220), most),
    );
    if (this.size?.width === width && this.size.height === height) return;
    this.size = { width, height };
    const { view } = this;
    const still = view.turn === this.home.turn && view.tilt === this.home.tilt;
    this.home = this.layout.home(width / height);
    if (still) Object.assign(view, this.home);
    this.renderer.setSize(width, height);
    this.move();
  }

  // Fingers, mouse and keys.

  spot(x, y) {
    const frame = this.renderer.domElement.getBoundingClientRect();
    return [((x - frame.left) / frame.width) * 2 - 1, 1 - ((y - frame.top) / frame.height) * 2];
  }

  /** The cell under a point of the page, or null. */
  cellAt(x, y) {
    this.aim();
    if (this.view.fold > 0.5) return nearestTo(this.eye, this.spot(x, y), this.layout);
    return pick(this.eye, this.spot(x, y), this.layout, this.taken);
  }

  controls() {
    const canvas = this.renderer.domElement;
    canvas.tabIndex = 0;
    canvas.setAttribute("role", "img");
    const pointers = new Map();
    let [moved, apart, middle, pressed] = [0, 0, null, -Infinity];
    canvas.addEventListener("contextmenu", (event) => event.preventDefault());
    canvas.addEventListener("pointerdown", (event) => {
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      canvas.setPointerCapture(event.pointerId);
      moved = pointers.size === 1 ? 0 : Infinity; // two fingers zoom and play nothing
      apart = 0;
    });
    canvas.addEventListener("pointermove", (event) => {
      const before = pointers.get(event.pointerId);
      if (!before) {
        if (event.pointerType !== "touch")
          this.boards.hover(this.cellAt(event.clientX, event.clientY));
        return;
      }
      const [dx, dy] = [event.clientX - before[0], event.clientY - before[1]];
      pointers.set(event.pointerId, [event.clientX, event.clientY]);
      moved += Math.abs(dx) + Math.abs(dy);
      if (pointers.size === 2) {
        const [a, b] = [...pointers.values()];
        const wide = Math.hypot(a[0] - b[0], a[1] - b[1]);
        const centre = [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
        if (apart) {
          this.scale(wide / apart);
          this.pan(centre[0] - middle[0], centre[1] - middle[1]);
        }
        [apart, middle] = [wide, centre];
      } else if (moved > 4) {
        if (event.buttons & 2 || event.shiftKey) this.pan(dx, dy);
        else this.rotate(-dx * 0.008, dy * 0.006);
      }
    });
    const up = (event) => {
      const known = pointers.delete(event.pointerId);
      const slip = event.pointerType === "touch" ? 12 : 6;
      const pressing = known && event.type === "pointerup" && event.button <= 0;
      if (!pressing || moved > slip || pointers.size) return;
      // The second press of a double one means nothing.
      const again = event.timeStamp - pressed < 350;
      pressed = event.timeStamp;
      const cell = again ? null : this.cellAt(event.clientX, event.clientY);
      if (cell != null) this.boards.play(cell);
    };
    canvas.addEventListener("pointerup", up);
    canvas.addEventListener("pointercancel", up);
    canvas.addEventListener("pointerleave", () => this.boards.hover(null));
    canvas.addEventListener(
      "wheel",
      (event) => {
        if (!event.ctrlKey && document.activeElement !== canvas) return;
        event.preventDefault();
        this.scale(Math.exp(-event.deltaY * 0.0012));
      },
      { passive: false },
    );
    canvas.addEventListener("keydown", (event) => {
      const arrow = ARROWS[event.key];
      const angle = { 0: "home", Home: "home", 1: "top", 2: "front", 3: "side" }[event.key];
      if (event.altKey || event.ctrlKey || event.metaKey) return;
      if (event.key === "+" || event.key === "=") this.scale(1.15);
      else if (event.key === "-") this.scale(1 / 1.15);
      else if (arrow && event.shiftKey) this.pan(24 * arrow[0], 20 * arrow[1]);
      else if (arrow) this.rotate(-0.12 * arrow[0], -0.1 * arrow[1]);
      else if (angle) this.go(angle);
      else return;
      event.preventDefault();
      event.stopPropagation();
    });
  }

  rotate(turn, tilt) {
    this.view.turn += turn;
    this.view.tilt = Math.min(TILTS[1], Math.max(TILTS[0], this.view.tilt + tilt));
    this.move();
  }

  scale(by) {
    this.view.zoom = Math.min(6, Math.max(0.5, this.view.zoom * by));
    this.move();
  }

  /** Move the picture by points of the screen. */
  pan(dx, dy) {
    const { dot } = this.eye;
    const most = this.farthest;
    this.view.pan = [dx, -dy].map((v, i) =>
      Math.min(most, Math.max(-most, this.view.pan[i] + v * dot)),
    );
    this.move();
  }

  /** Turn to a view that has a name; the whole board is seen there. */
  go(name) {
    const { turn, tilt, zoom, pan } = this.view;
    const to = ANGLES[name] ?? this.home;
    const round = 2 * Math.PI;
    const by = ((((to.turn - turn) % round) + 1.5 * round) % round) - round / 2;
    this.tween(TIMES.turn, (done) => {
      const eased = done * (2 - done);
      Object.assign(this.view, {
        turn: turn + by * eased,
        tilt: tilt + (to.tilt - tilt) * eased,
        zoom: zoom ** (1 - eased),
        pan: pan.map((by) => by * (1 - eased)),
      });
    });
  }

  close() {
    clearTimeout(this.waiting);
    cancelAnimationFrame(this.frameRequest);
    this.watcher.disconnect();
    for (const scheme of this.schemes) scheme.removeEventListener("change", this.recolour);
    window.removeEventListener("oxo-theme", this.recolour);
    this.scene.traverse(({ geometry, material }) => {
      geometry?.dispose();
      for (const part of [material].flat()) part?.dispose();
    });
    this.renderer.dispose();
  }
}
