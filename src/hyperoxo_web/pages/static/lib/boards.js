// Both views of a position, and the overlay chosen for them.
import { Flat } from "./flat.js";
import { linesThrough, tally, threats } from "./lines.js";
import { reducedMotion, toneOf } from "./stones.js";
import { coordinates, shapeOf } from "./layout.js";
import { Still } from "./still.js";
import { Overlays, SpaceTools } from "./view.js";

// Milliseconds that lines of a cell stay after the pointer has left it.
const LINGER = 300;

/** Both views of a position; emits `play`, `overlay` and `message`. */
export const Boards = {
  components: { Flat, Overlays, SpaceTools, Still },
  props: {
    geometry: Object,
    position: Object,
    playable: Boolean,
    overlay: { type: String, default: "none" },
    overlays: { type: Array, default: () => ["none", "numbers", "threats", "values"] },
    labels: Object,
    hint: { type: Number, default: -1 },
    highlight: Object,
    winning: Array,
    links: Array,
    ghosts: Object,
    wrong: Array,
    focus: { type: Number, default: -1 },
    limits: Object,
    /** The view that is large at first. */
    first: { type: String, default: "flat" },
    /** True if the page has the buttons of the views elsewhere. */
    bare: Boolean,
    /** True if the cell where a rival would win pulses once. */
    warn: Boolean,
  },
  emits: ["play", "overlay", "message"],
  data: ({ first }) => ({
    large: first,
    mode: "cubes",
    explode: 1,
    spin: 0,
    webgl: true,
    cellsDrawn: 0,
    awake: false,
    over: null,
  }),
  computed: {
    self: (vm) => vm,
    dim: ({ geometry }) => shapeOf(geometry).length,
    /** Boards of one or two dimensions have no view in space. */
    spatial: ({ geometry, dim }) => geometry.shape !== null && dim >= 3,
    /** View of the board in space. */
    scene: ({ mode, explode, spin }) => ({ mode, explode: Number(explode), spin: Number(spin) }),
    through: ({ geometry }) => linesThrough(geometry),
    pointed: ({ position, over }) => (position.mover ? over : null),
    /** The lines through the cell that is pointed at; those that are not `live` are paler. */
    guides() {
      return (this.pointed == null ? [] : this.through[this.pointed]).map((number) => {
        const cells = this.geometry.lines[number];
        return { cells, live: tally(cells, this.position.owner).counts.size < 2 };
      });
    },
    /** Largest cells of the flat view, and its height if the page does not set it. */
    cellLimits() {
      if (this.limits) return this.limits;
      return this.spatial && this.large !== "flat" ? { most: 88, least: 2, height: 0.3 } : {};
    },
    label() {
      const { cells, shape, blocked } = this.geometry;
      const size = shape ? shape.join(" by ") : "no coordinates";
      return `Board of ${cells - blocked.length} cells, ${size}. Arrows move, Enter plays.`;
    },
    /** Cells that glow, each with the player it glows for and, in a win, when it lights up. */
    glow() {
      const glow = new Map();
      for (const { cells, player, order } of this.strokes)
        cells.forEach((cell, i) =>
          glow.set(cell, { player, order: order == null ? 0 : order + i }),
        );
      return glow;
    },
    /** Cells where a rival of the player to move would win, for those who are warned. */
    danger() {
      const { mover } = this.position;
      if (!this.warn || !mover) return null;
      const aims = [...threats(this.geometry, this.position)];
      return new Set(aims.filter(([, who]) => !who.has(mover)).map(([cell]) => cell));
    },
    /** Value of the best move, for the bar at the board's edge: {share, tone, guess, words}. */
    bestValue() {
      const best = [...(this.view.labels?.values() ?? [])].find((label) => label.best);
      if (!best || !this.position.mover) return null;
      const { tone, guess } = toneOf(best);
      const score = Number(best.text.match(/^[0-9]+/)?.[0] ?? 50);
      const share = { win: 100, draw: 50, loss: 0 }[best.kind] ?? score;
      return { share, tone, guess, player: this.position.mover, words: best.words };
    },
    /** Lines to be drawn, as far as the animation has come. */
    strokes() {
      if (this.highlight) {
        let left = this.cellsDrawn;
        return this.highlight.lines.flatMap((number) => {
          const cells = this.geometry.lines[number].slice(0, left);
          left -= cells.length;
          return cells.length ? [{ cells, player: this.highlight.player }] : [];
        });
      }
      return (this.winning ?? []).map((cells, order) => ({
        cells,
        player: this.position.owner[cells[0]],
        order,
      }));
    },
    /** For each cell the numbers of the highlighted lines through it, where there are several. */
    counted() {
      const found = new Map();
      if (!this.highlight || this.highlight.lines.length < 2) return found;
      this.strokes.forEach(({ cells }, i) => {
        for (const cell of cells) found.set(cell, [...(found.get(cell) ?? []), i + 1]);
      });
      return found;
    },
    view() {
      const { position, overlay } = this;
      return {
        owner: position.owner,
        last: position.last,
        fresh: position.fresh ? position.last : null,
        mover: position.mover,
        legal: new Set(this.playable ? position.legal : []),
        glow: this.glow,
        danger: this.danger,
        counted: this.counted,
        strokes: this.strokes,
        links: this.links,
        labels:
          ["values", "replies", "pairs"].includes(overlay) && (this.hint >= 0 || !this.ghosts)
            ? this.labels
            : null,
        numbers: overlay === "numbers",
        threats: overlay === "threats" ? threats(this.geometry, position) : null,
        ghosts: this.ghosts,
        hint: this.hint,
        wrong: new Set(this.wrong),
      };
    },
  },
  watch: {
    view(view) {
      this.cube?.paint(view);
    },
    guides(guides) {
      this.cube?.highlight(guides, this.pointed);
    },
    highlight: { handler: "animate" },
    focus(cell) {
      this.over = cell < 0 ? null : cell;
    },
    large: { handler: ({ cube }) => cube?.resize(), flush: "post" },
    scene(scene) {
      this.cube?.set(scene);
    },
  },
  mounted() {
    window.oxoBoards = this;
    if (this.highlight) this.animate();
    // The view in space loads far more than the page: only when a player is there.
    if (this.spatial && this.large === "space")
      for (const kind of ["pointermove", "pointerdown", "keydown"])
        window.addEventListener(kind, this.wake, { once: true });
  },
  beforeUnmount() {
    this.cube?.close();
    clearTimeout(this.leaving);
    clearInterval(this.timer);
  },
  methods: {
    /** Return the landing cell of a press: that cell, or under gravity one of its column; null if none. */
    target(cell) {
      const { legal } = this.view;
      if (cell == null || legal.has(cell)) return cell;
      const { gravity, shape } = this.geometry;
      if (gravity == null) return null;
      const column = (other) => coordinates(other, shape).with(gravity, 0).join();
      const wanted = column(cell);
      return [...legal].find((other) => column(other) === wanted) ?? null;
    },
    play(cell) {
      const target = this.target(cell);
      if (target !== null) this.$emit("play", target);
      else if (!this.position.owner[cell])
        this.$emit("message", this.playable ? "The rules allow no stone here now." : "");
      else if (this.playable && this.geometry.gravity != null)
        this.$emit("message", "This column is full.");
      else this.$emit("message", "That cell has a stone.");
    },
    /** Point at a cell; what was drawn for the last one lingers a little after the pointer has left. */
    hover(cell) {
      clearTimeout(this.leaving);
      if (cell != null) this.over = cell;
      else this.leaving = setTimeout(() => (this.over = null), LINGER);
    },
    /** Draw the highlighted lines cell by cell. */
    animate() {
      clearInterval(this.timer);
      if (!this.highlight) return;
      const sizes = this.highlight.lines.map((line) => this.geometry.lines[line].length);
      const all = sizes.reduce((sum, size) => sum + size, 0);
      if (reducedMotion() || this.highlight.still) {
        this.cellsDrawn = all;
        return;
      }
      this.cellsDrawn = 1;
      const [longest] = sizes.toSorted((a, b) => b - a);
      const pause = Math.min(300 / longest, 4000 / all);
      this.timer = setInterval(() => {
        this.cellsDrawn += 1;
        if (this.cellsDrawn >= all) clearInterval(this.timer);
      }, pause);
    },
    /** Begin the view in space, which loads what it needs; until then it is a drawing. */
    async wake() {
      if (this.waking) return;
      this.waking = true;
      const { SpaceBoard } = await import("space");
      const cube = await SpaceBoard.make(this.$refs.space, this.geometry, this);
      this.webgl = cube !== null;
      if (!cube) this.large = "flat";
      if (!cube || !this.$refs.space) return;
      this.cube = window.oxoSpace = cube;
      this.awake = true;
      this.$refs.space.setAttribute("data-ready", "true");
      cube.renderer.domElement.setAttribute(
        "aria-label",
        "The board in space. Arrows turn it, 1, 2 and 3 show it from the top, the front and the side, 0 as at first.",
      );
      cube.set(this.scene);
      cube.paint(this.view);
    },
    /** Return the function that makes a picture of the view in space, if it exists. */
    picture() {
      return this.awake && this.cube ? () => this.cube.picture() : null;
    },
    swap() {
      this.wake();
      this.large = this.large === "flat" ? "space" : "flat";
    },
    /** Size of a view: one is large, and the other a small picture beside it where the page sets no size. */
    kind(view) {
      return !this.limits && this.spatial && this.large !== view ? "thumb" : "large";
    },
  },
  template: `
  <div class="boards" :class="{ single: !spatial }">
    <div v-if="bestValue" class="value-bar" role="img" :class="['p' + bestValue.player, { guess: bestValue.guess }]" :title="bestValue.words" :aria-label="'For the player to move: ' + bestValue.words"><i :style="{ height: bestValue.share + '%' }"></i></div>
    <div class="view" :class="kind('flat')">
      <Overlays v-if="!bare" class="views" :names="overlays" :chosen="overlay" @choose="$emit('overlay', $event)"/>
      <div class="sheet"><Flat ref="flat" :geometry="geometry" :view="view" :pointed="pointed" :guides="guides" :targeted="target(pointed)" :target="target" :limits="cellLimits" :aria-label="label" @play="play" @point="hover"/></div>
      <button v-if="kind('flat') === 'thumb'" type="button" class="swap" aria-label="Larger flat board" title="Larger flat board" @click="swap"></button>
    </div>
    <div class="view" v-if="spatial" :class="kind('space')" @pointerenter="wake" @focusin="wake">
      <SpaceTools v-if="!bare" class="views" :boards="self"/>
      <div class="sheet solid"><Still v-if="!awake" :geometry="geometry" :view="view" :near="guides" @play="play"/><div ref="space" class="space" v-show="awake"></div>
        <p v-if="!webgl" class="soft">This browser shows no pictures in space that turn (WebGL is missing). The flat board has everything.</p></div>
      <button v-if="kind('space') === 'thumb'" type="button" class="swap" aria-label="Larger board in space" title="Larger board in space" @click="swap"></button>
    </div>
  </div>`,
};
