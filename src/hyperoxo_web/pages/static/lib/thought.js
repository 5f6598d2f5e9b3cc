// While an agent thinks: what it has found so far, or how far its board is prepared, and a way to end it.
import { moveName } from "./stones.js";
import { plural } from "./text.js";

/** Result so far of an agent that thinks, and *Move now*. */
export const Thought = {
  props: { thought: Object, geometry: Object, may: Boolean },
  emits: ["now"],
  computed: {
    status() {
      const { best, depth, games, hurried } = this.thought;
      const so = best == null ? "" : `; best so far ${moveName(this.geometry, best)}`;
      if (hurried) return "Asked to move now.";
      if (depth) return `Looking ${plural(depth, "move")} ahead${so}.`;
      return games ? `${plural(games, "try", "tries")}${so}.` : "Still thinking.";
    },
  },
  template: `
  <PreparingProgress v-if="thought.preparing" class="thought" :preparing="thought.preparing"/>
  <span v-else class="thought pair"><span class="text" aria-live="off" :title="status">{{ status }}</span>
    <button v-if="may" type="button" class="small go" :disabled="thought.hurried" title="Play the best move so far, or a simpler one" @click="$emit('now', {})">Move now</button></span>`,
};
