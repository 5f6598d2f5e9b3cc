// The flat view: one real button a cell, updated only where something has changed.
import { FREE, BLOCKED } from "./lines.js";
import { NAMES, stone } from "./marks.js";
import { along, beside, cellName, fit } from "./plan.js";

// How keys move the focus: an arrow to what lies there, others along an axis counted from the last.
const ARROWS = {
  ArrowLeft: [true, -1], ArrowRight: [true, 1], ArrowUp: [false, -1], ArrowDown: [false, 1],
};
const AXES = { PageUp: [3, -1], PageDown: [3, 1], Home: [4, -1], End: [4, 1] };
const FAR = { PageUp: [5, -1], PageDown: [5, 1], Home: [6, -1], End: [6, 1] };

// Numbers of lines written in a cell; its label has all.
const MOST_COUNTED = 3;

export class FlatBoard {
  /**
   * @param root element to fill
   * @param geometry the board
   * @param on {play(cell), hover(cell | null), focus(cell)}
   */
  constructor(root, geometry, on, limits = {}) {
    this.root = root;
    this.geometry = geometry;
    this.on = on;
    this.limits = { most: 88, least: 26, height: 0.74, ...limits };
    this.buttons = [];
    this.drawn = [];
    this.near = [];
    this.current = 0;
    this.build();
    this.watcher = new ResizeObserver(() => this.place());
    this.watcher.observe(root.parentElement ?? root);
    this.place();
  }

  build() {
    const all = document.createDocumentFragment();
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
    this.root.replaceChildren(all);
    this.root.classList.add("flat-board");
    this.root.addEventListener("click", (event) => {
      const cell = this.cellOf(event);
      if (cell == null) return;
      this.focus(cell, false);
      this.on.play(cell);
    });
    this.root.addEventListener("pointerover", (event) => {
      if (event.pointerType !== "touch") this.on.hover(this.cellOf(event));
    });
    this.root.addEventListener("pointerleave", () => this.on.hover(null));
    this.root.addEventListener("focusin", (event) => this.on.hover(this.cellOf(event), true));
    this.root.addEventListener("focusout", () => this.on.hover(null));
    this.root.addEventListener("keydown", (event) => this.key(event));
    this.current = Math.max(0, this.buttons.findIndex((_, cell) => !this.isBlocked(cell)));
    this.buttons[this.current].tabIndex = 0;
  }

  isBlocked(cell) {
    return this.geometry.blocked.includes(cell);
  }

  cellOf(event) {
    const button = event.target.closest?.(".cell");
    return button ? Number(button.dataset.cell) : null;
  }

  place() {
    const width = (this.root.parentElement ?? this.root).clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const style = getComputedStyle(this.root.parentElement ?? this.root);
    const inner = width - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight);
    const height = Math.max(240, window.innerHeight * this.limits.height);
    const { most, least } = this.limits;
    const plan = fit(this.geometry, { width: inner, height, most, least });
    const unit = Math.max(4, Math.floor(plan.unit * 4) / 4);
    this.unit = unit;
    this.plan = plan;
    this.root.style.setProperty("--u", `${unit}px`);
    this.root.style.width = `${plan.width * unit}px`;
    this.root.style.height = `${plan.height * unit}px`;
    this.root.classList.toggle("tiny", unit < 22);
    this.buttons.forEach((button, cell) => {
      button.style.left = `${plan.x[cell] * unit}px`;
      button.style.top = `${plan.y[cell] * unit}px`;
    });
  }

  /** Lay out anew for other limits. */
  resize(limits) {
    Object.assign(this.limits, limits);
    this.width = 0;
    this.place();
  }

  /**
   * Draw a position.
   *
   * @param view {owner, last, legal, glow, counted, marks, numbers, threats, ghosts, mover, fresh, faint}
   */
  paint(view) {
    for (let cell = 0; cell < this.buttons.length; cell++) {
      const owner = view.owner[cell];
      const mark = view.marks?.get(cell);
      const ghost = view.ghosts?.get(cell);
      const aims = view.threats?.get(cell);
      const key = [
        owner, cell === view.last, view.legal.has(cell), view.glow?.get(cell) ?? "", view.counted?.get(cell)?.join() ?? "",
        mark ? mark.text + mark.kind + mark.best : "", ghost ? ghost.player + "." + ghost.step : "",
        aims ? [...aims].join("") : "", view.numbers, cell === view.hint,
        view.legal.has(cell) ? view.mover : "", view.faint?.has(cell),
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
    if (legal) classes.push("legal", `m${view.mover}`);
    if (cell === view.last) classes.push("last");
    if (view.glow?.has(cell)) classes.push("glow", `g${view.glow.get(cell)}`);
    if (cell === view.hint) classes.push("hint");
    if (view.faint?.has(cell)) classes.push("faint");
    if (this.near.includes(cell)) classes.push("near");
    if (this.strong?.has(cell)) classes.push("open");
    button.className = classes.join(" ");
    const parts = [];
    if (owner !== FREE && owner !== BLOCKED) {
      const fresh = cell === view.fresh ? (this.falls() ? "falls" : "settles") : "";
      parts.push(stone(owner, fresh));
      if (ghost) parts.push(text("step", ghost.step));
    } else if (ghost) {
      parts.push(stone(ghost.player, "ghost"), text("step", ghost.step));
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
    if (lines) parts.push(text("of-lines", lines.slice(0, MOST_COUNTED).join(" ") + (lines.length > MOST_COUNTED ? "…" : "")));
    button.replaceChildren(...parts);
    button.setAttribute("aria-label", this.describe(cell, owner, { mark, aims, view }));
    button.setAttribute("aria-disabled", String(!legal));
  }

  falls() {
    const { gravity, shape } = this.geometry;
    return gravity != null && (shape.length - 1 - gravity) % 2 === 1;
  }

  describe(cell, owner, { mark, aims, view }) {
    const words = [`Cell ${cellName(this.geometry, cell)}`];
    words.push(owner === FREE ? "free" : owner === BLOCKED ? "blocked" : NAMES[owner]);
    if (cell === view.last) words.push("last move");
    if (mark) words.push(mark.words);
    if (aims) words.push(`completes a line of ${[...aims].map((p) => NAMES[p]).join(" and ")}`);
    if (cell === view.hint) words.push("advised");
    const lines = view.counted?.get(cell);
    if (lines) words.push(`on ${lines.length > 1 ? "lines" : "line"} ${lines.join(", ")}`);
    return words.join(", ");
  }

  /** Tint the lines through a cell. */
  highlight(cells, strong) {
    for (const cell of this.near) this.buttons[cell].classList.remove("near", "open");
    this.near = [...cells];
    this.strong = strong;
    for (const cell of cells) {
      this.buttons[cell].classList.add("near");
      if (strong.has(cell)) this.buttons[cell].classList.add("open");
    }
  }

  focus(cell, move = true) {
    this.buttons[this.current].tabIndex = -1;
    this.current = cell;
    this.buttons[cell].tabIndex = 0;
    if (move) this.buttons[cell].focus({ preventScroll: false });
  }

  key(event) {
    const arrow = ARROWS[event.key];
    const axis = (event.shiftKey && FAR[event.key]) || AXES[event.key];
    if (!(arrow || axis) || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const to = arrow ? beside(this.plan, this.current, ...arrow) : along(this.geometry, this.current, ...axis);
    if (to != null) this.focus(to);
  }

  close() {
    this.watcher.disconnect();
  }
}

function text(kind, words) {
  const span = document.createElement("span");
  span.className = kind;
  span.textContent = words;
  return span;
}
