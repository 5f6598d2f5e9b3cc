// Studies: published tables measured again, and their reports.
import * as oxo from "hyperoxo";

/** Describe the size of a report's samples. */
const samples = ({ full, scale }) =>
  `${scale < 1 ? `${Number((100 * scale).toPrecision(3))} % of ` : ""}${full ? "full" : "reduced"} samples`;

export default {
  mixins: [oxo.sending],
  props: {
    studies: Array,
    reports: Array,
    runs: Array,
    now: Number,
    workers: Number,
    trouble: String,
  },
  data: ({ trouble }) => ({ error: trouble, scale: "1", seed: "0", at_once: 1 }),
  computed: {
    cards: (vm) =>
      vm.studies.map((study) => ({
        ...study,
        going: vm.runs.find(
          (run) => run.state !== "done" && run.title.split(",")[0] === study.name,
        ),
        reports: vm.reports.filter((report) => report.study === study.name),
      })),
    others: ({ reports, studies }) =>
      reports.filter((report) => !studies.some((study) => study.name === report.study)),
  },
  methods: {
    begin(study, full) {
      if (full && !window.confirm("Samples of full size take hours. Start anyway?")) return;
      const [scale, seed, workers] = [this.scale, this.seed, this.at_once].map(Number);
      this.send("begin", { study, full, scale, seed, workers }, study + full);
    },
    about: (report, now) =>
      `${samples(report)}, seed ${report.seed}, ${oxo.timeAgo(report.made, now)}`,
  },
  template: `
  <div class="page studies"><h1>Studies</h1><p class="lead">Published tables, measured again: each published figure beside ours, with sample size, interval and a command that repeats it.</p>
    <LabTabs here="/studies"/><p v-if="error" class="trouble" role="alert">{{ error }}</p>
    <details class="more study-settings"><summary>Sample size, seed and workers</summary><div class="settings"><label><small class="soft">Part of each sample</small><input v-model="scale" class="mono" inputmode="decimal"></label><label><small class="soft">Seed</small><input v-model="seed" class="mono" inputmode="numeric"></label><label v-if="workers > 1"><small class="soft">Processes</small><input v-model="at_once" type="number" min="1" :max="workers"></label></div></details>
    <div class="study-cards"><section v-for="study in cards" :key="study.name" class="card study"><header><h2>{{ study.name }}</h2><RunState v-if="study.going" :state="study.going.state"/></header>
      <h3>{{ study.title }}</h3><p class="soft text">{{ study.source }}</p>
      <ul v-if="study.reports.length" class="plain-list reports"><li v-for="report in study.reports.slice(0, 4)" :key="report.name"><a :href="'/report/' + encodeURIComponent(report.name)">Report</a> <span class="soft">{{ about(report, now) }}</span></li></ul>
      <div class="tools"><a v-if="study.going" class="go" :href="'/run/' + study.going.run">{{ study.going.state === 'running' ? 'Watch' : 'Resume' }}</a>
        <template v-if="study.going?.state !== 'running'"><button type="button" :class="{ go: !study.going && !study.reports.length }" :disabled="!!busy" @click="begin(study.name, false)">{{ busy === study.name + false ? 'Starting…' : 'Small samples' }}</button><button type="button" :disabled="!!busy" @click="begin(study.name, true)">{{ busy === study.name + true ? 'Starting…' : 'Full' }}</button></template></div></section></div>
    <section v-if="others.length" class="card"><header><h2>Other reports</h2></header><ul class="plain-list"><li v-for="report in others" :key="report.name"><a :href="'/report/' + encodeURIComponent(report.name)">{{ report.title || report.study }}</a> <span class="soft">{{ about(report, now) }}</span></li></ul></section></div>`,
};
