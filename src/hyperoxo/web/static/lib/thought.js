// While somebody waits: what is prepared or thought about, how far that is, and a way to end it.
import { cellWords } from "./plan.js";

export const PREPARING = "Preparing this board (once).";
const COUNT = new Intl.NumberFormat("en");

/** How far the compiler is: parts done of those needed, as far as that is known. */
export const HowFar = {
  props: { preparing: Object },
  template: `
  <span class="how-far" aria-hidden="true"><progress :value="preparing.done" :max="preparing.needed"></progress>
    <small class="soft" v-if="preparing.needed > 1">{{ preparing.done }} of about {{ preparing.needed }} parts</small></span>`,
};

/** The same with words, said once; empty where nothing is compiled. */
export const Preparing = {
  components: { HowFar },
  props: { preparing: Object },
  data: () => ({ PREPARING }),
  template: `<p class="preparing" role="status"><template v-if="preparing">{{ PREPARING }} <HowFar :preparing="preparing"/></template></p>`,
};

/** What an agent that thinks has found so far, and *Move now*. */
export const Thought = {
  components: { HowFar },
  props: { thought: Object, geometry: Object, may: Boolean },
  emits: ["now"],
  computed: {
    words() {
      const { best, depth, games, hurried } = this.thought;
      const so = best == null ? "" : `; best so far ${cellWords(this.geometry, best)}`;
      if (hurried) return "Asked to move now.";
      if (depth) return `Looking ${depth} ${depth === 1 ? "move" : "moves"} ahead${so}.`;
      return games ? `${COUNT.format(games)} tries${so}.` : "Still thinking.";
    },
  },
  template: `
  <HowFar v-if="thought.preparing" :preparing="thought.preparing"/>
  <span v-else class="pair"><span class="words" aria-live="off">{{ words }}</span>
    <button v-if="may" type="button" class="small go" :disabled="thought.hurried" title="Play the best move so far, or a simpler one" @click="$emit('now', {})">Move now</button></span>`,
};
