// Small pictures of flat boards.
import { faceOf } from "./face.js";
import { pathOf } from "./stones.js";
import { layOut } from "./layout.js";
import { ownersAfter } from "./tree.js";

export const Mini = {
  props: { geometry: Object, owner: { default: null }, glow: { default: null } },
  computed: {
    layout: ({ geometry }) => layOut(geometry),
    cells() {
      const { geometry, layout, glow } = this;
      const owner = this.owner ?? ownersAfter(geometry, []);
      return Array.from({ length: geometry.cells }, (_, cell) => ({
        ...faceOf({ owner }, cell),
        x: layout.x[cell],
        y: layout.y[cell],
        glow: glow?.includes(cell),
      }));
    },
    box: ({ layout }) => `-0.1 -0.1 ${layout.width + 0.2} ${layout.height + 0.2}`,
  },
  methods: { path: pathOf },
  template: `
  <svg class="mini" :viewBox="box" aria-hidden="true"><template v-for="c in cells" :key="c.cell">
    <rect :x="c.x + 0.04" :y="c.y + 0.04" width="0.92" height="0.92" rx="0.14" :class="{ blocked: c.blocked, glow: c.glow }"/>
    <path v-if="c.stone" :class="'stone p' + c.stone" :d="path(c.stone)" :transform="'translate(' + (c.x + 0.17) + ' ' + (c.y + 0.17) + ') scale(0.0275)'"/></template></svg>`,
};
