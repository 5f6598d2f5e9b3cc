// The moves: the current line, and the branches off it.
import { NAMES, moveName } from "./stones.js";
import { branches, playerOf } from "./tree.js";

export const Moves = {
  props: { geometry: Object, state: Object, node: Number, review: Object },
  emits: ["select"],
  computed: {
    columns: ({ geometry }) => Math.min(geometry.turns.length, 4),
    rows() {
      const { geometry, state } = this;
      const moves = state.line.slice(1).map((node, i) => ({ ...this.entry(node), number: i + 1 }));
      const first = moves.length ? geometry.turns.indexOf(moves[0].player) : 0;
      const lead = geometry.turns.length <= 4 ? first : 0;
      const cells = [...Array.from({ length: lead }, () => null), ...moves];
      const rows = [];
      for (let at = 0; at < cells.length; at += this.columns)
        rows.push(cells.slice(at, at + this.columns));
      return rows;
    },
  },
  watch: {
    node: { handler: "show", flush: "post" },
  },
  mounted() {
    this.show();
  },
  methods: {
    entry(node) {
      const player = playerOf(this.geometry, this.state, node);
      const cell = moveName(this.geometry, this.state.tree.cells[node]);
      return {
        node,
        player,
        cell,
        label: `${NAMES[player]} ${cell}`,
        verdict: this.review?.verdicts?.[this.review.line.indexOf(node)],
        taken: this.state.line.indexOf(node) > this.state.line.indexOf(this.state.node),
      };
    },
    /** Other moves that were tried where a move of a row was played. */
    variants(row) {
      const { tree } = this.state;
      const played = row.flatMap((move) => move?.node ?? []);
      const others = played.flatMap((node) => branches(tree, tree.parents[node]));
      return others.filter((node) => !played.includes(node)).map(this.entry);
    },
    show() {
      this.$el.querySelector(".cur")?.scrollIntoView({ block: "nearest" });
    },
  },
  template: `
  <div class="moves" :style="{ '--columns': columns }">
    <p v-if="!rows.length" class="soft">No moves yet.</p>
    <template v-for="(row, i) in rows" :key="i">
      <div class="row"><span class="soft">{{ i + 1 }}</span>
        <template v-for="(move, j) in row" :key="j"><span v-if="!move"></span>
          <button v-else type="button" class="ply press" :class="['c' + move.player, { cur: move.node === node, taken: move.taken }, move.verdict]"
            :aria-label="'Move ' + move.number + ', ' + move.label" :aria-current="move.node === node ? 'step' : null"
            @click="$emit('select', move.node)"><Stone :player="move.player"/> {{ move.cell }}<b v-if="move.verdict === 'mistake'" class="no" title="gave something up"> ?</b></button>
        </template>
      </div>
      <div class="variants" v-if="variants(row).length"><span>or</span>
        <button v-for="move in variants(row)" :key="move.node" type="button" class="ply press" :class="['c' + move.player, { cur: move.node === node }]"
          @click="$emit('select', move.node)"><Stone :player="move.player"/> {{ move.cell }}</button></div>
    </template>
  </div>`,
};
