// A board that plays by itself, and turns where it lies in space; still where nothing may move.
import { filled } from "./lines.js";
import { reducedMotion } from "./stones.js";
import { HOME } from "./projection.js";
import { ownersAfter } from "./tree.js";

// Milliseconds a move and a picture, moves to rest at the end, and radians a second.
const TEMPO = { move: 800, picture: 45, rest: 5, turn: 0.12 };

export const Playing = {
  /** `games` are lists of moves, played one after another. */
  props: {
    geometry: Object,
    games: Array,
    turning: Boolean,
    explode: { type: Number, default: 1.1 },
  },
  data() {
    const turn = this.turning ? HOME.turn : null;
    return { game: 0, ply: reducedMotion() ? this.games[0].length : 0, turn };
  },
  computed: {
    spatial: ({ geometry }) => geometry.shape !== null && geometry.shape.length > 2,
    /** The position as the small pictures show it; full lines are drawn. */
    view() {
      const moves = this.games[this.game].slice(0, this.ply);
      const owner = ownersAfter(this.geometry, moves);
      const strokes = filled(this.geometry, owner).map((cells) => ({
        player: owner[cells[0]],
        cells,
      }));
      return { owner, strokes, last: moves.at(-1) ?? null };
    },
    glow: ({ view }) => view.strokes.flatMap(({ cells }) => cells),
  },
  mounted() {
    if (reducedMotion()) return;
    this.timer = setInterval(this.step, TEMPO.move);
    if (this.turning) this.frame(performance.now());
  },
  beforeUnmount() {
    clearInterval(this.timer);
    cancelAnimationFrame(this.frameRequest);
  },
  methods: {
    step() {
      this.ply += 1;
      if (this.ply <= this.games[this.game].length + TEMPO.rest) return;
      [this.game, this.ply] = [(this.game + 1) % this.games.length, 0];
    },
    frame(time) {
      const passed = time - (this.drawnAt ?? time);
      if (passed >= TEMPO.picture || this.drawnAt === undefined) {
        this.turn += (TEMPO.turn * Math.min(passed, 100)) / 1000;
        this.drawnAt = time;
      }
      this.frameRequest = requestAnimationFrame(this.frame);
    },
  },
  template: `<Still v-if="spatial" :geometry="geometry" :view="view" :turn="turn" :explode="explode"/><Mini v-else :geometry="geometry" :owner="view.owner" :glow="glow"/>`,
};
