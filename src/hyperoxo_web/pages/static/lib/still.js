// The view in space as a drawing: shown until the view itself is wanted, which loads far more.
import { faceOf } from "./face.js";
import { pathOf } from "./stones.js";
import { BROAD, SpaceLayout, orthographic } from "./projection.js";

const CORNERS = [-0.46, 0.46, 0.46, -0.46].map((x, i) => [x, i < 2 ? -0.46 : 0.46]);

const pointsOf = (corners) => corners.map(([x, y]) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ");

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
    /** A window that is higher than wide, a phone, gives the board more height. */
    aspect: () => (innerWidth < innerHeight ? 0.65 : BROAD),
    layout({ geometry, aspect }) {
      const layout = new SpaceLayout(geometry);
      layout.arrange(aspect);
      return layout;
    },
    /** Data that do not change during a game. */
    ground: (vm) => vm.tilesAt(vm.turn),
    /** Space for the board; where it turns, for the whole turn. */
    box() {
      const eighths = Array.from({ length: 8 }, (_, i) => (i * Math.PI) / 4);
      const tiles = this.turn !== null ? eighths.flatMap(this.tilesAt) : this.ground;
      const ends = [0, 1].map((axis) =>
        tiles.flatMap((tile) => tile.corners.map((at) => at[axis])),
      );
      const [left, top] = ends.map((all) => Math.min(...all) - 0.1);
      const [right, bottom] = ends.map((all) => Math.max(...all) + 0.1);
      return `${left} ${top} ${right - left} ${bottom - top}`;
    },
    middles() {
      const middles = [];
      for (const { cell, middle } of this.ground) middles[cell] = middle;
      return middles;
    },
    faces: ({ ground, view }) => ground.map((tile) => ({ ...tile, ...faceOf(view, tile.cell) })),
  },
  methods: {
    /** Return the tiles as they are seen from a turn, the farthest first, and how stones lie on them. */
    tilesAt(turn) {
      const { layout, explode } = this;
      const home = layout.home(this.aspect);
      layout.place({ ...home, turn: turn ?? home.turn, explode });
      const flat = (x, y, z) => {
        const [right, up, near] = orthographic(layout.eye, [x, y, z]);
        return [right, -up, near];
      };
      const tiles = Array.from({ length: this.geometry.cells }, (_, cell) => {
        const [x, y, z] = layout.points.subarray(3 * cell, 3 * cell + 3);
        const corners = CORNERS.map(([dx, dz]) => flat(x + dx, y, z + dz));
        const [a, b, , d] = corners;
        const unit = [b[0] - a[0], b[1] - a[1], d[0] - a[0], d[1] - a[1]].map((side) => side / 24);
        const lie = [...unit, a[0], a[1]].map((number) => number.toFixed(4)).join(" ");
        return { cell, corners, middle: flat(x, y, z), points: pointsOf(corners), lie };
      });
      return tiles.sort((a, b) => a.middle[2] - b.middle[2]);
    },
    kind: ({ blocked, last, tone, guess }) => ({ blocked, last, toned: tone, guess }),
    path: pathOf,
    through(cells) {
      return pointsOf(cells.map((cell) => this.middles[cell]));
    },
  },
  template: `
  <svg class="still" :viewBox="box" aria-hidden="true"><template v-for="face in faces" :key="face.cell"><polygon :points="face.points" @click="$emit('play', face.cell)" :class="kind(face)" :style="{ '--tone': 'var(--' + face.tone + ')' }"/>
    <path v-if="face.stone" :class="'stone p' + face.stone" :d="path(face.stone)" :transform="'matrix(' + face.lie + ')'"/></template>
    <polyline v-for="(line, i) in near" :key="'near' + i" class="guide" :class="{ live: line.live }" :points="through(line.cells)"/>
    <polyline v-for="(line, i) in view.strokes" :key="i" :class="'p' + line.player" :points="through(line.cells)"/></svg>`,
};
