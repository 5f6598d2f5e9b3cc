// The atlas of n^d: regions coloured by how much is known, the published table, and the steps to one region.
import * as oxo from "hyperoxo";

const STATUS = {
  proved: { sign: "", words: "proved here" },
  cited: { sign: "†", words: "proved elsewhere, cited" },
  conjectured: { sign: "?", words: "conjectured" },
  open: { sign: "…", words: "open" },
};
/** A label for each region. */
const LABELS = ["", "sure win", "no draw", "win", "draw", "pairs"];

export default {
  mixins: [oxo.sending],
  props: { entries: Array, regions: Array, source: String, chosen: String },
  data: ({ chosen }) => ({ board: chosen, status: STATUS, otherwise: "✗" }),
  mounted() {
    oxo.onReturn(({ board = "" }) => this.show(board, false));
  },
  computed: {
    sides: ({ entries }) => [...new Set(entries.map(({ side }) => side))],
    dims: ({ entries }) => [...new Set(entries.map(({ dim }) => dim))],
    by: ({ entries }) => new Map(entries.map((entry) => [entry.game, entry])),
    entry: (vm) => vm.by.get(vm.board) ?? null,
    /** The entry that Tab leads to; arrows lead to the others. */
    first: (vm) => vm.board || vm.entries[0].game,
    known: ({ entries }) => Map.groupBy(entries, ({ status }) => status),
    contradicted: ({ entries }) => entries.filter((entry) => entry.contradicted),
    file: ({ board }) => `${board.replace("^", "-")}.oxo`,
    /** The commands that prove an entry. */
    commands() {
      const { board, file } = this;
      return [`oxo classify ${board} --proof ${file}`, `oxo verify ${file}`];
    },
  },
  methods: {
    at(side, dim) {
      return this.by.get(`${side}^${dim}`);
    },
    /** The possible regions as words, without those that others have excluded. */
    named: (regions) =>
      [regions]
        .flat()
        .map((region) => LABELS[region])
        .join(" or "),
    /** The colours of the possible regions, side by side. */
    toned(regions) {
      const tones = [regions].flat().map((region) => `var(--r${region})`);
      return { background: `linear-gradient(100deg, ${tones[0]} 50%, ${tones.at(-1)} 50%)` };
    },
    describe(entry) {
      const other = entry.contradicted ? `, published: ${this.named(entry.published)}` : "";
      return `${entry.game}: ${this.named(entry.with_cited)}, ${STATUS[entry.status].words}${other}`;
    },
    show(board, push = true) {
      this.board = this.by.has(board) ? board : "";
      this.error = "";
      if (push) oxo.keepAddress(oxo.pathWith("/atlas", { board: this.board }), true);
      if (this.board && push)
        this.$nextTick(() => this.$refs.steps.scrollIntoView({ block: "nearest" }));
    },
    walk(event, { side, dim }) {
      const arrow = oxo.ARROWS[event.key];
      const to = arrow && this.at(side + arrow[1], dim + arrow[0]);
      if (!to || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      this.$el.querySelector(`[data-board="${to.game}"]`).focus();
    },
  },
  template: `
  <div class="page atlas"><h1>Atlas of n^d</h1><p class="lead">Who wins on a board of side n and dimension d? Golomb and Hales sort the boards into five regions. Press a board to see the proof.</p>
    <LabTabs here="/atlas"/>
    <ul class="plain-list legend"><li v-for="[region, meaning] in regions" :key="region"><span class="region" :style="toned(region)">{{ named(region) }}</span>{{ meaning }}</li></ul>
    <div class="columns atlas-columns"><section class="card"><header><h2>Proved here</h2></header>
        <Scroll label="Regions by side and dimension"><table class="cross"><caption class="hidden">Regions by side and dimension, as proved</caption><thead><tr><th scope="col">n</th><th v-for="dim in dims" :key="dim" scope="col">d = {{ dim }}</th></tr></thead>
          <tbody><tr v-for="side in sides" :key="side"><th scope="row">{{ side }}</th><td v-for="dim in dims" :key="dim"><button type="button" class="region" :class="[at(side, dim).status, { against: at(side, dim).contradicted, on: board === at(side, dim).game }]" :data-board="at(side, dim).game" :tabindex="first === at(side, dim).game ? 0 : -1" :aria-label="describe(at(side, dim))" :aria-pressed="board === at(side, dim).game" @click="show(at(side, dim).game)" @keydown="walk($event, at(side, dim))" :style="toned(at(side, dim).with_cited)">{{ named(at(side, dim).with_cited) }}<sup v-if="status[at(side, dim).status].sign">{{ status[at(side, dim).status].sign }}</sup></button></td></tr></tbody></table></Scroll>
        <p class="legend"><span v-for="({ sign, words }, name) in status" :key="name"><span class="region" :class="name">{{ known.get(name)?.length ?? 0 }}<sup>{{ sign }}</sup></span>{{ words }}</span></p></section>
      <section class="card"><header><h2>As published</h2></header>
        <Scroll label="Regions as published"><table class="cross"><caption class="hidden">Regions by side and dimension, as published</caption><thead><tr><th scope="col">n</th><th v-for="dim in dims" :key="dim" scope="col">d = {{ dim }}</th></tr></thead>
          <tbody><tr v-for="side in sides" :key="side"><th scope="row">{{ side }}</th><td v-for="dim in dims" :key="dim"><span v-if="at(side, dim).published" class="region published" :class="{ against: at(side, dim).contradicted }" :style="toned(at(side, dim).published)">{{ named(at(side, dim).published) }}<sup v-if="at(side, dim).contradicted" aria-label="contradicted">{{ otherwise }}</sup></span></td></tr></tbody></table></Scroll>
        <p class="legend"><span v-if="contradicted.length"><span class="region published against">{{ otherwise }}</span>contradicted by our proofs: {{ contradicted.map(({ game }) => game).join(', ') }}</span></p>
        <p class="soft note">{{ source }}, as transcribed.</p></section></div>
    <section v-if="entry" ref="steps" class="card"><header><h2>{{ board }}</h2><a v-if="entry.plays" class="small" :href="'/?game=' + encodeURIComponent(board)">Play</a></header>
      <p role="status"><b>Region {{ entry.with_cited.join(' or ') }}: {{ named(entry.with_cited) }}</b>, {{ status[entry.status].words }}<template v-if="entry.status === 'cited'"> ({{ entry.cited_in }}), proved here: {{ named(entry.region) }}</template><template v-if="entry.published">, published: {{ entry.published }}</template>.</p>
      <ol class="steps note"><li v-for="(step, i) in entry.evidence" :key="i">{{ step.claim[0].toUpperCase() + step.claim.slice(1) }}.<br><span class="soft">{{ step.kind === 'cited' ? 'Cited, not checked here: ' : '' }}{{ step.theorem }}{{ step.source ? ': ' + step.source : '' }}</span> <button v-if="step.opens" type="button" class="small" :disabled="busy !== false" @click="send('explore', { board, step: i }, i)">{{ busy === i ? 'Opening…' : 'Open the proof' }}</button></li></ol>
      <p v-if="error" class="trouble" role="alert">{{ error }}</p>
      <p v-if="!entry.made" class="note">This proof is too large to send. The first command writes it.</p>
      <p class="note"><template v-for="command in commands" :key="command"><CommandLine :command="command"/> </template></p>
      <div class="tools"><a v-if="entry.made" class="go" :href="'/api/atlas/' + encodeURIComponent(board) + '/proof'" :download="file">Download the proof</a><button type="button" @click="$copy(commands.join('\\n'), 'Commands')">Copy the commands</button></div></section></div>`,
};
