// The report of a study.
import { LabTabs, ReportBody, samples, since } from "hyperoxo";

export default {
  components: { LabTabs, ReportBody },
  props: { report: Object, now: Number },
  methods: { samples, since },
  template: `
  <div class="page report-page"><LabTabs here="/studies"/><h1>{{ report.title }}</h1>
    <p class="soft made">From {{ samples(report) }}, seed {{ report.seed }}, {{ since(report.made, now) }}. <a :href="'/api/reports/' + encodeURIComponent(report.name) + '/index.html'">As one page that stands alone</a></p>
    <ReportBody :report="report"/><p class="soft note">“agrees” says that chance, in both samples, makes a difference as great as that between the two figures at least once in a hundred times; among many figures a few may disagree by chance. “cannot tell”: the published sample is too small, or of something else, as the remark says. Intervals are of 95 %.</p></div>`,
};
