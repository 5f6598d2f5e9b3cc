// Four lines of advice in the first game that a person plays here, each about a line on the board.
import { readStorage, writeStorage } from "./storage.js";
import { tally } from "./lines.js";
import { NAMES } from "./stones.js";
import { axesAlong } from "./layout.js";
/** @import { Geometry } from "./layout.js" */
/** @import { Position } from "./tree.js" */

/** @typedef {{step: number, words: string, highlight: {player: number, lines: number[]}}} Advised */

const SHAPES = {
  2: ["A full line wins. It can run across.", "It can run up.", "It can run along a diagonal."],
  3: [
    "A full line wins. It can lie in one layer.",
    "It can climb straight through the layers.",
    "It can climb along a diagonal of the cube.",
  ],
};

/** Return the direction of a line, as a number of `SHAPES`; -1 for others. */
function directionOf({ shape }, line) {
  const along = axesAlong(line, shape);
  if (along.length === shape.length) return 2;
  if (along[0] > 0) return 0;
  return along.length === 1 ? 1 : -1;
}

/**
 * Return the advice for a position as {step, words, highlight}, or null: a threat first, then directions in turn.
 * @type {(geometry: Geometry, position: Position, you: number, step: number) => Advised | null}
 */
export function adviceFor(geometry, { owner, legal }, you, step) {
  const numbers = [...geometry.lines.keys()];
  const tallies = geometry.lines.map((line) => tally(line, owner));
  const threat = numbers.find((number) => {
    const { counts, free } = tallies[number];
    return counts.size === 1 && !counts.has(you) && free.length === 1 && legal.includes(free[0]);
  });
  if (threat !== undefined) {
    const [player] = tallies[threat].counts.keys();
    const words = `${NAMES[player]} threatens here: stop it.`;
    return { step: 3, words, highlight: { player, lines: [threat], still: true } };
  }
  if (step > 2) return null;
  const line = numbers.find((number) => {
    const { counts } = tallies[number];
    const mine = counts.has(you) ? counts.size === 1 : !counts.size && !owner.includes(you);
    return mine && directionOf(geometry, geometry.lines[number]) === step;
  });
  if (line === undefined) return null;
  const words = SHAPES[geometry.shape.length][step];
  return { step, words, highlight: { player: you, lines: [line] } };
}

/** True if a game is one that the lines of advice suit. */
const suits = ({ shape, misere, target, beyond }, { seats }) =>
  SHAPES[shape?.length] && !misere && !beyond && target === 1 && seats.length === 2;

export const Coach = {
  props: { geometry: Object, state: Object, position: Object, you: Array },
  emits: ["show"],
  data: () => ({ on: false, step: 0, advice: null }),
  computed: {
    mine() {
      const { here, mover } = this.position;
      return this.on && here && this.you.length === 1 && mover === this.you[0];
    },
  },
  watch: {
    mine: "advise",
  },
  created() {
    const { id } = this.state;
    this.on = Boolean(suits(this.geometry, this.state)) && readStorage("coached", id) === id;
    if (this.on) writeStorage("coached", id);
    this.advise();
  },
  methods: {
    /** Advise at each turn of this person, until all advice is given. */
    advise() {
      if (this.advice) this.$emit("show", null);
      this.advice = null;
      if (!this.mine) return;
      this.advice = adviceFor(this.geometry, this.position, this.you[0], this.step);
      if (!this.advice) return;
      if (this.advice.step < 3) this.step = this.advice.step + 1;
      this.$emit("show", this.advice.highlight);
    },
    end() {
      this.on = false;
      writeStorage("coached", "done");
    },
  },
  template: `<p v-if="advice" class="coach"><span>{{ advice.words }}</span> <button type="button" class="small" @click="end">Got it</button></p>`,
};
