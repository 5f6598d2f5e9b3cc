// The flat view: one real button a cell, drawn again only where something has changed.
import { faceOf } from "./face.js";
import { ARROWS } from "./keys.js";
import { layersOf } from "./layers.js";
import { stepsOf } from "./lines.js";
import { NAMES } from "./stones.js";
import { HEAD, along, beside, fit, shapeOf } from "./layout.js";
import { sized } from "./scroll.js";

// Moves of the focus by other keys than arrows: upwards or across, from layer to layer, or farther.
const LAYERS = { PageUp: [true, 1], PageDown: [true, -1], Home: [false, -1], End: [false, 1] };

// Numbers of lines written in a cell; its label has all.
const MOST_COUNTED = 3;

// On touch, cells smaller than this ask for a second press: the first shows where the stone would be.
const FINGER = 34;

// Share of a toy that the frame leaves for its cells.
const FRAMED = 0.95;

export const Flat = {
  mixins: [sized],
  props: {
    geometry: Object,
    view: Object,
    /** The cell that is pointed at, the lines through it, and the cell that a press there would take. */
    pointed: Number,
    guides: Array,
    targeted: Number,
    /** Returns the cell that a press would take; null for none. */
    target: Function,
    /** Sizes of cells in pixels, `most` and `least`, and the share of the window's `height` where the page gives none. */
    limits: Object,
  },
  emits: ["play", "point"],
  data: ({ geometry }) => ({
    layout: null,
    unit: 0,
    /** The cell that Tab leads to, and the one that a finger has pressed once. */
    current: [...Array(geometry.cells).keys()].find((cell) => !geometry.blocked.includes(cell)),
    touched: null,
    armed: null,
  }),
  computed: {
    /** True if the board looks like the toy: columns in which stones fall, in one upright layer. */
    toy: ({ geometry }) => geometry.shape?.length === 2 && geometry.gravity === 0,
    aim: ({ touched, targeted }) => touched ?? targeted,
    layers() {
      const { layout } = this;
      const [left, top] = layout.heads === "aside" ? [HEAD, 0] : [0, HEAD];
      return layersOf(this.geometry).map(({ cells, ...layer }) => ({
        ...layer,
        x: Math.min(...cells.map((cell) => layout.x[cell])) - left,
        y: Math.min(...cells.map((cell) => layout.y[cell])) - top,
      }));
    },
    /** Contents of each cell: a cell is drawn again when one of these changes. */
    faces() {
      const { view, layout, aim, current } = this;
      return Array.from(view.owner, (_, cell) => {
        const face = faceOf(view, cell);
        const falls = this.geometry.gravity != null && this.target(cell) != null;
        return {
          ...face,
          x: layout.x[cell],
          y: layout.y[cell],
          pale: face.stone ? 0 : (face.ghost?.player ?? (cell === aim ? view.mover : 0)),
          lines: view.counted.get(cell)?.join(", ") ?? "",
          takes: face.legal || falls,
          tab: cell === current,
        };
      });
    },
    /** Lines behind the stones, bowed where they go from layer to layer. */
    strokes() {
      const { strokes, links } = this.view;
      const kind = ({ player, order }) => `stroke p${player}${order == null ? "" : " animated"}`;
      return [
        ...(links ?? []).map((cells) => ({ d: this.link(cells), kind: "stroke p0" })),
        ...strokes.map((stroke) => ({ ...stroke, d: this.path(stroke.cells), kind: kind(stroke) })),
      ];
    },
  },
  watch: {
    limits: { handler: "resized", flush: "post" },
  },
  methods: {
    observed() {
      return [this.$el.parentElement];
    },
    /** Lay the board out for the space of its sheet. */
    resized() {
      const sheet = this.$el.parentElement;
      const style = getComputedStyle(sheet);
      const { most, least, height } = { least: 26, height: 0.74, ...this.limits };
      const [left, right, top, bottom] = ["Left", "Right", "Top", "Bottom"].map((side) =>
        parseFloat(style[`padding${side}`]),
      );
      const filled = style.getPropertyValue("--fill") === "1";
      const high = filled
        ? sheet.clientHeight - top - bottom
        : Math.max(240, window.innerHeight * height);
      const box = { width: sheet.clientWidth - left - right, height: high, most, least };
      const wanted = JSON.stringify(box);
      if (!sheet.clientWidth || wanted === this.fittedTo) return;
      this.fittedTo = wanted;
      const share = this.toy ? FRAMED : 1;
      const layout = fit(this.geometry, { ...box, width: box.width * share, height: high * share });
      this.unit = Math.max(4, Math.floor(layout.unit * 4) / 4);
      this.layout = Object.freeze(layout);
    },
    /** The middle of a cell, less half of what its border leaves free. */
    middle(cell) {
      const half = 0.5 - 1.5 / this.unit;
      return [this.layout.x[cell] + half, this.layout.y[cell] + half];
    },
    path(cells) {
      const point = (x, y) => `${x.toFixed(2)} ${y.toFixed(2)}`;
      return stepsOf(shapeOf(this.geometry), cells)
        .map((step) => {
          const [[ax, ay], [bx, by]] = step.map(this.middle);
          const [dx, dy] = [bx - ax, by - ay];
          const bow = Math.max(Math.abs(dx), Math.abs(dy)) < 1.01 ? 0 : 0.12;
          const over = point((ax + bx) / 2 - dy * bow, (ay + by) / 2 + dx * bow);
          return `M${point(ax, ay)}Q${over} ${point(bx, by)}`;
        })
        .join("");
    },
    /** A thin line between two cells, which leaves their figures free. */
    link(cells) {
      const [[ax, ay], [bx, by]] = cells.map(this.middle);
      const [dx, dy] = [bx - ax, by - ay];
      const free = 0.26 / Math.hypot(dx, dy);
      const bow = Math.hypot(dx, dy) > 1.5 ? 0.2 : 0;
      const point = (share, aside = 0) =>
        `${(ax + share * dx - aside * dy).toFixed(2)} ${(ay + share * dy + aside * dx).toFixed(2)}`;
      return `M${point(free, 0.7 * free * bow)}Q${point(0.5, bow)} ${point(1 - free, 0.7 * free * bow)}`;
    },
    classes({ blocked, legal, last, glow, danger, hint, wrong, tone, guess }) {
      return { blocked, legal, last, glow, danger, hint, wrong, toned: tone, guess };
    },
    style({ x, y, owner, glow, tone, fresh }) {
      return {
        left: `calc(var(--unit) * ${x})`,
        top: `calc(var(--unit) * ${y})`,
        "--player-color": `var(--p${glow?.player ?? owner})`,
        "--order": glow?.order ?? 0,
        "--tone": tone && `var(--${tone})`,
        "--drop": fresh && y + 1,
      };
    },
    /** The first numbers of lines through a cell. */
    counted(lines) {
      const all = lines.split(", ");
      return all.slice(0, MOST_COUNTED).join(" ") + (all.length > MOST_COUNTED ? "…" : "");
    },
    describe({ cell, free, blocked, owner, last, label, aims, hint, wrong, lines }) {
      const parts = [`Cell ${this.geometry.names[cell]}`];
      parts.push(free ? "free" : blocked ? "blocked" : NAMES[owner]);
      if (last) parts.push("last move");
      if (label) parts.push(label.words);
      if (aims) parts.push(`completes a line of ${[...aims].map((p) => NAMES[p]).join(" and ")}`);
      if (hint) parts.push("advised");
      if (wrong) parts.push("rests on nothing");
      if (lines) parts.push(`on ${lines.includes(",") ? "lines" : "line"} ${lines}`);
      return parts.join(", ");
    },
    cellOf(event) {
      const button = event.target.closest?.(".cell");
      return button ? Number(button.dataset.cell) : null;
    },
    press(event) {
      const cell = this.cellOf(event);
      if (cell == null) return;
      this.current = cell;
      const target = this.target(cell);
      const plays = event.pointerType !== "touch" || this.unit >= FINGER || target === this.armed;
      this.touched = plays ? null : target;
      if (target == null || plays) this.$emit("play", cell);
    },
    focus(cell = this.current) {
      this.current = cell;
      this.$el.querySelector(`[data-cell="${cell}"]`)?.focus({ preventScroll: false });
    },
    key(event) {
      const arrow = ARROWS[event.key];
      const layer = LAYERS[event.key];
      if (!(arrow || layer) || event.altKey || event.ctrlKey || event.metaKey) return;
      event.preventDefault();
      const to = arrow
        ? beside(this.layout, this.current, arrow[0] !== 0, arrow[0] + arrow[1])
        : along(this.geometry, this.current, event.shiftKey ? 2 : 1, ...layer);
      if (to != null) this.focus(to);
    },
  },
  template: `
  <div class="flat flat-board" role="group" tabindex="-1" :class="{ gravity: geometry.gravity != null, toy, tiny: unit < 22, aside: layout?.heads === 'aside', won: view.strokes.some(({ order }) => order != null) }" :data-ready="layout ? 'true' : null"
    :style="layout && { '--unit': unit + 'px', width: layout.width * unit + 'px', height: layout.height * unit + 'px' }" @click="press" @keydown="key" @pointerdown="armed = aim" @pointerover="$event.pointerType !== 'touch' && $emit('point', cellOf($event))" @pointerleave="$emit('point', null)"
    @focusin="$event.target.matches(':focus-visible') && $emit('point', cellOf($event))" @focusout="$emit('point', null)"><template v-if="layout">
    <span v-for="{ name, hue, x, y } in layers" :key="name" class="layer" aria-hidden="true" :style="{ '--hue': hue, left: x * unit + 'px', top: y * unit + 'px' }">{{ name }}</span>
    <button v-for="face in faces" :key="face.cell" v-memo="Object.values(face)" type="button" class="cell" :class="classes(face)" :style="style(face)" :data-cell="face.cell" :tabindex="face.tab ? 0 : -1" :aria-label="describe(face)" :aria-disabled="face.takes ? 'false' : 'true'">
      <Stone v-if="face.stone" :player="face.stone" :class="{ falls: face.fresh && toy, lands: face.fresh && !toy }"/><Stone v-else-if="face.pale" class="ghost" :player="face.pale"/>
        <span v-else-if="face.label" class="value" :class="[face.label.kind, { best: face.label.best }]">{{ face.label.text }}</span>
        <span v-else-if="face.aims" class="aims"><Stone v-for="player in face.aims" :key="player" class="aim" :player="player"/></span><span v-else-if="face.number" class="number">{{ face.cell }}</span>
      <span v-if="face.ghost?.step" class="step">{{ face.ghost.step }}</span><span v-if="face.lines" class="of-lines">{{ counted(face.lines) }}</span></button>
    <i v-show="toy && aim != null" class="column" :style="{ left: layout.x[aim ?? 0] * unit + 'px' }"></i>
    <svg class="strokes" aria-hidden="true" :viewBox="'0 0 ' + layout.width + ' ' + layout.height"><path v-for="({ d, kind, order }, i) in strokes" :key="i + d" :d="d" :class="kind" pathLength="1" :style="{ '--order': order ?? 0 }"/></svg>
    <svg class="strokes guides" aria-hidden="true" :viewBox="'0 0 ' + layout.width + ' ' + layout.height"><path v-for="({ cells, live }, i) in guides" :key="i" :d="path(cells)" :class="{ live }"/><rect v-if="pointed != null" :x="layout.x[pointed]" :y="layout.y[pointed]" :width="1 - 3 / unit" :height="1 - 3 / unit" :rx="toy ? 0.5 - 1.5 / unit : 0.13"/></svg></template></div>`,
};
