// Small pictures of flat boards.
import { BLOCKED } from "./lines.js";
import { pathOf } from "./marks.js";
import { layOut } from "./plan.js";

export const Mini = {
  props: { geometry: Object, owner: { default: null }, glow: { default: null } },
  computed: {
    plan: ({ geometry }) => layOut(geometry),
    cells() {
      const { x, y } = this.plan;
      return Array.from({ length: this.geometry.cells }, (_, cell) => {
        const blocked = this.geometry.blocked.includes(cell) ? BLOCKED : 0;
        const owner = this.owner ? this.owner[cell] : blocked;
        return {
          cell,
          x: x[cell],
          y: y[cell],
          owner,
          blocked: owner === BLOCKED,
          glow: this.glow?.includes(cell),
          path: owner && owner !== BLOCKED ? pathOf(owner) : null,
        };
      });
    },
    box: ({ plan }) => `-0.1 -0.1 ${plan.width + 0.2} ${plan.height + 0.2}`,
  },
  template: `
  <svg class="mini" :viewBox="box" aria-hidden="true"><template v-for="c in cells" :key="c.cell">
    <rect :x="c.x + 0.04" :y="c.y + 0.04" width="0.92" height="0.92" rx="0.14" :class="{ blocked: c.blocked, glow: c.glow }"/>
    <path v-if="c.path" :class="'stone p' + c.owner" :d="c.path" :transform="'translate(' + (c.x + 0.17) + ' ' + (c.y + 0.17) + ') scale(0.0275)'"/></template></svg>`,
};
