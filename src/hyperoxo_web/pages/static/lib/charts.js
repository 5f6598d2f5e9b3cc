// Charts of the laboratory: results of a sweep as a curve or a map, ratings as dots with whiskers.
import { sized } from "./scroll.js";

const TICKS = [1, 2, 2.5, 5, 10];

/**
 * Return about `about` round tick values between two ends.
 * @type {(low: number, high: number, about: number) => number[]}
 */
export function ticks(low, high, about) {
  const span = high - low || 1;
  const size = 10 ** Math.floor(Math.log10(span / about));
  const step = TICKS.map((n) => n * size).find((width) => span / width <= about) ?? 10 * size;
  const values = [];
  for (let n = Math.ceil(low / step - 1e-9); n * step <= high + step * 1e-9; n++)
    values.push(Number((n * step).toPrecision(12)));
  return values;
}

/** Write a share in per cent, unsigned. @type {(share: number, digits?: number) => string} */
export const percent = (share, digits = 1) => (100 * share).toFixed(digits);
/** @type {(value: number | string) => string} Write a number in four digits. */
export const short = (value) => Number(Number(value).toPrecision(4)).toString();

/**
 * Return a scale between two ends of a picture; values beyond are at its edge.
 * @type {(span: number[], ends: number[]) => (value: number) => number}
 */
export const scaled =
  ([low, high], [from, to]) =>
  (value) => {
    const share = (Math.max(low, Math.min(high, value)) - low) / (high - low || 1);
    return Number((from + share * (to - from)).toFixed(2));
  };

/** A box that knows how wide it is, so that text in a picture keeps its size. */
export const measured = {
  mixins: [sized],
  data: () => ({ width: 640 }),
  methods: {
    resized() {
      this.width = Math.max(260, this.$el.clientWidth);
    },
  },
};

export const SweepChart = {
  mixins: [measured],
  props: { sweep: Object, label: String },
  data: () => ({ near: null }),
  computed: {
    box: ({ width }) => ({
      left: 46,
      right: width - 12,
      top: 12,
      bottom: Math.min(380, Math.max(230, width * 0.48)) - 40,
    }),
    height: ({ box }) => box.bottom + 40,
    played: ({ sweep }) => sweep.points.filter((point) => point.games),
    curve: ({ sweep }) => sweep.fit?.curve ?? [],
    spanX() {
      const axis = this.sweep.axes[0];
      const [low, high] = [Math.min(...axis), Math.max(...axis)];
      const margin = (high - low || 1) * 0.02;
      return [low - margin, high + margin];
    },
    spanY() {
      const shares = this.played.flatMap((point) => (this.whiskers ? point.bar : [point.share]));
      for (const row of this.curve)
        shares.push(Math.max(0, Math.min(1, row.low)), Math.max(0, Math.min(1, row.high)));
      if (!shares.length) return [0, 1];
      const [low, high] = [Math.min(...shares), Math.max(...shares)];
      const margin = Math.max(0.01, (high - low) * 0.08);
      return [Math.max(0, low - margin), Math.min(1, high + margin)];
    },
    x: ({ spanX, box }) => scaled(spanX, [box.left, box.right]),
    y: ({ spanY, box }) => scaled(spanY, [box.bottom, box.top]),
    whiskers: ({ sweep }) => sweep.points.length <= 120,
    ticksX: ({ spanX, width }) => ticks(...spanX, Math.max(3, width / 90)),
    ticksY: ({ spanY }) => ticks(100 * spanY[0], 100 * spanY[1], 6).map((n) => n / 100),
    line: (vm) =>
      vm.curve.map((row, i) => `${i ? "L" : "M"}${vm.x(row.value)},${vm.y(row.fit)}`).join(""),
    band() {
      if (!this.curve.length) return "";
      const over = this.curve.map((row) => `${this.x(row.value)},${this.y(row.high)}`);
      const under = this.curve.map((row) => `${this.x(row.value)},${this.y(row.low)}`).reverse();
      return `M${[...over, ...under].join("L")}Z`;
    },
    best: ({ sweep }) => sweep.fit?.optimum ?? null,
  },
  methods: {
    hover(event) {
      const at = event.clientX - this.$el.getBoundingClientRect().left;
      const away = (point) => Math.abs(this.x(point.value) - at);
      const nearer = (best, point) => (best && away(best) <= away(point) ? best : point);
      this.near = this.played.reduce(nearer, null);
    },
  },
  template: `
  <div class="plot"><svg :width="width" :height="height" role="img" :aria-label="label" @pointermove="hover" @pointerleave="near = null">
    <g class="grid"><line v-for="n in ticksY" :key="n" :x1="box.left" :x2="box.right" :y1="y(n)" :y2="y(n)"/></g>
    <template v-if="best"><rect class="best-band" :x="x(best.interval[0])" :y="box.top" :width="Math.max(1, x(best.interval[1]) - x(best.interval[0]))" :height="box.bottom - box.top"/>
      <line class="best-line" :x1="x(best.value)" :x2="x(best.value)" :y1="box.top" :y2="box.bottom"/></template>
    <path class="band" :d="band"/><path class="curve" :d="line"/>
    <g class="points"><template v-for="point in played" :key="point.value"><line v-if="whiskers" :x1="x(point.value)" :x2="x(point.value)" :y1="y(point.bar[0])" :y2="y(point.bar[1])"/><circle :cx="x(point.value)" :cy="y(point.share)" :r="point === near ? 5.5 : whiskers ? 3.5 : 1.8"/></template></g>
    <g class="axis"><text v-for="n in ticksY" :key="n" :x="box.left - 8" :y="y(n) + 4" text-anchor="end">{{ $short(100 * n) }}</text>
      <text v-for="n in ticksX" :key="'x' + n" :x="x(n)" :y="box.bottom + 17" text-anchor="middle">{{ $short(n) }}</text>
      <text class="name" :x="(box.left + box.right) / 2" :y="box.bottom + 35" text-anchor="middle">{{ sweep.names[0] }}</text></g></svg>
    <p class="reading soft"><template v-if="near">{{ sweep.names[0] }} <b>{{ $short(near.value) }}</b>: <b>{{ $percent(near.share) }} %</b>, {{ $percent(near.bar[0]) }} to {{ $percent(near.bar[1]) }}; games: {{ near.games.toLocaleString('en') }}</template>
      <template v-else><slot/></template></p></div>`,
};

