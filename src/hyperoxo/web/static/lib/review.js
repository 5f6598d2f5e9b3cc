// The card of a game's course, and the report: who lost it and where, from proved values alone.
import { Course } from "./course.js";
import { NAMES, Stone } from "./marks.js";

export const Review = {
  components: { Course, Stone },
  props: { geometry: Object, course: Array, moves: Array, at: Number, busy: Boolean, review: Object, stale: Boolean, over: Boolean, lost: Boolean },
  emits: ["look", "show", "from", "review", "stop"],
  data: () => ({ NAMES }),
  computed: {
    action() {
      if (this.busy) return "Stop";
      if (this.review && !this.stale) return "";
      return this.over ? (this.lost ? "Why?" : "Report") : "Whole game";
    },
    /** Sentences with a move to look at: where the game was lost, then all other proved mistakes. */
    parts() {
      if (!this.review) return [];
      const { held, mistakes } = this.review;
      return [{ name: "", rows: held }, { name: held.length ? "Other proved mistakes" : "Proved mistakes", rows: mistakes }].filter(({ rows }) => rows.length);
    },
    judged() {
      return this.review?.accuracy.some((entry) => entry.judged) ?? false;
    },
  },
  methods: {
    /** Bring the card before the eye, and before a reader of the screen. */
    open() {
      this.$el.scrollIntoView({ block: "nearest" });
      this.$refs.title.focus({ preventScroll: true });
    },
  },
  template: `
  <section class="card review" aria-labelledby="review-title"><header><h2 id="review-title" ref="title" tabindex="-1">{{ review ? 'Report' : 'Course of the game' }}</h2>
    <button v-if="moves.length && action" type="button" class="small" @click="$emit(busy ? 'stop' : 'review')">{{ action }}</button></header>
    <div v-if="review" class="report" :aria-busy="busy ? 'true' : 'false'">
      <p v-if="!busy && review.ending">{{ review.ending }}</p>
      <template v-for="part in parts" :key="part.name"><h3 v-if="part.name">{{ part.name }}</h3>
        <ul class="held"><li v-for="row in part.rows" :key="row.player + '-' + row.number"><p>{{ row.sentence }}</p>
          <span v-if="row.number !== null" class="pair"><button type="button" class="small" :aria-label="'Show the position before move ' + row.number" @click="$emit('show', row.number - 1)">Show</button>
            <button type="button" class="small" :aria-label="'Play from here, before move ' + row.number" @click="$emit('from', row.number - 1)">Play from here</button></span></li></ul></template>
      <p v-if="!busy && judged && !review.mistakes.length && !review.held.length">No mistake is proved.</p>
    </div>
    <p v-if="busy" class="soft"><progress :value="review ? review.looked : 0" :max="moves.length"></progress> {{ review ? review.looked : 0 }} of {{ moves.length }} moves looked at, from the last one on</p>
    <Course v-if="moves.length" :geometry="geometry" :course="course" :moves="moves" :at="at" @look="$emit('look', $event)"/>
    <p v-if="!review && !busy" class="soft">{{ over ? 'A report says who lost where, and what would have held.' : 'What the game was worth after every move, once it has been looked at.' }}</p>
    <template v-if="review && !busy">
      <table class="accuracy"><caption>Moves that were right, of those that could be judged</caption>
        <tr v-for="entry in review.accuracy" :key="entry.player"><th scope="row"><Stone :player="entry.player"/> {{ NAMES[entry.player] }}</th>
          <td>{{ entry.said }}</td></tr></table>
      <p v-if="review.gaps" class="soft">{{ review.gaps }}</p>
      <p class="soft tiny-note"><span>Only what is proved counts here.</span><button v-if="review.gaps" type="button" class="link" @click="$emit('review', true)">Look longer</button></p>
    </template>
  </section>`,
};
