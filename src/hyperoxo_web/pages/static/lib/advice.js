// The best move and its certainty; the course of the game; a forced win step by step.

/**
 * @typedef {object} MoveValue the value of a move
 * @property {number} cell where it is played
 * @property {string} text in a few characters, "W 5"
 * @property {string} kind win, draw, loss, nothing, or unknown for an estimate
 * @property {string} words the value for a reader of the screen
 *
 * @typedef {{moves: MoveValue[], best: number | null}} Finding of an analysis
 */

const SHARES = { win: 1, draw: 0.5, loss: 0, nothing: 0 };

/**
 * Return cell -> label for the overlay of values.
 * @type {(found: Finding | null) => Map<number, MoveValue>}
 */
export function labelsOf(found) {
  const labelled = (found?.moves ?? []).filter(({ text }) => text);
  const label = ({ cell, text, kind, words }) => ({ text, kind, words, best: cell === found.best });
  return new Map(labelled.map((move) => [move.cell, label(move)]));
}

export const Advice = {
  props: { geometry: Object, found: Object, on: Boolean, over: Boolean, step: Number },
  emits: ["stop", "focus", "play", "step", "more"],
  data: () => ({ all: false }),
  computed: {
    moves() {
      const moves = this.found?.moves ?? [];
      return this.all ? moves : moves.slice(0, 6);
    },
    highest() {
      const scores = (this.found?.moves ?? []).map((move) => move.score ?? 0);
      return Math.max(this.found?.kind === "unknown" ? 0.05 : 1, ...scores);
    },
  },
  methods: {
    width(move) {
      if (move.kind === "win") return Math.max(46, 100 - 2 * (move.remoteness ?? 20));
      if (move.kind === "unknown") return Math.round((100 * (move.score ?? 0)) / this.highest);
      return 100 * SHARES[move.kind];
    },
  },
  template: `
  <section class="card advice">
    <header><h2>Best moves</h2><button v-if="on && found && found.busy" type="button" class="small" @click="$emit('stop')">Stop</button></header>
    <p v-if="on && !found && !over" class="soft thinking">Looking…</p>
    <template v-if="found && found.player">
      <p class="headline"><Stone :player="found.player"/> <b>{{ found.headline }}</b> <span v-if="found.certainty" class="certainty" :class="found.certainty">{{ found.certainty }}</span></p>
      <table v-if="moves.length"><caption class="hidden">Moves, the best first</caption>
        <tr v-for="move in moves" :key="move.cell" :class="{ top: move.cell === found.best }" @mouseenter="$emit('focus', move.cell)" @mouseleave="$emit('focus', -1)">
          <td><button type="button" class="link" :aria-label="'Show cell ' + geometry.names[move.cell]" @click="$emit('focus', move.cell)" @dblclick="$emit('play', move.cell)">{{ $move(geometry, move.cell) }}</button></td>
          <td><span class="bar" :style="{ width: width(move) * 0.8 + '%', '--bar-color': 'var(--' + move.kind + ')' }"></span></td>
          <td :style="{ color: 'var(--' + move.kind + ')' }">{{ move.label }}<small v-if="move.visits && move.kind === 'unknown'">{{ move.visits.toLocaleString('en') }}</small></td></tr></table>
      <button v-if="found.moves.length > 6" type="button" class="link soft" @click="all = !all">{{ all ? 'Fewer' : 'All ' + found.moves.length + ' moves' }}</button>
      <p class="reason">{{ found.reason }}</p>
      <div v-if="found.forced.length" class="forced">
        <p class="heading"><b>{{ found.forced.length }} {{ found.forced.length === 1 ? 'move' : 'moves' }} to the end</b><span class="pair soft">
          <button type="button" class="icon" aria-label="Step back" :disabled="step <= 0" @click="$emit('step', step - 1)">‹</button>
          <span>{{ step }}/{{ found.forced.length }}</span>
          <button type="button" class="icon" aria-label="Next step" :disabled="step >= found.forced.length" @click="$emit('step', step + 1)">›</button>
          <button type="button" class="small" @click="$emit('step', -1)">Play it</button></span></p>
        <p class="soft" v-if="step > 0"><Stone :player="found.forced[step - 1].player"/> {{ $move(geometry, found.forced[step - 1].cell) }} {{ found.forced[step - 1].note }}</p>
      </div>
      <p class="soft tiny-note">{{ found.effort }}<button v-if="on && !found.busy && found.kind === 'unknown'" type="button" class="link" @click="$emit('more')">Look longer</button></p>
    </template>
    <p v-if="over && on && !(found && found.player)" class="soft">The game is over; look at an earlier move.</p>
  </section>`,
};
