// The card of a game's course, and the report: who lost it and where, from proved values alone.
import { preparingText } from "./preparing.js";

/** Sentences about moves, each with its position to look at or to play from. */
const ReviewedMoves = {
  props: { rows: Array },
  emits: ["show", "from"],
  template: `
  <ul v-if="rows.length" class="sentences"><li v-for="row in rows" :key="row.player + '-' + row.number"><p>{{ row.sentence }}</p>
    <span v-if="row.number !== null" class="pair"><button type="button" class="small" :aria-label="'Show the position before move ' + row.number" @click="$emit('show', row.number - 1)">Show</button>
      <button type="button" class="small" :aria-label="'Play from here, before move ' + row.number" @click="$emit('from', row.number - 1)">Play from here</button></span></li></ul>`,
};

export const Review = {
  components: { ReviewedMoves },
  props: {
    geometry: Object,
    course: Array,
    moves: Array,
    at: Number,
    busy: Boolean,
    preparing: Object,
    review: Object,
    stale: Boolean,
    over: Boolean,
    lost: Boolean,
  },
  emits: ["select", "show", "from", "review", "stop"],
  computed: {
    action() {
      if (this.busy) return "Stop";
      if (this.review && !this.stale) return "";
      return this.over ? (this.lost ? "Why?" : "Report") : "Whole game";
    },
  },
  methods: {
    preparingText,
    /** Bring the card before the eye, and before a reader of the screen. */
    open() {
      this.$refs.title.focus({ preventScroll: true });
    },
  },
  template: `
  <section class="card review" aria-labelledby="review-title"><header><h2 id="review-title" ref="title" tabindex="-1">{{ review ? 'Report' : 'Course of the game' }}</h2>
    <button v-if="moves.length && action" type="button" class="small" @click="$emit(busy ? 'stop' : 'review')">{{ action }}</button></header>
    <template v-if="review"><p v-if="!busy && review.ending">{{ review.ending }}</p><ReviewedMoves :rows="review.held" @show="$emit('show', $event)" @from="$emit('from', $event)"/></template>
    <p v-if="busy && preparing" class="soft"><span role="status">{{ preparingText(preparing) }}</span> <PreparingProgress :preparing="preparing"/></p>
    <p v-else-if="busy" class="soft"><progress :value="review ? review.analysed : 0" :max="moves.length"></progress> Analysed {{ review ? review.analysed : 0 }} of {{ moves.length }}, working backwards</p>
    <Course v-if="moves.length" :geometry="geometry" :course="course" :moves="moves" :at="at" @select="$emit('select', $event)"/>
    <p v-if="!review && !busy" class="soft">{{ over ? 'Find the move that decided the game.' : 'See which player stood better after each move.' }}</p>
    <template v-if="review && review.mistakes.length"><h3>{{ review.held.length ? 'Other proved mistakes' : 'Proved mistakes' }}</h3>
      <ReviewedMoves :rows="review.mistakes" @show="$emit('show', $event)" @from="$emit('from', $event)"/></template>
    <template v-if="review && !busy">
      <table class="accuracy"><caption>Moves that were right, of the proved ones</caption>
        <tr v-for="entry in review.accuracy" :key="entry.player"><th scope="row"><Stone :player="entry.player"/> {{ $names[entry.player] }}</th>
          <td>{{ entry.text }}</td></tr></table>
      <p v-if="review.gaps" class="soft">{{ review.gaps }}</p>
      <p class="soft tiny-note"><span>Only proved values count.</span><button v-if="review.gaps" type="button" class="link" @click="$emit('review', true)">Look longer</button></p>
    </template>
  </section>`,
};
