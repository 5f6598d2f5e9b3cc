// The replies in a position of a proof, by what they need, the largest branches first.
import { moveName } from "./stones.js";
import { plural } from "./text.js";

/** Groups of replies by the kind of their answer, with headings. */
const GROUPS = [
  ["listed", "Needs an answer from the list"],
  ["block", "A threat, and its answer"],
  ["", "Then another player moves"],
  ["pair", "Answered on the other cell of its pair"],
  ["image", "Answered on the opposite cell"],
  ["free", "Any answer will do"],
  ["forced", "Loses to threats, each with one answer"],
  ["line", "Overlooks a line"],
  ["completion", "Another player completes a line first"],
  ["potential", "Leaves too few lines open"],
  ["over", "Ends the game"],
];

export const Branches = {
  props: { geometry: Object, node: Object, proof: Number },
  emits: ["open", "focus"],
  computed: {
    groups: ({ node }) =>
      GROUPS.map(([by, title]) => {
        const replies = node.replies.filter((reply) => reply.by === by);
        return { by, title, replies, cells: replies.flatMap(({ cells }) => cells).length };
      }).filter(({ cells }) => cells),
    most: ({ node }) => Math.max(1, ...node.replies.map(({ positions }) => positions ?? 0)),
  },
  methods: {
    /** Say in full what a row shows. */
    describe(reply) {
      const alike = reply.cells.length > 1 ? `, ${reply.cells.length} replies alike` : "";
      const answer =
        reply.cell === null ? "" : `, answered by ${moveName(this.geometry, reply.cell)}`;
      const size = reply.positions
        ? `, ${plural(reply.positions, "position")}, up to ${plural(reply.depth, "answer")}`
        : "";
      return `Reply ${moveName(this.geometry, reply.reply)}${alike}${answer}${size}`;
    },
  },
  template: `
  <div class="branches"><p v-if="!node.replies.length" class="soft">Nothing follows here.</p>
    <details v-for="group in groups" class="more" :key="group.by" :open="group.by !== 'forced' && group.by !== 'line' || groups.length === 1 || null"><summary>{{ group.title }} <small>{{ $plural(group.cells, 'cell') }}</small></summary>
      <button v-for="reply in group.replies" :key="reply.reply" type="button" class="branch press" :data-reply="reply.reply" :aria-label="describe(reply)"
        @click="$emit('open', reply.reply)" @mouseenter="$emit('focus', reply.reply)" @mouseleave="$emit('focus', -1)" @focus="$emit('focus', reply.reply)" @blur="$emit('focus', -1)">
        <span class="move"><Stone :player="node.player"/> {{ $move(geometry, reply.reply) }} <small v-if="reply.cells.length > 1">×{{ reply.cells.length }}</small></span>
        <span class="move" v-if="reply.cell !== null"><Stone :player="proof"/> {{ $move(geometry, reply.cell) }}</span><span v-else></span>
        <template v-if="reply.positions"><progress :value="reply.positions" :max="most" aria-hidden="true"></progress><span class="n">{{ $count(reply.positions) }}</span></template>
        <span v-else-if="reply.sequence" class="n wide">{{ $plural(reply.sequence.length, 'move') }}</span></button></details>
  </div>`,
};
