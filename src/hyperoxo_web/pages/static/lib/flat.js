// The flat view: one real button a cell, updated only where something has changed.
import { layersOf } from "./layers.js";
import { FREE, BLOCKED, stepsOf } from "./lines.js";
import { NAMES, SVG, stone, toneOf } from "./marks.js";
import { cellName } from "./names.js";
import { HEAD, along, beside, fit, shapeOf } from "./plan.js";

// How keys move the focus: an arrow to what lies there, others from layer to layer, or farther.
const ARROWS = {
  ArrowLeft: [true, -1],
  ArrowRight: [true, 1],
  ArrowUp: [false, -1],
  ArrowDown: [false, 1],
};
const LAYERS = { PageUp: [true, 1], PageDown: [true, -1], Home: [false, -1], End: [false, 1] };

// Numbers of lines written in a cell; its label has all.
const MOST_COUNTED = 3;

// On touch, cells smaller than this ask for a second press: the first shows where the stone would be.
const FINGER = 34;

/** Milliseconds that lines of a cell stay after the pointer has left it. */
export const LINGER = 300;

// How much of a toy the frame leaves for its cells.
const FRAMED = 0.95;

export class FlatBoard {
  /**
   * @param {HTMLElement} root element to fill
   * @param {import("./plan.js").Geometry} geometry
   * @param {{play: Function, hover: Function, target: Function}} on called with a cell
   * @param {{most?: number, least?: number, height?: number}} [limits] sizes of cells in pixels, and
   *   the share of the window's height where the page gives none
   */
  constructor(root, geometry, on, limits = {}) {
    this.root = root;
    this.geometry = geometry;
    this.on = on;
    this.limits = { least: 26, height: 0.74, ...limits };
    this.buttons = [];
    this.drawn = [];
    this.guides = [];
    this.current = 0;
    this.aimed = this.armed = null;
    this.build();
    this.watcher = new ResizeObserver(() => this.place());
    this.watcher.observe(root.parentElement ?? root);
    this.place();
  }

