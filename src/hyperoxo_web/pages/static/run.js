// One run: how far it is, what it came to so far, and what may be done with it.
import * as oxo from "hyperoxo";

const MANY = 40;
const MEASURES = { score: "points", wins: "wins", losses: "losses" };

/** The curve of a sweep: quantity, fit, degree. */
const evaluationOf = (sweep) => ({
  measure: sweep?.measure,
  fit: sweep?.fit_kind ?? "polynomial",
  degree: sweep?.degree ?? "",
});

export default {
  mixins: [oxo.sending],
  props: { view: Object, now: Number, trusted: Boolean, workers: Number },
  data: ({ view, now }) => ({
    run: view,
    clock: now,
    at_once: view.workers,
    skills: null,
    every: false,
    evaluation: evaluationOf(view.sweep),
    usual: false,
  }),
  computed: {
    running: ({ run }) => run.state === "running",
    heading() {
      const { kind, game } = this.run;
      return kind === "study" ? `Study: ${this.run.title}` : `${oxo.KINDS[kind]} on ${game}`;
    },
    left() {
      const { question, kind, before, seconds_left: seconds } = this.run;
      if (!this.running) return "";
      if (question) return "until it is clear";
      if (kind === "study") return before ? `${oxo.formatDuration(before)} the last time` : "";
      return seconds == null ? "estimating the time" : `about ${oxo.formatDuration(seconds)} left`;
    },
    report: (vm) =>
      vm.run.kind === "study" && vm.run.state === "done" ? `/report/run-${vm.run.run}` : "",
    best() {
      const { fit, measure, names, trouble } = this.run.sweep;
      const least = measure === "losses" ? "Fewest" : "Most";
      if (!fit) return trouble ?? "";
      if (!fit.optimum) return "These games show no value that is better than the others.";
      const { value, interval, fit_interval } = fit.optimum;
      const spans = Array.isArray(value) ? interval : [interval];
      const place = (at, i) =>
        `${names[i]} ${oxo.short(at)} (${spans[i].map((end) => oxo.short(end)).join(" to ")})`;
      const where = [value].flat().map(place).join(", ");
      const [low, high] = fit_interval;
      return `${least} ${MEASURES[measure]} at ${where}: ${oxo.percent(fit.optimum.fit)} % (${oxo.percent(Math.max(0, low))} to ${oxo.percent(Math.min(1, high))})`;
    },
    curve() {
      const { kind, degree, chi2, freedom } = this.run.sweep.fit ?? {};
      if (!kind) return "";
      const fine = freedom ? `, χ² ${chi2.toFixed(1)} on ${freedom.toFixed(0)}` : "";
      return (kind === "spline" ? "Smoothing spline" : `Polynomial of degree ${degree}`) + fine;
    },
    visibleParts: (vm) => vm.played.slice(0, vm.every ? undefined : MANY),
    played: ({ run }) =>
      [...run.parts].filter((part) => part.state === "running" || part.wanted).reverse(),
  },
  mounted() {
    oxo.onReturn(({ measure, fit = "polynomial", degree = "" }) => {
      this.usual = !measure;
      if (measure) Object.assign(this.evaluation, { measure, fit, degree });
      this.$emit("evaluate", this.usual ? {} : this.evaluationRequest());
    });
  },
  methods: {
    viewed({ view, now }) {
      this.run = view;
      if (this.usual && view.sweep) Object.assign(this.evaluation, evaluationOf(view.sweep));
      this.clock = now;
      if (this.busy === "Stopping…" && view.state !== "running") this.busy = "";
    },
    did(now) {
      this.clock = now;
      this.busy = "";
    },
    rated(skills) {
      this.busy = "";
      this.skills = skills;
    },
    remove() {
      if (window.confirm("Delete this run and its results for good?"))
        this.send("delete", {}, "Deleting…");
    },
    evaluate() {
      this.usual = false;
      oxo.keepAddress(oxo.pathWith(`/run/${this.run.run}`, this.evaluation), true);
      this.$emit("evaluate", this.evaluationRequest());
    },
    evaluationRequest() {
      const { degree } = this.evaluation;
      return { ...this.evaluation, degree: degree === "" ? null : Number(degree) };
    },
  },
  template: `
  <div class="page run-page"><LabTabs here=""/>
    <header class="heading"><div><h1>{{ heading }}</h1><p v-if="run.kind !== 'study'" class="mono soft title">{{ run.title }}</p></div><RunState :state="run.state"/></header>
    <p v-if="error" class="trouble" role="alert">{{ error }}</p><p v-if="run.error" class="trouble">{{ run.error }}</p>
    <section v-if="running || run.state === 'interrupted'" class="card going"><Progress v-if="run.kind !== 'study' && !run.question" :games="run.games" :wanted="run.wanted"/>
      <p><template v-if="run.kind === 'study'">{{ $plural(run.games, 'game') }} so far</template><template v-else><b>{{ $count(run.games) }}</b> of {{ run.question ? 'at most ' : '' }}{{ $plural(run.wanted, 'game') }}</template><span v-if="left" class="soft">, {{ left }}</span><span v-if="run.late" class="soft">, stopped when its time was up</span></p></section>
    <div class="tools"><button v-if="run.here" type="button" :disabled="!!busy" @click="send('stop', {}, 'Stopping…')">{{ busy === 'Stopping…' ? busy : 'Stop' }}</button>
      <button v-if="run.state === 'interrupted' && run.request" type="button" class="go" :disabled="!!busy" @click="send('resume', { workers: Number(at_once) }, 'Resuming…')">{{ busy === 'Resuming…' ? busy : 'Resume' }}</button><label v-if="run.state === 'interrupted' && run.request && workers > 1" class="at-once pair soft">processes <input v-model="at_once" type="number" min="1" :max="workers"></label>
      <a v-if="report" class="go" :href="report">Report</a>
      <button type="button" @click="$copy($href())">Copy link</button>
      <a v-if="run.kind !== 'study'" :href="'/api/results?run=' + run.run" download>CSV</a>
      <a v-if="run.request && run.kind !== 'study'" :href="'/lab?again=' + run.run">Another like this</a>
      <span class="push"></span><button v-if="trusted && !running" type="button" class="quiet" :disabled="!!busy" @click="remove">Delete</button></div>

    <section v-if="run.match?.test" class="card body"><header><h2>Sequential test</h2><span class="mono soft">{{ run.match.test.question }}</span></header><TestState :match="run.match" :state="run.state"/></section>
    <section v-if="run.rows_of" class="card body"><header><h2>Rows</h2></header><Seatings :tournament="run.rows_of"/><p class="soft note">Games of a published program by its own rules: a win on the last free cell is a draw.</p></section>
    <section v-if="run.match" class="card body"><header><h2>Shares of wins</h2><span class="soft">{{ $plural(run.match.games, 'game') }}</span></header><Shares :match="run.match"/>
      <p class="soft note">95 % Wilson intervals<template v-if="run.match.plies">; {{ run.match.plies.toFixed(1) }} moves per game</template>{{ run.match.swap ? '; seats change, counted by ' : '; seats fixed, the first ' }}<Term of="agent">agent</Term>{{ run.match.swap ? '' : ' begins' }}{{ run.scoring === 'report' ? '; a win on the last free cell counts as a draw' : '' }}{{ run.match.test && run.match.test.verdict !== 'undecided' ? '; shares lean towards the verdict of the test that ended the match' : '' }}.</p></section>

    <template v-if="run.tournament"><section class="card body"><header><h2>Ratings</h2><span class="soft">400 points are odds of ten to one</span></header>
        <Ratings v-if="run.tournament.ratings" :ratings="run.tournament.ratings"/><p v-else class="soft">No games yet.</p>
        <p v-if="run.tournament.ratings" class="soft note">{{ run.tournament.players === 2 ? 'Bradley and Terry with draws' : 'Plackett and Luce' }}; first move {{ run.tournament.first_move >= 0 ? '+' : '−' }}{{ Math.abs(run.tournament.first_move).toFixed(0) }} points; <Term of="deviance">deviance</Term> {{ run.tournament.deviance.toFixed(1) }} on {{ run.tournament.degrees }} degrees of freedom{{ run.tournament.deviance > 3 * Math.max(1, run.tournament.degrees) ? ': a single rating fits these results poorly, so see the table' : '' }}{{ run.scoring === 'report' ? '; a win on the last free cell counts as a draw' : '' }}.</p>
        <p v-if="run.tournament.ratings && !running && !skills" class="soft note"><button type="button" class="link soft" :disabled="!!busy" @click="send('rate', {}, 'Rating…')">{{ busy === 'Rating…' ? busy : 'Ratings by openskill as well' }}</button></p><SkillTable v-if="skills" :skills="skills"/></section>
      <section v-if="run.tournament.players === 2" class="card body"><header><h2>First seat by row, second by column</h2><span class="legend soft"><i class="b1"></i>first wins <i class="b0"></i>draw <i class="b2"></i>second wins, %</span></header><Crosstable :tournament="run.tournament"/></section>
      <details class="card body" :open="run.tournament.players > 2"><summary><h2>All seatings with intervals</h2></summary><p class="soft note">Each <Term of="seating">seating</Term> apart.</p><Seatings :tournament="run.tournament"/></details></template>

    <section v-if="run.sweep" class="card body"><header><h2>{{ run.sweep.agent }} on seat {{ run.sweep.seat }}: % {{ run.sweep.measure === 'score' ? 'of points' : run.sweep.measure }}</h2></header>
      <div class="views sweep-options"><button v-for="(name, key) in { score: 'Points', wins: 'Wins', losses: 'Losses' }" :key="key" type="button" :class="{ on: evaluation.measure === key }" :aria-pressed="evaluation.measure === key" @click="evaluation.measure = key; evaluate()">{{ name }}</button>
        <template v-if="run.sweep.names.length === 1"><select v-model="evaluation.fit" aria-label="Curve" @change="evaluate"><option value="polynomial">polynomial</option><option value="spline">smoothing spline</option></select></template>
        <select v-if="evaluation.fit === 'polynomial' || run.sweep.names.length === 2" v-model="evaluation.degree" aria-label="Degree" @change="evaluate"><option value="">degree by BIC</option><option v-for="n in (run.sweep.names.length === 1 ? 12 : 6)" :key="n" :value="n">degree {{ n }}</option></select></div>
      <component :is="run.sweep.names.length === 1 ? 'SweepChart' : 'SweepMap'" :sweep="run.sweep" :label="heading + ': ' + best">{{ curve }}</component>
      <p class="best" aria-live="polite">{{ best }}</p><p class="soft note">Bars and bands are 95 % intervals. A bootstrap of the curve gives the interval of the best value.{{ run.scoring === 'report' ? ' A win on the last free cell counts as a draw.' : '' }}</p>
      <details><summary class="soft">All values</summary><Scroll label="All values"><table class="rows"><thead><tr><th v-for="name in run.sweep.names" :key="name" class="n">{{ name }}</th><th class="n">games</th><th class="n">won</th><th class="n">drawn</th><th class="n">lost</th><th class="n">%</th><th class="n">95 % interval</th></tr></thead>
        <tbody><tr v-for="(point, i) in run.sweep.points" :key="i"><td v-for="(value, n) in [point.value].flat()" :key="n" class="n">{{ $short(value) }}</td><td class="n">{{ $count(point.games) }}</td><td class="n">{{ $count(point.wins) }}</td><td class="n">{{ $count(point.draws) }}</td><td class="n">{{ $count(point.losses) }}</td><td class="n">{{ point.games ? $percent(point.share) : '' }}</td><td class="n soft">{{ point.games ? $percent(point.bar[0]) + ' to ' + $percent(point.bar[1]) : '' }}</td></tr></tbody></table></Scroll></details></section>

    <template v-if="run.kind === 'study'"><section v-if="run.sections.length && !report" class="card body"><header><h2>Finished sections</h2></header><ul class="plain-list ticks"><li v-for="name in run.sections" :key="name">{{ name }}</li></ul></section>
      <section v-if="visibleParts.length" class="card body"><header><h2>Runs of this study</h2><span class="soft">{{ $plural(run.parts.length, 'run') }}</span></header>
        <ul class="plain-list parts"><li v-for="part in visibleParts" :key="part.run"><a :href="'/run/' + part.run"><b>{{ $kinds[part.kind] }}</b> <span class="mono">{{ part.game }}</span> <span class="mono soft">{{ part.title }}</span></a><Progress v-if="part.state === 'running'" :games="part.games" :wanted="part.wanted"/><span v-else class="soft">{{ $count(part.games) }}</span></li></ul>
        <button v-if="visibleParts.length < played.length" type="button" class="plain all-parts" @click="every = true">All {{ $count(played.length) }}</button></section></template>

    <section class="facts-line soft"><p>Run {{ run.run }}<template v-if="run.part_of">, a part of <a :href="'/run/' + run.part_of">run {{ run.part_of }}</a></template>; begun {{ $timeAgo(run.begun, clock) }}; seed <span class="mono">{{ run.seed }}</span>; hyperoxo {{ run.versions.hyperoxo }}, Python {{ run.versions.python }}, NumPy {{ run.versions.numpy }}.</p>
      <p v-if="run.command">Repeat it by command: <CommandLine :command="run.command"/> <button type="button" class="link soft" @click="$copy(run.command, 'Command')">copy</button></p></section></div>`,
};
