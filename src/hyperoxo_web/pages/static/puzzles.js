// Puzzles: win by force; the first move is the only one that begins to.
import * as oxo from "hyperoxo";

const RECORD = "puzzles";
const NONE = { last: "", streak: 0, best: 0, solved: 0, done: [], rating: oxo.UNRATED, tried: [] };
const dayBefore = (date) => new Date(Date.parse(date) - 86400000).toISOString().slice(0, 10);

export default {
  props: { games: Array, today: String, longest: Number, daily: Array },
  data: () => ({
    puzzle: null,
    played: [],
    words: "",
    mood: "",
    busy: true,
    waiting: false,
    done: false,
    revealed: false,
    hint: -1,
    game: "4^3",
    overlay: "none",
    record: { ...NONE, ...oxo.readStorage(RECORD, {}) },
    wrong: null,
  }),
  computed: {
    geometry: (vm) => vm.games.find((game) => game.spec === vm.puzzle?.game)?.geometry,
    position() {
      const { moves, puzzle, done } = this;
      const owner = oxo.played(this.geometry, oxo.owners(puzzle.position), moves);
      const last = moves.at(-1) ?? puzzle.moves.at(-1) ?? null;
      const mover = done ? 0 : undefined;
      return oxo.posed(this.geometry, owner, { last, mover, fresh: moves.length > 0 });
    },
    moves: (vm) => (vm.wrong === null ? vm.played : [...vm.played, vm.wrong]),
    winning: (vm) => (vm.done ? oxo.filled(vm.geometry, vm.position.owner) : []),
    ofToday: (vm) => vm.puzzle?.date === vm.today,
    title() {
      const { date, game } = this.puzzle;
      const threats = this.threats(this.puzzle.length);
      const { name } = this.games.find((entry) => entry.spec === game);
      if (!date) return `${name}: ${threats}`;
      const day = new Date(`${date}T12:00`).toLocaleDateString("en-GB", { dateStyle: "long" });
      return `${this.ofToday ? "Today" : day}: ${threats}`;
    },
    /** An address that shows this puzzle at any time. */
    address() {
      const { date, game, length, seed } = this.puzzle;
      return date
        ? `/puzzles/${date}/${length}`
        : `${oxo.positionPath(game, String(length), "/puzzles")}/${seed}`;
    },
    /** The puzzles of today that are solved, by their threats. */
    solvedToday: (vm) => (vm.record.last === vm.today ? vm.record.done : []),
    streak() {
      const { last, streak } = this.record;
      return [this.today, dayBefore(this.today)].includes(last) ? streak : 0;
    },
    next: ({ record, longest }) => oxo.rung(record.rating, longest),
    ghosts: (vm) =>
      vm.hint < 0 ? null : new Map([[vm.hint, { player: vm.puzzle.player, step: "" }]]),
    /** The first puzzle of a day has a threat highlighted, and a hint the line that it serves. */
    highlight() {
      const first = this.puzzle.date && this.puzzle.length === this.daily[0];
      if (this.moves.length || !(first || this.hint >= 0)) return null;
      const { player, solution } = this.puzzle;
      const line = oxo.threatened(this.geometry, this.position.owner, player, solution[0]);
      return line === null ? null : { player, lines: [line], still: true };
    },
    goal() {
      const { length, date } = this.puzzle;
      const how =
        length === 1 ? "threaten two lines at once" : `${this.threats(length)}, then your line`;
      const about =
        date && length === this.daily[0]
          ? " A threat is a line that lacks one stone. The board shows one that you can make."
          : " Only one first move works.";
      return `You are ${oxo.NAMES[this.puzzle.player]}. Force a win: ${how}.${about}`;
    },
  },
  mounted() {
    oxo.onReturn(() => this.return());
    this.begun = this.daily.find((length) => !this.solvedToday.includes(length)) ?? this.daily[0];
    this.$emit("make", this.place());
  },
  methods: {
    threats: (count) => oxo.plural(count, "threat"),
    set(puzzle) {
      const first = this.puzzle === null;
      Object.assign(this, { puzzle, busy: false, revealed: false });
      if (!this.isHere()) oxo.keepAddress(this.address, !first);
      this.restore();
    },
    /** Show the moves that the address holds; none where they cannot be played. */
    restore() {
      clearTimeout(this.timer);
      const moves = oxo.movesIn(window.location.hash.slice(1)) ?? [-1];
      const won = this.follow(moves);
      this.display(won === null ? [] : moves, won ? "Solved." : "", won ? "good" : "");
      this.done = won === true;
      if (won === null) oxo.keepAddress(oxo.here());
    },
    /** Let the board show moves, and the status words in a mood. */
    display(played, words, mood) {
      Object.assign(this, { played, words, mood, done: false, wrong: null, hint: -1 });
    },
    /** True if moves win; null where they cannot be played, or end before their answer. */
    follow(moves) {
      const owner = oxo.owners(this.puzzle.position);
      for (const cell of moves) {
        const { mover, legal } = oxo.posed(this.geometry, owner);
        if (!legal.includes(cell)) return null;
        owner[cell] = mover;
      }
      const won = oxo.filled(this.geometry, owner, this.puzzle.player).length > 0;
      return won || moves.length % 2 === 0 ? won : null;
    },
    /** Let the address have the moves that were tried; the puzzle of the day is named by its day then. */
    saveMoves() {
      oxo.keepAddress(`${this.address}#${this.played.join()}`, true);
    },
    /** The puzzle that the address names. */
    place() {
      const [, , date = this.today, length, seed] = oxo.here().split("/").map(decodeURIComponent);
      return seed
        ? { game: date, length: Number(length), seed: Number(seed) }
        : { date: date || this.today, length: Number(length) || this.begun };
    },
    /** True if the address names the puzzle that is shown. */
    isHere() {
      const same = ([name, value]) => this.puzzle?.[name] === value;
      return Object.entries(this.place()).every(same);
    },
    return() {
      if (this.isHere()) this.restore();
      else this.make(this.place());
    },
    failed(words) {
      this.busy = this.waiting = false;
      this.words = words;
    },
    play(cell) {
      if (this.waiting || this.done || this.wrong !== null) return;
      this.waiting = true;
      this.hint = -1;
      this.tried = this.played;
      this.$emit("attempt", {
        game: this.puzzle.game,
        moves: [...this.puzzle.moves, ...this.played],
        cell,
      });
    },
    judged({ verdict, reply, why, cell }) {
      this.waiting = false;
      if (this.tried !== this.played) return; // one has gone elsewhere since
      if (verdict === "wrong") {
        this.score(false);
        this.wrong = cell;
        this.mood = "bad";
        this.words = `${oxo.moveName(this.geometry, cell)}: ${why}`;
        this.timer = setTimeout(() => (this.wrong = null), 900);
        return;
      }
      this.played = [...this.played, cell];
      if (verdict === "solved") {
        this.saveMoves();
        this.solve();
        return;
      }
      this.mood = "good";
      this.words = "Right.";
      this.timer = setTimeout(() => {
        this.played = [...this.played, reply];
        this.saveMoves();
        this.words = `Right. ${oxo.NAMES[3 - this.puzzle.player]} must answer ${oxo.moveName(this.geometry, reply)}.`;
      }, 350);
    },
    solve() {
      this.done = true;
      this.mood = "good";
      this.words = this.revealed ? "That is the solution." : "Solved.";
      if (this.revealed) return;
      this.score(true);
      const { length } = this.puzzle;
      if (!this.ofToday || this.solvedToday.includes(length)) return;
      const streak = this.solvedToday.length ? this.streak : this.streak + 1;
      this.keepRecord({
        last: this.today,
        streak,
        best: Math.max(streak, this.record.best),
        solved: this.record.solved + 1,
        done: [...this.solvedToday, length],
      });
    },
    /** Count the first try at a puzzle for the rating. */
    score(solved) {
      const before = this.record.rating;
      this.keepRecord(oxo.scored(this.record, this.address, this.puzzle.length, solved));
      const change = this.record.rating - before;
      if (solved && change) this.words = `Solved. Your rating rises by ${change}.`;
    },
    keepRecord(more) {
      this.record = { ...this.record, ...more };
      oxo.writeStorage(RECORD, this.record);
    },
    make(wanted) {
      this.busy = true;
      this.words = "";
      this.$emit("make", wanted);
    },
    /** Begin again; a solution stays revealed, and counts for no streak. */
    restart() {
      const { revealed } = this;
      oxo.keepAddress(this.address, true);
      this.set(this.puzzle);
      this.revealed = revealed;
    },
    advise() {
      if (!this.played.length) this.hint = this.puzzle.solution[0];
      this.score(false);
      this.revealed = true;
    },
    show() {
      this.score(false);
      this.display([], "The solution.", "");
      this.revealed = true;
      let at = 0;
      const step = () => {
        this.played = this.puzzle.solution.slice(0, ++at);
        if (at < this.puzzle.solution.length) this.timer = setTimeout(step, 650);
        else this.solve();
      };
      clearTimeout(this.timer);
      this.timer = setTimeout(step, 400);
    },
  },
  template: `
  <div class="game puzzles">
    <div class="left">
    <h1 v-if="puzzle">{{ title }}</h1><h1 v-else>Puzzles</h1>
      <p class="lead" v-if="puzzle"><Stone :player="puzzle.player"/> {{ goal }}</p>
    <p v-if="busy && !puzzle" class="soft thinking">Making a puzzle…</p>
    <template v-if="puzzle">
      <p class="status" :class="mood"><span role="status" aria-live="polite">{{ words || (waiting ? '' : 'Your move.') }}</span></p>
      <Boards :key="puzzle.game + puzzle.position" :geometry="geometry" :position="position" :playable="!done && !waiting && wrong === null && !busy" :overlay="overlay" :overlays="['none', 'numbers', 'threats']" :hint="hint" :ghosts="ghosts" :highlight="highlight" :winning="winning"
        @overlay="overlay = overlay === $event ? 'none' : $event" @play="play" @message="words = $event || words"/>
      <div class="tools"><button type="button" class="go" @click="restart" :disabled="!played.length">Again</button><button type="button" @click="advise" :disabled="done || played.length > 0">Hint</button><button type="button" @click="show" :disabled="busy">Solution</button><button type="button" @click="$copy($link(address), 'Link to this puzzle')">Copy link</button></div>
    </template>
    </div>
    <aside>
    <section class="card"><header><h2>Three a day</h2></header>
      <div class="views wrap"><button v-for="n in daily" :key="n" type="button" :class="{ on: ofToday && puzzle.length === n }" :aria-label="threats(n) + (solvedToday.includes(n) ? ', solved' : '')" :disabled="busy" @click="make({ date: today, length: n })">{{ threats(n) }}{{ solvedToday.includes(n) ? ' ✓' : '' }}</button></div>
      <p class="streak" :aria-label="streak + ' days in a row'"><b>{{ streak }}</b><small>{{ streak === 1 ? 'day' : 'days' }} in a row<br>best {{ record.best }}, solved {{ record.solved }}</small></p></section>
    <section class="card ladder"><header><h2>Ladder</h2></header>
      <p class="streak"><b>{{ record.rating }}</b><small>your rating<br>try {{ threats(next) }} next</small></p>
      <label class="field inline"><span>Game</span><select v-model="game"><option v-for="entry in games" :key="entry.spec" :value="entry.spec">{{ entry.name }}</option></select></label>
      <div class="rungs"><button v-for="n in longest" :key="n" type="button" class="small" :class="{ go: n === next }" :disabled="busy" :aria-label="'A puzzle of ' + threats(n)" @click="make({ game, length: n })">{{ n }}</button></div>
      <p class="soft">{{ busy && puzzle ? 'Making a puzzle…' : 'The more threats, the harder.' }}</p></section>
    </aside>
  </div>`,
};
