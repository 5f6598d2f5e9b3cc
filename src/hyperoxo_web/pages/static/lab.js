// The laboratory: runs, past and present, and a form for a new one.
import * as oxo from "hyperoxo";

const fresh = () => ({ name: "bias", from: "0", to: "1", step: "0.1" });
// Games of a run at first, and where a test may end them sooner.
const [FEW, MOST] = [1000, 100_000];
const LETTERS = "ABCDEFGH";
// Settings of a run that the form has by the same names, as they are at first.
const SETTINGS = {
  games: FEW,
  scoring: "rules",
  swap: true,
  random_plies: 0,
  agent: "ising",
  seat: 2,
  adaptive: false,
  measure: "losses",
  fit: "polynomial",
  degree: "",
};
const USUAL = { on: false, better: "A", worse: "B", alpha: "0.05", beta: "0.05", effect: "0.55" };

export default {
  mixins: [oxo.sending, oxo.listing],
  props: {
    entries: Array,
    now: Number,
    agents: Array,
    varied: Array,
    presets: Array,
    workers: Number,
    again: Object,
    trouble: String,
    asked: Object,
    wrong: String,
    levels: Object,
  },
  data: (vm) => ({
    ...SETTINGS,
    kind: "tournament",
    game: "3^2",
    error: vm.trouble,
    seats: ["ising", "random"],
    field: ["random", "ising", "minimax"],
    selves: true,
    until: { ...USUAL },
    vary: [fresh()],
    versus: ["random"],
    seed: "",
    at_once: 1,
    missed: vm.wrong,
  }),
  created() {
    if (this.again) this.take(this.again);
  },
  computed: {
    players: ({ game }) => oxo.playersOf(game),
    /** True if a test ends the run. */
    tests: (vm) => vm.kind === "match" && vm.until.on,
    numbers: (vm) =>
      vm.varied.find((entry) => entry.name === vm.agent.split(":")[0].trim())?.options ?? [],
    rows() {
      if (this.kind === "match") return 1;
      if (this.kind === "sweep") return this.vary.reduce((all, row) => all * this.values(row), 1);
      const n = this.field.length;
      const seats = Array.from({ length: this.players }, (_, i) => i);
      return seats.reduce((all, i) => all * (this.selves ? n : Math.max(0, n - i)), 1);
    },
    extent() {
      const games = Number(this.games);
      if (!Number.isFinite(this.rows) || this.rows < 1 || !(games > 0)) return "";
      const all = oxo.plural(this.rows * games, "game");
      if (this.kind === "match") return this.tests ? `at most ${all}` : all;
      const rows = oxo.plural(this.rows, this.kind === "sweep" ? "value" : "seating");
      return `${rows} of ${oxo.plural(games, "game")}: ${all}.`;
    },
    csv: ({ filter }) => oxo.pathWith("/api/results", filter),
  },
  watch: {
    agent: "named",
    tests(on) {
      if (this.games === (on ? FEW : MOST)) this.games = on ? MOST : FEW;
    },
    players: {
      immediate: true,
      handler(n) {
        while (this.seats.length < n) this.seats.push("random");
        this.seats.length = n;
        if (this.seat > n) this.seat = n;
        if (this.versus.length > 1) this.each();
        for (const side of ["better", "worse"])
          if (LETTERS.indexOf(this.until[side]) >= n)
            this.until[side] = side === "better" ? "A" : "B";
      },
    },
  },
  methods: {
    letters: (n) => LETTERS.slice(0, n).split(""),
    each() {
      const [first, ...more] = this.versus;
      this.versus = [first, ...this.seats.slice(2).map((_, i) => more[i] ?? first)];
    },
    values({ from, to, step }) {
      const [a, b, c] = [from, to, step].map((text) =>
        String(text).trim() === "" ? NaN : Number(text),
      );
      return c > 0 && b >= a ? Math.floor((b - a) / c + 1e-9) + 1 : NaN;
    },
    take({ kind, game, options }) {
      if (!(kind in oxo.KINDS) || kind === "study") return;
      const { agents, until, vary, versus, distinct } = options;
      Object.assign(this, { kind, game });
      for (const name of Object.keys(SETTINGS)) this[name] = options[name] ?? this[name];
      if (kind === "match") this.seats = [...agents];
      if (until) {
        const sides = until.question.split(">").map((name) => name.trim());
        const [better, worse] = sides.map((name) =>
          LETTERS.includes(name) ? name : LETTERS[agents.indexOf(name)],
        );
        this.until = { ...USUAL, ...until, on: true, better, worse };
      }
      if (kind === "tournament") [this.field, this.selves] = [[...agents], !distinct];
      if (kind !== "sweep") return;
      this.versus = new Set(versus).size === 1 ? [versus[0]] : [...versus];
      this.vary = vary.map((text) => {
        const [, name, from, to, step] = /^([^=]*)=([^:]*):([^:]*):(.*)$/.exec(text);
        return { name, from, to, step };
      });
    },
    second() {
      const other = this.numbers.find((option) => option.name !== this.vary[0].name);
      this.vary.push({ ...fresh(), name: other?.name ?? "" });
    },
    named() {
      if (this.numbers.length && !this.numbers.some((option) => option.name === this.vary[0].name))
        this.vary[0].name = this.numbers[0].name;
    },
    /** Begin a run with all that the form holds: the server leaves out what this kind does not take. */
    begin() {
      const { kind, until, vary, seed, degree } = this;
      const { better, worse } = until;
      const [alpha, beta, effect] = [until.alpha, until.beta, until.effect].map(Number);
      const request = Object.fromEntries(Object.keys(SETTINGS).map((name) => [name, this[name]]));
      Object.assign(request, {
        kind,
        game: this.game,
        agents: kind === "match" ? this.seats : this.field,
        distinct: !this.selves,
        until: this.tests ? { question: `${better}>${worse}`, alpha, beta, effect } : null,
        vary: vary.map(({ name, from, to, step }) => `${name.trim()}=${from}:${to}:${step}`),
        versus: this.versus,
        workers: this.at_once,
        seed: String(seed).trim() === "" ? null : Number(seed),
      });
      if (vary.length > 1) request.fit = "polynomial";
      request.degree = request.fit === "polynomial" && degree !== "" ? degree : null;
      const trimmed = (value) => value?.trim?.() ?? value;
      for (const [name, value] of Object.entries(request))
        request[name] = Array.isArray(value) ? value.map(trimmed) : trimmed(value);
      this.send("begin", request);
    },
    found(found) {
      oxo.listing.methods.found.call(this, found);
      this.missed = found.trouble ?? "";
    },
    updated({ run, games, wanted, done }) {
      const known = this.list.find((entry) => entry.run === run);
      if (done || !known || known.state !== "running") this.find();
      else if (known.kind !== "study" && wanted)
        Object.assign(known, { games, wanted: Math.max(wanted, known.wanted) });
    },
  },
  template: `
  <div class="page lab"><h1>Laboratory</h1><p class="lead"><Term of="agent">Agents</Term> play each other many times. The laboratory counts, rates and saves the results. You can resume a stopped run.</p>
    <LabTabs here="/lab"/>
    <div class="columns lab-columns"><section class="card form"><header><h2>New run</h2></header>
      <div class="views" role="group" aria-label="Kind"><button v-for="name in ['tournament', 'match', 'sweep']" :key="name" type="button" :class="{ on: kind === name }" :aria-pressed="kind === name" @click="kind = name">{{ { tournament: 'Tournament', match: 'Match', sweep: 'Sweep' }[name] }}</button></div>
      <p class="soft hint">{{ { tournament: 'Every agent against every other on every seat: a table and ratings.', match: 'One agent per seat: shares of wins.', sweep: 'An agent with many values of one of its options: a curve and its best value. Two options make a map.' }[kind] }}</p>
      <form @submit.prevent="begin">
      <div class="field inline"><span>Game</span><Pick v-model="game" :options="presets.map(({ name, spec }) => [name, spec])" label="Game" pictured/></div>
      <template v-if="kind === 'match'"><div v-for="(_, i) in seats" :key="i" class="field inline"><span>Seat {{ i + 1 }}</span><Pick v-model="seats[i]" :options="agents" :label="'Seat ' + (i + 1)"/></div>
        <label class="check"><input type="checkbox" v-model="swap"><span>Swap seats<small>after every game, and count by agent</small></span></label>
        <label class="check"><input type="checkbox" v-model="until.on"><span>Stop early<small>as soon as one agent clearly wins more games than another</small></span></label>
        <fieldset v-if="until.on" class="test-fields"><legend class="hidden">Test</legend>
          <div class="field inline top"><span>Does</span><span class="field-list"><select v-model="until.better" aria-label="The stronger agent, perhaps"><option v-for="(name, i) in letters(players)" :key="name" :value="name">{{ name }}: {{ seats[i] }}</option></select><span class="soft">win more than</span><select v-model="until.worse" aria-label="The agent to compare with"><option v-for="(name, i) in letters(players)" :key="name" :value="name">{{ name }}: {{ seats[i] }}</option></select></span></div>
          <div class="field inline top"><span>Errors</span><span class="range"><label><small>wrong yes</small><input v-model="until.alpha" class="mono" inputmode="decimal"></label><label><small>wrong no</small><input v-model="until.beta" class="mono" inputmode="decimal"></label><label><small>share</small><input v-model="until.effect" class="mono" inputmode="decimal"></label></span></div>
          <p class="soft note">Each number bounds the chance of that error. A no is wrong if {{ until.better }} wins {{ Math.round(1000 * until.effect) / 10 || 0 }} % or more of the decided games. Draws do not count.</p></fieldset></template>
      <template v-if="kind === 'tournament'"><div class="field inline top"><span>Agents</span><span class="field-list"><span v-for="(_, i) in field" :key="i" class="pair"><Pick v-model="field[i]" :options="agents" :label="'Agent ' + (i + 1)"/><button type="button" class="icon" :disabled="field.length < 3" aria-label="Remove" @click="field.splice(i, 1)">✕</button></span>
        <button type="button" class="link soft" :disabled="field.length > 15" @click="field.push('greedy')">Another agent</button></span></div>
        <label class="check"><input type="checkbox" v-model="selves"><span>Each against itself as well</span></label></template>
      <template v-if="kind === 'sweep'"><div class="field inline"><span>Agent</span><Pick v-model="agent" :options="agents" label="Agent"/></div>
        <datalist id="numbers"><option v-for="option in numbers" :key="option.name" :value="option.name">default {{ option.value }}</option></datalist>
        <div v-for="(option, i) in vary" :key="i" class="field inline top"><span>Varies</span><span class="range"><input v-model="option.name" class="mono" list="numbers" spellcheck="false" :aria-label="'Option ' + (i + 1)"><label><small>from</small><input v-model="option.from" class="mono" inputmode="decimal"></label><label><small>to</small><input v-model="option.to" class="mono" inputmode="decimal"></label><label><small>step</small><input v-model="option.step" class="mono" inputmode="decimal"></label>
          <button v-if="i === 0 && vary.length === 1" type="button" class="link soft" @click="second">A second option</button><button v-if="i === 1" type="button" class="link soft" @click="vary.pop()">Remove this option</button></span></div>
        <div class="field inline top"><span>Against</span><span class="field-list"><Pick v-for="(_, i) in versus" :key="i" v-model="versus[i]" :options="agents" :label="versus.length > 1 ? 'Against, other seat ' + (i + 1) : 'Against'"/>
          <button v-if="players > 2 && versus.length === 1" type="button" class="link soft" @click="each">Another on each seat</button><button v-if="versus.length > 1" type="button" class="link soft" @click="versus.length = 1">The same on all other seats</button></span></div>
        <label class="field inline"><span>Seat</span><select v-model="seat"><option v-for="n in players" :key="n" :value="n">{{ n }}</option></select></label></template>
      <label class="field inline"><span>Games</span><span class="pair"><input v-model="games" type="number" min="1" step="1"><small class="soft"><template v-if="kind === 'tournament'">per pairing and <Term of="seating">seating</Term></template><template v-else>{{ kind === 'sweep' ? 'per value' : until.on ? 'at most' : '' }}</template></small></span></label>
      <details class="more"><summary>More</summary>
        <label class="field inline"><span>Seed</span><input v-model="seed" class="mono" inputmode="numeric" placeholder="drawn" spellcheck="false"></label>
        <label v-if="kind === 'match'" class="field inline"><span>Random <Term of="ply">plies</Term></span><input v-model="random_plies" type="number" min="0" step="1"></label>
        <label v-if="workers > 1" class="field inline"><span>Processes</span><input v-model="at_once" type="number" min="1" :max="workers"></label>
        <label class="field inline"><span>Wins</span><select v-model="scoring"><option value="rules">by the rules</option><option value="report">on the last free cell are draws, as in a published report</option></select></label>
        <template v-if="kind === 'sweep'"><label class="check"><input type="checkbox" v-model="adaptive"><span>More games near the best value</span></label>
          <label v-if="adaptive" class="field inline"><span>Best is</span><select v-model="measure"><option value="score">most points</option><option value="wins">most wins</option><option value="losses">fewest losses</option></select></label>
          <label v-if="adaptive && vary.length === 1" class="field inline"><span>Curve</span><select v-model="fit"><option value="polynomial">polynomial</option><option value="spline">smoothing spline</option></select></label>
          <label v-if="adaptive && (fit === 'polynomial' || vary.length > 1)" class="field inline"><span>Degree</span><select v-model="degree"><option value="">by BIC</option><option v-for="n in (vary.length > 1 ? 6 : 12)" :key="n" :value="n">{{ n }}</option></select></label></template></details>
      <p v-if="error" class="trouble" role="alert">{{ error }}</p>
      <div class="tools"><button type="submit" class="go" :disabled="busy">{{ busy ? 'Starting…' : 'Start' }}</button><span class="soft">{{ extent }}</span></div></form></section>
    <section><div class="search lab-search"><select v-model="filter.kind" aria-label="Kind" @change="filtered(true)"><option value="">All runs</option><option value="tournament">Tournaments</option><option value="match">Matches</option><option value="sweep">Sweeps</option><option value="study">Studies</option></select>
        <input v-model="filter.game" class="mono" placeholder="game" aria-label="Only this game" spellcheck="false" @input="filtered(false)"><input v-model="filter.agent" class="mono" placeholder="agent" aria-label="Only with this agent" spellcheck="false" @input="filtered(false)"><a class="small" :href="csv" download>CSV</a></div>
      <p v-if="missed" class="trouble" role="alert">{{ missed }}</p>
      <p v-else-if="!list.length" class="soft">{{ filter.kind || filter.game || filter.agent ? 'Nothing found.' : 'No run has started yet. A new run appears here once it has.' }}</p>
      <ul class="list"><li v-for="run in list" :key="run.run" class="card"><RunEntry :run="run" :now="clock"/></li></ul>
      <button v-if="more" type="button" class="plain" @click="find(list.length)">More</button></section></div>
    <details class="card body"><summary><h2>Strength of the levels</h2></summary>
      <p class="soft note">Points that each level takes from the level below, in per cent, with the 95 % interval. With three or more players, the share against a single rival. Repeat it by command: <code>oxo study ladder --levels</code></p>
      <Scroll label="Points of each level against the level below"><table class="rows steps-table"><thead><tr><th v-for="(name, i) in levels.head" :key="name" scope="col" :class="{ n: i }">{{ name }}</th></tr></thead>
        <tbody><tr v-for="[game, ...cells] in levels.rows" :key="game"><th scope="row" class="mono">{{ game }}</th><td v-for="(cell, i) in cells" :key="i" class="n">{{ cell }}</td></tr></tbody></table></Scroll></details></div>`,
};
