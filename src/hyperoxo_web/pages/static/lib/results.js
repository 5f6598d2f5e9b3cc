// Shared parts of the laboratory's pages: tabs, states, progress, tables.
import { percent, scaled } from "./charts.js";
import { count, plural } from "./text.js";

export const KINDS = {
  match: "Match",
  tournament: "Tournament",
  sweep: "Sweep",
  study: "Study",
  program: "Published program",
};
const STATES = { done: "finished", running: "running", interrupted: "stopped" };

export const LabTabs = {
  props: { here: String },
  template: `
  <nav class="views lab-tabs" aria-label="Laboratory"><a v-for="[path, name] in [['/lab', 'Runs'], ['/studies', 'Studies'], ['/matches', 'Watch games'], ['/atlas', 'Atlas']]" :key="path" :href="path" :class="{ on: path === here }" :aria-current="path === here ? 'page' : null">{{ name }}</a></nav>`,
};

/** A command, which a line ends between words only. */
export const CommandLine = {
  props: { command: String },
  computed: {
    words: ({ command }) => command.match(/(?:'[^']*'|"[^"]*"|[^\s'"])+/g) ?? [],
  },
  template: `<code class="mono command"><template v-for="(word, i) in words" :key="i">{{ i ? " " : "" }}<span>{{ word }}</span></template></code>`,
};

export const RunState = {
  props: { state: String },
  computed: {
    word: ({ state }) => STATES[state] ?? state,
  },
  template: `<span class="state" :class="state">{{ word }}</span>`,
};

/** Number of a run's games that have been played. */
export const Progress = {
  props: { games: Number, wanted: Number },
  template: `<progress class="games" :value="games" :max="wanted || 1" aria-label="Games played"></progress>`,
};

/** A game or an agent from a list of `[name, spec]`, or any other as it is spelled. */
export const Pick = {
  props: { modelValue: String, options: Array, label: String, pictured: Boolean },
  emits: ["update:modelValue"],
  data: ({ known }) => ({ typed: !known() }),
  computed: {
    choice: {
      get() {
        return this.typed ? "" : this.modelValue;
      },
      set(spec) {
        this.typed = !spec;
        if (spec) this.$emit("update:modelValue", spec);
      },
    },
  },
  watch: {
    modelValue() {
      if (!this.known()) this.typed = true;
    },
  },
  methods: {
    known() {
      return this.options.some(([, spec]) => spec === this.modelValue);
    },
  },
  template: `<span class="pick"><img v-if="pictured && !typed" :src="'/p/' + encodeURIComponent(modelValue) + '.svg'" alt=""><select v-model="choice" :aria-label="label"><option v-for="[name, spec] in options" :key="spec" :value="spec">{{ name }}</option><option value="">Other…</option></select><input v-if="typed" :value="modelValue" class="mono" spellcheck="false" :aria-label="label + ', spelled'" @input="$emit('update:modelValue', $event.target.value)"></span>`,
};

/** A run in a list. */
export const RunEntry = {
  props: { run: Object, now: Number },
  template: `
  <a :href="'/run/' + run.run" class="entry run press"><span class="title"><b>{{ $kinds[run.kind] }}</b><small class="mono">{{ run.game || 'run ' + run.run }}</small></span>
    <span class="mono about">{{ run.title }}</span>
    <span class="soft when"><RunState v-if="run.state !== 'done'" :state="run.state"/><template v-else>{{ run.games ? $plural(run.games, 'game') : 'finished' }}</template><br>
      <template v-if="run.state === 'running' && run.question">until it is clear</template><Progress v-else-if="run.state === 'running' && run.wanted" :games="run.games" :wanted="run.wanted"/><template v-else>{{ $timeAgo(run.begun, now) }}</template></span></a>`,
};

/** Shares of wins with their intervals, an agent a row. */
export const Shares = {
  props: { match: Object },
  computed: {
    rows() {
      const { agents, wins, interval, draws, draw_interval } = this.match;
      const rows = agents.map((name, i) => ({
        name,
        won: wins[i],
        ends: interval[i],
        kind: `b${i + 1}`,
      }));
      return [...rows, { name: "draws", won: draws, ends: draw_interval, kind: "b0" }];
    },
  },
  template: `
  <div class="shares"><div v-for="(row, i) in rows" :key="i" class="score-row wide"><span class="mono agent" :title="row.name">{{ row.name }}</span>
    <span class="track"><span class="filled" :class="row.kind" :style="{ width: (match.games ? 100 * row.won / match.games : 0) + '%' }"></span><span v-if="match.games" class="whisker" :style="{ left: 100 * row.ends[0] + '%', width: 100 * (row.ends[1] - row.ends[0]) + '%' }"></span></span>
    <b>{{ match.games ? $percent(row.won / match.games) + ' %' : '' }}</b><small class="soft"><template v-if="match.games">{{ $percent(row.ends[0]) }} to {{ $percent(row.ends[1]) }}; </template>{{ $count(row.won) }}</small></div></div>`,
};

const plain = (share) => percent(share).replace(/\.0$/, "");
const signed = (value) => (value < 0 ? "−" : "") + Math.abs(value).toFixed(2);

/** State of a sequential test: its answer, and its place between no and yes. */
export const TestState = {
  props: { match: Object, state: String },
  computed: {
    test: ({ match }) => match.test,
    names() {
      const { agents } = this.match;
      return this.test.places.map((place) =>
        agents.filter((name) => name === agents[place]).length > 1
          ? `${"ABCDEFGH"[place]} (${agents[place]})`
          : agents[place],
      );
    },
    answer() {
      const [better, worse] = this.names;
      const { verdict } = this.test;
      if (verdict === "yes") return `Yes: ${better} wins more games than ${worse}.`;
      if (verdict === "no")
        return `No: ${better} does not win ${plain(this.test.effect)} % of the games that one of the two wins.`;
      if (this.state === "done") return "Undecided: the games ran out.";
      return this.state === "running" ? "Not clear yet." : "Not clear yet; resume to go on.";
    },
    at: ({ test }) => scaled(test.bounds, [0, 100]),
    details() {
      const { won, lost, log_ratio, bounds } = this.test;
      const [better, worse] = this.names;
      return `${better} won ${plural(won, "game")} and ${worse} ${count(lost)}. The logarithm of the likelihood ratio is ${signed(log_ratio)}: at ${signed(bounds[1])} the answer is yes, at ${signed(bounds[0])} it is no.`;
    },
  },
  methods: { plain, signed },
  template: `
  <div class="test-state"><p class="answer" :class="test.verdict" aria-live="polite">{{ answer }}</p>
    <div class="track" role="meter" aria-label="Logarithm of the likelihood ratio" :aria-valuemin="test.bounds[0].toFixed(2)" :aria-valuemax="test.bounds[1].toFixed(2)" :aria-valuenow="Math.max(test.bounds[0], Math.min(test.bounds[1], test.log_ratio)).toFixed(2)"><i class="way" :class="test.log_ratio < 0 ? 'no' : 'yes'" :style="{ left: Math.min(at(0), at(test.log_ratio)) + '%', width: Math.abs(at(test.log_ratio) - at(0)) + '%' }"></i><i class="zero" :style="{ left: at(0) + '%' }"></i><i class="dot" :style="{ left: at(test.log_ratio) + '%' }"></i></div>
    <p class="test-ends soft" aria-hidden="true"><span>no at {{ signed(test.bounds[0]) }}</span><b>{{ signed(test.log_ratio) }}</b><span>yes at {{ signed(test.bounds[1]) }}</span></p>
    <p class="details">{{ details }}</p>
    <p class="soft note">Where {{ names[0] }} does not win more games, a yes has a chance of at most {{ plain(test.alpha) }} %. Where {{ names[0] }} wins {{ plain(test.effect) }} % or more of the games that one of the two wins, a no has a chance of at most {{ plain(test.beta) }} %.{{ match.swap ? '' : ' The seats are fixed: this compares the agents on these seats only.' }}</p></div>`,
};

/** Ratings by openskill. */
export const SkillTable = {
  props: { skills: Array },
  template: `
  <Scroll class="skills" label="Ratings by openskill"><table class="rows"><thead><tr><th>openskill</th><th class="n">skill</th><th class="n">deviation</th><th class="n">cautious</th></tr></thead>
    <tbody><tr v-for="(row, i) in skills" :key="i"><td class="mono">{{ row.agent }}</td><td class="n">{{ row.mu.toFixed(2) }}</td><td class="n">{{ row.sigma.toFixed(2) }}</td><td class="n">{{ row.ordinal.toFixed(2) }}</td></tr></tbody></table></Scroll>`,
};

const ends = ([low, high]) => `${percent(low)} to ${percent(high)}`;

/** Everybody against everybody: the first seat by row, the second by column. */
export const Crosstable = {
  props: { tournament: Object },
  computed: {
    cells: ({ tournament }) => new Map(tournament.table.map((row) => [row.places.join(), row])),
  },
  methods: {
    at(first, second) {
      return this.cells.get(`${first},${second}`);
    },
    part(cell, won) {
      return cell.games ? (100 * won) / cell.games : 0;
    },
    describe(cell) {
      if (!cell.games) return `${cell.agents.join(" – ")}: not yet played`;
      return `${cell.agents.join(" – ")}: ${plural(cell.games, "game")}; first ${percent(cell.wins[0] / cell.games)} % (${ends(cell.interval[0])}), second ${percent(cell.wins[1] / cell.games)} % (${ends(cell.interval[1])}), drawn ${percent(cell.draws / cell.games)} %`;
    },
  },
  template: `
  <Scroll label="First seat by row, second by column"><table class="cross"><thead><tr><td></td><th v-for="(name, i) in tournament.agents" :key="i" scope="col" class="mono">{{ name }}</th></tr></thead>
    <tbody><tr v-for="(name, first) in tournament.agents" :key="first"><th scope="row" class="mono">{{ name }}</th>
      <td v-for="(_, second) in tournament.agents" :key="second"><span v-if="at(first, second)" class="pairing" :title="describe(at(first, second))" :aria-label="describe(at(first, second))">
        <template v-if="at(first, second).games"><span class="figures"><b class="c1" :class="{ none: !at(first, second).wins[0] }">{{ $percent(at(first, second).wins[0] / at(first, second).games) }}</b><span class="soft">{{ $percent(at(first, second).draws / at(first, second).games) }}</span><b class="c2" :class="{ none: !at(first, second).wins[1] }">{{ $percent(at(first, second).wins[1] / at(first, second).games) }}</b></span>
        <span class="stack"><i class="b1" :style="{ width: part(at(first, second), at(first, second).wins[0]) + '%' }"></i><i class="b0" :style="{ width: part(at(first, second), at(first, second).draws) + '%' }"></i><i class="b2" :style="{ width: part(at(first, second), at(first, second).wins[1]) + '%' }"></i></span></template>
        <span v-else class="soft">…</span></span></td></tr></tbody></table></Scroll>`,
};

/** Every seating of a tournament with its intervals. */
export const Seatings = {
  props: { tournament: Object },
  methods: {
    share(row, won) {
      return row.games ? percent(won / row.games) : "";
    },
    ends(row, seat) {
      return row.games ? ends(row.interval[seat]) : "";
    },
  },
  template: `
  <Scroll label="All seatings"><table class="rows"><thead><tr><th v-for="seat in tournament.players" :key="seat">seat {{ seat }}</th><th class="n">games</th><th v-for="seat in tournament.players" :key="'w' + seat" class="n">% seat {{ seat }}</th><th class="n">% drawn</th><th class="n">moves</th><th class="n">ms per game</th></tr></thead>
    <tbody><tr v-for="(row, i) in tournament.table" :key="i"><td v-for="(name, seat) in row.agents" :key="seat" class="mono">{{ name }}</td><td class="n">{{ $count(row.games) }}</td>
      <td v-for="(won, seat) in row.wins" :key="'w' + seat" class="n">{{ share(row, won) }} <small class="soft">{{ ends(row, seat) }}</small></td><td class="n">{{ share(row, row.draws) }}</td><td class="n">{{ row.games ? row.plies.toFixed(1) : '' }}</td><td class="n">{{ row.games ? (1000 * row.seconds / row.games).toPrecision(3) : '' }}</td></tr></tbody></table></Scroll>`,
};
