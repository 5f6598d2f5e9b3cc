// The course of a game: proved values are on rails, estimates between them.
import { measured, scaled, ticks } from "./charts.js";
import { ARROWS } from "./keys.js";
import { NAMES, moveName } from "./stones.js";

const RAILS = { win: 1, draw: 0.5, loss: 0, nothing: 0 };

// The rails of a lane, by the kinds of their values.
const FOR_TWO = { win: "Cross wins", draw: "draw", loss: "Ring wins" };
const FOR_MORE = { win: "win", draw: "draw", nothing: "nothing" };

// Estimates keep off the rails: they are another scale, which begins and ends inside.
const INSIDE = 0.74;

/** @type {(kind: string) => number} Return the height of a proved value, 0 to 1. */
export const railOf = (kind) => RAILS[kind];

/**
 * Return the height of an estimated share of the points, 0 to 1; the rails are 0, 1/2 and 1.
 * @type {(share: number) => number}
 */
export const between = (share) => 0.5 + (share - 0.5) * INSIDE;

/**
 * Return the marks of one player: dots, bands of what is still possible, and links between
 * neighbours of the same sort, `every` moves apart at most; the course has null where nothing is known.
 * @type {(course: (object | null)[], player: number, every: number) => {dots: object[], links: object[]}}
 */
export function traced(course, player, every) {
  const dots = course.flatMap((point, at) => {
    const found = point?.values.find((value) => value.player === player);
    if (!found) return [];
    const { kind, share, low, high } = found;
    const proved = kind !== "unknown";
    const y = proved ? railOf(kind) : between(share);
    return [{ at, proved, kind, y, band: proved ? null : [railOf(low), railOf(high)] }];
  });
  const links = dots.slice(1).flatMap((to, i) => {
    const { proved, at } = dots[i];
    return proved === to.proved && to.at - at <= every ? [{ from: dots[i], to, proved }] : [];
  });
  return { dots, links };
}

