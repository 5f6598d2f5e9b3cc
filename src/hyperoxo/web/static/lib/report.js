// A study's report: text, tables and figures, drawn as the other pages are.
import { CommandLine } from "./results.js";
const COMPARED = ["quantity", "published", "ours", "low", "high", "sample", "agrees", "remark", "command"];

const written = (value) => {
  if (value === null || value === undefined || value === "") return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value !== "number") return String(value);
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toPrecision(5)));
};

/** Return how large the samples of a report are, in words. */
export const samples = ({ full, scale }) => `${scale < 1 ? `${Number((100 * scale).toPrecision(3))} % of ` : ""}${full ? "full" : "reduced"} samples`;

export const ReportTable = {
  components: { CommandLine },
  props: { table: Object, file: String },
  computed: {
    compared() {
      return COMPARED.every((name) => this.table.columns.includes(name));
    },
    columns() {
      return this.table.columns.filter((name) => name !== "command" || this.table.rows.some((row) => row.command));
    },
  },
  methods: {
    written,
    numeric(name) {
      return typeof this.table.rows.find((row) => row[name] !== null)?.[name] === "number";
    },
    told(name) {
      return this.table.rows.some((row) => row[name] !== null);
    },
    ends(row) {
      return row.low === null ? "" : `${written(row.low)} to ${written(row.high)}`;
    },
  },
  template: `
  <div class="report-table"><header><h3>{{ table.title }}</h3><a class="link soft" :href="file">CSV</a></header><p v-if="table.text" class="soft">{{ table.text }}</p>
    <div class="scroll"><table v-if="compared" class="rows"><thead><tr><th></th><th v-if="told('published')" class="n">published</th><th class="n">ours</th><th class="n">95 % interval</th><th class="n">sample</th><th v-if="told('agrees')">verdict</th><th></th></tr></thead>
      <tbody><tr v-for="(row, i) in table.rows" :key="i" :title="row.command"><td class="quantity">{{ row.quantity }}</td><td v-if="told('published')" class="n">{{ written(row.published) }}</td><td class="n"><b>{{ written(row.ours) }}</b></td><td class="n soft">{{ ends(row) }}</td><td class="n soft">{{ written(row.sample) }}</td>
        <td v-if="told('agrees')"><span v-if="row.agrees !== null" class="verdict" :class="row.agrees ? 'yes' : 'no'">{{ row.agrees ? 'agrees' : 'disagrees' }}</span><span v-else-if="row.published !== null" class="soft">cannot tell</span></td><td class="remark">{{ row.remark }}<span v-if="row['read in']" class="soft"> Read in: {{ row["read in"] }}.</span><CommandLine v-if="row.command" :words="row.command"/></td></tr></tbody></table>
    <table v-else class="rows"><thead><tr><th v-for="name in columns" :key="name" :class="{ n: numeric(name) }">{{ name }}</th></tr></thead>
      <tbody><tr v-for="(row, i) in table.rows" :key="i"><td v-for="name in columns" :key="name" :class="{ n: numeric(name), mono: name === 'command' }">{{ written(row[name]) }}</td></tr></tbody></table></div></div>`,
};

export const ReportBody = {
  components: { ReportTable },
  props: { report: Object },
  computed: {
    base() {
      return `/api/reports/${encodeURIComponent(this.report.name)}`;
    },
  },
  methods: {
    paragraphs: (text) => text.split("\n\n").filter(Boolean),
  },
  template: `
  <div class="report"><p v-for="(words, i) in paragraphs(report.source)" :key="i" class="lead">{{ words }}</p>
    <nav v-if="report.sections.length > 2" class="contents" aria-label="Sections"><a v-for="(section, i) in report.sections" :key="i" :href="'#section-' + i">{{ section.title }}</a></nav>
    <section v-for="(section, i) in report.sections" :key="i" :id="'section-' + i" class="card"><h2 v-if="section.title" class="title">{{ section.title }}</h2>
      <p v-for="(words, n) in paragraphs(section.text)" :key="n" class="words">{{ words }}</p>
      <template v-for="name in section.tables" :key="name"><ReportTable v-if="report.tables[name]" :table="report.tables[name]" :file="base + '/data/' + encodeURIComponent(name) + '.csv'"/></template>
      <ul v-if="section.files.length" class="plain-list"><li v-for="one in section.files" :key="one.name"><a :href="base + '/files/' + encodeURIComponent(one.name)">{{ one.name }}</a> <span class="soft">{{ one.caption }}</span></li></ul>
      <figure v-for="one in section.pictures" :key="one.name"><img :src="base + '/figures/' + encodeURIComponent(one.name) + '.svg'" :alt="one.caption" loading="lazy"><figcaption class="soft">{{ one.caption }}</figcaption></figure></section></div>`,
};
