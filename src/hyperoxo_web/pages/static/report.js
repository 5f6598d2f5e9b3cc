// The report of a study.
import { samples, since } from "hyperoxo";

export default {
  props: { report: Object, now: Number },
  methods: { samples, since },
  template: `
  <div class="page report-page"><LabTabs here="/studies"/><h1>{{ report.title }}</h1>
    <p class="soft made">From {{ samples(report) }}, seed {{ report.seed }}, {{ since(report.made, now) }}. <a :href="'/api/reports/' + encodeURIComponent(report.name) + '/index.html'">Open as a single file</a></p>
    <ReportBody :report="report"/><p class="soft note">“Agrees” means that chance alone gives a difference as large at least once in a hundred times. Among many figures, a few may disagree by chance. “Cannot tell” means that the published sample is too small, or measures something else: see the remark. Intervals are 95 %.</p></div>`,
};
