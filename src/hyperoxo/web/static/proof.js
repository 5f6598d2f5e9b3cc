// Play against the proof: it answers every move, and says by what means.
import { Boards, NAMES, Stone, cellShort, owners, playable } from "hyperoxo";

export default {
  components: { Boards, Stone },
  props: { geometry: Object, statement: String, strategic: Number, seat: Number, start: String, begin: Array, restricted: Number, games: Array },
  data: () => ({ moves: [], means: [], waiting: true, overlay: "none", replies: null, words: "", showing: null, names: NAMES }),
  computed: {
    position() {
      const owner = owners(this.start);
      this.moves.forEach((cell, i) => (owner[cell] = (i % 2) + 1));
      const mover = this.over ? 0 : (this.moves.length % 2) + 1;
      const legal = playable(this.geometry, owner, { player: mover, mover });
      return { owner, last: this.moves.at(-1) ?? null, mover, legal, scores: [0, 0, 0], fresh: true, here: true };
    },
    winning() {
      const owner = owners(this.start);
      this.moves.forEach((cell, i) => (owner[cell] = (i % 2) + 1));
      return this.geometry.lines.filter((line) => owner[line[0]] && line.every((cell) => owner[cell] === owner[line[0]]));
    },
    you() {
      return 3 - this.seat;
    },
    /** Moves on the board when you are first to move. */
    first() {
      return this.seat === 1 ? 1 : 0;
    },
    over() {
      return this.won;
    },
    won() {
      const owner = new Map(this.moves.map((cell, i) => [cell, i % 2]));
      return this.geometry.lines.some((line) => owner.has(line[0]) && line.every((cell) => owner.get(cell) === owner.get(line[0])));
    },
    marks() {
      if (!this.replies) return null;
      const told = { line: "a full line", block: "stops a line", listed: "a listed move", forced: "a forced sequence" };
      return new Map(this.replies.map(({ at, means, sequence }) => [at, {
        text: means === "listed" ? "•" : means === "forced" ? `L ${2 * sequence.length + 2}` : means === "line" ? "L 2" : "|",
        kind: means === "listed" || means === "block" ? "unknown" : "loss", best: false, words: `answered by ${told[means]}`,
      }]));
    },
    status() {
      if (this.words) return this.words;
      if (this.over) return `${NAMES[this.seat]} has won, as proved.`;
      if (this.waiting) return "The proof answers.";
      return `Your move. You are ${NAMES[this.you]}.`;
    },
    last() {
      const [answer] = this.means.slice(-1);
      if (!answer) return "";
      const cell = cellShort(this.geometry, answer.cell);
      const told = {
        line: `${cell} completes a line.`, block: `${cell} stops a line.`, listed: `${cell} is the listed move of this position.`,
        forced: `${cell} begins a forced sequence of ${answer.sequence.length} ${answer.sequence.length === 1 ? "move" : "moves"}: ${answer.sequence.map((c) => cellShort(this.geometry, c)).join(" – ")}.`,
      };
      return told[answer.means];
    },
    counts() {
      const count = {};
      for (const { means } of this.means) count[means] = (count[means] ?? 0) + 1;
      return [["listed", "listed"], ["forced", "in forced sequences"], ["block", "to stop a line"], ["line", "to complete one"]].filter(([key]) => count[key]).map(([key, words]) => `${count[key]} ${words}`).join(", ");
    },
  },
  mounted() {
    if (this.seat === 1) this.ask();
    else this.waiting = false;
  },
  methods: {
    ask() {
      this.waiting = true;
      this.$emit("answer", { moves: this.moves });
    },
    answered(found) {
      this.waiting = false;
      if (!found) {
        this.words = "The proof has no answer here.";
        return;
      }
      this.means = [...this.means, found];
      this.moves = [...this.moves, found.cell];
      if (this.overlay === "values" && !this.over) this.foresee();
    },
    failed(words) {
      this.waiting = false;
      this.words = words;
    },
    foreseen({ moves, replies }) {
      if (moves.length === this.moves.length) this.replies = replies;
    },
    foresee() {
      this.replies = null;
      this.$emit("replies", { moves: this.moves });
    },
    choose(name) {
      this.overlay = this.overlay === name ? "none" : name;
      if (this.overlay === "values" && !this.waiting && !this.over) this.foresee();
    },
    play(cell) {
      this.replies = null;
      this.moves = [...this.moves, cell];
      this.ask();
    },
    /** Take back to where a move of one's own was played. */
    to(count) {
      this.words = "";
      this.moves = this.moves.slice(0, count);
      this.means = this.means.slice(0, this.seat === 1 ? Math.ceil(count / 2) : Math.floor(count / 2));
      this.replies = null;
      if (this.overlay === "values") this.foresee();
    },
    cell(cell) {
      return cellShort(this.geometry, cell);
    },
    say(words) {
      void words;
    },
  },
  template: `
  <div class="page proof"><div class="puzzle-head"><div><h1>Play against the proof</h1>
      <nav class="views wrap" aria-label="Which proof"><a v-for="entry in games" :key="entry.spec" :href="'/proof?game=' + encodeURIComponent(entry.spec)" :class="{ on: entry.spec === geometry.game }" :aria-current="entry.spec === geometry.game ? 'true' : null">{{ entry.name }}</a></nav>
      <p class="lead">{{ statement }} It plays {{ names[seat] }}, from {{ strategic.toLocaleString('en') }} listed moves, threats and nothing else; no search for good moves. You play {{ names[you] }}, and cannot win. <template v-if="begin.length && seat === 1">Its first move had to be on one of the {{ begin.length }} cells that lie on four lines only: a handicap, and it wins all the same.</template><template v-else-if="begin.length">Your first {{ restricted }} moves must be on the {{ begin.length }} cells that lie on four lines only: a handicap too great for the first player.</template></p></div></div>
    <div class="trail"><button v-for="(move, i) in moves" :key="i" type="button" class="ply" :class="{ cur: i === moves.length - 1 }" :disabled="i % 2 !== seat - 1 || waiting" :title="i % 2 !== seat - 1 ? '' : 'Back to here'" @click="to(i + 1)"><Stone :player="i % 2 + 1"/> {{ cell(move) }}</button></div>
    <p class="status"><span role="status" aria-live="polite">{{ status }}</span> <span class="soft words">{{ last }}</span></p>
    <Boards :geometry="geometry" :position="position" :playable="!waiting && !over" :overlay="overlay" :overlays="['none', 'numbers', 'threats', 'values']" :marks="marks" :winning="winning" @overlay="choose" @play="play" @say="say"/>
    <p class="soft rules" v-if="overlay === 'values'">L n: a forced sequence ends the game within n moves of either side. • a listed move answers. | a line is stopped.</p>
    <div class="tools"><button type="button" class="go" :disabled="moves.length < first + 2 || waiting" @click="to(first)">Again</button><button type="button" :disabled="moves.length < first + 2 || waiting" @click="to(moves.length - (moves.length % 2 === first ? 2 : 1))">Take back</button></div>
    <p class="soft rules" v-if="means.length">Its moves so far: {{ counts }}. <code>oxo verify</code> checks the whole proof with code that shares nothing with the search.</p>
  </div>`,
};
