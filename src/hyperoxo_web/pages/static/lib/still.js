// The view in space as a drawing: shown until the view itself is wanted, which loads far more.
import { BLOCKED } from "./lines.js";
import { pathOf, toneOf } from "./marks.js";
import { boxOf, pointsOf, tilesOf } from "./mini.js";

export const Still = {
  props: {
    geometry: Object,
    view: Object,
    near: Array,
    turn: { type: Number, default: null },
    explode: { type: Number, default: 1.1 },
  },
  emits: ["play"],
  computed: {
    /** What does not change during a game: corners, and how a stone comes to lie on its tile. */
    ground() {
      return this.tilesAt(this.turn).map((tile) => {
        const [a, b, , d] = tile.corners;
        const unit = [b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1]].map((x) => x / 24);
        return {
          ...tile,
          points: pointsOf(tile.corners),
          lie: `matrix(${[...unit, ...a].map((x) => x.toFixed(4)).join(" ")})`,
        };
      });
    },
    turns: ({ turn }) => turn !== null,
    /** Room for the board; where it turns, for the whole turn. */
    box() {
      const eighths = Array.from({ length: 8 }, (_, i) => (i * Math.PI) / 4);
      return boxOf(this.turns ? eighths.flatMap(this.tilesAt) : this.ground);
    },
    middles() {
      const middles = [];
      for (const { cell, middle } of this.ground) middles[cell] = middle;
      return middles;
    },
  },
  methods: {
    /** A window that is higher than wide, a phone, gives the board more height. */
    tilesAt(turn) {
      return tilesOf(
        this.geometry,
        this.explode,
        turn,
        innerWidth < innerHeight ? 0.65 : undefined,
      );
    },
    kind(cell) {
      const { owner, last } = this.view;
      const { tone, guess } = this.value(cell);
      return { blocked: owner[cell] === BLOCKED, last: cell === last, worth: tone, guess };
    },
    value(cell) {
      const mark = this.view.owner[cell] ? null : this.view.marks?.get(cell);
      return mark ? toneOf(mark) : {};
    },
    stone(cell) {
      const owner = this.view.owner[cell];
      return owner > 0 && owner !== BLOCKED ? owner : 0;
    },
    path: pathOf,
    through(cells) {
      return pointsOf(cells.map((cell) => this.middles[cell]));
    },
  },
  template: `
  <svg class="still" :viewBox="box" aria-hidden="true"><template v-for="tile in ground" :key="tile.cell"><polygon :points="tile.points" @click="$emit('play', tile.cell)" :class="kind(tile.cell)" :style="{ '--tone': 'var(--' + value(tile.cell).tone + ')' }"/>
    <path v-if="stone(tile.cell)" :class="'stone p' + stone(tile.cell)" :d="path(stone(tile.cell))" :transform="tile.lie"/></template>
    <polyline v-for="(line, i) in near" :key="'near' + i" class="guide" :class="{ live: line.live }" :points="through(line.cells)"/>
    <polyline v-for="(line, i) in view.strokes" :key="i" :class="'p' + line.player" :points="through(line.cells)"/></svg>`,
};
