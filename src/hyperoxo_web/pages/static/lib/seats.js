// The players: stones, names, lines and clocks. A seat shows its lines when it is pressed.
import { joins } from "./share.js";
import { plural } from "./text.js";

/** @type {(seconds: number) => string} Return the time left as a clock shows it. */
export const clock = (seconds) => {
  const whole = Math.max(0, Math.floor(seconds));
  const [h, m, s] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  if (!h && m === 0 && seconds < 20) return seconds.toFixed(1);
  return (h ? `${h}:${String(m).padStart(2, "0")}` : `${m}`) + `:${String(s).padStart(2, "0")}`;
};

export const Seats = {
  props: {
    geometry: Object,
    state: Object,
    position: Object,
    showing: Number,
    /** The players whose seats these are. */
    players: Array,
  },
  emits: ["lines"],
  data: () => ({ now: performance.now(), receivedAt: performance.now() }),
  watch: {
    state() {
      this.receivedAt = this.now = performance.now();
    },
  },
  mounted() {
    this.timer = setInterval(() => {
      if (this.state.clock?.running) this.now = performance.now();
    }, 200);
  },
  beforeUnmount() {
    clearInterval(this.timer);
  },
  methods: {
    left(player) {
      const { left, running } = this.state.clock;
      const spent = running === player ? (this.now - this.receivedAt) / 1000 : 0;
      return clock(Math.max(0, left[player - 1] - spent));
    },
    status(seat) {
      const lines = this.position.scores[seat.player];
      if (this.state.over && this.position.here) {
        if (this.state.winners.includes(seat.player)) return "wins";
        if (this.state.result === "=") return "draw";
      }
      if (this.position.mover === seat.player)
        return this.state.thinking === seat.player && this.position.here ? "thinks" : "to move";
      const { present, you } = this.state;
      const away = present && ![...present, ...you].includes(seat.player);
      if (!seat.agent && away) return "away";
      return lines || this.geometry.target > 1 ? plural(lines, "line") : "";
    },
    title(seat) {
      const alone = this.state.you.join() === String(seat.player);
      return alone && joins(seat) ? "You" : seat.name;
    },
  },
  template: `
  <div class="seats">
    <button v-for="seat in state.seats.filter(({ player }) => players.includes(player))" :key="seat.player" type="button" class="seat"
      :class="['c' + seat.player, { turn: position.mover === seat.player, wins: state.over && state.winners.includes(seat.player), showing: showing === seat.player }]"
      :aria-label="$names[seat.player] + ', ' + seat.name + ', ' + (status(seat) || 'no line') + '. Show lines.'"
      :aria-pressed="showing === seat.player ? 'true' : 'false'" @click="$emit('lines', seat.player)">
      <Stone :player="seat.player"/>
      <span class="player"><span class="nick" :title="seat.name">{{ title(seat) }}</span><small>{{ [status(seat), state.you.includes(seat.player) && title(seat) !== 'You' && 'you'].filter(Boolean).join(' · ') }}</small><small v-if="position.here && state.remark?.player === seat.player" class="remark">“{{ state.remark.words }}”</small></span>
      <span class="n" v-if="state.clock">{{ left(seat.player) }}</span>
      <span class="n" v-else-if="geometry.target > 1 || position.scores[seat.player]">{{ position.scores[seat.player] }}<small v-if="geometry.target > 1">/{{ geometry.target }}</small></span>
    </button>
  </div>`,
};
