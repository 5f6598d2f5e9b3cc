// Proof search: suggested moves, progress and outcome.
import { NAMES } from "./stones.js";
/** @import { MoveValue } from "./advice.js" */

/**
 * Add labels for the moves that a proof decided and that had no proved value.
 * @type {(labels: Map<number, MoveValue>, proof: {value: string, moves?: MoveValue[]}) => Map<number, MoveValue>}
 */
export function addProofLabels(labels, proof) {
  const best = proof.value === "win" ? "win" : proof.value === "draw" ? "draw" : "";
  for (const { cell, value, text, words } of proof.moves ?? []) {
    if ((labels.get(cell)?.kind ?? "unknown") !== "unknown") continue;
    labels.set(cell, { text, kind: value, best: value === best, words });
  }
  return labels;
}

export const Prove = {
  props: {
    geometry: Object,
    found: Object,
    marking: Boolean,
    marked: Array,
    over: Boolean,
    exploring: Boolean,
  },
  emits: ["mark", "drop", "search", "stop", "select", "explore"],
  data: () => ({ open: false }),
  computed: {
    busy: ({ found }) => found?.busy ?? false,
    figures: ({ found }) => found?.progress ?? null,
    question() {
      const player = /^player (\d) to win(.*)/.exec(this.figures?.what ?? "");
      return player ? `Can ${NAMES[player[1]]} force a win${player[2]}?` : "Getting ready";
    },
  },
  template: `
  <section class="card prove"><header><h2>Proof search</h2>
      <button v-if="busy" type="button" class="small" @click="$emit('stop')">Stop</button>
      <button v-else-if="open || found || marked.length" type="button" class="small go" :disabled="over" @click="$emit('search', false)">Search</button>
      <button v-else type="button" class="small" @click="open = true">Prove who wins</button></header>
    <template v-if="open || found || marked.length || marking">
      <p class="soft" v-if="!marked.length && !found">Mark moves that you would look at first, here or at other moves of the game. They order the search; they prove nothing.</p>
      <div class="pair wrap">
        <button type="button" class="small" :class="{ on: marking }" :aria-pressed="marking ? 'true' : 'false'" @click="$emit('mark')">{{ marking ? 'Done marking' : 'Mark moves' }}</button>
        <span v-for="entry in marked" :key="entry.node + ' ' + entry.cell" class="marked-move"><button type="button" class="link" :title="'Show the position after move ' + entry.ply" @click="$emit('select', entry.node)"><Stone :player="entry.player"/> {{ $move(geometry, entry.cell) }}</button><small class="soft"> after {{ entry.ply }}</small>
          <button type="button" class="icon" :aria-label="'Forget ' + $move(geometry, entry.cell)" @click="$emit('drop', entry)">✕</button></span></div>
      <p v-if="marking" class="soft" role="status">Press the cell to try first; press it again to forget it.</p>
      <template v-if="found && (busy || found.value)">
        <p v-if="busy" class="headline"><b>{{ question }}</b> <small v-if="found.continued" class="soft">going on from the search before</small></p>
        <p v-else class="headline"><Stone v-if="found.winner" :player="found.winner"/> <b role="status">{{ found.verdict }}</b> <span v-if="found.value && found.value !== 'unknown'" class="certainty proved">proved</span></p>
        <template v-if="figures && figures.nodes != null && (busy || found.value === 'unknown')">
          <progress :value="figures.replies_proved ?? 0" :max="figures.replies || 1" aria-label="Replies proved"></progress>
          <dl class="proof-figures">
            <template v-if="figures.replies"><dt>replies settled</dt><dd>{{ figures.replies_proved }} of {{ figures.replies }}</dd></template>
            <dt>positions opened</dt><dd>{{ $count(figures.nodes) }}</dd>
            <dt>seconds</dt><dd>{{ figures.seconds.toFixed(0) }}</dd></dl>
          <details class="more"><summary>For researchers</summary><dl class="proof-figures">
            <template v-if="figures.remaining != null"><dt title="Positions at the edge of the cheapest strategy so far, those that look the same counted once: an estimate that rises before it falls">positions left, about</dt><dd>{{ $count(figures.remaining) }}</dd></template>
            <dt>proof, disproof number</dt><dd>{{ $count(figures.proof) }}, {{ $count(figures.disproof) }}</dd>
            <dt>table used</dt><dd>{{ (100 * figures.table).toFixed(figures.table < 0.01 ? 2 : 0) }} %</dd></dl></details></template>
        <p v-if="!busy && found.certificate" class="tools"><button type="button" class="small go" :disabled="exploring" @click="$emit('explore')">{{ exploring ? 'Checking the proof…' : 'Explore the proof' }}</button></p>
        <details v-if="!busy && found.evidence?.length" class="more"><summary>For researchers</summary><p class="soft tiny-note"><span>{{ found.evidence.join(' ') }}</span></p></details>
        <button v-if="!busy && found.value === 'unknown'" type="button" class="link" title="Go on from what this search found, as long as you mark the same moves" @click="$emit('search', true)">Search longer</button>
      </template>
    </template>
    <p v-else class="soft">Prove who wins from here. You can suggest moves to try first.</p>
  </section>`,
};