  build() {
    const all = document.createDocumentFragment();
    this.layers = layersOf(this.geometry).map((layer) => {
      const panel = document.createElement("span");
      panel.className = "layer";
      panel.setAttribute("aria-hidden", "true");
      panel.style.setProperty("--hue", layer.hue);
      panel.textContent = layer.name;
      all.append(panel);
      return { ...layer, panel };
    });
    this.column = document.createElement("i");
    this.column.className = "column";
    this.column.hidden = true;
    [this.lines, this.paths] = ["strokes", "strokes guides"].map((kind) => {
      const svg = document.createElementNS(SVG, "svg");
      svg.setAttribute("class", kind);
      svg.setAttribute("aria-hidden", "true");
      return svg;
    });
    for (let cell = 0; cell < this.geometry.cells; cell++) {
      const button = document.createElement("button");
      button.type = "button";
      button.className = "cell";
      button.dataset.cell = cell;
      button.tabIndex = -1;
      this.buttons.push(button);
      this.drawn.push("");
      all.append(button);
    }
    all.append(this.column, this.lines, this.paths);
    this.root.replaceChildren(all);
    this.root.classList.add("flat-board");
    this.root.classList.toggle("gravity", this.geometry.gravity != null);
    this.root.classList.toggle("toy", this.toy);
    this.root.addEventListener("click", (event) => {
      const cell = this.cellOf(event);
      if (cell == null) return;
      this.focus(cell, false);
      const target = this.on.target(cell);
      const sure = event.pointerType !== "touch" || this.unit >= FINGER || target === this.armed;
      if (target == null || sure) this.on.play(cell);
      else {
        clearTimeout(this.leaving); // the finger has left, the stone that it points at stays
        this.aim(target);
      }
    });
    this.root.addEventListener("pointerdown", () => (this.armed = this.aimed));
    this.root.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.point(this.cellOf(event));
    });
    this.root.addEventListener("pointerleave", () => this.point(null));
    this.root.addEventListener("focusin", (event) => {
      if (event.target.matches(":focus-visible")) this.point(this.cellOf(event));
    });
    this.root.addEventListener("focusout", () => this.point(null));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.current = Math.max(
      0,
      this.buttons.findIndex((_, cell) => !this.isBlocked(cell)),
    );
    this.buttons[this.current].tabIndex = 0;
  }

  /** Point at a cell; what was drawn for the last one lingers a little after the pointer has left. */
  point(cell) {
    clearTimeout(this.leaving);
    if (cell != null) this.on.hover(cell);
    else this.leaving = setTimeout(() => this.on.hover(null), LINGER);
  }

  /** Whether the board looks like the toy: columns in which stones fall, in one upright layer. */
  get toy() {
    return this.geometry.shape?.length === 2 && this.geometry.gravity === 0;
  }

  isBlocked(cell) {
    return this.geometry.blocked.includes(cell);
  }

  cellOf(event) {
    const button = event.target.closest?.(".cell");
    return button ? Number(button.dataset.cell) : null;
  }

  place() {
    const sheet = this.root.parentElement ?? this.root;
    const style = getComputedStyle(sheet);
    const filled = style.getPropertyValue("--fill") === "1";
    const room = [sheet.clientWidth, filled ? sheet.clientHeight : window.innerHeight].join();
    if (!sheet.clientWidth || room === this.placedIn) return;
    this.placedIn = room;
    const inner =
      sheet.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const tall =
      sheet.clientHeight - parseFloat(style.paddingTop) - parseFloat(style.paddingBottom);
    const height = filled ? tall : Math.max(240, window.innerHeight * this.limits.height);
    const { most, least } = this.limits;
    const share = this.toy ? FRAMED : 1;
    const plan = fit(this.geometry, { width: inner * share, height: height * share, most, least });
    const unit = Math.max(4, Math.floor(plan.unit * 4) / 4);
    this.unit = unit;
    this.plan = plan;
    this.root.style.setProperty("--u", `${unit}px`);
    this.root.style.width = `${plan.width * unit}px`;
    this.root.style.height = `${plan.height * unit}px`;
    this.root.classList.toggle("tiny", unit < 22);
    const aside = plan.heads === "aside";
    this.root.classList.toggle("aside", aside);
    for (const { panel, cells } of this.layers) {
      const [left, top] = [plan.x, plan.y].map((at) => Math.min(...cells.map((cell) => at[cell])));
      panel.style.left = `${(left - (aside ? HEAD : 0)) * unit}px`;
      panel.style.top = `${(top - (aside ? 0 : HEAD)) * unit}px`;
    }
    for (const svg of [this.lines, this.paths])
      svg.setAttribute("viewBox", `0 0 ${plan.width} ${plan.height}`);
    this.stroked = this.guided = null;
    if (this.view) this.stroke(this.view);
    this.guide();
    this.buttons.forEach((button, cell) => {
      button.style.left = `${plan.x[cell] * unit}px`;
      button.style.top = `${plan.y[cell] * unit}px`;
    });
  }

  /** Lay out anew for other limits. */
  resize(limits) {
    Object.assign(this.limits, limits);
    this.placedIn = null;
    this.place();
  }

  /**
   * Draw a position.
   *
   * @param view {owner, last, legal, glow, counted, strokes, marks, numbers, threats, ghosts, mover, fresh, links,
   *   danger}
   */
  paint(view) {
    this.view = view;
    this.root.classList.toggle(
      "won",
      view.strokes.some(({ order }) => order != null),
    );
    this.stroke(view);
    for (let cell = 0; cell < this.buttons.length; cell++) {
      const owner = view.owner[cell];
      const mark = view.marks?.get(cell);
      const ghost = view.ghosts?.get(cell);
      const aims = view.threats?.get(cell);
      const key = [
        owner,
        cell === view.last,
        view.legal.has(cell),
        view.glow?.has(cell) ? Object.values(view.glow.get(cell)).join() : "",
        view.danger?.has(cell),
        view.counted?.get(cell)?.join() ?? "",
        mark ? mark.text + mark.kind + mark.best : "",
        ghost ? ghost.player + "." + ghost.step : "",
        aims ? [...aims].join("") : "",
        view.numbers,
        cell === view.hint,
        view.wrong.has(cell),
        view.legal.has(cell) ? view.mover : "",
        cell === this.aimed,
        this.takes(cell, view),
      ].join("|");
      if (key === this.drawn[cell]) continue;
      this.drawn[cell] = key;
      this.draw(cell, { owner, mark, ghost, aims, view });
    }
  }

  draw(cell, { owner, mark, ghost, aims, view }) {
    const button = this.buttons[cell];
    const legal = view.legal.has(cell);
    const classes = ["cell"];
    if (owner === BLOCKED) classes.push("blocked");
    if (legal) classes.push("legal");
    if (cell === view.last) classes.push("last");
    if (view.glow?.has(cell)) classes.push("glow");
    if (view.danger?.has(cell)) classes.push("danger");
    if (cell === view.hint) classes.push("hint");
    if (view.wrong.has(cell)) classes.push("wrong");
    if (mark && owner === FREE) {
      const { tone, guess } = toneOf(mark);
      if (tone) classes.push("worth");
      button.style.setProperty("--tone", `var(--${tone})`);
      if (guess) classes.push("guess");
    }
    button.className = classes.join(" ");
    button.style.setProperty("--own", `var(--p${view.glow?.get(cell)?.player ?? owner})`);
    button.style.setProperty("--order", view.glow?.get(cell)?.order ?? 0);
    const parts = [];
    if (owner !== FREE && owner !== BLOCKED) {
      const fresh = cell === view.fresh ? (this.toy ? "falls" : "settles") : "";
      if (fresh) button.style.setProperty("--drop", this.plan.y[cell] + 1);
      parts.push(stone(owner, fresh));
      if (ghost) parts.push(text("step", ghost.step));
    } else if (ghost) {
      parts.push(stone(ghost.player, "ghost"), text("step", ghost.step));
    } else if (cell === this.aimed) {
      parts.push(stone(view.mover, "ghost"));
    } else if (mark) {
      parts.push(text(`value ${mark.kind}${mark.best ? " best" : ""}`, mark.text));
    } else if (aims) {
      const box = document.createElement("span");
      box.className = "aims";
      for (const player of aims) box.append(stone(player, "aim"));
      parts.push(box);
    } else if (view.numbers && owner === FREE) {
      parts.push(text("number", cell));
    }
    const lines = view.counted?.get(cell);
    if (lines)
      parts.push(
        text(
          "of-lines",
          lines.slice(0, MOST_COUNTED).join(" ") + (lines.length > MOST_COUNTED ? "…" : ""),
        ),
      );
    button.replaceChildren(...parts);
    button.setAttribute("aria-label", this.describe(cell, owner, { mark, aims, view }));
    button.setAttribute("aria-disabled", String(!this.takes(cell, view)));
  }

  /** Whether pressing a cell plays, there or below it. */
  takes(cell, view) {
    return view.legal.has(cell) || (this.geometry.gravity != null && this.on.target(cell) != null);
  }

  /** Show where the stone of the player to move would be; null for nowhere. */
  aim(cell) {
    if (cell === this.aimed) return;
    this.aimed = cell;
    this.column.hidden = cell == null || !this.toy;
    if (!this.column.hidden) this.column.style.left = `${this.plan.x[cell] * this.unit}px`;
    if (this.view) this.paint(this.view);
  }

  /** Draw lines behind the stones, bowed where they go from layer to layer. */
  stroke({ strokes, links = [] }) {
    const all = [...links.map((cells) => ({ cells, player: 0 })), ...strokes];
    const key = JSON.stringify([all, this.unit]);
    if (key === this.stroked || !this.plan) return;
    this.stroked = key;
    this.lines.replaceChildren(
      ...all.flatMap(({ cells, player, order }) => {
        const path = player ? this.path(cells) : this.link(cells);
        const drawn = strokeOf(path, `stroke p${player}${order == null ? "" : " drawn"}`);
        drawn.setAttribute("pathLength", 1);
        drawn.style.setProperty("--order", order ?? 0);
        return drawn;
      }),
    );
  }

  path(cells) {
    const { x, y } = this.plan;
    const half = 0.5 - 1.5 / this.unit;
    const at = (cell) => [x[cell] + half, y[cell] + half];
    const point = ([a, b]) => `${a.toFixed(2)} ${b.toFixed(2)}`;
    return stepsOf(shapeOf(this.geometry), cells)
      .map(([from, to]) => {
        const [[ax, ay], [bx, by]] = [at(from), at(to)];
        const [dx, dy] = [bx - ax, by - ay];
        if (Math.max(Math.abs(dx), Math.abs(dy)) < 1.01)
          return `M${point([ax, ay])}L${point([bx, by])}`;
        const bow = [(ax + bx) / 2 - dy * 0.12, (ay + by) / 2 + dx * 0.12];
        return `M${point([ax, ay])}Q${point(bow)} ${point([bx, by])}`;
      })
      .join("");
  }

  /** A thin line between two cells, which leaves their figures free. */
  link([from, to]) {
    const { x, y } = this.plan;
    const half = 0.5 - 1.5 / this.unit;
    const [dx, dy] = [x[to] - x[from], y[to] - y[from]];
    const free = 0.26 / Math.hypot(dx, dy);
    const bow = Math.hypot(dx, dy) > 1.5 ? 0.2 : 0;
    const point = (share, aside = 0) =>
      `${(x[from] + half + share * dx - aside * dy).toFixed(2)} ${(y[from] + half + share * dy + aside * dx).toFixed(2)}`;
    return `M${point(free, 0.7 * free * bow)}Q${point(0.5, bow)} ${point(1 - free, 0.7 * free * bow)}`;
  }

  describe(cell, owner, { mark, aims, view }) {
    const words = [`Cell ${cellName(this.geometry, cell)}`];
    words.push(owner === FREE ? "free" : owner === BLOCKED ? "blocked" : NAMES[owner]);
    if (cell === view.last) words.push("last move");
    if (mark) words.push(mark.words);
    if (aims) words.push(`completes a line of ${[...aims].map((p) => NAMES[p]).join(" and ")}`);
    if (cell === view.hint) words.push("advised");
    if (view.wrong.has(cell)) words.push("rests on nothing");
    const lines = view.counted?.get(cell);
    if (lines) words.push(`on ${lines.length > 1 ? "lines" : "line"} ${lines.join(", ")}`);
    return words.join(", ");
  }

  /**
   * Draw the outline of a cell and the lines through it.
   *
   * @param {{cells: number[], live: boolean}[]} guides lines; those that are not live are paler
   * @param {number | null} cell
   */
  highlight(guides, cell) {
    [this.guides, this.outlined] = [guides, cell];
    this.guide();
  }

  guide() {
    const { guides, outlined, unit, plan } = this;
    const key = JSON.stringify([guides, outlined, unit]);
    if (key === this.guided || !plan) return;
    this.guided = key;
    this.paths.replaceChildren(
      ...guides.map(({ cells, live }) => strokeOf(this.path(cells), live ? "live" : "")),
    );
    if (outlined == null) return;
    const side = 1 - 3 / unit;
    const box = document.createElementNS(SVG, "rect");
    const [round, x, y] = [this.toy ? side / 2 : 0.13, plan.x[outlined], plan.y[outlined]];
    for (const [name, value] of Object.entries({ x, y, width: side, height: side, rx: round }))
      box.setAttribute(name, value);
    this.paths.append(box);
  }

  focus(cell, move = true) {
    this.buttons[this.current].tabIndex = -1;
    this.current = cell;
    this.buttons[cell].tabIndex = 0;
    if (move) this.buttons[cell].focus({ preventScroll: false });
  }

  key(event) {
    const arrow = ARROWS[event.key];
    const layer = LAYERS[event.key];
    if (!(arrow || layer) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = arrow
      ? beside(this.plan, this.current, ...arrow)
      : along(this.geometry, this.current, event.shiftKey ? 2 : 1, ...layer);
    if (to != null) this.focus(to);
  }

  close() {
    clearTimeout(this.leaving);
    this.watcher.disconnect();
  }
}

function strokeOf(path, kind) {
  const drawn = document.createElementNS(SVG, "path");
  drawn.setAttribute("d", path);
  drawn.setAttribute("class", kind);
  return drawn;
}

function text(kind, words) {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = words;
  return span;
}