export const SweepMap = {
  mixins: [measured],
  props: { sweep: Object, label: String },
  data: () => ({ near: null }),
  computed: {
    axes: ({ sweep }) => sweep.axes,
    span() {
      const shares = this.sweep.points.filter((point) => point.games).map((point) => point.share);
      return shares.length ? [Math.min(...shares), Math.max(...shares)] : [0, 1];
    },
    cell: ({ width, axes }) => Math.max(4, Math.min(90, (width - 64) / axes[1].length)),
    tall: ({ cell, axes }) => Math.max(4, Math.min(54, cell, 440 / axes[0].length)),
    everyX: ({ cell }) => Math.ceil(44 / cell),
    everyY: ({ tall }) => Math.ceil(16 / tall),
    best() {
      const found = this.sweep.fit?.optimum;
      return found ? { x: this.pixel(1, found.value[1]), y: this.pixel(0, found.value[0]) } : null;
    },
  },
  methods: {
    pixel(axis, value) {
      const values = this.axes[axis];
      const [begin, size] = axis ? [56, this.cell] : [0, this.tall];
      const ends = [0.5, values.length - 0.5].map((place) => begin + place * size);
      return scaled([values[0], values.at(-1)], ends)(value);
    },
    shade({ games, share }) {
      return games ? `${Math.round(scaled(this.span, [8, 100])(share))}%` : "0%";
    },
  },
  template: `
  <div class="plot map"><svg :width="Math.max(width, 56 + cell * axes[1].length)" :height="tall * axes[0].length + 40" role="img" :aria-label="label" @pointerleave="near = null">
    <rect v-for="(point, i) in sweep.points" :key="i" class="tile" :class="{ none: !point.games, near: point === near }" :style="{ '--share': shade(point) }" :x="56 + (i % axes[1].length) * cell" :y="Math.floor(i / axes[1].length) * tall" :width="cell - (cell > 10 ? 2 : 0)" :height="tall - (tall > 10 ? 2 : 0)" :rx="cell > 10 ? 3 : 0" @pointerenter="near = point"/>
    <path v-if="best" class="cross" :d="'M' + (best.x - 7) + ',' + best.y + 'h14m-7,-7v14'"/>
    <g class="axis"><template v-for="(value, n) in axes[0]" :key="'y' + n"><text v-if="n % everyY === 0" x="49" :y="(n + 0.5) * tall + 3" text-anchor="end">{{ $short(value) }}</text></template>
      <template v-for="(value, n) in axes[1]" :key="'x' + n"><text v-if="n % everyX === 0" :x="56 + (n + 0.5) * cell" :y="tall * axes[0].length + 15" text-anchor="middle">{{ $short(value) }}</text></template>
      <text class="name" :x="56 + (cell * axes[1].length) / 2" :y="tall * axes[0].length + 34" text-anchor="middle">{{ sweep.names[1] }}</text>
      <text class="name" :transform="'translate(11,' + (tall * axes[0].length) / 2 + ') rotate(-90)'" text-anchor="middle">{{ sweep.names[0] }}</text></g></svg>
    <p class="scale soft"><span>{{ $percent(span[0]) }} %</span><i></i><span>{{ $percent(span[1]) }} %</span></p>
    <p class="reading soft"><template v-if="near && near.games">{{ sweep.names[0] }} <b>{{ $short(near.value[0]) }}</b>, {{ sweep.names[1] }} <b>{{ $short(near.value[1]) }}</b>: <b>{{ $percent(near.share) }} %</b>, {{ $percent(near.bar[0]) }} to {{ $percent(near.bar[1]) }}; games: {{ near.games.toLocaleString('en') }}</template>
      <template v-else><slot/></template></p></div>`,
};

export const Ratings = {
  props: { ratings: Array },
  computed: {
    span() {
      const low = Math.min(0, ...this.ratings.map((row) => row.low));
      const high = Math.max(0, ...this.ratings.map((row) => row.high));
      return [low, high === low ? low + 1 : high];
    },
    at: ({ span }) => scaled(span, [0, 100]),
  },
  methods: {
    signed(value) {
      const whole = Math.round(value);
      return (whole < 0 ? "−" : "+") + Math.abs(whole);
    },
  },
  template: `
  <div class="ratings"><div v-for="row in ratings" :key="row.agent" class="rating-row"><span class="mono agent" :title="row.agent">{{ row.agent }}</span>
    <span class="line"><i class="zero" :style="{ left: at(0) + '%' }"></i><span class="whisker" :style="{ left: at(row.low) + '%', width: at(row.high) - at(row.low) + '%' }"></span><i class="dot" :style="{ left: at(row.value) + '%' }"></i></span>
    <b>{{ signed(row.value) }}</b><small class="soft">{{ signed(row.low) }} to {{ signed(row.high) }}</small>
    <small class="soft wdl"><span>{{ row.wins.toLocaleString('en') }} won</span> <span>{{ row.draws.toLocaleString('en') }} drawn</span> <span>{{ row.losses.toLocaleString('en') }} lost</span></small></div></div>`,
};