export const Course = {
  mixins: [measured],
  props: { geometry: Object, course: Array, moves: Array, at: Number },
  emits: ["select"],
  data: () => ({ near: null, open: false }),
  computed: {
    count: ({ moves }) => moves.length,
    two: ({ geometry }) => geometry.players === 2,
    left: ({ two }) => (two ? 78 : 58),
    high: ({ two }) => (two ? 78 : 34),
    lanes() {
      const { two, geometry, course } = this;
      const players = two ? [1] : Array.from({ length: geometry.players }, (_, i) => i + 1);
      return players.map((player, i) => ({
        player,
        top: 10 + i * (this.high + 26),
        ...traced(course, player, two ? 1 : geometry.turns.length),
        rails: Object.entries(two ? FOR_TWO : FOR_MORE),
      }));
    },
    x: (vm) => scaled([0, Math.max(1, vm.count)], [vm.left + 6, vm.width - 8]),
    height: ({ lanes, high }) => lanes.at(-1).top + high + 32,
    ticks: ({ count, width, left }) =>
      ticks(0, Math.max(1, count), Math.max(2, (width - left) / 52)).filter((n) =>
        Number.isInteger(n),
      ),
    size: ({ width, left, count }) =>
      Math.max(1.5, Math.min(3.6, (0.42 * (width - left - 12)) / Math.max(1, count))),
    /** Width of a band: neighbours touch. */
    wide: ({ width, left, count }) => Math.min(18, (width - left - 14) / Math.max(1, count)),
    estimated: ({ course }) => course.some((point) => point?.certainty === "estimate"),
    pointed: (vm) => vm.near ?? vm.at,
    /** Value after every move, in words. */
    rows: ({ count, played, known }) =>
      Array.from({ length: count + 1 }, (_, at) => ({ at, played: played(at), ...known(at) })),
  },
  methods: {
    railOf,
    y(lane, value) {
      return Number((lane.top + this.high * (1 - value)).toFixed(1));
    },
    tone({ proved, kind }, { player }) {
      if (!this.two) return `c${player}`;
      return { win: "c1", loss: "c2" }[proved ? kind : ""] ?? "";
    },
    played(at) {
      if (!at) return "the start";
      const { player, cell } = this.moves[at - 1];
      return `move ${at}, ${NAMES[player]} ${moveName(this.geometry, cell)}`;
    },
    known(at) {
      const point = this.course[at];
      return { headline: point?.headline ?? "Not analysed yet", certainty: point?.certainty ?? "" };
    },
    describe(at) {
      const { headline, certainty } = this.known(at);
      return `After ${this.played(at)}: ${headline}${certainty ? `, ${certainty}` : ""}`;
    },
    moveAt(event) {
      const at = event.clientX - this.$refs.chart.getBoundingClientRect().left;
      const ends = [this.left + 6, this.width - 8];
      return Math.min(this.count, Math.round(scaled(ends, [0, Math.max(1, this.count)])(at)));
    },
    key(event) {
      const [right, down] = ARROWS[event.key] ?? [];
      const ends = { Home: 0, End: this.count, PageUp: this.at + 10, PageDown: this.at - 10 };
      const to = right === undefined ? ends[event.key] : this.at + right - down;
      if (to === undefined) return;
      event.preventDefault();
      this.near = null;
      this.$emit("select", Math.min(this.count, Math.max(0, to)));
    },
  },
  template: `
  <div class="course">
    <div class="chart" ref="chart" role="slider" tabindex="0" aria-label="Course of the game" aria-valuemin="0" :aria-valuemax="count" :aria-valuenow="at" :aria-valuetext="describe(at)"
      @keydown="key" @pointermove="near = moveAt($event)" @pointerleave="near = null" @click="near = null; $emit('select', moveAt($event))">
      <svg :width="width" :height="height" aria-hidden="true">
        <g v-for="lane in lanes" :key="lane.player">
          <g v-for="[kind, name] in lane.rails" :key="kind" class="rail"><line :x1="left" :x2="width" :y1="y(lane, railOf(kind))" :y2="y(lane, railOf(kind))"/>
            <text :x="left - 7" :y="y(lane, railOf(kind)) + 4" text-anchor="end">{{ name }}</text></g>
          <Stone v-if="!two" :class="'c' + lane.player" :player="lane.player" x="0" :y="y(lane, 0.5) - 7" width="14" height="14"/>
          <template v-for="{ at, band } in lane.dots" :key="at"><line v-if="band" class="band" :x1="x(at)" :x2="x(at)" :y1="y(lane, band[0])" :y2="y(lane, band[1])" :stroke-width="wide"/></template>
          <line v-for="(link, i) in lane.links" :key="'l' + i" :stroke-dasharray="link.proved ? null : '1 3'" :x1="x(link.from.at)" :y1="y(lane, link.from.y)" :x2="x(link.to.at)" :y2="y(lane, link.to.y)"/>
          <circle v-for="dot in lane.dots" :key="'d' + dot.at" :class="[dot.proved ? 'proved' : 'guess', tone(dot, lane)]" :cx="x(dot.at)" :cy="y(lane, dot.y)" :r="size"/></g>
        <line :x1="x(at)" :x2="x(at)" y1="2" :y2="height - 26"/><line v-if="near !== null" stroke-dasharray="2 3" :x1="x(near)" :x2="x(near)" y1="2" :y2="height - 26"/>
        <g class="axis"><text v-for="n in ticks" :key="n" :x="x(n)" :y="height - 12" text-anchor="middle">{{ n || 'start' }}</text></g></svg></div>
    <p class="reading"><b>{{ known(pointed).headline }}</b> <span v-if="known(pointed).certainty" class="certainty" :class="known(pointed).certainty">{{ known(pointed).certainty }}</span><small class="soft">after {{ played(pointed) }}</small></p>
    <p v-if="course.some(Boolean)" class="soft signs"><span><i></i>proved</span><template v-if="estimated"><span><i class="guess"></i>estimated</span><span><i class="open"></i>still possible</span></template></p>
    <details @toggle="open = $event.target.open"><summary class="soft">As a table</summary>
      <table v-if="open"><thead><tr><th>after</th><th>value</th><th></th></tr></thead>
        <tr v-for="row in rows" :key="row.at"><td>{{ row.played }}</td><td>{{ row.headline }}</td><td>{{ row.certainty }}</td></tr></table></details>
  </div>`,
};
