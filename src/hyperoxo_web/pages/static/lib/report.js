// A study's report: text, tables and figures, drawn as the other pages are.

const COMPARED = [
  "quantity",
  "published",
  "ours",
  "low",
  "high",
  "sample",
  "agrees",
  "remark",
  "command",
];

/**
 * Return how many decimals an interval leaves sense in: two digits of its half width; null where there is none.
 * @type {(low: number | null, high: number | null) => number | null}
 */
export function decimalsOf(low, high) {
  const half = Math.abs(high - low) / 2;
  if (low === null || high === null || !(half > 0)) return null;
  return Math.min(6, Math.max(0, 1 - Math.floor(Math.log10(half))));
}

/**
 * Return a figure as it is printed: with so many decimals, or else with four digits.
 * @type {(value: unknown, decimals?: number | null) => string}
 */
export function written(value, decimals = null) {
  if (value === null || value === undefined || value === "") return "";
  if (value === true) return "yes";
  if (value === false) return "no";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value)) return value.toLocaleString("en");
  return decimals === null ? String(Number(value.toPrecision(4))) : value.toFixed(decimals);
}

/**
 * Return how many decimals the figures of a column are printed with: of the largest, three digits or more.
 * @type {(values: unknown[]) => number | null}
 */
export function decimalsIn(values) {
  const figures = values
    .filter((value) => typeof value === "number" && !Number.isInteger(value))
    .map(Math.abs);
  if (!figures.length) return null;
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  if (most > 1000 * least) return null;
  return Math.min(6, Math.max(0, 2 - Math.floor(Math.log10(most))) + (most > 10 * least ? 1 : 0));
}

/**
 * Return how large the samples of a report are, in words.
 * @type {(report: {full: boolean, scale: number}) => string}
 */
export const samples = ({ full, scale }) =>
  `${scale < 1 ? `${Number((100 * scale).toPrecision(3))} % of ` : ""}${full ? "full" : "reduced"} samples`;

/**
 * Return how many compared rows of a section agree, disagree, and allow no verdict.
 * @type {(section: {tables: string[]}, tables: Record<string, {rows: object[]}>) => number[]}
 */
export function verdicts(section, tables) {
  const rows = section.tables.flatMap((name) => tables[name]?.rows ?? []);
  const compared = rows.filter((row) => (row.published ?? null) !== null && "agrees" in row);
  return [true, false, null].map((one) => compared.filter((row) => row.agrees === one).length);
}

const ReportTable = {
  props: { table: Object, file: String },
  computed: {
    compared: ({ table }) => COMPARED.every((name) => table.columns.includes(name)),
    decimals: ({ columns, table }) =>
      Object.fromEntries(
        columns.map((name) => [name, decimalsIn(table.rows.map((row) => row[name]))]),
      ),
    columns: ({ table }) =>
      table.columns.filter((name) => name !== "command" || table.rows.some((row) => row.command)),
  },
  methods: {
    written,
    ours: (row) => written(row.ours, decimalsOf(row.low, row.high)),
    numeric(name) {
      return typeof this.table.rows.find((row) => row[name] !== null)?.[name] === "number";
    },
    told(name) {
      return this.table.rows.some((row) => row[name] !== null);
    },
    ends(row) {
      const decimals = decimalsOf(row.low, row.high);
      return row.low === null
        ? ""
        : `${written(row.low, decimals)} to ${written(row.high, decimals)}`;
    },
  },
  template: `
  <div class="report-table"><header><h3>{{ table.title }}</h3><a class="link soft" :href="file">CSV</a></header><p v-if="table.text" class="soft">{{ table.text }}</p>
    <Scroll :label="table.title"><table v-if="compared" class="rows"><thead><tr><th></th><th v-if="told('published')" class="n">published</th><th class="n">ours</th><th class="n">95 % interval</th><th class="n">sample</th><th v-if="told('agrees')">verdict</th><th></th></tr></thead>
      <tbody><tr v-for="(row, i) in table.rows" :key="i" :title="row.command"><td class="quantity">{{ row.quantity }}</td><td v-if="told('published')" class="n">{{ written(row.published) }}</td><td class="n"><b>{{ ours(row) }}</b></td><td class="n soft">{{ ends(row) }}</td><td class="n soft">{{ written(row.sample) }}</td>
        <td v-if="told('agrees')"><span v-if="row.agrees !== null" class="verdict" :class="row.agrees ? 'yes' : 'no'">{{ row.agrees ? 'agrees' : 'disagrees' }}</span><span v-else-if="row.published !== null" class="soft">cannot tell</span></td><td class="remark">{{ row.remark }}<span v-if="row['read in']" class="soft"> Read in: {{ row["read in"] }}.</span><CommandLine v-if="row.command" :words="row.command"/></td></tr></tbody></table>
    <table v-else class="rows"><thead><tr><th v-for="name in columns" :key="name" :class="{ n: numeric(name) }">{{ name }}</th></tr></thead>
      <tbody><tr v-for="(row, i) in table.rows" :key="i"><td v-for="name in columns" :key="name" :class="{ n: numeric(name), mono: name === 'command' }">{{ written(row[name], decimals[name]) }}</td></tr></tbody></table></Scroll></div>`,
};

export const ReportBody = {
  components: { ReportTable },
  props: { report: Object },
  computed: {
    base: ({ report }) => `/api/reports/${encodeURIComponent(report.name)}`,
  },
  methods: {
    verdicts,
    paragraphs: (text) => text.split("\n\n").filter(Boolean),
  },
  template: `
  <div class="report"><p v-for="(words, i) in paragraphs(report.source)" :key="i" class="lead">{{ words }}</p>
    <nav v-if="report.sections.length > 2" class="contents" aria-label="Sections"><table class="rows"><thead><tr><th scope="col">Section</th><th v-for="name in ['agree', 'disagree', 'cannot tell']" :key="name" scope="col" class="n">{{ name }}</th></tr></thead>
      <tbody><tr v-for="(section, i) in report.sections" :key="i"><td><a :href="'#section-' + i">{{ section.title }}</a></td><td v-for="(count, n) in verdicts(section, report.tables)" :key="n" class="n" :class="{ no: n === 1 && count }">{{ count || '' }}</td></tr></tbody></table></nav>
    <section v-for="(section, i) in report.sections" :key="i" :id="'section-' + i" class="card"><h2 v-if="section.title" class="title">{{ section.title }}</h2>
      <p v-for="(words, n) in paragraphs(section.text)" :key="n" class="words">{{ words }}</p>
      <template v-for="name in section.tables" :key="name"><ReportTable v-if="report.tables[name]" :table="report.tables[name]" :file="base + '/data/' + encodeURIComponent(name) + '.csv'"/></template>
      <ul v-if="section.files.length" class="plain-list"><li v-for="one in section.files" :key="one.name"><a :href="base + '/files/' + encodeURIComponent(one.name)">{{ one.name }}</a> <span class="soft">{{ one.caption }}</span></li></ul>
      <figure v-for="one in section.pictures" :key="one.name"><img :src="base + '/figures/' + encodeURIComponent(one.name) + '.svg'" :alt="one.caption" loading="lazy"><figcaption class="soft">{{ one.caption }}</figcaption></figure></section></div>`,
};
