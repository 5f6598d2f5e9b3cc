// Puzzles: win by force; the first move is the only one that begins to.
import {
  Boards,
  NAMES,
  Stone,
  cellShort,
  copy,
  here,
  keepAddress,
  linkTo,
  onReturn,
  owners,
  playable,
  positionPath,
} from "hyperoxo";

const STREAK = "oxo:puzzles";
const dayBefore = (date) => new Date(Date.parse(date) - 86400000).toISOString().slice(0, 10);

export default {
  components: { Boards, Stone },
  props: { games: Array, today: String, longest: Number, asked: Object },
  data: () => ({
    puzzle: null,
    played: [],
    words: "",
    mood: "",
    busy: true,
    waiting: false,
    done: false,
    shown: false,
    hint: -1,
    game: "4^3",
    length: 3,
    overlay: "none",
    record: { last: "", streak: 0, best: 0, solved: 0 },
    toast: "",
    wrong: null,
  }),
  computed: {
    geometry() {
      return this.games.find((game) => game.spec === this.puzzle?.game)?.geometry;
    },
    position() {
      const owner = owners(this.puzzle.position);
      let player = this.puzzle.player;
      for (const cell of this.moves) {
        owner[cell] = player;
        player = 3 - player;
      }
      const last = this.moves.length ? this.moves.at(-1) : (this.puzzle.moves.at(-1) ?? null);
      const legal = this.done ? [] : playable(this.geometry, owner, { player, mover: player });
      return {
        owner,
        last,
        mover: this.done ? 0 : player,
        legal,
        scores: [0, 0, 0],
        fresh: this.moves.length > 0,
        here: true,
      };
    },
    moves() {
      return this.wrong === null ? this.played : [...this.played, this.wrong];
    },
    winning() {
      if (!this.done) return [];
      const { owner } = this.position;
      return this.geometry.lines.filter((line) =>
        line.every((cell) => owner[cell] === this.puzzle.player),
      );
    },
    daily() {
      return this.puzzle?.date === this.today;
    },
    title() {
      const { date } = this.puzzle ?? {};
      if (!date) return "A puzzle";
      const day = new Date(`${date}T12:00`).toLocaleDateString("en-GB", {
        day: "numeric",
        month: "long",
        year: "numeric",
      });
      return this.daily ? "Puzzle of the day" : `Puzzle of ${day}`;
    },
    /** An address that shows this puzzle at any time. */
    address() {
      const { date, game, length, seed } = this.puzzle;
      return date
        ? `/puzzles/${date}`
        : `${positionPath(game, String(length), "/puzzles")}/${seed}`;
    },
    solvedToday() {
      return this.record.last === this.today;
    },
    streak() {
      return this.solvedToday || this.record.last === dayBefore(this.today)
        ? this.record.streak
        : 0;
    },
  },
  mounted() {
    try {
      this.record = { ...this.record, ...JSON.parse(localStorage.getItem(STREAK) ?? "{}") };
    } catch {
      // Nothing is remembered in this browser.
    }
    this.stop = onReturn(() => this.return());
    this.$emit("make", this.asked);
  },
  beforeUnmount() {
    this.stop();
  },
  methods: {
    name: (player) => NAMES[player],
    set(puzzle) {
      clearTimeout(this.timer);
      const first = this.puzzle === null;
      Object.assign(this, {
        puzzle,
        played: [],
        words: "",
        mood: "",
        busy: false,
        done: false,
        shown: false,
        hint: -1,
        wrong: null,
      });
      const here = this.place();
      if (
        this.daily
          ? here.date && here.date !== this.today
          : decodeURI(here()) !== decodeURI(this.address)
      ) {
        keepAddress(this.daily ? "/puzzles" : this.address, !first);
      }
      this.restore();
    },
    /** Show the moves that the address holds; none where they cannot be played. */
    restore() {
      clearTimeout(this.timer);
      const typed = window.location.hash.slice(1);
      const moves = typed
        ? typed.split(",").map((cell) => (/^[0-9]{1,6}$/.test(cell) ? Number(cell) : -1))
        : [];
      const won = this.follow(moves);
      Object.assign(this, {
        played: won === null ? [] : moves,
        done: won === true,
        wrong: null,
        hint: -1,
        mood: won ? "good" : "",
        words: won ? "Solved." : "",
      });
      if (won === null) keepAddress(this.address);
    },
    /** Whether moves win; null where they cannot be played, or end before their answer. */
    follow(moves) {
      const owner = owners(this.puzzle.position);
      let { player } = this.puzzle;
      for (const cell of moves) {
        if (!new Set(playable(this.geometry, owner, { player, mover: player })).has(cell))
          return null;
        owner[cell] = player;
        player = 3 - player;
      }
      const won = this.geometry.lines.some((line) =>
        line.every((cell) => owner[cell] === this.puzzle.player),
      );
      return won || moves.length % 2 === 0 ? won : null;
    },
    /** Let the address have the moves that were tried; the puzzle of the day is named by its day then. */
    keep() {
      keepAddress(`${this.address}#${this.played.join()}`, true);
    },
    /** The puzzle that the address names. */
    place() {
      const [, , date = this.today, length, seed] = here().split("/").map(decodeURIComponent);
      return seed ? { game: date, length: Number(length), seed: Number(seed) } : { date };
    },
    return() {
      const [here, { puzzle }] = [this.place(), this];
      if (puzzle && Object.entries(here).every(([name, value]) => puzzle[name] === value)) {
        this.restore();
        return;
      }
      this.busy = true;
      this.words = "";
      this.$emit("make", this.place());
    },
    async share() {
      const link = linkTo(this.address);
      this.words = (await copy(link)) ? "Link to this puzzle copied." : link;
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
        this.wrong = cell;
        this.mood = "bad";
        this.words = `${cellShort(this.geometry, cell)}: ${why}`;
        this.timer = setTimeout(() => (this.wrong = null), 900);
        return;
      }
      this.played = [...this.played, cell];
      if (verdict === "solved") {
        this.keep();
        this.solve();
        return;
      }
      this.mood = "good";
      this.words = "Right.";
      this.timer = setTimeout(() => {
        this.played = [...this.played, reply];
        this.keep();
        this.words = `Right. ${NAMES[3 - this.puzzle.player]} must answer ${cellShort(this.geometry, reply)}.`;
      }, 350);
    },
    solve() {
      this.done = true;
      this.mood = "good";
      this.words = this.shown ? "That is the solution." : "Solved.";
      if (!this.daily || this.shown || this.solvedToday) return;
      const streak = this.streak + 1;
      this.record = {
        last: this.today,
        streak,
        best: Math.max(streak, this.record.best),
        solved: this.record.solved + 1,
      };
      try {
        localStorage.setItem(STREAK, JSON.stringify(this.record));
      } catch {
        // The streak lasts as long as the page.
      }
    },
    another() {
      this.busy = true;
      this.words = "";
      this.$emit("make", { game: this.game, length: Number(this.length) });
    },
    today_() {
      this.busy = true;
      this.$emit("make", { date: this.today });
    },
    /** Begin again; a solution that was shown stays shown, and counts for no streak. */
    restart() {
      const { shown } = this;
      keepAddress(this.address, true);
      this.set(this.puzzle);
      this.shown = shown;
    },
    advise() {
      if (!this.played.length) this.hint = this.puzzle.solution[0];
      this.shown = true;
    },
    show() {
      Object.assign(this, {
        shown: true,
        played: [],
        done: false,
        words: "The solution.",
        mood: "",
      });
      let at = 0;
      const step = () => {
        this.played = this.puzzle.solution.slice(0, ++at);
        if (at < this.puzzle.solution.length) this.timer = setTimeout(step, 650);
        else this.solve();
      };
      clearTimeout(this.timer);
      this.timer = setTimeout(step, 400);
    },
    say(words) {
      if (words) this.words = words;
    },
  },
  template: `
  <div class="game puzzles">
    <div class="left">
    <div class="puzzle-head"><h1 v-if="puzzle">{{ title }}</h1><h1 v-else>Puzzles</h1>
      <p class="lead" v-if="puzzle"><Stone :player="puzzle.player"/> {{ name(puzzle.player) }} to move and win by force: {{ puzzle.length }} threats, then the line. One first move does it.</p></div>
    <p v-if="busy && !puzzle" class="soft thinking">Making a puzzle<span class="dots"></span></p>
    <template v-if="puzzle">
      <p class="status" :class="mood"><span role="status" aria-live="polite">{{ words || (waiting ? '' : 'Your move.') }}</span></p>
      <Boards :key="puzzle.game + puzzle.position" :geometry="geometry" :position="position" :playable="!done && !waiting && wrong === null && !busy" :overlay="overlay" :overlays="['none', 'numbers', 'threats']" :hint="hint" :winning="winning"
        @overlay="overlay = overlay === $event ? 'none' : $event" @play="play" @say="say"/>
      <div class="tools"><button type="button" class="go" @click="restart" :disabled="!played.length">Again</button><button type="button" @click="advise" :disabled="done || played.length > 0">First move</button><button type="button" @click="show" :disabled="busy">Solution</button><button type="button" @click="share">Copy link</button></div>
    </template>
    </div>
    <aside>
    <p class="card streak" :aria-label="streak + ' days in a row'"><b>{{ streak }}</b><small>{{ streak === 1 ? 'day' : 'days' }} in a row<br>best {{ record.best }}, solved {{ record.solved }}</small></p>
    <section class="card"><header><h2>Another one</h2></header>
      <label class="field inline"><span>Game</span><select v-model="game"><option v-for="entry in games" :key="entry.spec" :value="entry.spec">{{ entry.name }}</option></select></label>
      <label class="field inline"><span>Threats</span><select v-model="length"><option v-for="n in longest - 1" :key="n" :value="n + 1">{{ n + 1 }}</option></select></label>
      <div class="tools"><button type="button" class="go" :disabled="busy" @click="another">{{ busy && puzzle ? 'Making one…' : 'Make a puzzle' }}</button><button type="button" v-if="puzzle && !daily" @click="today_">Puzzle of the day</button></div></section>
    </aside>
  </div>`,
};
